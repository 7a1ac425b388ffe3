"""Paths of robots beside pymapf's searches, on an empty grid, rooms and random walls."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
import pymapf

INSTANCES = "empty-8-24", "rooms-32-50", "random-32-80"
PEER = "LNS of pymapf"
BASELINE = "longest way first"


def answer(problem: Any, seconds: float) -> list[str] | None:
    """Return the paths of MAPF-LNS, in rounds of more and more of its iterations; None where it has none in time."""
    walls = [[letter not in ".G" for letter in row] for row in problem.grid]
    agents = [pymapf.Agent(f"{k:05}", (y, x), (v, u)) for k, (x, y, u, v) in enumerate(problem.robots)]
    ...
