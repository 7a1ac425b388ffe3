"""The Investment Pair Game."""

PROBLEMS = {
    "investment": ("problem:Investment", "the Investment Pair Game, for two or three teams"),
}
