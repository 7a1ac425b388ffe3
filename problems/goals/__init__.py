"""Goals and rules, as in retrosynthesis."""

KIND = "molecules and strings"
PROBLEMS = {
    "goals": ("problem:Goals", "goals and rules, as in retrosynthesis: the cheapest route from what is in stock"),
}
