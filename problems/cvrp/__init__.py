"""Vehicle routing under capacities alone."""

PROBLEMS = {
    "cvrp": ("problem:CVRP", "vehicle routing with capacities, longest routes, so many vehicles"),
}
