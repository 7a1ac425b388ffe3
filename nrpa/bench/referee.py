"""Who plays in a match, and its games, one after another: the searches of all players are made once."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import shortened
from nrpa.bench.distribute import outcome
from nrpa.bench.experiment import Variant
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import solver_class
from nrpa.search.choice import Budget, Chooser, require_tree_search
from nrpa.search.executors import packed, unpickled_anew
from nrpa.search.open_game import OpenGame
from nrpa.solvers.tree import TreeSearchOptions

ROLES = ("first", "second", "third")


@dataclass(frozen=True)
class Contender:
    """A player of a match, by its name in tables, and the game as it sees it: only how moves are told may differ."""

    name: str
    solver: TreeSearchOptions
    game: BaseProblem

    @classmethod
    def parse(cls, text: str, game: BaseProblem, make: Callable[[dict[str, Any]], BaseProblem]) -> Contender:
        """Return the player that a text describes.

        Raises InputError if there is no such solver, it is no tree search, or an option or its value is unknown.

        >>> import nrpa
        >>> hex = nrpa.Hex(size=5)
        >>> found = Contender.parse("grave:ref=100,bias=1e-4", hex, lambda options: nrpa.Hex(size=5, **options))
        >>> found.solver.amaf_bias, found.game is hex
        (0.0001, True)
        """
        try:
            made, of_problem = _variant(text).make(type(game))
            require_tree_search(made)
            seen = make(of_problem) if of_problem else game
        except InputError as error:
            said = str(error).removeprefix(f"variant {text.partition(':')[0].strip()}: ")
            raise InputError(f"player {shortened(text)}: {said}") from None
        assert isinstance(made, TreeSearchOptions)
        return cls(text, made, seen)

    @classmethod
    def of(cls, given: Any, game: BaseProblem, role: str) -> Contender:
        """Return the player that a caller gives. Raises InputError if it is no tree search."""
        if isinstance(given, Contender):
            return given
        solver, seen = given if isinstance(given, tuple) and len(given) == 2 else (given, game)
        try:
            require_tree_search(solver)
        except InputError as error:
            raise InputError(f"{role}: {error}") from None
        return cls(_name(solver, seen, game), solver, seen)


def _variant(text: str) -> Variant:
    """Return a player's text as a variant of an experiment, the options under the names that the solver gives them."""
    given = Variant.parse(text)
    if "solver" in (pair.partition("=")[0].strip() for pair in text.partition(":")[2].split(",")):
        raise InputError("expected SOLVER:key=value,..., the name of the solver first")
    aliases = getattr(solver_class(given.name), "aliases", {})
    options = {aliases.get(key, key): value for key, value in given.options.items()}
    return Variant(given.name, given.name, options)


def _name(solver: TreeSearchOptions, seen: BaseProblem, game: BaseProblem) -> str:
    defaults = {each.name: each.default for each in dataclasses.fields(solver)}
    own = {key: value for key, value in solver.options.items() if value != defaults[key]}
    own |= {key: value for key, value in seen.options.items() if value != game.options.get(key)}
    listed = ",".join(f"{key}={value}" for key, value in own.items())
    return f"{solver.name}:{listed}" if listed else solver.name


class Effort(NamedTuple):
    """How many moves a player has made in a game, with how many tree walks and seconds of its searches."""

    moves: int
    walks: int
    seconds: float


@dataclass(frozen=True)
class GameRecord:
    """A game of a match; ``seats``: who of the match was the game's player 0, 1, …; ``rewards`` as in the match."""

    game: int
    seed: int
    seats: tuple[int, ...]
    rewards: tuple[float, ...]
    efforts: tuple[Effort, ...]
    moves: tuple[str, ...]

    @property
    def points(self) -> tuple[float, ...]:
        """What each of the match gets of the one point of the game: those with the highest reward share it."""
        best = max(self.rewards)
        share = 1.0 / self.rewards.count(best)
        return tuple(share if reward == best else 0.0 for reward in self.rewards)


