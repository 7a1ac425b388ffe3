"""Snake-in-the-box and coil-in-the-box."""

PROBLEMS = {
    "snake": ("problem:Snake", "snake-in-the-box and coil-in-the-box"),
}
