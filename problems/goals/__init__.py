"""Goals and rules, as in retrosynthesis."""

PROBLEMS = {
    "goals": ("problem:Goals", "goals and rules, as in retrosynthesis: the cheapest route from what is in stock"),
}
