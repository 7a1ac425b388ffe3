"""Morpion Solitaire, also called Join Five."""

from nrpa.problems.morpion.problem import Morpion

__all__ = ["Morpion"]
