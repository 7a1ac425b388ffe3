"""Gomoku."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "gomoku": ("problem:Gomoku", "Gomoku, for two: five in a row"),
}
