"""Weak Schur numbers."""

KIND = "mathematics"
PROBLEMS = {
    "schur": ("problem:WeakSchur", "weak Schur numbers: weakly sum-free parts of 1, 2, 3, …"),
}
