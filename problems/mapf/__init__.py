"""Paths of several robots on one grid (multi-agent path finding)."""

KIND = "routing"
PROBLEMS = {
    "mapf": ("problem:MAPF", "multi-agent path finding: paths of robots on one grid that never meet, short in sum"),
}
