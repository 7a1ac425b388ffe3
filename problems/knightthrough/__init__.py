"""Knightthrough."""

KIND = "games"
PROBLEMS = {
    "knightthrough": ("problem:Knightthrough", "Knightthrough, for two: knights that cross"),
}
