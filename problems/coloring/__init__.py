"""Graph colouring."""

KIND = "graphs and networks"
PROBLEMS = {
    "coloring": ("problem:Coloring", "graph colouring"),
}
