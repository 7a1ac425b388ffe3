"""Write the tables of the experiments' pages from their records: ``python experiments/pages.py``.

A line ``<!-- from: COMMAND -->`` before a table or a block of text says which command prints it: ``nrpa table``, or
``matches`` for the matches of a table of ``published/mcps.csv``, ``ends`` for the last value of each instance of a
record that has one run of each, ``gains`` for what one variant has more than another, ``speeds`` for how many times as
many playouts, ``hypervolumes`` for fronts, or a function of ``tables.py``.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from click.testing import CliRunner
from rows import run
from several_goals import hypervolumes
from tables import across, beyond, codes, levels, markdown, places, ratios, rows_of, tours

from nrpa.base.errors import InputError
from nrpa.bench.compare import Share, differences, share
from nrpa.bench.continued import read_lines
from nrpa.bench.match import read_games
from nrpa.bench.records import Record, read_records
from nrpa.bench.table import names
from nrpa.cli.main import commands
from nrpa.io.files import write_text
from nrpa.io.source import bundled

HERE = Path(__file__).parent
BLOCK = re.compile(r"^(<!-- from: (.+) -->\n\n?)((?:\|.*\n)+|```\n(?:(?!```).*\n)*```\n)", re.MULTILINE)
COLUMNS = "record", "table", "game", "playouts", "ref", "published"


def main() -> None:
    """Write the tables of each page anew."""
    for page in sorted(HERE.glob("*.md")):
        write_text(page, renewed(page.read_text(encoding="utf-8")))


def renewed(page: str) -> str:
    """Return a page with the tables that its commands print. Raises InputError where a command fails."""
    return BLOCK.sub(lambda block: block[1] + printed(block[2], block[3].startswith("|")), page)


def printed(command: str, is_markdown: bool) -> str:
    """Return what a command prints, as Markdown or in a block of text."""
    program, *arguments = shlex.split(command)
    if program in TABLES:
        return TABLES[program](*arguments)
    found = CliRunner().invoke(commands, arguments)
    if found.exit_code:
        raise InputError(f"{command}: {found.output}")
    return found.stdout if is_markdown else f"```\n{found.stdout.rstrip()}\n```\n"


def matches(table: str) -> str:
    """Return a table of matches: the points of the first player, and the published ones."""
    published = HERE / "published" / "mcps.csv"
    rows = [
        fields for _, fields in read_lines(published, COLUMNS, writer="a person").fields if fields["table"] == table
    ]
    lines = [["game", "playouts", "ref", "games", "points [95 %]", "published"]]
    for row in rows:
        of_games = [read_games(path) for path in sorted(HERE.glob(f"results/{row['record']}.csv"))]
        found = [share(sum(game.points[0] for game in games), len(games)) for games in of_games]
        games = sum(map(len, of_games))
        lines.append([row["game"], row["playouts"], row["ref"], f"{games:,}", points_text(found), row["published"]])
    return markdown(lines, "---")


def points_text(found: Sequence[Share]) -> str:
    """Return points in per cent with their interval: Wilson's, or that of the mean of several games."""
    mean = np.mean([each.share for each in found])
    half = 1.96 * np.sqrt(sum(each.share * (1 - each.share) / each.runs for each in found)) / len(found)
    low, high = (found[0].low, found[0].high) if len(found) == 1 else (mean - half, mean + half)
    return f"{100 * mean:.2f} [{100 * low:.2f}, {100 * high:.2f}]"


def ends(record: str, published: str = "") -> str:
    """Return a table of the last values of a record, beside published ones and the best known; then with their sums."""
    records = read_records(record)
    value = records.objective.value if records.objective else float
    known = bundled(json.loads(Path(record).with_suffix(".json").read_text())["experiment"]["problem"])
    digits = records.objective.digits if records.objective else 2
    last = {row.instance: value(row.score) for row in records.rows}
    others = {row.pop("instance"): row for row in rows_of(published)} if published else {}
    titles = [*next(iter(others.values()), {})]
    figures = {
        name: [mine, *map(float, others.get(name, {}).values()), known[name].best_known.value]
        for name, mine in last.items()
    }
    if published:
        figures["sum"] = [sum(column) for column in zip(*figures.values(), strict=True)]
    lines = [["instance", "here", *titles, "best known"]]
    lines += [[name, *(f"{value:,.{digits}f}" for value in mine)] for name, mine in figures.items()]
    return markdown(lines, "---")


def gains(pattern: str, *pairs: str) -> str:
    """Return a table of how much better the first of ``A over B`` is, paired by seed, at the last mark of all runs."""
    return of_pairs(pattern, pairs, gain_text)


def speeds(pattern: str, *pairs: str) -> str:
    """Return a table of how many times as many playouts the first of ``A over B`` makes, the median of the pairs."""
    return of_pairs(pattern, pairs, speed_text)


def of_pairs(pattern: str, pairs: Sequence[str], text: Callable[[Sequence[Record], str, str], str]) -> str:
    """Return a table with a row for each instance of the records and a column for each of ``A over B``."""
    lines = [["", *pairs]]
    for path in sorted(HERE.glob(pattern)):
        records = read_records(path).rows
        for instance in names(records, "instance"):
            rows = [row for row in records if row.instance == instance]
            name = f"{path.name.split('-')[0]} {instance}"
            lines.append([name, *(text(rows, *pair.split(" over ")) for pair in pairs)])
    return markdown(lines)


def speed_text(rows: Sequence[Record], first: str, second: str) -> str:
    """Return the median of the quotients of the playouts at the last mark."""
    last = max(row.mark for row in rows)
    made = {(row.variant, row.seed): row.playouts for row in rows if row.mark == last}
    seeds = [seed for name, seed in made if name == first and (second, seed) in made]
    return f"{np.median([made[first, seed] / made[second, seed] for seed in seeds]):.2f}"


def gain_text(rows: Sequence[Record], first: str, second: str) -> str:
    """Return the difference at the last mark that most pairs have come to, bold where it is proven."""
    found = differences(rows, rows[0].instance, first, second, paired=True)
    most = max(difference.runs for difference in found.values())
    last = found[max(mark for mark, difference in found.items() if difference.runs == most)]
    if not last.differ:
        return "0"
    text = f"{last.mean:+,.4g} [{last.interval('{:,.4g}'.format)}]"
    return f"**{text}**" if last.is_proven else text


OWN = matches, ends, gains, speeds
TABLES: dict[str, Callable[..., str]] = {
    each.__name__: each for each in (*OWN, hypervolumes, across, beyond, codes, levels, places, ratios, tours)
}


if __name__ == "__main__":
    run(main)
