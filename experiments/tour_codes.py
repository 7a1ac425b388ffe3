"""A tour through 25 cities with good codes and biases and bad ones, for tour-codes.toml.

nrpa bench experiments/tour-codes.toml --out tour-codes.csv
nrpa table tour-codes.playouts.csv --versus from-to
"""

from __future__ import annotations

import math
import random
from typing import Any

import nrpa

CODES = ("from-to", "to", "step", "path")
State = tuple[tuple[int, ...], float]


class Tour(nrpa.Problem):
    """From city 0 through all others and back; a state is the path so far and its length."""

    objective = nrpa.Objective("length", sign=-1, digits=3)
    code_rule = nrpa.Option(
        "from-to", "What a move is learned under: from and to, to, step and to, path and to.", CODES
    )
    nearness = nrpa.Option(0.0, "The bias is this, times the distance over the mean distance, negative.")

    def __init__(self, cities: int, **options: Any) -> None:
        super().__init__(**options)
        draw = random.Random(1)
        places = [(draw.random(), draw.random()) for _ in range(cities)]
        self.distance = [[math.dist(a, b) for b in places] for a in places]
        self.mean = sum(map(sum, self.distance)) / cities**2

    @classmethod
    def load(cls, name: str, **options: Any) -> Tour:
        """Return a tour of so many cities."""
        return cls(int(name), **options)

    def initial_state(self) -> State:
        """At city 0."""
        return (0,), 0.0

    def legal_moves(self, state: State) -> list[int]:
        """Return the cities that are left."""
        return [city for city in range(len(self.distance)) if city not in state[0]]

    def play(self, state: State, move: int) -> State:
        """Go there."""
        path, length = state
        return (*path, move), length + self.distance[path[-1]][move]

    def score(self, state: State) -> float:
        """Return the length of the tour, negative."""
        path, length = state
        return -(length + self.distance[path[-1]][0])

    def code(self, state: State, move: int) -> Any:
        """Return what the option says."""
        path = state[0]
        return {"from-to": (path[-1], move), "to": move, "step": (len(path), move), "path": (path, move)}[
            self.code_rule
        ]

    def bias(self, state: State, move: int) -> float:
        """Return how near the city is, by the option's factor."""
        return -self.nearness * self.distance[state[0][-1]][move] / self.mean
