"""Atarigo."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "atarigo": ("problem:Atarigo", "Atarigo (Capture Go), for two: who first captures wins"),
}
