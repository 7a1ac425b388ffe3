"""Breakthrough."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "breakthrough": ("problem:Breakthrough", "Breakthrough, for two: pawns that cross"),
}
