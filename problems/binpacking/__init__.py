"""One-dimensional bin packing."""

PROBLEMS = {
    "binpacking": ("problem:BinPacking", "one-dimensional bin packing"),
}
