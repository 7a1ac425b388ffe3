"""The resumable tree search: what its options mean for the compiled search, and how much memory it may have."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import terms_of
from nrpa.engine.model import Needs
from nrpa.engine.random import Seed, random_state
from nrpa.engine.status import LACKS_ROOM
from nrpa.modelling.base_problem import BaseProblem, score_of_value
from nrpa.modelling.bias import exp_bias
from nrpa.python.whole_games import InOneCall, in_python
from nrpa.solvers.interface import UNLIMITED, Improvement, Weights, refuse, require_value
from nrpa.solvers.pool import Pool
from nrpa.solvers.search import Capacity, CompiledSearch, common_parts
from nrpa.solvers.tree.kernel import STEP, TreeSettings, TreeWork, advance_tree
from nrpa.solvers.tree.memory import (
    LAST_MOVER,
    WORDS,
    Sizes,
    TreeMemory,
    Uses,
    make_empty,
    sizes_of,
    tree_memory,
    with_sizes,
)
from nrpa.solvers.tree.options import (
    HALVINGS,
    LARGEST,
    OF_GAMES,
    OF_ONE_PLAYER,
    POLICIES,
    SELECTIONS,
    TreeSearchOptions,
)
from nrpa.solvers.tree.playout import ADAPT, MAST, UNIFORM, Ends, PlayoutSettings
from nrpa.solvers.tree.root import path_of
from nrpa.solvers.tree.selection import Selection
from nrpa.solvers.tree.subtree import subtree

team = lazy("nrpa.solvers.tree.team")

MOST_MEMORY = 2**31
MOST_CODES = 2**17
LARGE = 2**40


class TreeSearch(CompiledSearch):
    """The resumable search of all tree searches."""

    memory: TreeMemory
    _function = staticmethod(advance_tree)
    _lock = _gate = np.zeros(0, np.int64)

    def __init__(self, problem: BaseProblem, solver: TreeSearchOptions, memory: TreeMemory) -> None:
        self._uses = uses_of(solver, problem)
        needs = Needs(codes=self._uses.by_code, bias=solver.uses_bias)
        super().__init__(problem, problem.model.new_state(needs))
        self._first_state = problem.model.new_state(needs)
        self._solver = solver
        self.memory = memory
        self._most = most_sizes(solver, problem, self._uses)

    @property
    def proven(self) -> bool:
        return bool(self.memory.count[0]["proven"])

    @property
    def full_at(self) -> int:
        return self.nodes if self.memory.count[0]["full"] else 0

    @property
    def nodes(self) -> int:
        """The nodes of the tree."""
        return int(self.memory.count[0]["nodes"])

    def _work(self) -> tuple[TreeWork, TreeSettings]:
        capacity = self._capacity()
        worth, backed, leaf, result = np.zeros((4, self._uses.players))
        steps = np.zeros(capacity.steps + 1, STEP)
        work = TreeWork(
            steps=steps,
            values=np.zeros(capacity.moves),
            factors=np.zeros(capacity.total if self._uses.adapt else 1),
            worth=worth,
            backed=backed,
            leaf=leaf,
            result=result,
            mask=np.zeros(WORDS, np.uint64),
            lock=self._lock,
            gate=self._gate,
            place=np.zeros(2, np.int64),
            path=np.zeros(capacity.steps, np.int64),
            led=steps,
            states=np.zeros(capacity.steps + 1, np.int64),
            first_state=self.with_stop(self._first_state),
        )
        settings = settings_of(self._solver, self.problem, self._uses, self._most)
        if plays_whole(self._solver) and in_python(self._state):
            whole = InOneCall.holding(capacity.steps, self._uses.by_code)
            self.problem.model.share(self._state, whole, self.stop)
            settings = settings._replace(playouts=settings.playouts._replace(whole=whole))
        return work, settings

    @property
    def shared(self) -> TreeSearch | None:
        return self if self._solver.parallel != "root" else None

    def share_out(self, workers: int, pool_of: Callable[[Sequence[Any]], Pool]) -> None:
        """Let workers share the tree."""
        self.team = team.Walkers(self, workers, pool_of)

    def _advance(self, playouts: int, searches: int, score: float) -> list[Improvement]:
        if self.team is None:
            return super()._advance(playouts, searches, score)
        found: list[Improvement] = self.team.advance(min(playouts, UNLIMITED - self.playouts), score)
        return found

    def _makes_room(self, status: int) -> bool:
        if status != LACKS_ROOM:
            return False
        wanted, sizes = self.memory.wanted, sizes_of(self.memory)
        larger = {
            name: min(2 * rows, most)
            for name, rows, most in zip(Sizes._fields, sizes, self._most, strict=True)
            if wanted[name][0]
        }
        self.memory = with_sizes(self.memory, self._uses, sizes._replace(**larger), self._capacity())
        self.memory.wanted[:] = 0
        return True

    def _enlarge(self, capacity: Capacity) -> None:
        self.memory = with_sizes(self.memory, self._uses, sizes_of(self.memory), capacity)

    def as_large_as(self, memory: TreeMemory) -> TreeMemory:
        return tree_memory(sizes_of(memory), self._uses, Capacity(*map(int, memory.capacity)))

    def begin_at(self, moves: Sequence[int], seed: Seed) -> None:
        """Forget everything and begin at the position that some moves lead to."""
        if len(moves) >= self._capacity().steps:
            self._enlarge(self._capacity().holding(len(moves) + 1, 0))
        make_empty(self.memory, self._most.codes if self._uses.numbers else 0, first_g(self._solver))
        self.memory.root["origin"] = self.memory.root["start"] = len(moves)
        self.memory.prefix[: len(moves)] = moves
        self.memory = self.memory._replace(**common_parts(self._capacity(), seed))
        self._collect()

    def go_on_at(self, moves: Sequence[int], seed: Seed) -> bool:
        """Go on at a position that follows the last one, with what is known of it; return whether there is a tree."""
        memory, root = self.memory, self.memory.root[0]
        start, known = int(root["start"]), int(root["start"] + root["committed"])
        behind = list(moves[:known]) == memory.prefix[:known].tolist() and len(moves) < self._capacity().steps
        if not (behind and self.nodes) or self.full_at:
            return False
        path = path_of(memory, moves[start:])
        opened = memory.nodes["open"][path]
        # No walk passes a node that is solved.
        if len(path) <= len(moves) - start or (opened[-1] != 0 and not opened.all()):
            return False
        memory.prefix[: len(moves)] = moves
        if self._uses.amaf:
            # What is counted by code belongs to whole playouts from the first root on.
            root["committed"] = len(moves) - start
        elif len(moves) > start:
            self.memory = memory = subtree(memory, path[-1])
            root["start"] = root["origin"] = len(moves)
            self._collect()
        memory.count["proven"] = opened[-1] == 0
        memory.halving["begun"] = memory.halving["passes"] = 0
        memory.random[:] = random_state(seed)
        return True


def first_g(solver: TreeSearchOptions) -> float:
    """Return the weight of a code that the playouts have not met: with MAST, that of the highest mean."""
    return float(np.exp(1.0 / solver.playout_tau)) if POLICIES.index(solver.policy) == MAST else 1.0


def plays_whole(solver: TreeSearchOptions) -> bool:
    """Return whether playouts are uniform and go to the end: a problem in plain Python then plays each in one call."""
    uniform = POLICIES.index(solver.policy) == UNIFORM
    return uniform and solver.cut < 0 and solver.result_share == 1.0 and solver.minimax == 0.0


def ends_of(problem: BaseProblem) -> Ends:
    """Return what players get where a game ends although moves are left."""
    given = (problem.at_max_steps, problem.at_repetition)
    return Ends(*(np.array(() if rewards is None else rewards, np.float64) for rewards in given))


def uses_of(solver: TreeSearchOptions, problem: BaseProblem) -> Uses:
    """Return which parts of the memory a search uses."""
    amaf, policy = solver.formula in ("grave", "mcps") or solver.halving == "scores", POLICIES.index(solver.policy)
    return Uses(
        players=problem.model.players,
        hash=problem.model.has_hash,
        numbers=problem.codes is not None and problem.codes <= max(4096, 4 * problem.model.limits.steps),
        amaf=amaf,
        bits=solver.formula == "mcps",
        prior=solver.formula == "puct",
        adapt=policy == ADAPT,
        by_code=amaf or policy >= MAST,
        shared=solver.parallel != "root",
    )


def settings_of(solver: TreeSearchOptions, problem: BaseProblem, uses: Uses, most: Sizes) -> TreeSettings:
    """Return the options as the compiled search takes them."""
    numbers = ("c", "d", "amaf_bias", "epsilon", "tau", "mix", "minimax", "c_amaf")
    urgency = float(getattr(solver, "urgency", LARGEST))
    commit = solver.commit if solver.commit >= 1 else solver.commit * solver.budget
    return TreeSettings(
        selection=Selection(
            formula=SELECTIONS.index(getattr(solver, "selection", solver.formula)),
            halving=HALVINGS.index(solver.halving),
            budget=solver.budget,
            normalise=solver.normalise,
            grows=getattr(solver, "grows", True),
            urgency=urgency if urgency < LARGEST else np.inf,
            **{name: float(getattr(solver, name, 0.0)) for name in numbers},
        ),
        playouts=PlayoutSettings(
            policy=POLICIES.index(solver.policy),
            epsilon=solver.playout_epsilon,
            tau=solver.playout_tau,
            alpha=solver.alpha,
            first_g=first_g(solver),
            cut=solver.cut if solver.cut >= 0 else LARGE,
            values=solver.result_share < 1.0 or solver.minimax > 0.0,
            result_share=solver.result_share,
            bias=exp_bias(problem, solver.uses_bias),
            ends=ends_of(problem),
            whole=InOneCall.holding(0),
        ),
        uses=uses,
        # Where only the root is asked for AMAF, nothing else is a reference.
        ref=LARGE if solver.halving == "scores" else getattr(solver, "ref", 0),
        commit=max(1, round(commit)) if commit else 0,
        codes=most.codes if uses.numbers else 0,
        largest_reward=_largest_reward(problem),
        most=most,
    )


def _largest_reward(problem: BaseProblem) -> float:
    """Return what no player can get more of; infinite where nobody knows."""
    if problem.model.players > 1:
        # Where something is hidden, the values of all moves are compared, and not only that of one which surely wins.
        return np.inf if problem.hides else problem.largest_reward
    bound = problem.bound()
    return np.inf if bound is None else score_of_value(problem, "bound()", bound)


def bytes_per_node(problem: BaseProblem, uses: Uses) -> int:
    """Return about how many bytes the search needs for each node, with what belongs to it."""
    capacity = Capacity.of(problem.model)
    needed = 150 + 20 * capacity.moves
    if uses.amaf:
        needed += 12 * capacity.steps + 150
    return int(needed + (6 * capacity.steps if uses.bits else 0))


def most_sizes(solver: TreeSearchOptions, problem: BaseProblem, uses: Uses) -> Sizes:
    """Return the most rows that the arrays of a search may have."""
    steps, moves, _ = Capacity.of(problem.model)
    per_node = bytes_per_node(problem, uses)
    if 0 < solver.nodes <= steps:
        raise InputError(
            f"nodes must be at least {steps + 1}, so that the tree can hold one path of {problem.name}, "
            f"not {solver.nodes}"
        )
    nodes = solver.nodes or max(steps + 1, min(MOST_MEMORY, _memory() // 8) // (solver.trees * per_node))
    total = nodes * per_node
    codes = (
        (problem.codes or 0) if uses.numbers else max(min(MOST_CODES if uses.bits else 2**24, total // 64), 4 * moves)
    )
    columns = max(1, total // (16 * codes)) if uses.bits else LARGE
    return Sizes(
        nodes=nodes,
        edges=max(moves * (steps + 1), nodes * moves // 2),
        blocks=nodes + 1,
        cells=max(8 * codes if uses.numbers else 64 * steps, total // 64),
        codes=codes,
        playouts=min(2 * nodes, 1024 * columns) + 2,
        entries=(nodes + 3) * steps,
        links=4 * (nodes + steps),
        segments=max(2 + 2 * min(codes, steps * 1024), total // 256),
    )


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 * MOST_MEMORY


def start(
    solver: TreeSearchOptions, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None, weights: Weights | None
) -> TreeSearch:
    """Return a search that has not begun (``Solver.start``)."""
    refuse(weights, solver.name)
    uses = uses_of(solver, problem)
    if uses.players > LAST_MOVER:
        raise InputError(f"{problem.name}: a tree search is for at most {LAST_MOVER} players, not {uses.players}")
    for name in OF_ONE_PLAYER if uses.players > 1 else OF_GAMES:
        if getattr(solver, name) != terms_of(type(solver))[name].default:
            kinds = f"one player; {problem.name} is a game for", f"games; {problem.name} is a problem for"
            raise InputError(f"{name} is for {kinds[uses.players == 1]} {uses.players}")
    if uses.players == 1 and solver.cut >= 0:
        raise InputError(f"cut is for games, and for nmcs; {problem.name} is for one player, who needs whole sequences")
    if solver.parallel != "root" and solver.commit:
        raise InputError("commit is for workers with trees of their own; expected parallel='root'")
    used = {"cut": solver.cut >= 0, "result_share": solver.result_share < 1.0, "minimax": solver.minimax > 0.0}
    for name in filter(used.get, used):
        require_value(problem, name)
    sizes = _first_sizes(most_sizes(solver, problem, uses), uses)
    capacity = Capacity.of(problem.model)
    if problem.at_max_steps is not None:
        capacity = capacity._replace(steps=problem.model.limits.steps)
    memory = tree_memory(sizes, uses, capacity, seed)
    make_empty(memory, sizes.codes if uses.numbers else 0, first_g(solver))
    return TreeSearch(problem, solver, memory).begun(warm_start)


def _first_sizes(most: Sizes, uses: Uses) -> Sizes:
    """Return the rows that a search begins with, if it uses all arrays."""
    codes = most.codes if uses.numbers else 1024
    first = Sizes(
        nodes=1024,
        edges=4096,
        blocks=64,
        cells=16 * codes if uses.numbers else 8192,
        codes=codes,
        playouts=2048,
        entries=65536,
        links=8192,
        segments=512,
    )
    return Sizes(*map(min, first, most))
