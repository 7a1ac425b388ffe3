"""SameGame."""

KIND = "puzzles"
PROBLEMS = {
    "samegame": ("problem:SameGame", "SameGame: clear a board of coloured cells group by group"),
}
