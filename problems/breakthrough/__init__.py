"""Breakthrough."""

KIND = "games"
PROBLEMS = {
    "breakthrough": ("problem:Breakthrough", "Breakthrough, for two: pawns that cross"),
}
