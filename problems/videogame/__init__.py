"""The Video Game."""

from nrpa.problems.videogame.problem import VideoGame

__all__ = ["VideoGame"]
