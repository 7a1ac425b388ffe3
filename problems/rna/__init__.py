"""RNA inverse folding."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "rna": ("problem:InverseFolding", "RNA inverse folding: a sequence for a structure"),
}
