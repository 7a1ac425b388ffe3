"""Knightthrough."""

from nrpa.problems.knightthrough.problem import Knightthrough

__all__ = ["Knightthrough"]
