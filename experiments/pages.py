"""Write the tables of pages from their records: ``python experiments/pages.py``.

A line ``<!-- from: COMMAND -->`` before a table or a block of text says which command prints it: ``nrpa table``, or a
function in ``TABLES``, such as ``matches`` for the matches of a table of ``published/mcps.csv``. ``--check`` writes
nothing, names the tables that are not what their records say, and ends with status 1 if there are any.
``--unrecorded`` names the tables of figures that come from no record, unless ``<!-- not measured -->`` is before them.
"""

from __future__ import annotations

import argparse
import csv
import math
import re
import shlex
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
from click.testing import CliRunner
from tables import markdown, run
from two_costs import two_costs
from which_solver import solvers

from nrpa.base.errors import InputError
from nrpa.bench.records import Record, read_records
from nrpa.bench.statistics import Cell, Difference, Share, cell, cells, differences, mean_difference, share
from nrpa.bench.table import by_figure, names, read_published
from nrpa.cli.main import commands
from nrpa.games.match import read_games
from nrpa.io.csv_lines import read_lines
from nrpa.io.files import write_text
from nrpa.io.source import bundled

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
MISSED_WINDOW = 1e6
PUBLISHED_GAMES = 10_000  # of Table 7
FEW_GAMES = 400  # fewer are said in a cell
BLOCK = re.compile(r"^(<!-- from: (.+) -->\n\n?)((?:\|.*\n)+|```\n(?:(?!```).*\n)*```\n)", re.MULTILINE)
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
NOT_MEASURED = "<!-- not measured -->\n\n"
FIGURE = re.compile(r"\d+\.\d|\d{2,}")
FEW_FIGURES = 4  # a table with no more is one of words
ALL_GAMES = 6  # the games of Table 1
NAMES = "problem", "program"
MAXIMISED = ("alignment",)  # of the problems of strangers
COLUMNS = "record", "table", "game", "playouts", "ref", "published"


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
    ours, theirs = cells_beyond(least, published, paths)
    variants, marks = (dict.fromkeys(key[place] for key in ours) for place in (2, 1))
    lines = [["seconds", *variants]]
    for mark in marks:
        texts = {key[2]: of_runs(found) for key, found in ours.items() if key[1] == mark}
        known = {key[2]: f" / {text}" for key, text in theirs.items() if key[1] == mark}
        lines.append([f"{mark:g}", *(texts[name] + known.get(name, "") if name in texts else "" for name in variants)])
    return markdown(lines)


def against(least: str, published: str, *paths: str) -> str:
    """Return the same as a table with a row for each variant and mark that has a published cell."""
    ours, theirs = cells_beyond(least, published, paths)
    lines = [["variant", "seconds", "runs", "here", "published"]]
    for key, found in sorted(ours.items(), key=lambda item: (item[0][1], item[0][2])):
        if key in theirs:
            here = f"{found.mean:.2f} ({found.half_width:.2f})"
            lines.append([key[2], f"{key[1]:g}", str(found.runs), here, theirs[key]])
    return markdown(lines)


def cells_beyond(least: str, published: str, paths: Sequence[str]) -> tuple[dict[Any, Cell], dict[Any, str]]:
    """Return the cells of records at the marks from one on, of each that of the most runs, and the published ones."""
    ours: dict[Any, Cell] = {}
    for path in paths:
        records = read_records(HERE / path)
        for rows in by_figure(records.objective, records.rows).values():
            for key, found in cells(rows).items():
                if key[1] >= float(least) and (key not in ours or found.runs >= ours[key].runs):
                    ours[key] = found
    return ours, read_published(HERE / published, "seconds")


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


def last(*paths: str) -> str:
    """Return a table of the last values of records, of tours the windows missed: variants, instances, mean (2σ/√n)."""
    found: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for path in paths:
        records = read_records(HERE / path)
        of_tours = "tsptw" in path
        for row in records.rows:
            name = row.instance + ": windows missed" * of_tours
            found[row.variant, name][row.seed] = (
                -row.score // MISSED_WINDOW if of_tours else records.objective.value(row.score)
            )
    variants, instances = (dict.fromkeys(key[place] for key in found) for place in (0, 1))
    lines = [["", *instances]]
    for variant in variants:
        of_variant = (found.get((variant, name), {}) for name in instances)
        lines.append([variant, *(cell_text(values) if values else "" for values in of_variant)])
    return markdown(lines)


