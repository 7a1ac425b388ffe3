"""SameGame."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "samegame": ("problem:SameGame", "SameGame: clear a board of coloured cells group by group"),
}
