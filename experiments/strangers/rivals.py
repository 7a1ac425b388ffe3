"""Two rivals from PyPI, simanneal and ALNS, for any function of a sequence, each set up once for all.

A change of simanneal puts an item elsewhere, or makes another choice at a place. ALNS takes up to a tenth of the items
or choices out, and puts each where it is best, or changes one at random. Both cool from half of what a random change
costs at first to a fiftieth of it, by the time of the processor.
"""

from __future__ import annotations

import math
import random
import time
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np
import simanneal
from alns import ALNS
from alns.select import RouletteWheel
from forms import Function

TRIES, HOT, COLD = 100, 0.5, 0.02
CALLS_BETWEEN_LOOKS = 8


class TimeOverError(Exception):
    """The time of a rival is over."""


class Task:
    """A function under a clock: its calls, and the best sequence of all; `cost` raises TimeOverError at the end."""

    def __init__(self, function: Function, seconds: float, seed: int) -> None:
        random.seed(seed)
        self.function, self.choices, self.sign = function, function.choices, -function.objective.sign
        self.first = function.drawn()
        function.cost(self.first)  # numba compiles it
        self.calls, self.used, self.least, self.best = 0, 0.0, math.inf, self.first
        self.seconds, self.start = seconds, time.process_time()

    def cost(self, sequence: Any) -> float:
        """The cost, of which less is better."""
        if self.calls % CALLS_BETWEEN_LOOKS == 0:
            self.used = (time.process_time() - self.start) / self.seconds
            if self.used >= 1:
                raise TimeOverError
        self.calls += 1
        cost = self.sign * self.function.cost(sequence)
        if cost < self.least:
            self.least, self.best = cost, sequence.copy()
        return cost

    def change(self, sequence: Any) -> None:
        """Put an item elsewhere, or make another choice at a place."""
        place = random.randrange(len(sequence))
        if self.choices is None:
            move(sequence, place, random.randrange(len(sequence)))
        else:
            values = self.choices[place]
            k = random.randrange(len(values))
            sequence[place] = values[k] if values[k] != sequence[place] else values[k - 1]

    def rebuild(self, sequence: Any, count: int) -> float:
        """Take so many out, to the end of an order, and put one after the other where it is best; return the cost."""
        places = random.sample(range(len(sequence)), count)
        if self.choices is None:
            for place in sorted(places, reverse=True):
                move(sequence, place, len(sequence) - 1)
            places = range(len(sequence) - count, len(sequence))
        return [self.best_at(sequence, place) for place in places][-1]

    def best_at(self, sequence: Any, place: int) -> float:
        """Put the item at a place where it is best before that, or make the best choice there; return the cost."""
        costs = []
        if self.choices is None:
            move(sequence, place, 0)
            costs.append(self.cost(sequence))
            for k in range(1, place + 1):
                sequence[k - 1], sequence[k] = sequence[k], sequence[k - 1]
                costs.append(self.cost(sequence))
            move(sequence, place, costs.index(min(costs)))
        else:
            values = self.choices[place]
            for value in values:
                sequence[place] = value
                costs.append(self.cost(sequence))
            sequence[place] = values[costs.index(min(costs))]
        return min(costs)

    def temperatures(self) -> tuple[float, float]:
        """The first and the last temperature, by random changes of the first sequence."""
        sequence = self.first.copy()
        costs = [self.cost(sequence)]
        for _ in range(TRIES):
            self.change(sequence)
            costs.append(self.cost(sequence))
        worse = [after - before for before, after in pairwise(costs) if after > before]
        mean = sum(worse) / len(worse) if worse else 1.0
        return HOT * mean, COLD * mean


def move(sequence: Any, i: int, j: int) -> None:
    """Move an item of a list or an array from a place to another."""
    item = sequence[i]
    if i < j:
        sequence[i:j] = sequence[i + 1 : j + 1]
    else:
        sequence[j + 1 : i + 1] = sequence[j:i]
    sequence[j] = item


class Annealer(simanneal.Annealer):  # type: ignore[misc]
    """Simulated annealing; as many steps as there is time for."""

    copy_strategy, updates = "method", 0

    def __init__(self, task: Task) -> None:
        super().__init__(task.first)
        self.task = task
        self.Tmax, self.Tmin = task.temperatures()

    @property
    def steps(self) -> float:
        """How many steps it comes to if they go on as fast as so far."""
        return self.task.calls / max(self.task.used, 1e-9)

    def move(self) -> None:
        self.task.change(self.state)

    def energy(self) -> float:
        return self.task.cost(self.state)


class Solution:
    """A state of ALNS: a sequence and its cost."""

    def __init__(self, sequence: Any, cost: float = math.inf) -> None:
        self.sequence, self.cost = sequence, cost

    def objective(self) -> float:
        return self.cost


def large_neighbourhoods(task: Task, seed: int) -> None:
    """ALNS: places taken out at random, then the best or random insertion; the roulette wheel of its tutorial."""
    hot, cold = task.temperatures()

    def removed(solution: Solution, rng: Any) -> Solution:
        return Solution(solution.sequence.copy())

    def at_best(solution: Solution, rng: Any) -> Solution:
        sequence = solution.sequence
        return Solution(sequence, task.rebuild(sequence, random.randint(1, max(1, len(sequence) // 10))))

    def anywhere(solution: Solution, rng: Any) -> Solution:
        task.change(solution.sequence)
        return Solution(solution.sequence, task.cost(solution.sequence))

    def accepted(rng: Any, best: Solution, current: Solution, candidate: Solution) -> bool:
        worse = candidate.cost - current.cost
        return worse <= 0 or rng.random() < math.exp(-worse / (hot * (cold / hot) ** task.used))

    search = ALNS(np.random.default_rng(seed))
    search.add_destroy_operator(removed)
    for repair in (at_best, anywhere):
        search.add_repair_operator(repair)
    first = Solution(task.first, task.cost(task.first))
    search.iterate(first, RouletteWheel([25, 5, 1, 0], 0.8, 1, 2), accepted, lambda rng, best, current: False)


RIVALS = {"simanneal": lambda task, seed: Annealer(task).anneal(), "alns": large_neighbourhoods}


def rival(name: str, function: Function, seconds: float, seed: int) -> tuple[float, int]:
    """The value that a rival reaches, and its calls of the cost."""
    task = Task(function, seconds, seed)
    with suppress(TimeOverError):
        RIVALS[name](task, seed)
    return task.sign * task.least, task.calls
