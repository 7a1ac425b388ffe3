"""A game in a program: it goes on move by move, and a tree search thinks about it whenever there is time."""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from threading import Event, Thread
from time import perf_counter
from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import SeedLike, checked_seed, positive, whole
from nrpa.games.choice import FEWEST_PLAYOUTS, Choice, Chooser, MoveBudget, begun_at, listed_moves, require_tree_search
from nrpa.games.open_game import OpenGame
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.tree import MCPS, TreeSearchOptions


class GameSession:
    """A game in progress, and a tree search that keeps its tree from move to move.

    Moves are given by their names, or as the problem's author writes them. Also a context manager, which ends a thought
    in the background.

    Parameters
    ----------
    problem : BaseProblem
        A game for two players or more.
    solver : TreeSearchOptions, optional
        The tree search; ``nrpa.MCPS()`` without it. It goes on in its trees (``keep``).
    moves : iterable
        The moves that lead to the position at which the session begins.
    state : any, optional
        For a game in plain Python: the state in which these moves begin, in place of ``initial_state()``.
    seed : int or numpy.random.Generator
        The same seed, calls and playouts give the same choices.
    workers : int or "all"
        The threads that share the solver's ``trees``.

    Raises
    ------
    InputError
        If the problem is of one player, the solver is no tree search, a move is not legal, or a value is out of range.

    Examples
    --------
    >>> import nrpa
    >>> session = nrpa.GameSession(nrpa.Hex(size=3, first="none"), seed=1)
    >>> session.advance("b2", "a1", "b1")
    >>> session.think(playouts=500)
    >>> choice = session.choice()
    >>> choice.move, choice.reason, choice.variation, choice.distance
    ('c3', 'it is proven to give 0, and no move gives more', ('c3', 'b3'), 2)
    """

    def __init__(
        self,
        problem: BaseProblem,
        solver: TreeSearchOptions | None = None,
        *,
        moves: Iterable[Any] = (),
        state: Any = None,
        seed: SeedLike = 0,
        workers: int | str = 1,
    ) -> None:
        solver = MCPS() if solver is None else solver
        require_tree_search(solver)
        self._seed = checked_seed(seed)
        self.problem = problem if state is None else begun_at(problem, state)
        self._chooser = Chooser(self.problem, replace(solver, keep=True), workers)
        self._game = OpenGame(self.problem)
        self._thought = 0  # how often the search was asked to think
        self._walks, self._seconds = 0, 0.0  # what it has done since the last move
        self._thread: Thread | None = None
        self._stopped = Event()
        self._error: BaseException | None = None
        self._game.play_moves(listed_moves(moves))
        self._game.require_dealt()

    @property
    def moves(self) -> list[Any]:
        """The moves so far, as the problem's author writes them."""
        return [self.problem.own_move(move) for move in self._game.moves]

    @property
    def legal(self) -> list[Any]:
        """The legal moves, as the problem's author writes them; none where the game has ended."""
        return [self.problem.own_move(move) for move in self._game.legal]

    @property
    def player(self) -> int:
        """Whose turn it is, 0 to players - 1."""
        return self._game.player

    @property
    def rewards(self) -> list[float] | None:
        """What each player gets; None while the game goes on."""
        return None if self._game.legal else self._game.rewards()

    @property
    def is_thinking(self) -> bool:
        """Whether it thinks in the background."""
        return self._thread is not None and self._thread.is_alive()

    def text(self) -> str:
        """Return the position as the problem draws it."""
        return self._game.text()

    def advance(self, *moves: Any) -> None:
        """Make moves, those of all players in turn; a thought in the background ends before.

        Raises InputError if one is not legal; those before it have been made.
        """
        self.stop()
        self._walks, self._seconds = 0, 0.0
        self._game.play_moves(moves)

    def take_back(self, count: int = 1) -> None:
        """Take the last moves back; the tree is then a new one."""
        self.stop()
        self._walks, self._seconds = 0, 0.0
        if (made := len(self._game.moves)) < whole("count", count, 1):
            raise InputError(f"{count} moves cannot be taken back after {made}")
        self._game.take_back(count)

    def think(self, seconds: float | None = None, *, playouts: int | None = None, background: bool = False) -> None:
        """Search the position, whoever is to move, so long or so many tree walks more.

        With ``background``, the call returns at once; the thread thinks until ``stop``, ``advance`` or ``choice`` is
        called, or so long. Without a budget, a thought in the background goes on until then. What a background thread
        has raised is raised by the next call. Nothing is done where the game has ended.

        Raises InputError for no budget, two of them, or one out of range; ProblemError if the problem breaks a limit.
        """
        self.stop()
        if seconds is None and playouts is None and not background:
            raise InputError("expected seconds or playouts to think")
        budget = MoveBudget(time=math.inf)
        if seconds is not None or playouts is not None:
            budget = MoveBudget.checked(playouts, None if seconds is None else positive("seconds", seconds))
        if not self._game.legal:
            return
        self._begin()
        if not background:
            self._think(budget)
            return
        self._thread = Thread(target=self._think_apart, args=(budget,), name="nrpa", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End a thought in the background, if there is one; raise what it has raised."""
        if self._thread is not None:
            self._stopped.set()
            self._thread.join()
            self._thread = None
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    def choice(self) -> Choice:
        """Return the move that the search would make here, and why; a thought in the background ends before.

        Where it has not thought of this position, it makes as few tree walks as it can.

        Raises InputError where the game has ended.
        """
        self.stop()
        if not self._game.legal:
            raise InputError(f"{self.problem.name}: the game has ended; there is no move to choose")
        if len(self._game.legal) == 1 and not self._walks:
            return self._chooser.choose(self._game.moves, MoveBudget(playouts=FEWEST_PLAYOUTS))
        if not self._walks:
            self.think(playouts=FEWEST_PLAYOUTS * self._chooser.solver.trees)
        return replace(self._chooser.choice(self._seconds), playouts=self._walks)

    def _begin(self) -> None:
        self._stopped.clear()
        seed = np.random.SeedSequence(self._seed, spawn_key=(len(self._game.moves), self._thought))
        self._thought += 1
        self._chooser.begin_at(self._game.moves, seed)

    def _think(self, budget: MoveBudget) -> None:
        begun, before = perf_counter(), self._chooser.walks
        self._chooser.think(budget, self._stopped)
        self._seconds += perf_counter() - begun
        self._walks += max(1, self._chooser.walks - before)

    def _think_apart(self, budget: MoveBudget) -> None:
        try:
            self._think(budget)
        except BaseException as error:
            self._error = error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(Exception):
            self.stop()
