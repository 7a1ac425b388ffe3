"""Weak Schur numbers."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "schur": ("problem:WeakSchur", "weak Schur numbers: weakly sum-free parts of 1, 2, 3, …"),
}
