"""The resumable tree search."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.engine.game import memoized
from nrpa.engine.hash_table import FREE
from nrpa.engine.incumbent import allocate_incumbent, allocate_tally
from nrpa.engine.legal import leads_alike
from nrpa.engine.random import Seed, random_state
from nrpa.engine.status import UNLISTED
from nrpa.modelling.base_problem import BaseProblem, score_of_value
from nrpa.modelling.bias import representable
from nrpa.solvers.capacity import Capacity
from nrpa.solvers.compiled_tree import Settings, Work, advance_tree
from nrpa.solvers.search import CompiledSearch, begin_with
from nrpa.solvers.tree import (
    GRAVE,
    MCPS,
    POLICIES,
    PUCT,
    RAVE,
    SELECTIONS,
    SHUSS,
    SPMCTS,
    UCT,
    AnytimeSequentialHalving,
    SequentialHalving,
    TreeSearchOptions,
)
from nrpa.solvers.tree_halving import ANYTIME, NEVER, SEQUENTIAL, USING_SCORES, Rule
from nrpa.solvers.tree_memory import (
    CODES,
    EDGES,
    FREED,
    FULL,
    LAST_MOVER,
    MOVE,
    NODES,
    NONE,
    ORIGIN,
    PREFIX,
    PROVEN,
    SEGMENTS,
    START,
    WANTED,
    WORDS,
    G,
    Memory,
    Sizes,
    Uses,
    allocate_memory,
    sizes_of,
    with_larger_playouts,
    with_more,
)
from nrpa.solvers.tree_playout import ADAPT, MAST, STEP_MOVE, Playouts
from nrpa.solvers.tree_selection import GRAVE as BY_GRAVE
from nrpa.solvers.tree_selection import MCPS as BY_MCPS
from nrpa.solvers.tree_selection import PUCT as BY_PUCT
from nrpa.solvers.tree_selection import SP_MCTS as BY_SP_MCTS
from nrpa.solvers.tree_selection import UCB1, Formula
from nrpa.solvers.tree_sound import require_sound_tree

MOST_MEMORY = 2**31
HALVINGS = {SequentialHalving: SEQUENTIAL, SHUSS: USING_SCORES, AnytimeSequentialHalving: ANYTIME}
FAMILIES = {SPMCTS: BY_SP_MCTS, PUCT: BY_PUCT, RAVE: BY_GRAVE, GRAVE: BY_GRAVE, MCPS: BY_MCPS}
MOST_CODES = 2**17


class TreeSearch(CompiledSearch):
    """The resumable search of all tree searches."""

    memory: Memory
    _function = staticmethod(advance_tree)

    def __init__(
        self, problem: BaseProblem, solver: TreeSearchOptions, memory: Memory, trusted: np.ndarray | None = None
    ) -> None:
        super().__init__(problem, problem.model.new_state())
        self._trusted = np.zeros(0, np.bool_) if trusted is None else trusted
        self.solver = solver
        self.memory = memory
        self._uses = uses_of(solver, problem)
        self._most = most_sizes(solver, problem, self._uses)

    def _made_of(self) -> tuple[Any, ...]:
        return self.solver, self.memory, self._trusted

    @property
    def proven(self) -> bool:
        """Whether the whole tree is solved: nothing better can be found."""
        return bool(self.memory.count[PROVEN])

    @property
    def full(self) -> bool:
        """Whether the memory is used up, so that leaves, or statistics of new codes, are no longer added."""
        return bool(self.memory.count[FULL])

    @property
    def nodes(self) -> int:
        """The nodes of the tree."""
        return int(self.memory.count[NODES])

    def _work(self) -> tuple[Any, ...]:
        capacity, players = self._capacity(), self._uses.players
        work = Work(
            step=np.zeros((7, capacity.steps + 1), np.int64),
            value=np.zeros(capacity.moves),
            factor=np.zeros(capacity.total if self._uses.adapt else 1),
            reward=np.zeros((2, players)),
            mask=np.zeros((2, WORDS), np.uint64),
            trusted=self._trusted,
            unlisted=np.zeros(2, np.int64),
        )
        return work, settings_of(self.solver, self.problem, self._uses, self._most, capacity.moves)

    def _makes_room(self, status: int) -> bool:
        if status == UNLISTED:
            self._trust(self._arguments[2])
            return False
        wanted, sizes = int(self.memory.count[WANTED]), sizes_of(self.memory)
        larger = [
            min(2 * rows, most) if wanted >> k & 1 else rows
            for k, (rows, most) in enumerate(zip(sizes, self._most, strict=True))
        ]
        self.memory.count[WANTED] = 0
        self.memory = with_more(self.memory, self._uses, Sizes(*larger))
        return True

    def _trust(self, work: Work) -> None:
        """Trust the edge that a walk has come to. Raises InputError where its move is not legal."""
        edge, depth = work.unlisted.tolist()
        path, move = work.step[STEP_MOVE, :depth].tolist(), int(self.memory.edges.whole[edge, MOVE])
        if not leads_alike(self.problem.model, path, move):
            raise InputError(
                f"{self.problem.name}: the checkpoint's array memory/edges/whole holds {move} as a move; "
                "expected one that is legal where its edge begins"
            )
        self._trusted[edge] = True

    def _enlarge(self, capacity: Capacity) -> None:
        self.memory = with_larger_playouts(self.memory, self._uses, capacity)

    def require_sound(self, memory: Memory) -> None:
        """Raise UnsoundError unless this search, which has not begun, can go on with a memory that was read."""
        super().require_sound(memory)
        require_sound_tree(memory, self.memory, self._uses, self.problem)
        self._trusted = np.zeros(memory.count[EDGES], np.bool_)

    def begin_at(self, moves: Sequence[int], seed: Seed) -> None:
        """Forget everything and begin at the position that some moves lead to."""
        memory = self.memory
        if len(moves) >= int(memory.room[0]):
            self._enlarge(self._capacity().holding(len(moves) + 1, 0))
            memory = self.memory
        codes = int(memory.count[CODES]) if self._uses.numbers else 0
        memory.count[:] = 0
        memory.count[CODES], memory.count[SEGMENTS], memory.count[FREED] = codes, 1, NONE
        memory.nodes.table.word[::2] = FREE
        memory.codes.table.word[::2] = FREE
        memory.rows.segment[:] = 0
        memory.halving[:] = 0
        memory.trace[:] = 0
        memory.codes.stamp[:] = 0
        memory.codes.number[:] = first_g(self.solver), 0.0, 0.0
        memory.extremes[:] = np.inf, -np.inf
        memory.root[:] = 0
        memory.root[ORIGIN] = memory.root[START] = len(moves)
        memory.root[PREFIX : PREFIX + len(moves)] = moves
        steps = len(memory.best.move)
        self.memory = memory._replace(best=allocate_incumbent(steps), tally=allocate_tally(), random=random_state(seed))
        self._collect()


def first_g(solver: TreeSearchOptions) -> float:
    """Return the weight of a code that the playouts have not met: with MAST, that of the highest mean."""
    return float(np.exp(1.0 / solver.playout_tau)) if POLICIES.index(solver.policy) == MAST else 1.0


def uses_of(solver: TreeSearchOptions, problem: BaseProblem) -> Uses:
    """Return which parts of the memory a search uses."""
    return Uses(
        players=problem.model.players,
        hash=problem.model.has_hash,
        numbers=problem.codes is not None and problem.codes <= max(4096, 4 * problem.model.limits.steps),
        amaf=isinstance(solver, (RAVE, GRAVE, MCPS, SHUSS)),
        rows=isinstance(solver, MCPS),
        prior=isinstance(solver, PUCT),
        adapt=POLICIES.index(solver.policy) == ADAPT,
    )


def settings_of(solver: TreeSearchOptions, problem: BaseProblem, uses: Uses, most: Sizes, moves: int) -> Settings:
    """Return the options as the compiled search takes them, with work areas for ``moves`` legal moves."""
    options: dict[str, Any] = {
        "c": 0.0,
        "d": 0.0,
        "c_amaf": 0.0,
        "amaf_bias": 0.0,
        "epsilon": 0.0,
        "tau": 1.0,
        "ref": 0,
    }
    options.update(solver.options)
    if isinstance(solver, SHUSS):
        # Only the root is asked for AMAF.
        options["ref"] = LARGE
    selection = FAMILIES.get(type(solver), UCB1)
    if isinstance(solver, UCT):
        selection = SELECTIONS.index(solver.selection)
    numbers = {name: float(options[name]) for name in ("c", "d", "amaf_bias", "epsilon", "tau", "mix")}
    formula = Formula(selection, normalise=solver.normalise, **numbers)
    halving = HALVINGS.get(type(solver), NEVER)
    by_code = problem.bias_by_code() if solver.uses_bias else None
    playouts = Playouts(
        policy=POLICIES.index(solver.policy),
        epsilon=solver.playout_epsilon,
        tau=solver.playout_tau,
        alpha=solver.alpha,
        first_g=first_g(solver),
        bias_by_move=bool(solver.uses_bias and problem.model.bias_by_move),
        exp_bias=np.ones(0) if by_code is None else np.exp(representable(problem, by_code)),
    )
    commit = solver.commit if solver.commit >= 1 else solver.commit * solver.budget
    return Settings(
        formula=formula,
        rule=Rule(halving, solver.budget, float(options["c_amaf"]), solver.normalise, np.zeros(moves)),
        playouts=playouts,
        ref=int(options["ref"]),
        commit=max(1, round(commit)) if commit else 0,
        codes=most.codes if uses.numbers else 0,
        hash=uses.hash,
        amaf=uses.amaf,
        rows=uses.rows,
        by_code=uses.amaf or playouts.policy >= MAST,
        largest_reward=_largest_reward(problem),
        most=most,
    )


def _largest_reward(problem: BaseProblem) -> float:
    """Return what no player can get more of; infinite where nobody knows."""
    if problem.model.players > 1:
        return problem.largest_reward
    bound = problem.bound()
    return np.inf if bound is None else score_of_value(problem, "bound()", bound)


def bytes_per_node(problem: BaseProblem, uses: Uses) -> int:
    """Return about how many bytes the search needs for each node, with what belongs to it."""
    capacity = Capacity.of(problem.model)
    needed = 150 + 20 * capacity.moves
    if uses.amaf:
        needed += 12 * capacity.steps + 150
    return int(needed + (6 * capacity.steps if uses.rows else 0))


def most_sizes(solver: TreeSearchOptions, problem: BaseProblem, uses: Uses) -> Sizes:
    """Return the most rows that the arrays of a search may have.

    Raises InputError if the nodes that are asked for cannot hold one path.
    """
    steps, moves, _ = Capacity.of(problem.model)
    per_node = bytes_per_node(problem, uses)
    if 0 < solver.nodes <= steps:
        raise InputError(
            f"nodes must be at least {steps + 1}, so that the tree can hold one path of {problem.name}, "
            f"not {solver.nodes}"
        )
    nodes = solver.nodes or max(steps + 1, min(MOST_MEMORY, _memory() // 8) // per_node)
    total = nodes * per_node
    codes = (
        (problem.codes or 0) if uses.numbers else max(min(MOST_CODES if uses.rows else 2**24, total // 64), 4 * moves)
    )
    columns = max(1, total // (16 * codes)) if uses.rows else LARGE
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


LARGE = 2**40


def _memory() -> int:
    """Return the memory of the machine, in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 * MOST_MEMORY


