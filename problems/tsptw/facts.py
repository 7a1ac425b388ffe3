"""What follows from distances and windows, and the instances that kernels read, which are made of it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from nrpa.base.lazy import lazy, without_cached
from nrpa.problems.routing import lengths, limits
from nrpa.problems.tsptw.tightening import precedences, slack_of, tightened

kernels = lazy("nrpa.problems.tsptw.kernels")
many_cities = lazy("nrpa.problems.tsptw.many_cities")
improving = lazy("nrpa.problems.tsptw.improving")

MOST_OF_FEW = 234
"""The most cities, as many as the largest published instance has, of which all that are left are listed as moves."""
NEIGHBOURS = 16
WAIT = 0.2
WORK = 1_500_000
"""How much ``improve`` of many cities may do: places of a tour and neighbours that it looks at, about 0.1 s."""
HEAT, HEAT_OF_FEW = 1.0, 0.1
"""How much longer its random changes may make a tour at first, in ways of mean cost."""


class Facts:
    """What follows from distances (float64[n, n]) and windows (float64[n, 2]), worked out once, when it is asked for.

    Instances with other options share it.
    """

    def __init__(self, distances: np.ndarray, windows: np.ndarray, near: bool) -> None:
        self.distances, self.windows = distances, windows
        # Only neighbours are listed as moves.
        self.are_many = near or len(distances) > MOST_OF_FEW

    __getstate__ = without_cached

    @cached_property
    def slack(self) -> float:
        """By how much rounding alone can make a time too late."""
        return slack_of(self.distances, self.windows)

    @cached_property
    def ways(self) -> np.ndarray:
        """The lengths of the shortest ways; of many cities, of the shortest that are found."""
        return lengths.short_ways(self.distances) if self.are_many else lengths.shortest_ways(self.distances)

    @cached_property
    def extremes(self) -> tuple[float, float]:
        """The least and the greatest distance between different cities."""
        others = ~np.eye(len(self.distances), dtype=bool)
        least = self.distances.min(where=others, initial=np.inf)
        return float(least), float(self.distances.max(where=others, initial=-np.inf))

    @cached_property
    def narrow(self) -> np.ndarray:
        """The narrower windows."""
        return tightened(self.distances, self.ways, self.windows)

    @cached_property
    def first(self) -> np.ndarray:
        """Whether one city must come before another by the narrower windows (bool[n, n])."""
        opens, closes = self.narrow.T
        return precedences(self.ways, opens, closes, self.slack)

    @cached_property
    def neighbours(self) -> np.ndarray:
        """The cities that may best come after each one (int64[n, k]); 0 where there are no more.

        They are near, and open soon enough: waiting counts a fifth of travelling.

        Source: T. Vidal, T. G. Crainic, M. Gendreau, C. Prins, *A hybrid genetic algorithm with adaptive diversity
        management for a large class of vehicle routing problems with time-windows*, Computers & Operations Research 40,
        2013: neighbours by distance and windows.
        """
        n = len(self.distances)
        (opens, closes), k = self.windows.T, min(NEIGHBOURS, n - 1)
        last = np.append(opens[0], closes[1:])
        found = np.zeros((n, k), np.int64)
        for i, row in enumerate(self.distances):
            far = row + WAIT * np.maximum(opens - row - last[i], 0.0)
            far[opens[i] + row > closes + self.slack] = np.inf
            far[0] = far[i] = np.inf
            near = np.flatnonzero((far <= np.partition(far, k - 1)[k - 1]) & np.isfinite(far))
            near = near[np.argsort(far[near], kind="stable")][:k]
            found[i, : len(near)] = near
        return found

    def instance(self, moves: str, minimize: str) -> Any:
        """Return the instance that kernels read, with a rule for moves."""
        greatest = len(self.distances) * float(self.distances.max())
        greatest += float(self.windows[:, 0].max()) if minimize != "travel" else 0.0
        end = getattr(kernels, moves.upper()), limits.penalty_above(greatest), getattr(improving, minimize.upper())
        return self._instance_of_many(*end) if self.are_many else self._instance_of_few(*end)

    def _instance_of_many(self, rule: int, penalty: float, minimized: int) -> Any:
        ready, due = self.windows[:, 0].copy(), limits.latest_starts(self.windows)
        deadline = np.minimum(due, due[0] - self.ways[:, 0])
        by_due = 1 + np.argsort(deadline[1:], kind="stable")
        near = self.neighbours
        ways = np.take_along_axis(self.distances, near, axis=1)
        known = self.distances, self.ways, self.ways.max(axis=1), ready, due, deadline, by_due, near, ways
        symmetric = bool((self.distances == self.distances.T).all())
        heat = HEAT_OF_FEW if len(due) <= MOST_OF_FEW else HEAT
        return many_cities.Instance(*known, rule, penalty, minimized, symmetric, WORK, heat)

    def _instance_of_few(self, rule: int, penalty: float, minimized: int) -> Any:
        n = len(self.distances)
        latest_starts = limits.latest_starts(self.windows)
        ready, due = (_by_block(column, np.inf) for column in (self.windows[:, 0], latest_starts))
        distance = _by_block(self.distances, 0.0)
        shortest = distance if self.ways is self.distances else _by_block(self.ways, 0.0)
        deadline, closes = due, latest_starts
        other, latest = np.zeros((0, 0), np.int64), np.zeros((0, 0))
        if rule == kernels.LOOKAHEAD:
            closes = self.narrow[:, 1] + self.slack
            deadline = _by_block(closes, np.inf)
            other, latest = _latest_times(self.ways, closes, self.first)
        by_due = 1 + np.argsort(closes[1:], kind="stable")
        known = distance, shortest, ready, due, deadline, by_due, other, latest
        return kernels.Instance(*known, n, rule, penalty, minimized)


def _latest_times(shortest: np.ndarray, closes: np.ndarray, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each city the others by the latest time to leave for them, and these times.

    It is -inf for a city that must come before. The row of the depot is of no use.
    """
    latest = np.where(first.T, -np.inf, closes - shortest)
    np.fill_diagonal(latest, np.inf)
    latest[:, 0] = np.inf
    other = np.argsort(latest, axis=1, kind="stable")[:, : len(closes) - 2]
    return other, np.take_along_axis(latest, other, axis=1)


def _by_block(array: np.ndarray, filling: float) -> np.ndarray:
    """Return an array whose last axis, the cities, is cut into blocks."""
    *others, n = array.shape
    block = improving.BLOCK
    blocks = -(-n // block)
    wide = np.full((*others, blocks * block), filling)
    wide[..., :n] = array
    return wide.reshape(*others, blocks, block)
