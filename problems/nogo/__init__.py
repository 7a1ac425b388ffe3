"""Nogo."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "nogo": ("problem:Nogo", "Nogo, for two or three: who cannot move without capture loses"),
}
