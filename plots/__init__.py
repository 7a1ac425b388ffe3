"""Pictures of results and experiments. matplotlib is imported when the first of them is drawn."""

from nrpa.plots.anytime import anytime
from nrpa.plots.bins import bins
from nrpa.plots.convergence import convergence
from nrpa.plots.front import front
from nrpa.plots.morpion import grid
from nrpa.plots.overview import overview
from nrpa.plots.panels import Panel, panels_of, register
from nrpa.plots.position import position
from nrpa.plots.rna import arcs
from nrpa.plots.samegame import game
from nrpa.plots.solution import solution
from nrpa.plots.time_to_target import time_to_target
from nrpa.plots.tour import schedule, tour

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
