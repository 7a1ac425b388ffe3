"""Tables of records that are neither of `nrpa bench` nor of matches; ``pages.py`` writes them into the pages."""

from __future__ import annotations

import csv
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean, median

from nrpa.bench.records import read_records
from nrpa.bench.table import Cell, by_figure, cell, cells, names, read_published
from nrpa.io.source import bundled

HERE = Path(__file__).parent
MISSED_WINDOW = 1e6
PUBLISHED_GAMES = 10_000  # of Table 7


def markdown(lines: Iterable[Sequence[str]], figures: str = "---:") -> str:
    """Return a table in Markdown, of its head and its lines; figures to the right."""
    head, *rest = lines
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, ["---", *[figures] * (len(head) - 1)], *rest))


def rows_of(path: str, where: str = "") -> list[dict[str, str]]:
    """Return the rows of a CSV in which a column has a value, ``where`` being ``COLUMN=VALUE``; all without it."""
    with (HERE / path).open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    column, _, value = where.partition("=")
    return [row for row in rows if not where or row[column] == value]


def across(path: str, where: str, *columns: str) -> str:
    """Return a table with a column for each row of a record, numbered by the end of its name, and their sum or mean."""
    rows = rows_of(path, where)
    key, *figures = columns
    lines = [[key, *(re.sub(r".*-0*", "", row[key]) for row in rows), "sum", "mean"]]
    for figure in figures:
        found = [float(row[figure]) for row in rows]
        lines.append([figure, *(f"{value:,.0f}" for value in (*found, sum(found))), f"{fmean(found):,.1f}"])
    return markdown(lines)


def levels(path: str, problem: str, *published: str) -> str:
    """Return a table of nested searches: sums over instances of the means, means and bests; ``VARIANT=CELL`` beside."""
    rows = rows_of(path, f"problem={problem}")
    known = dict(text.split("=") for text in published)
    lines = [["", "searches", "sum over the instances" if known else "mean (2σ/√n)", "published" if known else "best"]]
    for variant in dict.fromkeys(row["variant"] for row in rows):
        found = defaultdict(list)
        for row in rows:
            if row["variant"] == variant:
                found[row["instance"]].append(float(row["score"]))
        every = [score for scores in found.values() for score in scores]
        mean, half, count = cell(every)
        ours = f"{sum(map(fmean, found.values())):,.0f}" if known else f"{mean:.2f} ({half:.2f})"
        lines.append([variant, str(count), ours, known.get(variant, "") if known else f"{max(every):.0f}"])
    return markdown(lines)


def beyond(least: str, published: str, *paths: str) -> str:
    """Return a table of the marks from one on: means with their runs, and after a slash the published cell."""
    theirs = read_published(HERE / published, "seconds")
    ours = {}
    for path in paths:
        records = read_records(HERE / path)
        for rows in by_figure(records.objective, records.rows).values():
            ours.update({key: found for key, found in cells(rows).items() if key[1] >= float(least)})
    variants, marks = (dict.fromkeys(key[place] for key in ours) for place in (2, 1))
    lines = [["seconds", *variants]]
    for mark in marks:
        texts = {key[2]: of_runs(found) for key, found in ours.items() if key[1] == mark}
        known = {key[2]: f" / {text}" for key, text in theirs.items() if key[1] == mark}
        lines.append([f"{mark:g}", *(texts[name] + known.get(name, "") if name in texts else "" for name in variants)])
    return markdown(lines)


def of_runs(found: Cell) -> str:
    """Return a mean with its interval and its number of runs."""
    return (
        f"{found.mean:,.2f}, 1 run"
        if found.runs == 1
        else f"{found.mean:,.2f} ({found.half_width:.2f}), {found.runs} runs"
    )


def tours(path: str) -> str:
    """Return a table of the last costs of a record of tours, and after a slash the windows missed; best known bold."""
    rows = read_records(HERE / path).rows
    variants, best = names(rows, "variant"), bundled("tsptw")
    last = {(row.instance, row.variant): -row.score for row in rows}
    lines = [["instance", "best known", *variants]]
    for instance in names(rows, "instance"):
        known = best[instance].best_known.value
        texts = []
        for variant in variants:
            missed, cost = divmod(last[instance, variant], MISSED_WINDOW)
            text = f"{cost:,.0f}" + (f" / {missed:.0f}" if missed else "")
            texts.append(f"**{text}**" if last[instance, variant] <= known else text)
        lines.append([instance, f"{known:,.0f}", *texts])
    return markdown(lines)


def ratios(path: str, seconds: str) -> str:
    """Return a table of the rates of two workers and of two processes over that of one: median (least to greatest)."""
    rows = rows_of(path, f"seconds={seconds}")
    rate = {(row["problem"], row["pair"], row["way"]): float(row["rate"]) for row in rows}
    lines = [["", "two workers", "two processes"]]
    for problem in dict.fromkeys(row["problem"] for row in rows):
        pairs = [pair for name, pair, way in rate if name == problem and way == "one"]
        texts = []
        for way in ("two", "two processes"):
            found = [rate[problem, pair, way] / rate[problem, pair, "one"] for pair in pairs]
            texts.append(f"{median(found):.2f} ({min(found):.2f} to {max(found):.2f})")
        lines.append([problem, *texts])
    return markdown(lines)


def places(path: str) -> str:
    """Return the table that the script of the places printed, its first column and those of the budgets."""
    lines = [re.split(r"\s{2,}", line) for line in (HERE / path).read_text(encoding="utf-8").splitlines()]
    return markdown([line[0], *line[2:]] for line in lines if len(line) > 2)


def codes(path: str) -> str:
    """Return Table 7 of the MCPS paper beside ours; a star marks a difference beyond both intervals."""
    text = f"{'game':13} {'size':9} {'codes':8}  {'moves':9}  {'length':28}  share\n"
    for row in rows_of(path):
        length, share = (compared(row, figure, digits) for figure, digits in (("length", 3), ("share", 4)))
        moves = f"{row['moves']:>3} ({row['published_moves']:>3})"
        text += f"{row['game']:13} {row['size']:9} {row['codes']:8}  {moves}  {length:28}  {share}".rstrip() + "\n"
    return f"```\n{text}```\n"


def compared(row: dict[str, str], figure: str, digits: int) -> str:
    """Return our figure with its interval and the published one, with a star where they differ by more than both."""
    ours, interval, published = (float(row[name]) for name in (figure, f"{figure}_interval", f"published_{figure}"))
    theirs = interval * math.sqrt(float(row["games"]) / PUBLISHED_GAMES)
    differs = abs(ours - published) > math.hypot(interval, theirs) + 0.0005
    return f"{ours:.{digits}f} ± {interval:.{digits}f} ({published:.3f}){'*' if differs else ''}"
