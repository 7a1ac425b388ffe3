"""Snake-in-the-box and coil-in-the-box."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "snake": ("problem:Snake", "snake-in-the-box and coil-in-the-box"),
}
