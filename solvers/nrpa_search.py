"""The resumable search of NRPA and GNRPA."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError
from nrpa.engine import adapt as adapt_module
from nrpa.engine.adapt import Bias, learning_rate
from nrpa.engine.best import allocate_best, allocate_tally
from nrpa.engine.game import Memo, memoized
from nrpa.engine.hashed_policy import HashedPolicy, enlarged, hashed_policy, seeded
from nrpa.engine.improving import improvement
from nrpa.engine.interpreted import Interpreted, is_debugging
from nrpa.engine.jit import load
from nrpa.engine.model import Needs
from nrpa.engine.policy import DensePolicy, dense_policy
from nrpa.engine.random import Seed, random_state
from nrpa.engine.sequence import Sequences, allocate_sequences, copied_sequences
from nrpa.engine.status import LACKS_ROOM
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.bias import MOST_EXPONENT, by_code, representable
from nrpa.solvers import compiled_nrpa
from nrpa.solvers.capacity import Capacity, enlarged_arrays
from nrpa.solvers.compiled_guess import SOURCE, assume_ended
from nrpa.solvers.compiled_nrpa import Memory, Settings, Work, advance_nrpa, allocate_levels
from nrpa.solvers.interface import Improvement, Weights
from nrpa.solvers.nrpa import ADAPTS, GNRPA
from nrpa.solvers.search import UNLIMITED, CompiledSearch


def copied(record: Any) -> Any:
    """Return a record of records of arrays with arrays of its own."""
    if isinstance(record, Sequences):
        return copied_sequences(record)
    return type(record)(*map(copied, record)) if isinstance(record, tuple) else record.copy()


def path(memory: Memory, level: int) -> tuple[int, ...]:
    """Return which search of ``level`` goes on: top-level searches finished, then iterations from the top downwards.

    Parameters
    ----------
    memory : Memory
        The search.
    level : int
        The level.

    Returns
    -------
    tuple of int
        Its place in the call tree. Places are in the order of the search.
    """
    return (int(memory.tally.searches[0]), *memory.levels.iteration[:level:-1].tolist())


def forget_best(memory: Memory) -> None:
    """Make the next playout the best of all, so that what is found from here on depends on nothing before.

    Parameters
    ----------
    memory : Memory
        The search; it changes. Its levels keep their best sequences.
    """
    memory.best.found[0] = False
    memory.best.score[0] = -math.inf


def is_same_above(one: Memory, other: Memory, level: int) -> bool:
    """Return whether two searches with one past are at the same place, and go on in the same way.

    Parameters
    ----------
    one, other : Memory
        Where they stand: at the beginning of a search of ``level``.
    level : int
        The level.

    Returns
    -------
    bool
        Whether the levels above are equal: their best sequences, from which their policies follow, and their counts.
    """
    if path(one, level) != path(other, level) or not _are_equal(one.levels.repeated, other.levels.repeated, level):
        return False
    return all(_best(one, above) == _best(other, above) for above in range(level + 1, len(one.levels.slot)))


def _are_equal(one: np.ndarray, other: np.ndarray, level: int) -> bool:
    return bool((one[level + 1 :] == other[level + 1 :]).all())


def _best(memory: Memory, level: int) -> tuple[float, bytes]:
    """Return score and moves of the best sequence of a level; no moves where there is none."""
    sequences, slot = memory.sequences, memory.levels.slot[level]
    score = float(sequences.score[slot])
    return score, b"" if score == -math.inf else sequences.move[slot, : sequences.length[slot]].tobytes()


def _found_nothing(memory: Memory, level: int) -> bool:
    return bool((memory.sequences.score[memory.levels.slot[1 : level + 1]] == -math.inf).all())


class NRPASearch(CompiledSearch):
    """The resumable search of GNRPA and NRPA.

    Parameters
    ----------
    problem : BaseProblem
        The problem.
    solver : GNRPA
        The options.
    memory : Memory
        Where the search stands.

    Attributes
    ----------
    memory : Memory
        Where the search stands (``nrpa.solvers.compiled_nrpa.Memory``).
    """

    memory: Memory

    def __init__(self, problem: BaseProblem, solver: GNRPA, memory: Memory) -> None:
        super().__init__(problem, problem.model.new_state(Needs(bias=_uses_moves(solver, problem))))
        self._solver = solver
        self.memory = memory
        self._guess: Any = None
        self._factors = np.zeros(0)

    def _function(self) -> Callable[..., Any]:
        return advance_nrpa

    def _made_of(self) -> tuple[Any, ...]:
        return self._solver, self.memory

    @property
    def policy(self) -> DensePolicy | HashedPolicy:
        """The policy of all levels."""
        return self.memory.policy

    def _work(self) -> tuple[Any, ...]:
        capacity = self._capacity()
        how = improvement(self._solver.improve, capacity.steps)
        return Work(np.zeros(capacity.moves), np.zeros(capacity.total), how), self._settings

    @cached_property
    def _settings(self) -> Settings:
        solver = self._solver
        rate = learning_rate(solver.alpha, solver.tau)
        adapt, bias = ADAPTS.index(solver.adapt), _bias(solver, self.problem)
        return Settings(solver.iterations, solver.repetitions, adapt, bias, rate)

    def advance_within(self, level: int, playouts: int) -> list[Improvement]:
        """Run on until the search of ``level`` in progress ends, or so many playouts are done.

        Parameters
        ----------
        level : int
            The level.
        playouts : int
            The number of playouts.

        Returns
        -------
        list of Improvement
            The improvements of the best in these playouts, in order.
        """
        begun = path(self.memory, level)
        with self._alone():
            return self._advance(playouts, UNLIMITED, math.inf, level, lambda: path(self.memory, level) != begun)

    def guessed(self, memory: Memory, level: int) -> Memory | None:
        """Return where the search would stand if the searches of ``level`` and below ended as they stand in ``memory``.

        Parameters
        ----------
        memory : Memory
            Where a search stands; it does not change.
        level : int
            The level, 1 or more.

        Returns
        -------
        Memory or None
            A memory of its own, in which the next search of ``level`` begins and the best of all is forgotten; None
            where nothing has been found yet that could be adapted to.
        """
        top = len(memory.levels.slot) - 1
        if not memory.levels.begun[0] or (level < top and _found_nothing(memory, level + 1)):
            return None
        guess: Memory = copied(memory)
        if len(self._factors) < memory.room[2]:
            self._factors = np.zeros(memory.room[2])
        while self._assume_ended(guess, self._factors, self._settings, level) == LACKS_ROOM:
            assert isinstance(guess.policy, HashedPolicy)
            guess = guess._replace(policy=enlarged(guess.policy))
        forget_best(guess)
        return guess

    def _assume_ended(self, *arguments: Any) -> int:
        self.prepare_to_guess()
        return int(self._guess(*arguments))

    def prepare_to_guess(self) -> None:
        """Load or compile the machine code of ``guessed``, unless that has been done."""
        if self._guess is not None:
            return
        if is_debugging():
            self._guess = Interpreted(assume_ended)
            return
        sources = [*Path(adapt_module.__file__).parent.glob("*.py"), Path(compiled_nrpa.__file__), SOURCE]
        arguments = (self.memory, self._factors, self._settings, 1)
        policy = type(self.memory.policy)
        self._guess = load(assume_ended, policy, [], sources, arguments, self.problem.model.title)

    def set_best(self, best: Improvement, is_found: bool) -> None:
        """Say what the best of all is, and how many playouts have been done, where that is known elsewhere.

        Parameters
        ----------
        best : Improvement
            The best, with the number of playouts done.
        is_found : bool
            Whether there is one.
        """
        steps = len(best.moves)
        if steps > len(self.memory.best.move):
            self._enlarge(self._capacity().holding(steps, 0))
        kept = self.memory.best
        kept.found[0] = is_found
        kept.score[0] = best.score
        kept.length[0] = steps
        kept.move[:steps] = best.moves
        self.memory.tally.playouts[0] = best.playouts
        self._collect()

    def _makes_room(self, status: int) -> bool:
        policy = self.memory.policy
        if status == LACKS_ROOM and isinstance(policy, HashedPolicy):
            self.memory = self.memory._replace(policy=enlarged(policy))
            return True
        return False

    def _enlarge(self, capacity: Capacity) -> None:
        self.memory = enlarged_memory(self.memory, capacity)


def start(
    solver: GNRPA,
    problem: BaseProblem,
    seed: Seed,
    warm_start: np.ndarray | None = None,
    weights: Weights | None = None,
    by_node: bool = False,
) -> NRPASearch:
    """Return a search that has not begun, its machine code loaded or compiled.

    Parameters
    ----------
    solver : GNRPA
        The options.
    problem : BaseProblem
        The problem.
    seed : int or numpy.random.SeedSequence
        The seed.
    warm_start : ndarray of int64, shape (steps,), optional
        The moves of a sequence that is the best one from the beginning.
    weights : array_like of float, shape (codes,), or mapping of codes to float, optional
        The weights w that the policy begins with. A mapping is needed where codes are hashes; a code that it lacks has
        weight 0.
    by_node : bool
        Whether each search of level 1 draws from a stream of its own, which depends on its place in the call tree
        alone; else all draw from one stream.

    Returns
    -------
    NRPASearch
        The search.

    Raises
    ------
    InputError
        If ``warm_start`` is not a whole game of legal moves, ``weights`` do not fit, or playouts shall be improved by a
        problem that lacks the kernel ``improve``.
    ProblemError
        If a kernel does not compile, goes out of bounds, or breaks a limit.
    """
    search = NRPASearch(problem, solver, initial_memory(solver, problem, seed, warm_start, weights, by_node))
    search.prepare()
    return search


def initial_memory(
    solver: GNRPA,
    problem: BaseProblem,
    seed: Seed,
    warm_start: np.ndarray | None = None,
    weights: Weights | None = None,
    by_node: bool = False,
) -> Memory:
    """Return the memory of a search that has not begun; parameters and errors are those of ``start``."""
    if solver.improve and not problem.can_improve:
        raise InputError(f"{problem.name}: improve needs the kernel improve, which this problem does not have")
    capacity = Capacity.of(problem.model)
    memory = Memory(
        policy=initial_policy(solver, problem, capacity.total, weights),
        sequences=allocate_sequences(solver.levels + 1, capacity.steps, capacity.total, _uses_moves(solver, problem)),
        levels=allocate_levels(solver.levels),
        best=allocate_best(capacity.steps),
        tally=allocate_tally(),
        random=random_state(seed),
        room=capacity.array(),
        nodes=_nodes(solver.levels, seed) if by_node else np.zeros((0, 2), np.uint64),
    )
    if warm_start is not None:
        memory = _warm(memory, memoized(problem.model, warm_start))
    return memory


def _nodes(levels: int, seed: Seed) -> np.ndarray:
    """Return room for the streams of the call tree, with that of its root."""
    nodes = np.zeros((levels + 2, 2), np.uint64)
    nodes[levels + 1] = random_state(seed)
    return nodes


def _uses_moves(solver: GNRPA, problem: BaseProblem) -> bool:
    """Return whether β comes with the moves."""
    return bool(solver.bias and problem.model.bias_by_move)


def _bias(solver: GNRPA, problem: BaseProblem) -> Bias:
    """Return the bias as playouts and Adapt use it."""
    by_move, correction = _uses_moves(solver, problem), np.zeros(0)
    values = problem.bias_by_code() if solver.bias and solver.gamma != 1.0 and problem.codes is not None else None
    if values is not None:
        correction = np.exp((solver.gamma - 1.0) * np.asarray(values, np.float64))
    return Bias(by_move, solver.gamma, correction)


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
    slots, has_bias = len(memory.sequences.length), memory.sequences.exp_bias.shape[1] > 0
    policy = memory.policy
    return memory._replace(
        policy=enlarged(policy, capacity.total) if isinstance(policy, HashedPolicy) else policy,
        sequences=enlarged_arrays(
            memory.sequences, allocate_sequences(slots, capacity.steps, capacity.total, has_bias)
        ),
        best=enlarged_arrays(memory.best, allocate_best(capacity.steps)),
        room=capacity.array(),
    )


def _warm(memory: Memory, warm: Memo) -> Memory:
    """Return the memory with ``warm`` as the best of the first top-level search, and of all."""
    steps, total, top = len(warm.moves), int(warm.offset[-1]), len(memory.levels.slot) - 1
    memory = enlarged_memory(memory, Capacity(*map(int, memory.room)).holding(steps, total))
    sequences, best = memory.sequences, memory.best
    sequences.move[top, :steps] = best.move[:steps] = warm.moves
    sequences.chosen[top, :steps] = warm.chosen
    sequences.offset[top, : steps + 1] = warm.offset
    sequences.code[top, :total] = warm.code
    if sequences.exp_bias.shape[1]:
        sequences.exp_bias[top, :total] = warm.exp_bias
    sequences.length[top] = best.length[0] = steps
    best.score[0] = warm.score
    best.found[0] = True
    return memory


def initial_policy(
    solver: GNRPA, problem: BaseProblem, total: int, weights: Weights | None = None
) -> DensePolicy | HashedPolicy:
    """Return the policy that a search begins with.

    It has the given weights, and β by code where the solver uses it and the problem has it.

    Parameters
    ----------
    solver : GNRPA
        The options.
    problem : BaseProblem
        The problem.
    total : int
        The most codes that one Adapt can meet.
    weights : array_like of float, shape (codes,), or mapping of codes to float, optional
        The weights w; 0 if left out.

    Returns
    -------
    DensePolicy or HashedPolicy
        The policy; a hashed one where codes are not numbered from 0.

    Raises
    ------
    InputError
        For weights that do not fit the problem's codes, or are too large for a policy to hold.
    """
    if problem.codes is None:
        copies = solver.adapt != "optimized"
        if weights is None:
            return hashed_policy(solver.levels, total, copies)
        if not isinstance(weights, Mapping):
            raise InputError(f"{problem.name}: weights must be a mapping of codes to weights")
        codes = np.array([problem.model.code_number(code) for code in weights], np.int64)
        g = np.exp(representable(problem, _scaled(list(weights.values()), solver.tau)))
        return seeded(hashed_policy(solver.levels, total, copies, 8 * len(codes), 2 * (total + len(codes))), codes, g)
    bias = problem.bias_by_code() if solver.bias else None
    if weights is not None:
        w = _scaled(by_code(weights, problem.codes, "weights"), solver.tau)
        bias = w if bias is None else bias + w
    return dense_policy(solver.levels, problem.codes, None if bias is None else representable(problem, bias))


def _scaled(weights: ArrayLike, tau: float) -> np.ndarray:
    """Return w/τ of the ``weights``. Raises InputError unless e^(w/τ) is a number that the policy can hold."""
    try:
        w = np.array(weights, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError("weights must be numbers, and of less than 300 digits") from None
    if w.shape != (len(w) if w.ndim else 0,):
        raise InputError("weights must be numbers, one for each code")
    if not np.isfinite(w).all():
        raise InputError("weights must be finite")
    with np.errstate(over="ignore"):
        scaled = np.asarray(w / tau)
    if (scaled > MOST_EXPONENT).any():
        raise InputError(f"weights must be finite, and at most {MOST_EXPONENT:.0f} times tau, not {w.max():g}")
    return scaled
