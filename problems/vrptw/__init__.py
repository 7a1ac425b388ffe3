"""Vehicle routing with time windows."""

from nrpa.problems.vrptw.problem import VRPTW

__all__ = ["VRPTW"]
