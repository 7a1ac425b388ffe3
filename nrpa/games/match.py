"""Matches: players meet in a game, seats in turn; each game is on disk, a row of a CSV, as soon as it ends."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError, escaped
from nrpa.base.values import SeedLike, aligned, checked_seed, plain, shortened, whole
from nrpa.bench.description import ContinuedFiles
from nrpa.bench.distribute import RunsProgress, Teller, distribute, outcome, places
from nrpa.bench.experiment import MOST_RUNS, Variant
from nrpa.bench.statistics import Share, share
from nrpa.games.choice import Chooser, MoveBudget, require_tree_search
from nrpa.games.open_game import OpenGame, require_game
from nrpa.io.csv_lines import Row, holds, lines_of, read_lines, rewrite
from nrpa.io.files import append_text, locked, source_files
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import solver_class
from nrpa.search.executors import packed, unpacked
from nrpa.search.workers import cores, number_of_workers
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

    def __init__(self, contenders: Sequence[Contender], budget: MoveBudget, seed: int) -> None:
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


def _play(match: bytes, number: int) -> GameRecord | Exception:
    """Play a game in this process; return what went wrong if it does not end."""
    return outcome(lambda: _referee(match).play(number))


@lru_cache(maxsize=1)
def _referee(match: bytes) -> Referee:
    return Referee(*unpacked(match))


class Score(NamedTuple):
    """How a player has done: its share of the points, one a game, which those of the highest reward share; means."""

    name: str
    share: Share
    won: int
    shared: int
    seconds_per_move: float
    walks_per_second: float


@dataclass(frozen=True)
class MatchResult:
    """The games of a match.

    Attributes
    ----------
    title : str
        The game and the budget.
    players : tuple of str
        Who has played.
    games : tuple of GameRecord
        The games, by their numbers.
    """

    title: str
    players: tuple[str, ...]
    games: tuple[GameRecord, ...]

    @property
    def scores(self) -> list[Score]:
        """How each player has done. There must be a game."""
        return [self._score(who, name) for who, name in enumerate(self.players)]

    def _score(self, who: int, name: str) -> Score:
        points = [game.points[who] for game in self.games]
        efforts = [game.efforts[who] for game in self.games]
        moves, walks, seconds = (sum(values) for values in zip(*efforts, strict=True))
        return Score(
            name,
            share(sum(points), len(points)),
            sum(point == 1.0 for point in points),
            sum(0.0 < point < 1.0 for point in points),
            seconds / moves if moves else float("nan"),
            walks / seconds if seconds else float("nan"),
        )

    @property
    def beginner(self) -> Share:
        """The share of the points of those who were the game's first player."""
        return share(sum(game.points[game.seats[0]] for game in self.games), len(self.games))

    def table(self) -> str:
        """Return the scores as text."""
        if not self.games:
            return f"{escaped(self.title)}: no game"
        lines = [["player", "points", "[95 %]", "won", "shared", "s/move", "walks/s"]]
        lines += [
            [
                score.name,
                f"{100 * score.share.share:.2f} %",
                f"[{100 * score.share.low:.2f}, {100 * score.share.high:.2f}]",
                str(score.won),
                str(score.shared),
                f"{score.seconds_per_move:.3g}",
                f"{score.walks_per_second:,.0f}",
            ]
            for score in self.scores
        ]
        text = aligned(lines, left=(0,))
        begun = self.beginner
        games = f"{len(self.games):,} game{'' if len(self.games) == 1 else 's'}"
        return (
            f"{escaped(self.title)}, {games}\n{text}\n"
            f"who began: {100 * begun.share:.2f} % [{100 * begun.low:.2f}, {100 * begun.high:.2f}]"
        )


