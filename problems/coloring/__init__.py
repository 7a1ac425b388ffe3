"""Graph colouring."""

from nrpa.problems.coloring.problem import Coloring

__all__ = ["Coloring"]
