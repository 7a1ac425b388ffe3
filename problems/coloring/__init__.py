"""Graph colouring."""

PROBLEMS = {
    "coloring": ("problem:Coloring", "graph colouring"),
}
