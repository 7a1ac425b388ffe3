"""RNA inverse folding."""

KIND = "molecules and strings"
PROBLEMS = {
    "rna": ("problem:InverseFolding", "RNA inverse folding: a sequence for a structure"),
}
