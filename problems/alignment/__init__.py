"""Alignment of several strings."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "alignment": ("problem:Alignment", "multiple sequence alignment of DNA or proteins, by the sum of pairs"),
}
