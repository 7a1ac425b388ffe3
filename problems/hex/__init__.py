"""Hex."""

from nrpa.problems.hex.problem import Hex

__all__ = ["Hex"]
