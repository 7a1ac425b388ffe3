"""Paths of robots beside pymapf 0.9, which pip has, and beside random orders of the robots, planned as nrpa does."""

from __future__ import annotations

import time
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pymapf
from pymapf.algorithms import cbs, lacam, lns

import nrpa

INSTANCES = "rooms-17-10", "empty-8-24", "rooms-32-50", "random-32-80"
PEER = "CBS, then LNS of pymapf"
BASELINE = "random orders, 10 s"
SHARE_OF_CBS = 0.2

for module in (cbs, lacam, lns):
    module.time = SimpleNamespace(perf_counter=time.process_time)


def answer(problem: Any, seconds: float) -> list[str] | None:
    """Return optimal paths by CBS, or what LNS makes of LaCAM's in the time that is left."""
    walls = [[letter not in ".G" for letter in row] for row in problem.grid]
    agents = [pymapf.Agent(f"{k:05}", (y, x), (v, u)) for k, (x, y, u, v) in enumerate(problem.robots)]
    given, begin = pymapf.MAPFProblem(pymapf.GridMap(walls), agents), time.process_time()
    found = pymapf.solve(given, "cbs", time_limit=SHARE_OF_CBS * seconds, max_expansions=10**9)
    left = begin + seconds - time.process_time()
    found = found or pymapf.solve(given, "lns", initial="lacam", time_limit=left, seed=1)
    if found is None:
        return None
    letters = {(-1, 0): "u", (0, -1): "l", (0, 1): "r", (1, 0): "d", (0, 0): "w"}
    walks = [found.paths[agent.name] for agent in agents]
    return ["".join(letters[b[0] - a[0], b[1] - a[1]] for a, b in pairwise(walk)) for walk in walks]


def baseline(problem: Any) -> list[str]:
    """Return the best paths of random orders."""
    solution: list[str] = nrpa.solve(problem, nrpa.RandomSampling(), seed=1, time=10.0, clock="processor").solution
    return solution
