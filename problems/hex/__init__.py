"""Hex."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "hex": ("problem:Hex", "Hex, for two: connect two sides of the board"),
}
