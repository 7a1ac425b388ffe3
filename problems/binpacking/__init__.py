"""One-dimensional bin packing."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "binpacking": ("problem:BinPacking", "one-dimensional bin packing"),
}
