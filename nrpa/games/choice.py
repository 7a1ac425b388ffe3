"""Choose a move of a position by a tree search: the move, and what the search thinks of each legal one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import asdict, dataclass, replace
from itertools import repeat
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import SeedLike, checked_seed, counted, positive
from nrpa.games.information_sets import InformationSetTree
from nrpa.games.open_game import OpenGame, require_game
from nrpa.modelling.base_problem import BaseProblem, require_no_class
from nrpa.modelling.problem import Problem
from nrpa.search.threads import Threads
from nrpa.search.workers import number_of_workers
from nrpa.solvers.interface import Seed
from nrpa.solvers.pool import share_of_turns
from nrpa.solvers.tree import MCPS, TreeSearchOptions

if TYPE_CHECKING:
    from nrpa.solvers.tree.lines import TreeNode

tree_lines, tree_root = lazy("nrpa.solvers.tree.lines"), lazy("nrpa.solvers.tree.root")

DEFAULT_SECONDS = 1.0
# After the first playout the moves of the root are not in the tree yet.
FEWEST_PLAYOUTS = 2
SLICE_SECONDS = 0.02
# The walks of each worker that shares a tree in the first slice: handing one out takes as long as some walks.
FIRST_WALKS = 16


class MoveStatistics(NamedTuple):
    """What a search thinks of a move."""

    move: str  # what people call the move
    visits: int  # the playouts that began with it
    # The mean reward of the player who makes it in them, None without any; of a solved move its sure reward
    value: float | None
    solved: bool  # whether all that can follow is known
    own_move: Any = None  # the move as the problem's author writes it


@dataclass(frozen=True)
class Choice:
    """The move that a search chooses, and why.

    Attributes
    ----------
    move : str
        The move, as people call it.
    number : int
        The move, as kernels know it.
    player : int
        Who makes it, 0 to players - 1.
    opinions : tuple of MoveStatistics
        What the search thinks of each legal move, in the order of the problem.
    playouts : int
        The tree walks, each with a playout.
    seconds : float
        How long they took, machine code left out.
    solved : bool
        Whether the value of the position is proven, and the move gives it.
    reason : str
        Why it is this move, in words.
    variation : tuple of str
        The moves that the search expects, this one first; all of the game where it is solved.
    distance : int or None
        Where the move is proven, how many moves the game then takes, if it goes on as far as is proven: who gets the
        most of all takes the shortest way, others the longest. None where nothing is proven.
    own_move : any
        The move as the problem's author writes it.
    tree : TreeNode or None
        The most visited moves of the tree, if they were asked for: ``nrpa.plots.tree`` draws them.
    seed : int or None
        The seed that ``nrpa.choose`` was given, or drew; None in a session, whose own it is.
    """

    move: str
    number: int
    player: int
    opinions: tuple[MoveStatistics, ...]
    playouts: int
    seconds: float
    solved: bool
    reason: str = ""
    variation: tuple[str, ...] = ()
    distance: int | None = None
    own_move: Any = None
    tree: TreeNode | None = None
    seed: int | None = None

    @property
    def opinion(self) -> MoveStatistics:
        """The opinion of the chosen move."""
        return next(each for each in self.opinions if each.move == self.move)

    @property
    def ranked(self) -> list[MoveStatistics]:
        """The opinions: first of the chosen move, then by visits, the most first."""
        return sorted(self.opinions, key=lambda each: (each.move != self.move, -each.visits))

    def to_dict(self) -> dict[str, Any]:
        """Return the choice as JSON can hold it."""
        record = asdict(replace(self, tree=None))
        del record["number"], record["own_move"], record["tree"]
        record["variation"] = list(self.variation)
        record["opinions"] = [dict(zip(each._fields[:-1], each[:-1], strict=True)) for each in self.opinions]
        return record


class MoveBudget(NamedTuple):
    """How long a search thinks of a move: so many tree walks, or so many seconds."""

    playouts: int | None = None  # at least 2
    time: float | None = None  # seconds

    @classmethod
    def checked(cls, playouts: int | None, time: float | None) -> MoveBudget:
        """Return the budget that a caller gives; a second if none."""
        if playouts is not None and time is not None:
            raise InputError("playouts and time cannot both be the budget of a move")
        if playouts is not None:
            return cls(playouts=counted("playouts", playouts, FEWEST_PLAYOUTS))
        return cls(time=positive("time", DEFAULT_SECONDS if time is None else time))

    def shares(self, trees: int, workers: int) -> list[MoveBudget]:
        """Return the budget of each of some trees, which workers share. Raises InputError for too few playouts.

        >>> [each.playouts for each in MoveBudget(playouts=8).shares(3, 1)], MoveBudget(time=1.0).shares(3, 2)[0].time
        ([3, 3, 2], 0.5)
        """
        if self.time is not None:
            return [MoveBudget(time=self.time / -(-trees // workers))] * trees
        playouts = [share_of_turns(self.playouts or 0, tree, trees) for tree in range(trees)]
        if playouts[-1] < FEWEST_PLAYOUTS:
            raise InputError(f"{trees} trees cannot share {self.playouts} playouts; expected at least 2 for each tree")
        return [MoveBudget(playouts=own) for own in playouts]

    @property
    def text(self) -> str:
        """The budget in words."""
        return f"{self.time:g} s a move" if self.playouts is None else f"{self.playouts:,} playouts a move"


class Chooser:
    """A tree search that chooses moves of one game; compiled, and its memory allotted, once."""

    def __init__(self, problem: BaseProblem, solver: TreeSearchOptions, workers: int | str = 1) -> None:
        require_game(problem)
        require_tree_search(solver)
        self.problem = problem
        self.solver = solver
        self._workers = number_of_workers(workers)
        walks_together = solver.parallel != "root"
        if self._workers > solver.trees and not walks_together:
            raise InputError(f"workers share trees; expected at most as many as trees, {solver.trees}, not {workers}")
        if self._workers > 1 and problem.holds_gil:
            raise InputError(f"{problem.name}: threads cannot share a game in plain Python; expected workers=1")
        self._game = OpenGame(problem)
        self._draws_for_walks = solver.worlds == "walks"
        self._trees: list[Any] = (
            [InformationSetTree(problem, solver)]
            if self._draws_for_walks
            else [solver.start(problem, 0) for _ in range(solver.trees)]
        )
        if self._workers > 1 and walks_together:
            for tree in self._trees:
                tree.share_out(self._workers, Threads)
            self._workers = 1
        self.begin_game()

    def begin_game(self) -> None:
        """Forget the trees that a solver with ``keep`` would go on in."""
        self._goes_on = False

    def choose(self, moves: Sequence[int], budget: MoveBudget, seed: Seed = 0, always: bool = False) -> Choice:
        """Search a position, and choose a move (see ``nrpa.solvers.tree.root``).

        The trees are new, but those of a solver with ``keep`` go on where the position follows that of the last call.
        Where one move alone is legal, it is chosen without a search, unless ``always``.

        Raises ProblemError when the problem breaks a limit.
        """
        begun = perf_counter()
        self._game.begin(moves)
        if len(self._game.legal) == 1 and not always:
            return self._forced(perf_counter() - begun)
        self.begin_at(moves, seed)
        self.think(budget)
        return self.choice(perf_counter() - begun)

    def begin_at(self, moves: Sequence[int], seed: Seed) -> None:
        """Begin the trees at a position, or go on in those that are kept."""
        self._game.begin(moves)
        sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
        seeds = [sequence] if len(self._trees) == 1 else sequence.spawn(len(self._trees))
        is_drawn = self.problem.hides and not self._draws_for_walks
        positions = self._worlds(seeds) if is_drawn else [moves] * len(seeds)
        begun = [self._begin(*each) for each in zip(self._trees, positions, seeds, strict=True)]
        self._walks_before = sum(begun)
        self._goes_on = self.solver.keep

    @property
    def walks(self) -> int:
        """The tree walks of all trees."""
        return sum(int(tree.playouts) for tree in self._trees)

    def choice(self, seconds: float) -> Choice:
        """Return what the trees would play, after so many seconds."""
        if self._draws_for_walks:
            roots = [tree.root() for tree in self._trees]
        else:
            roots = [tree_root.root_of(tree.memory) for tree in self._trees]
        hides, player = self.problem.hides, roots[0].player
        is_averaged = hides and not self._draws_for_walks
        root = tree_root.averaged_roots(roots) if is_averaged else tree_root.added_up(roots)
        chosen, name, own = root.chosen(), self.problem.move_name, self.problem.own_move
        variation = [] if hides else tree_root.variation_of(self._trees[0].memory, chosen.move)
        opinions = [
            MoveStatistics(
                name(each.move),
                each.visits,
                each.value if np.isfinite(each.value) else None,
                each.solved,
                own(each.move),
            )
            for each in root.moves
        ]
        return Choice(
            move=name(chosen.move),
            number=chosen.move,
            player=player,
            opinions=tuple(opinions),
            playouts=self.walks - self._walks_before,
            seconds=seconds,
            solved=root.solved,
            reason=f"it has the best mean of {len(roots)} drawn positions" if is_averaged else root.reason(chosen),
            variation=tuple(map(name, variation)),
            distance=chosen.distance if chosen.solved else None,
            own_move=own(chosen.move),
        )

    def tree(self, nodes: int) -> TreeNode:
        """Return the most visited moves of the trees, at most so many, behind the position. Raises InputError."""
        if self._draws_for_walks:
            raise InputError("a tree of what players know (worlds=walks) cannot be shown; expected worlds=trees")
        found: TreeNode = tree_lines.most_visited(self._trees, nodes)
        return found

    def _forced(self, seconds: float) -> Choice:
        """Return the only legal move."""
        move, game = self._game.legal[0], self._game
        name, own = self.problem.move_name(move), self.problem.own_move(move)
        opinions = (MoveStatistics(name, 0, None, False, own),)
        reason = "it is the only legal move"
        return Choice(name, move, game.player, opinions, 0, seconds, False, reason, (name,), None, own)

    def _worlds(self, seeds: Sequence[np.random.SeedSequence]) -> list[list[int]]:
        """Return for each tree a position, drawn from those that the player to move holds for possible."""
        return [self._game.determinized(np.random.default_rng(each.spawn(1)[0])) for each in seeds]

    def _begin(self, tree: Any, moves: Sequence[int], seed: Seed) -> int:
        """Begin a tree at a position, or go on in it; return the walks that it has done."""
        if not (self._goes_on and tree.go_on_at(moves, seed)):
            tree.begin_at(moves, seed)
        return int(tree.playouts)

    def think(self, budget: MoveBudget, stopped: Event | None = None) -> None:
        """Spend a budget on all trees: each gets an equal share of the playouts, or of the time of its worker."""
        stopped = Event() if stopped is None else stopped
        shares = budget.shares(len(self._trees), self._workers)
        if self._workers == 1:
            for tree, own in zip(self._trees, shares, strict=True):
                _spend(tree, own, stopped)
            return
        with ThreadPoolExecutor(self._workers, thread_name_prefix="nrpa") as pool:
            try:
                list(pool.map(_spend, self._trees, shares, repeat(stopped)))
            finally:
                stopped.set()


def _spend(search: Any, budget: MoveBudget, stopped: Event) -> None:
    """Advance a search until its budget is used up or its root is solved, in slices that Ctrl-C need not wait for."""
    begun, before = perf_counter(), search.playouts
    slice_playouts = FEWEST_PLAYOUTS if search.workers == 1 else FIRST_WALKS * search.workers
    while not (search.proven or stopped.is_set()):
        done = search.playouts - before
        if budget.playouts is not None and done >= budget.playouts:
            return
        left = slice_playouts if budget.playouts is None else budget.playouts - done
        search.advance(min(slice_playouts, left))
        seconds = perf_counter() - begun
        if budget.time is not None and seconds >= budget.time:
            return
        allowed = SLICE_SECONDS if budget.time is None else min(SLICE_SECONDS, budget.time - seconds)
        rate = (search.playouts - before) / max(seconds, 1e-9)
        slice_playouts = max(1, min(2 * slice_playouts, int(allowed * rate)))


def require_tree_search(given: Any) -> None:
    """Raise InputError unless it is a tree search, not its class."""
    require_no_class(given)
    if not isinstance(given, TreeSearchOptions):
        what = getattr(given, "name", None) or repr(given)[:60]
        raise InputError(f"{what} does not choose moves of games; expected a tree search such as mcps, grave or uct")


def choose(
    problem: BaseProblem,
    solver: TreeSearchOptions | None = None,
    *,
    moves: Iterable[Any] = (),
    state: Any = None,
    playouts: int | None = None,
    time: float | None = None,
    seed: SeedLike = 0,
    workers: int | str = 1,
    always: bool = False,
    tree: int = 0,
) -> Choice:
    """Choose a move of a position by a tree search.

    Parameters
    ----------
    problem : BaseProblem
        A game for two players or more.
    solver : TreeSearchOptions, optional
        The tree search; ``nrpa.MCPS()`` without it.
    moves : iterable
        The moves that lead to the position: their names, or as the problem's author writes them.
    state : any, optional
        For a game in plain Python: the state in which these moves begin, in place of ``initial_state()``.
    playouts : int, optional
        So many tree walks, at least 2.
    time : float, optional
        So many seconds instead; 1 if neither is given.
    seed : int or numpy.random.Generator
        The same seed and playouts give the same choice.
    workers : int or "all"
        The threads that share the solver's ``trees``. The choice does not depend on them, unless ``time`` is given, or
        they walk in one tree (``parallel``).
    always : bool
        Whether to search where one move alone is legal, too, to know what it is worth. It is else chosen at once.
    tree : int
        How many of the most visited moves of the tree the choice keeps, for ``nrpa.plots.tree``.

    Returns
    -------
    Choice
        The move, and for each legal move visits and value.

    Raises
    ------
    InputError
        If the problem is of one player, the solver is no tree search, a move is not legal, the game has ended, there
        are more workers than trees, several workers for a game in plain Python, or a value is out of range.
    ProblemError
        If the problem breaks a limit.

    Examples
    --------
    >>> import nrpa
    >>> problem = nrpa.Hex(size=3, first="none")
    >>> choice = nrpa.choose(problem, nrpa.MCPS(), moves=["b2", "a1", "b1", "a2"], playouts=200)
    >>> choice.move, choice.solved, len(choice.opinions)
    ('b3', True, 5)
    """
    budget = MoveBudget.checked(playouts, time)
    seed = checked_seed(seed)
    solver = MCPS() if solver is None else solver
    require_tree_search(solver)
    problem = problem if state is None else begun_at(problem, state)
    game = OpenGame(problem)
    game.play_moves(listed_moves(moves))
    game.require_dealt()
    if not game.legal:
        raise InputError(f"{problem.name}: the game has ended after {len(game.moves)} moves; there is none to choose")
    chooser = Chooser(problem, solver, workers)
    choice = chooser.choose(game.moves, budget, seed, always or tree > 0)
    return replace(choice, seed=seed, tree=chooser.tree(tree) if tree else None)


def begun_at(problem: BaseProblem, state: Any) -> BaseProblem:
    """Return a game in plain Python that begins in a state. Raises InputError for another kind of game."""
    require_game(problem)
    if not isinstance(problem, Problem) or problem.hides:
        kind = "hides something" if problem.hides else "is compiled"
        raise InputError(f"{problem.name} {kind}, so that no state can be given; expected the moves that lead there")
    begun: Any = copy(problem)
    begun.initial_state = lambda: problem.copy(state)
    return begun  # type: ignore[no-any-return]


def listed_moves(given: Any) -> list[Any]:
    """Return moves as a list; they are given as one, or by their names in one text between spaces or commas."""
    if isinstance(given, str):
        return given.replace(",", " ").split()
    try:
        return list(given)
    except TypeError:
        raise InputError(f"moves must be a list of moves, not {type(given).__name__}") from None
