"""Matches: players meet in a game, seats in turn; each game is on disk, a row of a CSV, as soon as it ends."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from nrpa.base.errors import InputError, escaped
from nrpa.base.plain import plain
from nrpa.base.values import shortened, whole
from nrpa.bench.compare import Share, share
from nrpa.bench.continued import ContinuedFiles, Row, holds, lines_of, read_lines, rewrite
from nrpa.bench.distribute import Progress, Teller, distribute, worker_processes
from nrpa.bench.experiment import MOST_RUNS
from nrpa.bench.referee import ROLES, Contender, Effort, GameRecord, Referee, Task, packed_match, play_task
from nrpa.io.files import append_text, locked, source_files
from nrpa.io.source import file_of
from nrpa.io.text import aligned
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.choice import Budget
from nrpa.search.open_game import require_game
from nrpa.search.run import checked_seed
from nrpa.search.workers import cores, number_of_workers


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
    seed: int = 0,
    workers: int | None = 1,
    out: str | os.PathLike[str] | None = None,
    on_game: Callable[[Progress], object] | None = None,
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
    seed : int
        The seed of game 0; game k has ``seed`` + k. The same seeds and playouts give the same games, whatever the
        workers.
    workers : int or None
        How many processes play, a game each; as many as this process may use cores for None.
    out : str or path-like, optional
        A CSV that takes each game as soon as it ends; NAME.json beside it says what was played. Games that it holds
        already are not played again.
    on_game : callable, optional
        Called with a Progress at the start and after each game.

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
    budget, count = Budget.checked(playouts, time), cores() if workers is None else number_of_workers(workers)
    wanted, seed = whole("games", games, 1, MOST_RUNS), checked_seed(seed)
    file = None if out is None else MatchFile(out, len(contenders))
    if file is not None:
        file.require_possible([*(file_of(each.game.label) for each in contenders), *source_files()])
    referee = Referee(contenders, budget, seed)
    title = f"{problem.name} {problem.label}".rstrip() + f", {budget.text}"
    names = tuple(each.name for each in contenders)

    def played(done: list[GameRecord], keep: Callable[[GameRecord], object]) -> MatchResult:
        found = {record.game: record for record in done if record.game < wanted}
        numbers = [number for number in range(wanted) if number not in found]
        teller, at_once = Teller(on_game, len(found), wanted), min(count, len(numbers))

        def take(_: Task | None, record: GameRecord, running: int) -> None:
            keep(record)
            found[record.game] = record
            teller.count(running)

        if at_once > 1:
            packed = packed_match(contenders, budget, seed)
            tasks = [Task(packed, number) for number in numbers]
            with worker_processes(at_once) as own:
                distribute(play_task, tasks, own, take, teller.tell, lambda task: f"game {task.number}")
        else:
            teller.tell(at_once)
            for k, number in enumerate(numbers, 1):
                take(None, referee.play(number), int(k < len(numbers)))
        return MatchResult(title, names, tuple(found[number] for number in sorted(found)))

    if file is None:
        return played([], lambda record: None)
    with locked(file.out):
        return played(file.open(_description(contenders, budget, seed)), file.append)


def _description(contenders: Sequence[Contender], budget: Budget, seed: int) -> dict[str, Any]:
    """Return what is played."""
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
