"""Goals and rules, as in retrosynthesis."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "goals": ("problem:Goals", "goals and rules, as in retrosynthesis: the cheapest route from what is in stock"),
}
