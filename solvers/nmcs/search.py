"""The resumable search of NMCS and the baselines."""

from __future__ import annotations

from typing import Any

import numpy as np

from nrpa.engine.model import Needs
from nrpa.engine.playout import ByRule, Cut
from nrpa.engine.random import Seed
from nrpa.machine.jit import stack_states
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.bias import exp_bias
from nrpa.python.whole_games import InOneCall, in_python
from nrpa.solvers.interface import Weights, refuse, require_value
from nrpa.solvers.nmcs.kernel import advance_nmcs
from nrpa.solvers.nmcs.memory import NMCSLevels, NMCSMemory, NMCSSettings, NMCSWork
from nrpa.solvers.nmcs.options import NestedSearch
from nrpa.solvers.search import Capacity, CompiledSearch, common_parts

RULES = ("uniform", "biased", "greedy")


class NMCSSearch(CompiledSearch):
    """The resumable search of NMCS and the baselines."""

    memory: NMCSMemory
    _function = staticmethod(advance_nmcs)

    def __init__(self, problem: BaseProblem, solver: NestedSearch, memory: NMCSMemory) -> None:
        rule = solver.rule
        self._bias = exp_bias(problem, rule != "uniform")
        needs = Needs(codes=len(self._bias.by_code) > 0, bias=rule != "uniform")
        self._states = [problem.model.new_state(needs) for _ in memory.levels.depth]
        super().__init__(problem, self._states[0])
        self._solver = solver
        self._stacked = stack_states(self._states)
        self._restored = np.zeros(1, np.bool_)
        self.memory = memory

    def _work(self) -> tuple[NMCSWork, NMCSSettings]:
        steps, moves, _ = self._capacity()
        work = NMCSWork(self._stacked, self._restored, np.zeros(moves))
        rule, cut = ByRule(RULES.index(self._solver.rule), self._bias), self._solver.cut
        choice: Any = rule if cut < 0 else Cut(rule, cut, self.memory.best.found)
        if choice is rule and self._solver.rule == "uniform" and in_python(self._state):
            choice = InOneCall.holding(steps)
            for state in self._states:
                self.problem.model.share(state, choice, self.stop)
        # A sequence that was cut says nothing of the moves after it.
        forget = int(cut >= 0) if self._solver.memory else len(self._states)
        return work, NMCSSettings(choice, forget, self._solver.prune, self._solver.judging)

    def take_over(self, memory: Any) -> None:
        self._restored[0] = False
        super().take_over(memory)

    def _allocate(self, capacity: Capacity) -> NMCSMemory:
        return nmcs_memory(len(self.memory.levels.depth) - 1, capacity)


def start(
    solver: NestedSearch, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None
) -> NMCSSearch:
    """Return a search that has not begun (``Solver.start``)."""
    refuse(weights, solver.name)
    if solver.cut >= 0:
        require_value(problem, "cut")
    memory = nmcs_memory(solver.level, Capacity.of(problem.model), seed)
    return NMCSSearch(problem, solver, memory).begun(warm_start)


def nmcs_memory(level: int, capacity: Capacity, seed: Seed = 0) -> NMCSMemory:
    """Return the memory of a search that has not begun."""
    rows, steps, moves = level + 1, capacity.steps, capacity.moves
    levels = NMCSLevels(
        begun=np.zeros(1, np.bool_),
        active=np.zeros(1, np.int64),
        phase=np.zeros(rows, np.int64),
        depth=np.zeros(rows, np.int64),
        path=np.zeros((rows, steps), np.int64),
        move=np.zeros((rows, moves), np.int64),
        listed=np.zeros(rows, np.int64),
        tried=np.zeros(rows, np.int64),
        judged=np.zeros((rows, moves)),
        found=np.zeros(rows, np.bool_),
        best=np.zeros((rows, steps), np.int64),
        length=np.zeros(rows, np.int64),
        score=np.full(rows, -np.inf),
    )
    return NMCSMemory(levels=levels, **common_parts(capacity, seed))
