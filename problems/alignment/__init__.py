"""Alignment of several strings."""

KIND = "molecules and strings"
PROBLEMS = {
    "alignment": ("problem:Alignment", "multiple sequence alignment of DNA or proteins, by the sum of pairs"),
}
