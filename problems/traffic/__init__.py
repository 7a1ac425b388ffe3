"""Traffic engineering."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "traffic": ("problem:Traffic", "traffic engineering: route demands so that no link is loaded more than need be"),
}
