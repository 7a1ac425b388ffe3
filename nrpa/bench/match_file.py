"""The records of a match on disk: a row a game in a CSV, and beside it a JSON that says what was played."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.numerals import number_of, whole_of
from nrpa.base.values import shortened
from nrpa.bench.contender import ROLES
from nrpa.bench.records import SEED_DIGITS
from nrpa.bench.referee import Effort, GameRecord
from nrpa.io.files import append_text, require_kept, require_writable, write_text
from nrpa.io.text import decoded, read_bytes

EXPECTED = "a CSV that `nrpa match` wrote"


def columns(players: int) -> list[str]:
    """Return the columns for so many players.

    Examples
    --------
    >>> columns(2)[:5]
    ['game', 'seed', 'seats', 'first', 'second']
    """
    roles = ROLES[:players]
    efforts = [f"{role}_{what}" for role in roles for what in ("moves", "walks", "seconds")]
    return ["game", "seed", "seats", *roles, *efforts, "line"]


def fields_of(record: GameRecord) -> list[str]:
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


def text_of(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of fields as lines of a CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def read_games(path: str | os.PathLike[str]) -> list[GameRecord]:
    """Return the games that a file holds, by their numbers. A last line without its end, left by a crash, is left out.

    Parameters
    ----------
    path : str or path-like
        A CSV that ``nrpa match`` wrote.

    Returns
    -------
    list of GameRecord
        The games.

    Raises
    ------
    InputError
        If it is no such file; the message names the file, the line and what was expected.
    """
    try:
        text = decoded(read_bytes(path).rpartition(b"\n")[0])
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not a text file; expected {EXPECTED}") from None
    if not text:
        return []
    lines = text.split("\n")
    players = next((n for n in (2, 3) if lines[0] == ",".join(columns(n))), None)
    if players is None:
        raise InputError(f"{path}:1: expected the columns {','.join(columns(2))}, found {shortened(lines[0])!r}")
    records = [_record(f"{path}:{number}", line, players) for number, line in enumerate(lines[1:], 2)]
    by_game = {record.game: record for record in records}
    return [by_game[game] for game in sorted(by_game)]


class MatchFile:
    """The files of a match.

    Parameters
    ----------
    out : str or path-like
        The CSV; the JSON lies beside it.
    players : int
        The number of players.

    Attributes
    ----------
    path, description : Path
        The CSV and the JSON.

    Raises
    ------
    InputError
        If ``out`` cannot be the name of a CSV file.
    """

    def __init__(self, out: str | os.PathLike[str], players: int) -> None:
        self.path = Path(out)
        if not self.path.name or self.path.suffix == ".json":
            raise InputError(f"{out}: expected the name of a CSV file; what was played goes into NAME.json")
        self.description = self.path.with_suffix(".json")
        self._players = players

    def require_kept(self, inputs: Iterable[str | os.PathLike[str]]) -> None:
        """Raise InputError if one of the files is also read, which ``inputs`` are."""
        require_kept({f"--out {self.path}: {path.name}": path for path in (self.path, self.description)}, inputs)

    def open(self, description: dict[str, Any]) -> list[GameRecord]:
        """Make the files if they are new, else remove a line that a crash left unfinished; return the games so far.

        Parameters
        ----------
        description : dict
            What is played, as JSON can hold it; under "match" what makes it another match.

        Returns
        -------
        list of GameRecord
            The games.

        Raises
        ------
        InputError
            If the files hold another match, or cannot be written.
        """
        for path in (self.path, self.description):
            require_writable(path)
        holds = self.path.exists() and self.path.stat().st_size > 0
        if self.description.exists():
            _require_same(self.description, description["match"])
        elif holds:
            raise InputError(f"{self.path}: exists, but not {self.description}, which says what was played")
        games = read_games(self.path) if holds else []
        write_text(self.description, json.dumps(description, indent=1) + "\n")
        text = text_of([columns(self._players), *map(fields_of, games)])
        if not holds or self.path.read_text(encoding="utf-8") != text:
            write_text(self.path, text)
        return games

    def append(self, record: GameRecord) -> None:
        """Add a game. Raises InputError if it cannot be written; the games before are kept."""
        append_text(self.path, text_of([fields_of(record)]))


def _require_same(path: Path, now: dict[str, Any]) -> None:
    """Raise InputError unless the match in ``path`` is the one to be played."""
    try:
        before = dict(json.loads(decoded(read_bytes(path)))["match"])
    except (ValueError, KeyError, TypeError, OSError, RecursionError):
        what = "is not the description of a match, which belongs there"
        raise InputError(f"{path}: {what}; choose another --out") from None
    for key, value in json.loads(json.dumps(now)).items():
        if before.get(key) != value:
            was, wanted = shortened(_said(before.get(key))), shortened(_said(value))
            raise InputError(f"{path}: was made with {key} {was}, not {wanted}; choose another --out")


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _record(where: str, line: str, players: int) -> GameRecord:
    names = columns(players)
    try:
        fields = next(csv.reader([line], strict=True), [])
    except csv.Error as error:
        raise InputError(f"{where}: is no line of a CSV ({error})") from None
    if len(fields) != len(names):
        raise InputError(f"{where}: expected {len(names)} fields, found {len(fields)}")
    named = dict(zip(names, fields, strict=True))
    roles = ROLES[:players]
    seats = named["seats"].split()
    if sorted(seats) != sorted(roles):
        raise InputError(
            f"{where}: expected {' '.join(roles)} in some order as seats, found {shortened(named['seats'])!r}"
        )
    return GameRecord(
        game=_whole(where, named, "game"),
        seed=_whole(where, named, "seed"),
        seats=tuple(roles.index(role) for role in seats),
        rewards=tuple(_number(where, named, role) for role in roles),
        efforts=tuple(
            Effort(
                _whole(where, named, f"{role}_moves"),
                _whole(where, named, f"{role}_walks"),
                _number(where, named, f"{role}_seconds"),
            )
            for role in roles
        ),
        moves=tuple(named["line"].split()),
    )


def _whole(where: str, named: dict[str, str], name: str) -> int:
    value = whole_of(named[name], SEED_DIGITS)
    if value is None:
        raise InputError(f"{where}: expected a whole number as {name}, found {shortened(named[name])!r}")
    return value


def _number(where: str, named: dict[str, str], name: str) -> float:
    value = number_of(named[name])
    if value is None:
        raise InputError(f"{where}: expected a number as {name}, found {shortened(named[name])!r}")
    return value
