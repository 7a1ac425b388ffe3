"""Hex."""

KIND = "games"
PROBLEMS = {
    "hex": ("problem:Hex", "Hex, for two: connect two sides of the board"),
}
