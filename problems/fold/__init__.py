"""RNA folding."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "fold": ("problem:Folding", "RNA folding: the structure of least energy of a sequence"),
}
