"""Rich vehicle routing."""

KIND = "routing"
PROBLEMS = {
    "richvrp": ("problem:RichVRP", "rich vehicle routing: pickups and deliveries, several depots, backhauls, prizes"),
}
