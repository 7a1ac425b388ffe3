"""Rich vehicle routing."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "richvrp": ("problem:RichVRP", "rich vehicle routing: pickups and deliveries, several depots, backhauls, prizes"),
}
