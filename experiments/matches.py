"""Matches that a script plays: where their records are, what a sample is, and tables beside published figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import nrpa
from nrpa.bench.compare import Share
from nrpa.bench.match import MatchResult
from nrpa.bench.match_file import read_games

SAMPLE_GAMES = 20
SAMPLE_PLAYOUTS = 200


class Published(NamedTuple):
    """A published share of the first player's points, in per cent, and its ± (None where none is printed)."""

    share: float
    half_width: float | None = None


class Meeting(NamedTuple):
    """A match of a table: its name, the game, the players, the playouts for each move, and what was published.

    With ``time`` each move has so many seconds in place of the playouts.
    """

    name: str
    problem: nrpa.BaseProblem
    players: tuple[Any, ...]
    playouts: int
    published: Published | None = None
    time: float | None = None


def parser(description: str | None, games: int, folder: str) -> argparse.ArgumentParser:
    """Return a parser with the options that all scripts of matches have."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--games", type=int, default=games, help="of each match; more go on with those on disk")
    made.add_argument("--workers", type=int, default=1, help="processes")
    made.add_argument(
        "--dir", type=Path, default=Path(folder), help="where the records are, NAME.csv and .json a match"
    )
    made.add_argument(
        "--sample", action="store_true", help=f"{SAMPLE_GAMES} games of {SAMPLE_PLAYOUTS} playouts a move"
    )
    made.add_argument("--only-print", action="store_true", help="print the games on disk, play none")
    return made


def play(meeting: Meeting, options: argparse.Namespace) -> MatchResult | None:
    """Play what is left of a match; None where none is to be played and none is on disk."""
    name, playouts, games = meeting.name, meeting.playouts, options.games
    if options.sample:
        name, playouts, games = f"sample-{name}", SAMPLE_PLAYOUTS, min(games, SAMPLE_GAMES)
    out = options.dir / f"{name}.csv"
    if options.only_print:
        found = read_games(out) if out.exists() else []
        names = tuple(map(str, range(len(meeting.players))))
        return MatchResult(name, names, tuple(found)) if found else None
    options.dir.mkdir(parents=True, exist_ok=True)
    budget: dict[str, Any] = {"playouts": playouts} if meeting.time is None else {"time": meeting.time}
    result = nrpa.match(meeting.problem, *meeting.players, games=games, workers=options.workers, out=out, **budget)
    print(f"{name}: {len(result.games)} games", file=sys.stderr, flush=True)
    return result


def rows_of(meetings: Sequence[Meeting], options: argparse.Namespace) -> list[list[str]]:
    """Play all matches; return a row a match for ``table``, without those that have no game."""
    rows = []
    for meeting in meetings:
        result = play(meeting, options)
        if result is not None:
            first, second = result.scores[:2]
            published = None if options.sample else meeting.published
            speeds = f"{first.walks_per_second:,.0f} / {second.walks_per_second:,.0f}"
            rows.append(
                [meeting.name, str(len(result.games)), here(first.share), *beside(first.share, published), speeds]
            )
    return rows


def table(rows: Sequence[Sequence[str]], who: str) -> str:
    """Return rows as a table in Markdown."""
    header = ["match", "games", f"points of {who} [95 %]", "published", "agree", "tree walks/s"]
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def here(found: Share) -> str:
    """Return a share with its interval, in per cent."""
    return f"{100 * found.share:.2f} [{100 * found.low:.2f}, {100 * found.high:.2f}]"


def beside(found: Share, published: Published | None) -> tuple[str, str]:
    """Return the published figure, and whether its interval and ours overlap; nothing where there is none."""
    if published is None:
        return "", ""
    if published.half_width is None:
        return f"{published.share:g}", "yes" if found.low <= published.share / 100 <= found.high else "no"
    low, high = published.share - published.half_width, published.share + published.half_width
    agree = 100 * found.low <= high and low <= 100 * found.high
    return f"{published.share:g} ± {published.half_width:g}", "yes" if agree else "no"