def match(
    problem: BaseProblem,
    *players: Any,
    playouts: int | None = None,
    time: float | None = None,
    games: int = 100,
    seed: SeedLike = 0,
    workers: int | None = 1,
    out: str | os.PathLike[str] | None = None,
    on_game: Callable[[RunsProgress], object] | None = None,
) -> MatchResult:
    """Let tree searches play a game against each other.

    In each game every player has the seat (the colour) after the one that it had in the game before. With more than one
    worker, processes are started afresh ("spawn"): a script then needs ``if __name__ == "__main__":``.

    Parameters
    ----------
    problem : BaseProblem
        A game for two or three players.
    *players : TreeSearchOptions, or tuple of TreeSearchOptions and BaseProblem
        The players, as many as the game has; with the game as a player sees it where moves are told apart in another
        way (``nrpa.Wargame(codes="abstract")``).
    playouts : int, optional
        So many tree walks for each move, at least 2.
    time : float, optional
        So many seconds for each move instead; 1 if neither is given.
    games : int
        The number of games.
    seed : int or numpy.random.Generator
        The seed of game 0; game k has ``seed`` + k. The same seeds and playouts give the same games, whatever the
        workers.
    workers : int or None
        How many processes play, a game each; as many as this process may use cores for None.
    out : str or path-like, optional
        A CSV that takes each game as soon as it ends; NAME.json beside it says what was played. Games that it holds
        already are not played again.
    on_game : callable, optional
        Called with a RunsProgress at the start and after each game.

    Returns
    -------
    MatchResult
        The games; ``scores`` and ``table()`` sum them up.

    Raises
    ------
    InputError
        If the problem is of one player, there are not as many players as it has, one is no tree search, a value is out
        of range, or ``out`` holds another match, cannot be written or is being written.
    ProblemError
        If the problem breaks a limit.

    Examples
    --------
    >>> import nrpa
    >>> problem = nrpa.Hex(size=3, first="none")
    >>> result = nrpa.match(problem, nrpa.MCPS(), nrpa.GRAVE(), playouts=20, games=2)
    >>> [game.seats for game in result.games]
    [(0, 1), (1, 0)]
    """
    require_game(problem)
    contenders = [Contender.of(each, problem, f"player {k}") for k, each in enumerate(players, 1)]
    budget, count = MoveBudget.checked(playouts, time), cores() if workers is None else number_of_workers(workers)
    wanted, seed = whole("games", games, 1, MOST_RUNS), checked_seed(seed)
    file = None if out is None else MatchFile(out, len(contenders))
    if file is not None:
        file.require_possible([*(file_of(each.game.label) for each in contenders), *source_files()])
    referee = Referee(contenders, budget, seed)
    title = f"{problem.name} {problem.label}".rstrip() + f", {budget.text}"
    with ExitStack() as until_done:
        done: list[GameRecord] = []
        if file is not None:
            until_done.enter_context(locked(file.out))
            done = file.open(_description(contenders, budget, seed))
        found = {record.game: record for record in done if record.game < wanted}
        numbers = [number for number in range(wanted) if number not in found]
        teller, at_once = Teller(on_game, len(found), wanted), min(count, len(numbers))

        def keep(number: int, record: GameRecord, running: int) -> None:
            if file is not None:
                file.append(record)
            found[number] = record
            teller.count(running)

        parcel = packed((contenders, budget, seed), *(each.game for each in contenders)) if at_once > 1 else b""
        play = partial(_play, parcel) if parcel else referee.play
        executors = until_done.enter_context(places(at_once))
        distribute(play, numbers, executors, keep, teller.tell, lambda number: f"game {number}")
    names = tuple(each.name for each in contenders)
    return MatchResult(title, names, tuple(found[number] for number in sorted(found)))


def _description(contenders: Sequence[Contender], budget: MoveBudget, seed: int) -> dict[str, Any]:
    problem = contenders[0].game
    return {
        "match": {
            "problem": problem.name,
            "instance": problem.label,
            "sha256": problem.sha256,
            **budget._asdict(),
            "seed": seed,
            **{
                role: {"solver": each.solver.name, **plain(each.solver.options), "problem": plain(each.game.options)}
                for role, each in zip(ROLES, contenders, strict=False)
            },
        },
    }


def columns(players: int) -> list[str]:
    """Return the columns for so many players.

    >>> columns(2)[:5]
    ['game', 'seed', 'seats', 'first', 'second']
    """
    roles = ROLES[:players]
    efforts = [f"{role}_{what}" for role in roles for what in ("moves", "walks", "seconds")]
    return ["game", "seed", "seats", *roles, *efforts, "line"]


def row_of(record: GameRecord) -> list[str]:
    """Return the fields of a game in the order of the columns."""
    return [
        str(record.game),
        str(record.seed),
        " ".join(ROLES[who] for who in record.seats),
        *(repr(reward) for reward in record.rewards),
        *(
            text
            for effort in record.efforts
            for text in (str(effort.moves), str(effort.walks), f"{effort.seconds:.4f}")
        ),
        " ".join(record.moves),
    ]


def read_games(path: str | os.PathLike[str]) -> list[GameRecord]:
    """Return the games that a file holds, by their numbers. A last line without its end, left by a crash, is left out.

    Raises InputError if it is no such file; the message names the file, the line and what was expected.
    """
    records = [_record(row) for row in read_lines(path, columns(2), columns(3), writer="nrpa match").fields]
    by_game = {record.game: record for record in records}
    return [by_game[game] for game in sorted(by_game)]


class MatchFile(ContinuedFiles):
    """The files of a match: ``out``, a row a game, and the JSON beside it."""

    kind, done = "match", "played"

    def __init__(self, out: str | os.PathLike[str], players: int) -> None:
        super().__init__(out)
        self._players = players

    def open(self, description: dict[str, Any]) -> list[GameRecord]:
        """Make the files if they are new, else remove a line that a crash left unfinished; return the games so far."""
        self.describe(description)
        games = read_games(self.out) if holds(self.out) else []
        rewrite(self.out, lines_of([columns(self._players), *map(row_of, games)]))
        return games

    def append(self, record: GameRecord) -> None:
        """Add a game. Raises InputError if it cannot be written; the games before are kept."""
        append_text(self.out, lines_of([row_of(record)]))


def _record(row: Row) -> GameRecord:
    fields = row.fields
    roles = [role for role in ROLES if role in fields]
    seats = fields["seats"].split()
    if sorted(seats) != sorted(roles):
        raise InputError(
            f"{row.where}: expected {' '.join(roles)} in some order as seats, found {shortened(fields['seats'])!r}"
        )
    return GameRecord(
        game=row.whole("game"),
        seed=row.seed(),
        seats=tuple(roles.index(role) for role in seats),
        rewards=tuple(row.number(role) for role in roles),
        efforts=tuple(
            Effort(row.whole(f"{role}_moves"), row.whole(f"{role}_walks"), row.number(f"{role}_seconds"))
            for role in roles
        ),
        moves=tuple(fields["line"].split()),
    )
