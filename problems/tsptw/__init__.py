"""The travelling salesman problem with time windows."""

PROBLEMS = {
    "tsptw": ("problem:TSPTW", "travelling salesman with time windows"),
}
