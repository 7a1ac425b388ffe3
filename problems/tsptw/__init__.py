"""The travelling salesman problem with time windows."""

from nrpa.problems.tsptw.problem import TSPTW

__all__ = ["TSPTW"]
