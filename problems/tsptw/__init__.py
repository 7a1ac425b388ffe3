"""The travelling salesman problem with time windows."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "tsptw": ("problem:TSPTW", "travelling salesman with time windows"),
}
