"""Vehicle routing with time windows."""

PROBLEMS = {
    "vrptw": ("problem:VRPTW", "vehicle routing with time windows"),
}
