"""Gomoku."""

KIND = "games"
PROBLEMS = {
    "gomoku": ("problem:Gomoku", "Gomoku, for two: five in a row"),
}
