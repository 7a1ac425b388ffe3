"""The Investment Pair Game."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "investment": ("problem:Investment", "the Investment Pair Game, for two or three teams"),
}
