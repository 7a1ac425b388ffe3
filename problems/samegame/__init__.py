"""SameGame."""

from nrpa.problems.samegame.problem import SameGame

__all__ = ["SameGame"]
