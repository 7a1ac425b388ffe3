"""A search that asks for the scores of games, and is told them whenever they are known."""

from __future__ import annotations

import copy
import json
import math
import os
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.codec import decoded, encoded
from nrpa.base.errors import InputError
from nrpa.base.values import SeedLike, checked_seed, counted, is_finite, plain, shown
from nrpa.checking.validate import validate
from nrpa.engine.random import random_state
from nrpa.modelling.base_problem import BaseProblem, require_one_player, require_problem
from nrpa.modelling.problem import Problem
from nrpa.search.asking import ASKED
from nrpa.search.checkpoint import read_arrays, write_arrays
from nrpa.search.solve import solver_of
from nrpa.solvers.interface import Solver
from nrpa.solvers.python_search import PlayoutGame
from nrpa.solvers.search import with_numbering

ENTRY = "ask and tell"


class Candidate(NamedTuple):
    """A game whose value is asked for."""

    number: int  # from 1, by which the value is told
    moves: list[Any]  # as the problem's author writes them
    solution: Any  # in the problem's own form


class AskTell:
    """A search whose games are scored elsewhere; ``nrpa.ask_tell`` makes one.

    Attributes
    ----------
    problem, solver, seed
        What is searched, and how.
    open : list of int
        The numbers of the games whose values were not told.
    told : int
        How many values were told.
    best : Candidate or None
        The game of the best value so far; None before the first.
    value : float
        Its objective value; infinite before the first.
    """

    def __init__(self, problem: BaseProblem, solver: Any, seed: int) -> None:
        self.problem, self.solver, self.seed = problem, solver, seed
        self.stop = np.zeros(1, np.bool_)
        self.told, self._score = 0, -math.inf
        self.best: Candidate | None = None
        self._asked, self._open = 0, dict[int, Any]()
        self._random = random_state(seed)
        self._search = ASKED[solver.name](solver)
        self._game = PlayoutGame(self)  # type: ignore[arg-type]

    @property
    def open(self) -> list[int]:
        return [*self._open]

    @property
    def value(self) -> float:
        return self.problem.objective.value(self._score)

    def ask(self, games: int = 1) -> list[Candidate]:
        """Return so many games to score, whatever was told of others."""
        found = []
        for _ in range(counted("games", games)):
            self._game.reset()
            proposed = self._search.propose(self._game, self._random)
            moves = np.array(self._game.moves, np.int64)
            own = [self.problem.own_move(move) for move in self._game.moves]
            self._asked += 1
            self._open[self._asked] = (proposed, own, self.problem.solution(moves))
            found.append(Candidate(self._asked, own, self.problem.solution(moves)))
        return found

    def tell(self, values: Mapping[int, float | Sequence[float] | None]) -> None:
        """Take the objective values of games by their numbers, in any order, such as costs; None gives a game up.

        Raises InputError for a number that was not asked or was told before, and for a value that is no finite number;
        then none of the values is taken.
        """
        scores = {number: self._checked(number, value) for number, value in values.items()}
        for number, score in scores.items():
            proposed, moves, solution = self._open.pop(number)
            self._search.learn(proposed, score, self._random)
            if score is not None:
                self.told += 1
                if score > self._score:
                    self._score, self.best = score, Candidate(number, moves, solution)

    def _checked(self, number: Any, value: Any) -> float | None:
        if number not in self._open:
            raise InputError(f"game {shown(number)} is not open: it was not asked for, or its value was told before")
        if value is None or isinstance(value, Sequence):
            return None if value is None else self.problem.objective.score(value)
        if isinstance(value, bool) or not is_finite(value):
            raise InputError(f"the value of game {number} is {shown(value)}; expected a finite number, or None")
        return self.problem.objective.sign * float(value)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all to a file, whole or not at all; ``nrpa.ask_tell(problem, solver, saved=path)`` goes on with it."""
        numbering = self.problem.model.numbering()
        kept = (self._asked, self._open, self.told, self._score, self.best and tuple(self.best))
        whole = (self._header(), numbering, kept, self._random, self._search.memory)
        write_arrays(path, {ENTRY: np.frombuffer(json.dumps(encoded(whole)).encode(), np.uint8)})

    def _header(self) -> list[Any]:
        return [self.problem.name, self.problem.sha256, self.solver.name, plain(self.solver.options), self.seed]

    @classmethod
    def _read(cls, path: str | os.PathLike[str], problem: BaseProblem, solver: Any) -> AskTell:
        arrays = read_arrays(path)
        if ENTRY not in arrays:
            raise InputError(f"{path}: is no file that AskTell.save wrote")
        header, numbering, kept, random, memory = decoded(json.loads(arrays[ENTRY].tobytes()))
        run = cls(with_numbering(problem, numbering), solver, header[-1])
        if run._header() != header:
            raise InputError(f"{path}: is of {header[0]} and {header[2]} with other options, or of another instance")
        run._asked, run._open, run.told, run._score, best = kept
        run.best, run._random, run._search.memory = best and Candidate(*best), random, memory
        return run


def ask_tell(
    problem: BaseProblem,
    solver: Solver | str = "gnrpa",
    *,
    seed: SeedLike | None = None,
    saved: str | os.PathLike[str] | None = None,
) -> AskTell:
    """Return a search that asks for scores: of experiments, of models, of jobs that wait in a queue.

    A class in plain Python needs no ``score``, and one that is there is not asked; of others, it does not count. The
    same seed, the same questions and the same values, told in the same order, give the same games.

    Parameters
    ----------
    problem : BaseProblem
        The problem, with its instance.
    solver : Solver or str
        NRPA or GNRPA, without ``improve``; Tempering, of which ``chains``, ``coldest`` and ``hottest`` count; or UCT,
        of which ``c`` and ``normalise`` do.
    seed : int or numpy.random.Generator, optional
        The seed of the random numbers; drawn anew if it is not given.
    saved : str or path-like, optional
        A file that ``AskTell.save`` wrote, to go on with; the seed is that of the file.

    Returns
    -------
    AskTell
        ``ask(k)`` gives k games, ``tell({number: value})`` takes their values, in any order, some never.

    Raises
    ------
    InputError
        If the solver is another one, or has an option that does not count; if the file cannot be read, or is of another
        problem or solver.

    Examples
    --------
    >>> import nrpa
    >>> run = nrpa.ask_tell(nrpa.TSPTW.load("rc201.1"), nrpa.NRPA(level=2), seed=1)
    >>> one, other = run.ask(2)
    >>> run.tell({other.number: 1200.0})
    >>> run.open, run.told, run.value, run.best == other
    ([1], 1, 1200.0, True)
    """
    require_problem(problem)
    require_one_player(problem)
    algorithm: Any = solver_of(solver, None)
    if algorithm.name not in ASKED:
        raise InputError(f"ask and tell is for {', '.join(ASKED)}, not for {algorithm.name}")
    usual, own = type(algorithm)().options, ASKED[algorithm.name].counted
    other = [name for name, value in algorithm.options.items() if name not in own and value != usual[name]]
    if other:
        raise InputError(f"ask and tell does not heed the option {other[0]} of {algorithm.name}")
    unscored = _without_score(problem)
    validate(unscored)
    if saved is not None:
        return AskTell._read(saved, unscored, algorithm)
    return AskTell(unscored, algorithm, secrets.randbits(32) if seed is None else checked_seed(seed))


def _without_score(problem: BaseProblem) -> BaseProblem:
    """Return a problem in plain Python as one whose score is not asked; others as they are."""
    if not isinstance(problem, Problem):
        return problem
    made, cls = copy.copy(problem), type(problem)
    goals = getattr(problem.objective, "parts", None)
    unknown = 0.0 if goals is None else (0.0,) * len(goals)
    named = {"__module__": cls.__module__, "score": lambda self, state: unknown}
    made.__class__ = type(cls.__name__, (cls,), named)
    return made