class Referee:
    """Plays the games of a match."""

    def __init__(self, contenders: Sequence[Contender], budget: Budget, seed: int) -> None:
        self.contenders = tuple(contenders)
        self._budget, self._seed = budget, seed
        self._game = _common(self.contenders)
        for each in self.contenders:
            budget.shares(each.solver.trees, 1)
        self._choosers = [Chooser(each.game, each.solver) for each in contenders]

    def play(self, number: int) -> GameRecord:
        """Play the game of a number. It depends on nothing that was played before."""
        game = self._game
        players = len(self._choosers)
        seats = [(seat - number) % players for seat in range(players)]
        efforts = [Effort(0, 0, 0.0)] * players
        for chooser in self._choosers:
            chooser.begin_game()
        game.deal(np.random.default_rng(self._seed + number))
        while game.legal:
            who = seats[game.player]
            seed = np.random.SeedSequence(self._seed + number, spawn_key=(len(game.moves),))
            chooser = self._choosers[who]
            choice = chooser.choose(_moves_as(chooser.problem, game.problem, game.moves), self._budget, seed)
            move = _moves_as(game.problem, chooser.problem, [choice.number])[0]
            if move not in game.legal:
                raise InputError(f"{ROLES[who]}: {choice.move} is not legal for the others; expected the same rules")
            before = efforts[who]
            efforts[who] = Effort(before.moves + 1, before.walks + choice.playouts, before.seconds + choice.seconds)
            game.play(move)
        gained = game.rewards()
        efforts = [effort._replace(seconds=round(effort.seconds, 4)) for effort in efforts]
        rewards = tuple(gained[seats.index(who)] for who in range(players))
        names = tuple(game.problem.move_name(move) for move in game.moves)
        return GameRecord(number, self._seed + number, tuple(seats), rewards, tuple(efforts), names)


def _common(contenders: Sequence[Contender]) -> OpenGame:
    """Return the game that all play. Raises InputError if it has not as many players, or not the same rules for all."""
    problems = list({id(each.game): each.game for each in contenders}.values())
    games = [OpenGame(problem) for problem in problems]
    _require_players(problems[0], len(contenders))
    for other in games[1:]:
        _require_same_rules(games[0], other)
    return games[0]


def _moves_as(to: BaseProblem, of: BaseProblem, moves: list[int]) -> list[int]:
    """Return moves of one problem object as another numbers them."""
    if to is of:
        return moves
    numbers: list[int] = to.model.numbers_of(of.model.things_of(np.array(moves, np.int64))).tolist()
    return numbers


def _require_players(problem: BaseProblem, count: int) -> None:
    if problem.players > len(ROLES):
        raise InputError(f"{problem.name} has {problem.players} players; a match is of two or three")
    if problem.players > count:
        raise InputError(f"{problem.name} has {problem.players} players here; expected a {ROLES[count]} one as well")
    if problem.players < count:
        raise InputError(f"{problem.name} has {problem.players} players here, not {count}; leave the others out")


def _require_same_rules(game: OpenGame, other: OpenGame) -> None:
    theirs = set(_moves_as(game.problem, other.problem, other.legal))
    if other.problem.players != game.problem.players or theirs != set(game.legal):
        differing = {
            key: value for key, value in other.problem.options.items() if game.problem.options.get(key) != value
        }
        listed = ", ".join(f"{key}={value}" for key, value in differing.items()) or "another problem"
        raise InputError(f"{listed}: makes other rules for one player; all must play the same game")


class Task(NamedTuple):
    """The number of a game for a worker in another process, and the match, as ``packed_match`` returns it."""

    match: bytes
    number: int


def packed_match(contenders: Sequence[Contender], budget: Budget, seed: int) -> bytes:
    """Return a match as bytes for another process. Raises InputError if a problem cannot be pickled."""
    parcels = {id(each.game): packed(each.game) for each in contenders}
    players = [(each.name, each.solver, id(each.game)) for each in contenders]
    return pickle.dumps((players, parcels, budget, seed))


def play_task(task: Task) -> GameRecord | Exception:
    """Play a game in this process; return what went wrong if it does not end."""
    return outcome(lambda: _referee(task.match).play(task.number))


@lru_cache(maxsize=1)
def _referee(match: bytes) -> Referee:
    players, parcels, budget, seed = pickle.loads(match)
    games = {key: unpickled_anew(parcel) for key, parcel in parcels.items()}
    return Referee([Contender(name, solver, games[key]) for name, solver, key in players], budget, seed)
