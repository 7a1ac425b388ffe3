"""Atarigo."""

from nrpa.problems.atarigo.problem import Atarigo

__all__ = ["Atarigo"]
