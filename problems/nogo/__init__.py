"""Nogo."""

KIND = "games"
PROBLEMS = {
    "nogo": ("problem:Nogo", "Nogo, for two or three: who cannot move without capture loses"),
}
