"""Vehicle routing under capacities alone."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "cvrp": ("problem:CVRP", "vehicle routing with capacities, longest routes, so many vehicles"),
}
