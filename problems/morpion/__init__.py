"""Morpion Solitaire, also called Join Five."""

KIND = "puzzles"
PROBLEMS = {
    "morpion": ("problem:Morpion", "Morpion Solitaire (Join Five)"),
}
