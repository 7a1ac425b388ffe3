"""The Wargame."""

KIND = "games"
PROBLEMS = {
    "wargame": ("problem:Wargame", "the Wargame, for two or three: units that choose their targets"),
}
