"""One-dimensional bin packing."""

from nrpa.problems.binpacking.problem import BinPacking

__all__ = ["BinPacking"]
