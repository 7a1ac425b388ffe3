"""The resumable search of NMCS and the baselines."""

from __future__ import annotations

from typing import Any

import numpy as np

from nrpa.engine.game import Memo, allocate_moves, memoized
from nrpa.engine.random import random_state
from nrpa.engine.states import stack_states
from nrpa.engine.status import TOO_MANY_STEPS
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.bias import representable
from nrpa.solvers import compiled_nmcs
from nrpa.solvers.capacity import Room, enlarged_arrays
from nrpa.solvers.compiled_nmcs import CHOICES, Rule, advance_nested, allocate_nest
from nrpa.solvers.search import CompiledSearch


class NMCSSearch(CompiledSearch):
    """The resumable search of NMCS and the baselines."""

    def __init__(
        self,
        problem: BaseProblem,
        seed: int,
        level: int,
        choice: str,
        memory: bool = True,
        warm_start: np.ndarray | None = None,
    ) -> None:
        super().__init__(problem)
        self._level = level
        self._states = [problem.model.new_state() for _ in range(level + 1)]
        self._stacked = stack_states(self._states)
        self._rule = Rule(CHOICES.index(choice), choice != "uniform" and problem.bias_by_move, memory)
        by_code = None if choice == "uniform" else problem.bias_by_code()
        self._bias = np.ones(0) if by_code is None else np.exp(representable(problem, by_code))
        self._random = random_state(seed)
        self._progress = allocate_nest(level, self._room.steps, self._room.moves)
        if warm_start is not None:
            self._take(memoized(problem.model, warm_start))
        self._load(advance_nested, compiled_nmcs, self._states[0])

    def _collect(self) -> tuple[Any, ...]:
        return (
            self._problem.model.instance,
            self._states[0],
            self._stacked,
            allocate_moves(self._room.moves),
            self._progress,
            self._rule,
            self._bias,
            self._random,
            np.zeros(self._room.moves),
        )

    def _take(self, warm: Memo) -> None:
        """Make ``warm`` the best of the first top-level search, and of all."""
        room, steps = self._room, len(warm.moves)
        while room.steps < steps:
            room = room.larger(TOO_MANY_STEPS, self._problem.model)
        self._enlarge(room)
        self._progress.best_move[:steps] = warm.moves
        self._progress.best_length[0] = steps
        self._progress.best_score[0] = warm.score

    def _enlarge(self, room: Room) -> None:
        self._room = room
        self._progress = enlarged_arrays(self._progress, allocate_nest(self._level, room.steps, room.moves))