def start(
    solver: TreeSearchOptions, problem: BaseProblem, seed: Seed, warm_start: np.ndarray | None = None
) -> TreeSearch:
    """Return a search that has not begun, its machine code loaded or compiled (``Solver.start``)."""
    capacity, uses = Capacity.of(problem.model), uses_of(solver, problem)
    if uses.players > LAST_MOVER:
        raise InputError(f"{problem.name}: a tree search is for at most {LAST_MOVER} players, not {uses.players}")
    if uses.players > 1:
        for name in ("mix", "commit"):
            if getattr(solver, name):
                raise InputError(f"{name} is for one player; {problem.name} is a game for {uses.players}")
    most = most_sizes(solver, problem, uses)
    sizes, codes = _first_sizes(most, uses), most.codes if uses.numbers else 0
    memory = allocate_memory(sizes, uses, capacity, random_state(seed), codes)
    memory.codes.number[:, G] = first_g(solver)
    if warm_start is not None:
        warm = memoized(problem.model, warm_start)
        steps = len(warm.moves)
        memory = with_larger_playouts(memory, uses, capacity.holding(steps, 0))
        begin_with(memory.best, warm)
    search = TreeSearch(problem, solver, memory)
    search.prepare()
    return search


def _first_sizes(most: Sizes, uses: Uses) -> Sizes:
    """Return the rows that a search begins with; what it does not use stays small."""
    codes = most.codes if uses.numbers else 1024
    first = Sizes(
        nodes=1024,
        edges=4096,
        blocks=64 if uses.amaf else 1,
        cells=(16 * codes if uses.numbers else 8192) if uses.amaf else 1,
        codes=codes,
        playouts=2048 if uses.amaf else 1,
        entries=65536 if uses.amaf else 1,
        links=8192 if uses.amaf else 1,
        segments=512 if uses.rows else 1,
    )
    return Sizes(*map(min, first, most))
