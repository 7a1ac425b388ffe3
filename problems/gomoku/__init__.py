"""Gomoku."""

from nrpa.problems.gomoku.problem import Gomoku

__all__ = ["Gomoku"]