def limits(path: str) -> str:
    """Return a table of what a playout costs the processor, here and in C++, and of the fewest instructions."""
    head = ["", "steps", "moves", "instructions", "C++", "fewest", "reads and writes", "C++", "mispredicted", "C++"]
    lines = [[*head, "calls of exp, C++"]]
    rows = rows_of(path)
    for ours, theirs in zip(rows[::2], rows[1::2], strict=True):
        here, there = (
            {name: float(figure or 0) / float(row["playouts"]) for name, figure in row.items() if name not in NAMES}
            for row in (ours, theirs)
        )
        times = f"{here['fewest']:,.0f} ({here['instructions'] / here['fewest']:.1f})"
        figures = [here["steps"], here["moves"], here["instructions"], there["instructions"]]
        figures += [side["reads"] + side["writes"] for side in (here, there)]
        figures += [here["mispredicted"], there["mispredicted"], there["exps"]]
        texts = [f"{figure:,.0f}" for figure in figures]
        lines.append([ours["problem"], *texts[:4], times, *texts[4:]])
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


def strangers(split: str, seconds: str, *variants: str, shown: str = "ratios") -> str:
    """Return a table of splits and problems, with commas between, after so many seconds."""
    sys.path.insert(0, str(HERE / "strangers"))
    import table

    problems = [name for each in split.split(",") for name in table.SPLITS.get(each, [each])]
    rows = rows_of("results/strangers/strangers.csv")
    return f"```\n{table.SHOWN[shown](rows, problems, variants, float(seconds))}\n```\n"


def growth(shown: str, seconds: str, record: str = "growth", sizes: str = "all") -> str:
    """Return a table of how cost grows, after so many seconds, from one of the records; ``sizes``: all or largest."""
    sys.path.insert(0, str(HERE / "growth"))
    import growing

    rows, largest = rows_of(f"results/{record}.csv"), defaultdict(int)
    for row in rows:
        largest[row["problem"]] = max(int(row["size"]), largest[row["problem"]])
    kept = [row for row in rows if sizes == "all" or int(row["size"]) == largest[row["problem"]]]
    return growing.SHOWN[shown](kept, seconds)


def ablation(record: str, seconds: str) -> str:
    """Return a table of what `auto` loses without each of its parts."""
    from ablation import ablation as losses

    return losses(rows_of(record), seconds)


def learned() -> str:
    """Return the table of what learned weights bring."""
    import learned_bias

    rows = rows_of("results/learned-bias.csv")
    return learned_bias.table({tuple(row.values())[:4]: float(row["cost"]) for row in rows})


def problem(name: str) -> str:
    """Return a table of one problem: each instance by nrpa, by a public solver and by a textbook rule."""
    rows = rows_of(f"results/problems/{name}.csv")
    found = {(row["instance"], row["by"], row["seconds"]): value_of(row) for row in rows}
    ways = {(row["by"], row["seconds"]) for row in rows}
    columns = sorted(ways, key=lambda way: (way[0] != "nrpa", not way[1], way[0], float(way[1] or 0)))
    heads = [f"{by}, {seconds} s" if seconds else by for by, seconds in columns]
    lines = [["instance", *heads, "best known"]]
    for row in {row["instance"]: row for row in rows}.values():
        of_ways = [found.get((row["instance"], *way), "") for way in columns]
        lines.append([row["instance"], *of_ways, number(row["best_known"])])
    return markdown(lines)


def hours() -> str:
    """Return a table of the targets of Eterna100 that a minute did not solve: what longer runs found, and when."""
    lines = [["target", "seconds", "games", "fitness", "pairs that differ"]]
    for row in rows_of("results/eterna-v1-hour.csv"):
        figures = (number(row[name]) for name in ("seconds", "playouts", "fitness", "distance"))
        lines.append([row["target"].removeprefix("eterna-v1-"), *figures])
    return markdown(lines)


def own_rules() -> str:
    """Return a table of rules of one's own: the cost by these and by another way, and calls a second."""
    lines = [["rules", "instance", "own rules", "beside", "calls a second"]]
    pairs: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for row in rows_of("results/own-rules.csv"):
        pairs[row["rules"], row["instance"]].append(row)
    for (rules, instance), rows in pairs.items():
        cost, *beside = (f"{float(row['cost']):,.2f} ({row['vehicles']} vehicles)" for row in rows)
        calls = " and ".join(f"{float(row['calls']):,.0f}" for row in rows if row["calls"])
        lines.append([rules, instance, cost, f"{rows[1]['by']}: {beside[0]}" if beside else "", calls])
    return markdown(lines)


