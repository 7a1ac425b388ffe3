"""Parallel tempering: whole games are changed and played again, at several temperatures."""

from nrpa.solvers.tempering.options import Tempering

__all__ = ["Tempering"]
