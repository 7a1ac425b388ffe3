"""Pictures of results. matplotlib is imported when the first of them is drawn."""

from nrpa.plots.convergence import convergence

__all__ = ["convergence"]
