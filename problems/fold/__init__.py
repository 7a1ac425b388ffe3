"""RNA folding."""

from nrpa.problems.fold.problem import Folding

__all__ = ["Folding"]
