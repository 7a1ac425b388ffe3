"""The Video Game."""

KIND = "games"
PROBLEMS = {
    "videogame": ("problem:VideoGame", "a game of tactics, for two: units move and attack"),
}
