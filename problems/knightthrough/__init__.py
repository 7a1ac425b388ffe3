"""Knightthrough."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "knightthrough": ("problem:Knightthrough", "Knightthrough, for two: knights that cross"),
}
