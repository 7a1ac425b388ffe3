"""Snake-in-the-box and coil-in-the-box."""

KIND = "mathematics"
PROBLEMS = {
    "snake": ("problem:Snake", "snake-in-the-box and coil-in-the-box"),
}
