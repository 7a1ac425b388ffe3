"""RNA inverse folding."""

PROBLEMS = {
    "rna": ("problem:InverseFolding", "RNA inverse folding: a sequence for a structure"),
}
