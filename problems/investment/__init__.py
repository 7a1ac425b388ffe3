"""The Investment Pair Game."""

KIND = "games"
PROBLEMS = {
    "investment": ("problem:Investment", "the Investment Pair Game, for two or three teams"),
}
