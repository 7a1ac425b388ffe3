"""Vehicle routing with time windows."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "vrptw": ("problem:VRPTW", "vehicle routing with time windows"),
}
