"""Traffic engineering."""

KIND = "graphs and networks"
PROBLEMS = {
    "traffic": ("problem:Traffic", "traffic engineering: route demands so that no link is loaded more than need be"),
}
