"""Morpion Solitaire, also called Join Five."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "morpion": ("problem:Morpion", "Morpion Solitaire (Join Five)"),
}
