"""Atarigo."""

KIND = "games"
PROBLEMS = {
    "atarigo": ("problem:Atarigo", "Atarigo (Capture Go), for two: who first captures wins"),
}
