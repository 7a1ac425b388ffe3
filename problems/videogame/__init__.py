"""The Video Game."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "videogame": ("problem:VideoGame", "a game of tactics, for two: units move and attack"),
}
