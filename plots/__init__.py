"""Pictures of results and experiments. matplotlib is imported when the first of them is drawn."""

from nrpa.plots.clashes import clash
from nrpa.plots.curves import anytime, convergence, time_to_target
from nrpa.plots.games import game, grid
from nrpa.plots.groups import bins
from nrpa.plots.panels import Panel, panels_of, register
from nrpa.plots.picture import untitled
from nrpa.plots.results import front, overview, position, solution
from nrpa.plots.rna import arcs
from nrpa.plots.tours import schedule, tour
from nrpa.plots.trees import tree

__all__ = [
    "Panel",
    "anytime",
    "arcs",
    "bins",
    "clash",
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
    "tree",
    "untitled",
]
