"""Nested Monte Carlo search, random sampling and greedy playouts."""

from nrpa.solvers.nmcs.options import NMCS, Greedy, NestedSearch, RandomSampling

__all__ = ["NMCS", "Greedy", "NestedSearch", "RandomSampling"]
