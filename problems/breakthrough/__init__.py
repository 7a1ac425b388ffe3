"""Breakthrough."""

from nrpa.problems.breakthrough.problem import Breakthrough

__all__ = ["Breakthrough"]