def plain_costs() -> str:
    """Return a table of costs in plain Python: what is reached beside njit and other libraries, and evaluations."""
    lines = [["cost", "plain", "under `njit`", "best of the libraries", "by hand", "evaluations, plain to `njit`"]]
    runs: dict[str, dict[str, list[dict[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for row in rows_of("results/cheap-differences.csv"):
        runs[row["problem"]][row["search"]].append(row)
    for name, found in runs.items():
        mean = {search: fmean(float(row["cost"]) for row in rows) for search, rows in found.items()}
        others = min(mean[search] for search in ("annealing", "simanneal", "alns") if search in mean)
        costs = f"{mean['plain']:,.0f}", f"{mean['njit']:,.0f}", f"{others:,.0f}"
        plain, jitted = (fmean(float(row["evaluations"]) for row in found[search]) for search in ("plain", "njit"))
        hand = f"{mean['by hand']:,.0f}" if "by hand" in mean else ""
        lines.append([name, *costs, hand, f"{plain / jitted:.2g}"])
    return markdown(lines)


def auto_and_arms() -> str:
    """Return a table of `auto` beside the best of its arms in hindsight, by the means of all seeds."""
    lines = [["problem", "`auto`", "the best arm", ""]]
    runs: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows_of("results/auto-and-arms.csv", "form=compiled"):
        runs[f"{row['problem']} {row['instance']}"][row["search"]].append(float(row["value"]))
    for name, found in runs.items():
        means = {search: fmean(values) for search, values in found.items()}
        sign = 1 if name.startswith(MAXIMISED) else -1
        best = max((search for search in means if search != "auto"), key=lambda search: sign * means[search])
        lines.append([name, f"{means['auto']:,.1f}", f"{means[best]:,.1f}", best])
    return markdown(lines)


def shared_trees(what: str) -> str:
    """Return a table of what workers bring to tree searches, by what they share: walks, points or scores."""
    rows = rows_of("results/parallel-trees.csv", f"what={what}")
    workers = sorted({row["workers"] for row in rows if int(row["workers"]) > 1 or what != "walks"}, key=int)
    base = {row["problem"]: float(row["mean"]) for row in rows if row["workers"] == "1"}
    found = {(row["problem"], row["parallel"], row["workers"]): row for row in rows}
    lines = [["", "workers share", *(f"{each} worker{'s' * (each != '1')}" for each in workers)]]
    for problem, kind in dict.fromkeys((row["problem"], row["parallel"]) for row in rows):
        of_kind = [found.get((problem, kind, each)) for each in workers]
        texts = [_of_workers(what, row, base.get(problem, 1.0)) if row else "" for row in of_kind]
        lines.append([problem, kind, *texts])
    return markdown(lines)


def _of_workers(what: str, row: dict[str, str], base: float) -> str:
    """Return walks over those of one worker; points with their interval; a mean score."""
    mean, samples = float(row["mean"]), int(row["samples"])
    if what == "walks":
        return f"{mean / base:.1f}"
    return points_text([share(mean * samples, samples)]) if what in ("match", "equal") else f"{mean:,.0f}"


def value_of(row: dict[str, str]) -> str:
    """Return a value for a table; a dash where there is no answer, "not valid" where the check takes none."""
    return "–" if row["value"] == "" else number(row["value"]) if row["valid"] == "True" else "not valid"


def number(text: str) -> str:
    """Return a number with commas and at most two decimals, below 10 four."""
    if text and abs(float(text)) < 10:
        return f"{float(text):.4f}".rstrip("0").rstrip(".")
    return f"{float(text):,.2f}".removesuffix(".00") if text else ""


def compared(row: dict[str, str], figure: str, digits: int) -> str:
    """Return our figure with its interval and the published one, with a star where they differ by more than both."""
    ours, interval, published = (float(row[name]) for name in (figure, f"{figure}_interval", f"published_{figure}"))
    theirs = interval * math.sqrt(float(row["games"]) / PUBLISHED_GAMES)
    differs = abs(ours - published) > math.hypot(interval, theirs) + 0.0005
    return f"{ours:.{digits}f} ± {interval:.{digits}f} ({published:.3f}){'*' if differs else ''}"


def main() -> None:
    """Write the tables of each page anew, or name those that differ, or those without a record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--unrecorded", action="store_true")
    options = parser.parse_args()
    if options.unrecorded:
        print("\n".join(unrecorded()))
    elif options.check:
        found = [f"{page.relative_to(ROOT)}: {command}" for page in pages() for command in differing(page)]
        print("\n".join([*found, f"{len(found)} tables are not what their records say"]))
        sys.exit(bool(found))
    else:
        for page in pages():
            write_text(page, renewed(page.read_text(encoding="utf-8")))


def all_pages() -> list[Path]:
    """Return the pages of the documentation and of the experiments."""
    folders = HERE, HERE / "paper", ROOT / "docs", ROOT / "docs" / "problems"
    return [ROOT / "README.md", *(page for folder in folders for page in sorted(folder.glob("*.md")))]


def pages() -> list[Path]:
    """Return the pages that have tables from records."""
    return [page for page in all_pages() if BLOCK.search(page.read_text(encoding="utf-8"))]


def differing(page: Path) -> list[str]:
    """Return the commands of a page's tables that are not what the commands print."""
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [block[2] for block in found if renewed(block[0]) != block[0]]


def unrecorded() -> list[str]:
    """Return page, line and head of each table of figures that no command prints."""
    found = []
    for page in all_pages():
        text = page.read_text(encoding="utf-8")
        recorded = [block.span() for block in BLOCK.finditer(text)]
        for table in TABLE.finditer(text):
            known = any(first <= table.start() < last for first, last in recorded)
            known = known or text[: table.start()].endswith(NOT_MEASURED)
            if not known and len(FIGURE.findall(table[0])) > FEW_FIGURES:
                line = text.count("\n", 0, table.start()) + 1
                found.append(f"{page.relative_to(ROOT)}:{line}: {table[0].partition(chr(10))[0]}")
    return found


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
    """Return a table of matches, a row a game: the points of the first player, and after a slash the published ones."""
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    for row, found in matched(table):
        first, _, board = row["game"].rpartition(", ") if table == "round robin" else (row["game"], "", "")
        games = sum(each.runs for each in found) / len(found)
        text = points_text(found, 1) + (f" / {row['published']}" if row["published"] else "")
        column = ", ".join(filter(None, (board, row["playouts"], row["ref"] and not board and f"ref {row['ref']}")))
        texts[first][column] = text + (f", {games:.0f} games" if games < FEW_GAMES else "")
    columns = dict.fromkeys(column for of_game in texts.values() for column in of_game)
    rows = [[game, *(of_game.get(column, "") for column in columns)] for game, of_game in texts.items()]
    return markdown([["", *columns], *rows])


def matched(table: str) -> list[tuple[dict[str, str], list[Share]]]:
    """Return the rows of a table of matches, and the first player's points in their records; a mean needs all games."""
    found = [(row, sorted(HERE.glob(f"results/{row['record']}.csv"))) for row in published() if row["table"] == table]
    of_all = [(row, paths) for row, paths in found if len(paths) >= (ALL_GAMES if "*" in row["record"] else 1)]
    return [(row, [points_of(path) for path in paths]) for row, paths in of_all]


def published() -> list[dict[str, str]]:
    """Return the matches of the MCPS paper and of the round robin."""
    return [row for _, row in read_lines(HERE / "published" / "mcps.csv", COLUMNS, writer="a person").fields]


def beside(seconds: str, *problems: str) -> str:
    """Return a table of nrpa and of a solver made for each problem on its instances, the better value in bold."""
    lines = [["problem", "instance", "best known", "nrpa", "other", "made for it"]]
    for name in problems:
        found: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
        for row in rows_of(f"results/beside/{name}.csv", f"seconds={seconds}"):
            found[row["instance"]][row["by"]] = row
        for instance, by_solver in found.items():
            other = next(solver for solver in by_solver if solver != "nrpa")
            rows = [by_solver[solver] for solver in ("nrpa", other)]
            texts = [value_of(row) for row in rows]
            best = texts[min((0, 1), key=lambda k: float(rows[k]["value"]) if rows[k]["valid"] == "True" else math.inf)]
            bold = [f"**{text}**" if text == best else text for text in texts]
            lines.append([name, instance, number(rows[0]["best_known"]), *bold, other.removesuffix(" of OR-Tools")])
    return markdown(lines)


def played(pattern: str, *games: str) -> str:
    """Return a table of the first player's points in matches named GAME-WAY: a row for each way, a column a game."""
    found = {path.stem: points_of(path) for path in sorted(HERE.glob(pattern))}
    ways = dict.fromkeys(name.partition("-")[2] for name in found)
    lines = [["", *games]]
    for way in ways:
        of_games = [found.get(f"{game}-{way}") for game in games]
        lines.append([way, *(points_text([each], 0) if each else "" for each in of_games)])
    return markdown(lines)


def walks(pattern: str) -> str:
    """Return a table of the walks a second of MCPS and GRAVE in matches, medians over games."""
    lines = [["record", "MCPS", "GRAVE", "MCPS / GRAVE"]]
    for path in sorted(HERE.glob(pattern)):
        rates = np.array([[each.walks / each.seconds for each in game.efforts[:2]] for game in read_games(path)])
        mine, other = np.median(rates, axis=0)
        lines.append([path.stem, f"{mine:,.0f}", f"{other:,.0f}", f"{mine / other:.2f}"])
    return markdown(lines)


def points_of(path: Path) -> Share:
    """Return the first player's points in a record of games."""
    games = read_games(path)
    return share(sum(game.points[0] for game in games), len(games))


def agreement() -> str:
    """Return a table of how far points are from the published ones of Tables 1 to 6, weighted by both intervals."""
    far = defaultdict(list)
    for table in ("1", "2 to 6"):
        for row, found in matched(table):
            if len(found) == 1:
                theirs, half = map(float, row["published"].split(" ± "))
                ours = found[0]
                name = row["game"].partition(":")[0] if table != "1" else table
                far[name].append((100 * ours.share - theirs, math.hypot(50 * (ours.high - ours.low), half)))
    lines = [["table", "cells", "beyond both intervals", "ours - published"]]
    for name, found in [*far.items(), ("all", [each for every in far.values() for each in every])]:
        away, half = np.array(found).T
        mean, halves = np.average(away, weights=half**-2), np.sum(half**-2) ** -0.5
        lines.append([name, str(len(found)), str(np.sum(abs(away) > half)), f"{mean:.1f} ± {halves:.1f}"])
    return markdown(lines)


def points_text(found: Sequence[Share], digits: int = 2) -> str:
    """Return points in per cent with their interval: Wilson's, or that of the mean of several games."""
    mean = np.mean([each.share for each in found])
    half = 1.96 * np.sqrt(sum(each.share * (1 - each.share) / each.runs for each in found)) / len(found)
    low, high = (found[0].low, found[0].high) if len(found) == 1 else (mean - half, mean + half)
    return f"{100 * mean:.{digits}f} [{100 * low:.{digits}f}, {100 * high:.{digits}f}]"


def means(path: str, row: str, column: str, value: str, *pairs: str) -> str:
    """Return a table of the means (2σ/√n) of a figure by two columns, the first maybe several with commas between.

    ``A over B`` is how much more the figure of A is, paired by seed, bold where it is proven.
    """
    found: dict[str, dict[str, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for each in rows_of(path):
        name = " ".join(each[part] for part in row.split(","))
        found[name][each[column]][int(each["seed"])] = float(each[value])
    columns = dict.fromkeys(column for of_row in found.values() for column in of_row)
    lines = [["", *columns, *pairs]]
    for name, of_row in found.items():
        texts = [cell_text(of_row[column]) if column in of_row else "" for column in columns]
        sides = ([of_row[side] for side in pair.split(" over ")] for pair in pairs)
        lines.append([name, *texts, *(difference_text(mean_difference(*both, paired=True)) for both in sides)])
    return markdown(lines)


def cell_text(values: dict[int, float]) -> str:
    """Return the mean of the seeds, with 2σ/√n where there are several."""
    mean, half_width, runs = cell([*values.values()])
    return f"{mean:,.1f}" + (f" ({half_width:,.1f})" if runs > 1 else "")


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
    return difference_text(last)


def difference_text(found: Difference) -> str:
    """Return a difference with its interval, bold where it is proven; 0 where all pairs are level."""
    if not found.differ:
        return "0"
    text = f"{found.mean:+,.4g} [{found.interval('{:,.4g}'.format)}]"
    return f"**{text}**" if found.is_proven else text


TABLES: dict[str, Callable[..., str]] = {
    each.__name__: each
    for each in (
        ablation,
        matches,
        agreement,
        gains,
        speeds,
        across,
        hours,
        own_rules,
        plain_costs,
        auto_and_arms,
        against,
        beside,
        beyond,
        codes,
        growth,
        problem,
        last,
        learned,
        levels,
        limits,
        means,
        places,
        played,
        ratios,
        shared_trees,
        solvers,
        two_costs,
        strangers,
        tours,
        walks,
    )
}
TABLES |= {f"strangers-{shown}": partial(strangers, shown=shown) for shown in ("gaps", "games")}


if __name__ == "__main__":
    run(main)
