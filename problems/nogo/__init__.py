"""Nogo."""

from nrpa.problems.nogo.problem import Nogo

__all__ = ["Nogo"]
