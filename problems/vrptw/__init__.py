"""Vehicle routing with time windows."""

KIND = "routing"
PROBLEMS = {
    "vrptw": ("problem:VRPTW", "vehicle routing with time windows"),
}
