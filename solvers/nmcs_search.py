"""The resumable search of NMCS and the baselines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nrpa.engine.best import allocate_best, allocate_tally
from nrpa.engine.game import memoized
from nrpa.engine.model import Needs
from nrpa.engine.playout import ByRule
from nrpa.engine.random import Seed, random_state
from nrpa.engine.states import stack_states
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.bias import representable
from nrpa.solvers.capacity import Capacity, enlarged_arrays
from nrpa.solvers.compiled_nmcs import Memory, Settings, Work, advance_nmcs, allocate_levels
from nrpa.solvers.search import CompiledSearch

RULES = ("uniform", "biased", "greedy")


class NMCSSearch(CompiledSearch):
    """The resumable search of NMCS and the baselines.

    Parameters
    ----------
    problem : BaseProblem
        The problem.
    rule : str
        How playouts choose, one of RULES.
    follows_best : bool
        Whether a level follows the best sequence of its whole search.
    memory : Memory
        Where the search stands.

    Attributes
    ----------
    memory : Memory
        Where the search stands (``nrpa.solvers.compiled_nmcs.Memory``).
    """

    memory: Memory

    def __init__(self, problem: BaseProblem, rule: str, follows_best: bool, memory: Memory) -> None:
        # Uniform playouts need not know which moves they choose among.
        self._by_place = rule == "uniform" and len(memory.levels.depth) == 1
        codes = len(_exp_bias_by_code(problem, rule)) > 0
        needs = Needs(codes=codes, bias=rule != "uniform", moves=not self._by_place)
        self._states = [problem.model.new_state(needs) for _ in memory.levels.depth]
        super().__init__(problem, self._states[0])
        self._rule = rule
        self._follows_best = follows_best
        self._stacked = stack_states(self._states)
        self._placed = np.zeros(1, np.bool_)
        self.memory = memory

    def _function(self) -> Callable[..., Any]:
        return advance_nmcs

    def _made_of(self) -> tuple[Any, ...]:
        return self._rule, self._follows_best, self.memory

    def _work(self) -> tuple[Any, ...]:
        rule = ByRule(
            RULES.index(self._rule),
            self._rule != "uniform" and self.problem.model.bias_by_move,
            _exp_bias_by_code(self.problem, self._rule),
        )
        work = Work(self._stacked, self._placed, np.zeros(self._capacity().moves))
        return work, Settings(rule, self._follows_best)

    def restore(self, memory: Any) -> None:
        """Go on from ``memory``, an earlier one of this search; the states follow from it."""
        self._placed[0] = False
        super().restore(memory)

    def _name_best(self) -> None:
        if self._by_place:
            best = self.memory.best
            best.move[: best.length[0]] = self.problem.model.moves_at(self.moves)

    def _enlarge(self, capacity: Capacity) -> None:
        self.memory = enlarged_memory(self.memory, capacity)


def start(
    problem: BaseProblem,
    seed: Seed,
    level: int,
    rule: str,
    follows_best: bool = True,
    warm_start: np.ndarray | None = None,
) -> NMCSSearch:
    """Return a search that has not begun, its machine code loaded or compiled.

    Parameters
    ----------
    problem : BaseProblem
        The problem.
    seed : int or numpy.random.SeedSequence
        The seed.
    level : int
        The nesting level; 0 for playouts only.
    rule : {"uniform", "biased", "greedy"}
        How playouts choose: uniformly, in proportion to e^β, or a move of the largest β.
    follows_best : bool
        Whether a level follows the best sequence of its whole search, or the best of its current step only.
    warm_start : ndarray of int64, shape (steps,), optional
        The moves of a sequence that is the best one from the beginning.

    Returns
    -------
    NMCSSearch
        The search.

    Raises
    ------
    InputError
        If ``warm_start`` is not a whole game of legal moves.
    ProblemError
        If a kernel does not compile, goes out of bounds, or breaks a limit.
    """
    capacity = Capacity.of(problem.model)
    memory = Memory(
        levels=allocate_levels(level, capacity.steps, capacity.moves),
        best=allocate_best(capacity.steps),
        tally=allocate_tally(),
        random=random_state(seed),
        room=capacity.array(),
    )
    if warm_start is not None:
        warm = memoized(problem.model, warm_start)
        steps = len(warm.moves)
        memory = enlarged_memory(memory, capacity.holding(steps, 0))
        memory.best.move[:steps] = warm.moves
        memory.best.length[0] = steps
        memory.best.score[0] = warm.score
        memory.best.found[0] = True
    search = NMCSSearch(problem, rule, follows_best, memory)
    search.prepare()
    return search


def _exp_bias_by_code(problem: BaseProblem, rule: str) -> np.ndarray:
    """Return e^β by code, float64[codes], or float64[0] where playouts have no use for it or there is none."""
    by_code = None if rule == "uniform" else problem.bias_by_code()
    return np.ones(0) if by_code is None else np.exp(representable(problem, by_code))


def enlarged_memory(memory: Memory, capacity: Capacity) -> Memory:
    """Return a memory of equal content with more room.

    Parameters
    ----------
    memory : Memory
        The memory.
    capacity : Capacity
        The room that is needed, nowhere less than that of ``memory``.

    Returns
    -------
    Memory
        The larger memory.
    """
    top = len(memory.levels.depth) - 1
    return memory._replace(
        levels=enlarged_arrays(memory.levels, allocate_levels(top, capacity.steps, capacity.moves)),
        best=enlarged_arrays(memory.best, allocate_best(capacity.steps)),
        room=capacity.array(),
    )
