"""Morpion Solitaire, also called Join Five."""

PROBLEMS = {
    "morpion": ("problem:Morpion", "Morpion Solitaire (Join Five)"),
}
