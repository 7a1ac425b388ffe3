"""Pictures of results and experiments. matplotlib is imported when the first of them is drawn."""

from nrpa.plots.bins import bins
from nrpa.plots.curves import anytime, convergence, time_to_target
from nrpa.plots.morpion import grid
from nrpa.plots.panels import Panel, panels_of, register
from nrpa.plots.results import front, overview, position, solution
from nrpa.plots.rna import arcs
from nrpa.plots.samegame import game
from nrpa.plots.tours import schedule, tour

__all__ = [
    "Panel",
    "anytime",
    "arcs",
    "bins",
    "convergence",
    "front",
    "game",
    "grid",
    "overview",
    "panels_of",
    "position",
    "register",
    "schedule",
    "solution",
    "time_to_target",
    "tour",
]
