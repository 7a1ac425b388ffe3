"""RNA folding."""

KIND = "molecules and strings"
PROBLEMS = {
    "fold": ("problem:Folding", "RNA folding: the structure of least energy of a sequence"),
}
