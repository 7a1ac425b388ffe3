"""Weak Schur numbers."""

from nrpa.problems.schur.problem import WeakSchur

__all__ = ["WeakSchur"]
