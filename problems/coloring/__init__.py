"""Graph colouring."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "coloring": ("problem:Coloring", "graph colouring"),
}
