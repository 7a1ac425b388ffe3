"""The Wargame."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "wargame": ("problem:Wargame", "the Wargame, for two or three: units that choose their targets"),
}
