"""Vehicle routing under capacities alone."""

KIND = "routing"
PROBLEMS = {
    "cvrp": ("problem:CVRP", "vehicle routing with capacities, longest routes, so many vehicles"),
}
