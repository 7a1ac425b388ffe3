"""One-dimensional bin packing."""

KIND = "packing"
PROBLEMS = {
    "binpacking": ("problem:BinPacking", "one-dimensional bin packing"),
}
