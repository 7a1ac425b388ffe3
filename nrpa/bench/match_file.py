"""The records of a match on disk: a row a game in a CSV, and beside it a JSON that says what was played."""

from __future__ import annotations

import os
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.numerals import number_of, whole_of
from nrpa.base.values import shortened
from nrpa.bench.contender import ROLES
from nrpa.bench.continued import ContinuedFiles, holds, lines_of, read_field, read_lines, rewrite
from nrpa.bench.records import SEED_DIGITS
from nrpa.bench.referee import Effort, GameRecord
from nrpa.io.files import append_text


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
    records = [_record(*each) for each in read_lines(path, columns(2), columns(3), writer="nrpa match").fields]
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


def _record(where: str, fields: dict[str, str]) -> GameRecord:
    roles = [role for role in ROLES if role in fields]
    seats = fields["seats"].split()
    if sorted(seats) != sorted(roles):
        raise InputError(
            f"{where}: expected {' '.join(roles)} in some order as seats, found {shortened(fields['seats'])!r}"
        )

    def whole(name: str) -> int:
        return read_field(where, fields, name, lambda text: whole_of(text, SEED_DIGITS))

    def number(name: str) -> float:
        return read_field(where, fields, name, number_of)

    return GameRecord(
        game=whole("game"),
        seed=whole("seed"),
        seats=tuple(roles.index(role) for role in seats),
        rewards=tuple(number(role) for role in roles),
        efforts=tuple(
            Effort(whole(f"{role}_moves"), whole(f"{role}_walks"), number(f"{role}_seconds")) for role in roles
        ),
        moves=tuple(fields["line"].split()),
    )
