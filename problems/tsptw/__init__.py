"""The travelling salesman problem with time windows."""

KIND = "routing"
PROBLEMS = {
    "tsptw": ("problem:TSPTW", "travelling salesman with time windows"),
}
