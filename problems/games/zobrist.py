"""Zobrist keys: a random number for everything that can be part of a position, so that a hash is the XOR of some."""

from __future__ import annotations

import numpy as np


def zobrist_keys(seed: int, *shape: int) -> np.ndarray:
    """Return random 64-bit numbers (int64), the same ones for the same seed."""
    return np.random.default_rng(seed).integers(-(2**63), 2**63, shape, np.int64)
