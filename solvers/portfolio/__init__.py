"""The solver that chooses for you: searches that take turns."""

from nrpa.solvers.portfolio.options import Auto

__all__ = ["Auto"]
