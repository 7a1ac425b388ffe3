"""What speculation keeps and saves: measured with two workers, simulated with many.

    python experiments/speculate_share.py measure --csv share.csv [--only-kept] [--sample]
    python experiments/speculate_share.py record --folder tasks [--sample]
    python experiments/speculate_share.py simulate --folder tasks --csv simulated.csv --picture simulated.png [--sample]

``measure``: the same search with one worker and with two, level by level: the share of the work that is kept, and the
time saved, in about five minutes of a machine that does nothing else. ``--only-kept`` measures the share alone, with
two workers only. ``record`` searches with one worker and writes down the seconds of the processor and the outcome of
each task, a file a search: of level 4 with N = 32 (10^6 playouts), and of level 5 with N = 22 (5 * 10^6), in five to
ten minutes of a processor in all. ``simulate`` lets the scheduler of nrpa work on these tasks with a clock of its own:
a task takes its seconds; one on a wrong guess takes the seconds of the task at its place, and finds what that one
found. Handing out is free there. Each command goes on with what is there.
"""

import heapq
import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from time import thread_time
from typing import Any, NamedTuple

import click
import matplotlib as mpl
import numpy as np
from rows import append_row, read_rows, run

import nrpa
from nrpa.base.errors import InputError
from nrpa.search.speculation import Place, Speculation
from nrpa.search.speculative_search import STAGES, STAGES_PER_WORKER, task_level

PROBLEMS = {
    "samegame": (lambda: nrpa.SameGame.load("samegame-01"), nrpa.GNRPA),
    "morpion": (lambda: nrpa.Morpion.load("5D"), nrpa.NRPA),
    "tsptw": (lambda: nrpa.TSPTW.load("rc204.1"), nrpa.GNRPA),
}
SHARES = ("problem", "level", "playouts", "seed", "kept", "one", "two", "saved")
SPEEDS = ("problem", "level", "iterations", "task", "workers", "tasks", "speedup", "kept")
WORKERS = (1, 2, 4, 16, 64, 256)
# N of what is recorded, by level. Level 5 with N = 32 would be 33 million playouts; 22 is the least N with which its
# tasks are of level 2, too.
ITERATIONS = {4: 32, 5: 22}

Outcome = tuple[float, int]


@click.group()
def commands() -> None:
    """Measure, record or simulate."""


@commands.command()
@click.option("--csv", "table", required=True, type=click.Path(path_type=Path))
@click.option("--playouts", default=500_000, show_default=True)
@click.option("--runs", default=3, show_default=True)
@click.option("--only-kept", is_flag=True, help="Two workers only, no time saved: for a machine that is busy.")
@click.option("--sample", is_flag=True, help="One short run.")
def measure(table: Path, playouts: int, runs: int, only_kept: bool, sample: bool) -> None:
    """Search with one worker and with two, in turns."""
    cases = list(product(range(1, runs + 1), PROBLEMS, (2, 3, 4)))
    if sample:
        cases, playouts = [(1, "tsptw", 3)], 20_000
    done = {(*(row[key] for key in SHARES[:4]), not row["one"]) for row in read_rows(table, SHARES)}
    for seed, name, level in cases:
        if (name, str(level), str(playouts), str(seed), only_kept) in done:
            continue
        two = spread(name, level, playouts, seed, 2)
        row: tuple[Any, ...] = (name, level, playouts, seed, round(two.kept, 4), "", "", "")
        if not only_kept:
            one = spread(name, level, playouts, seed, 1)
            if one.score != two.score:
                raise InputError(f"{name}, level {level}, seed {seed}: one worker found {one.score}, two {two.score}")
            saved = 1 - two.seconds / one.seconds
            row = (*row[:5], round(one.seconds, 3), round(two.seconds, 3), round(saved, 4))
        append_row(table, dict(zip(SHARES, row, strict=True)))
    print("\nproblem    level playouts  kept: median (least to greatest)   time saved")
    rows = [row for row in read_rows(table, SHARES) if (not row["one"]) == only_kept]
    for case in sorted({(row["problem"], row["level"], row["playouts"]) for row in rows}):
        own = [row for row in rows if (row["problem"], row["level"], row["playouts"]) == case]
        texts = [spans([float(row[key]) for row in own if row[key]]) for key in ("kept", "saved")]
        print(f"{case[0]:10} {case[1]:>5} {case[2]:>8} {texts[0]:>31} {texts[1]:>31}")


class Spread(NamedTuple):
    """What a search that is spread came to: the share of its work that was kept, its seconds, its best score."""

    kept: float
    seconds: float
    score: float


def spread(name: str, level: int, playouts: int, seed: int, workers: int) -> Spread:
    """Return what a search came to."""
    make, solver = PROBLEMS[name]
    search = nrpa.start(make(), solver(level=level), seed=seed, workers=workers, parallel="speculate")
    try:
        if search.advance(playouts=playouts) == "interrupted":
            raise KeyboardInterrupt
        return Spread(search.kept_share, search.progress.seconds, search.progress.score)
    finally:
        search.close()


def spans(shares: list[float]) -> str:
    """Return the median with the least and the greatest; nothing of nothing."""
    if not shares:
        return ""
    return f"{np.median(shares):.1%} ({min(shares):.1%} to {max(shares):.1%})"


def cases_of(sample: bool) -> Iterator[tuple[str, int, int]]:
    """Yield problem, level and iterations of what is recorded and simulated."""
    if sample:
        yield "samegame", 4, 10
    else:
        yield from ((name, level, count) for level, count in ITERATIONS.items() for name in ("samegame", "morpion"))


def file_of(folder: Path, name: str, level: int, iterations: int) -> Path:
    """Return the file of a recorded search."""
    return folder / f"{name}-{level}-{iterations}.npz"


@commands.command()
@click.option("--folder", required=True, type=click.Path(path_type=Path))
@click.option("--sample", is_flag=True, help="One small search.")
def record(folder: Path, sample: bool) -> None:
    """Write down the tasks of whole searches."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, level, count in cases_of(sample):
        file = file_of(folder, name, level, count)
        if file.exists():
            continue
        make, solver = PROBLEMS[name]
        own = solver(level=level, iterations=count)
        task = task_level(own)
        search = own.start(make(), 1, by_node=True)
        seconds, scores, names = [], [], []
        while search.finished == 0:
            before = bests(search.memory, task)
            begun = thread_time()
            search.advance_within(task, count**task)
            seconds.append(thread_time() - begun)
            score, name_of = outcome(before, bests(search.memory, task))
            scores.append(score)
            names.append(name_of)
        np.savez_compressed(file, seconds=np.float32(seconds), scores=scores, names=names, task=task)
        print(f"{file}: {len(seconds)} tasks of level {task}, {sum(seconds):.1f} s", flush=True)


def bests(memory: Any, task: int) -> list[Outcome | None]:
    """Return the best of each level above the tasks, from below: its score, and a number for its moves."""
    found: list[Outcome | None] = []
    for slot in memory.levels.slot[task + 1 :]:
        score = float(memory.sequences.score[slot])
        moves = memory.sequences.move[slot, : memory.sequences.length[slot]]
        found.append(None if score == -math.inf else (score, hash(moves.tobytes())))
    return found


def outcome(before: list[Outcome | None], after: list[Outcome | None]) -> Outcome:
    """Return what a task found, or -inf where no level above has taken it."""
    for best in after:
        if best is not None:
            return (-math.inf, 0) if best in before else best
    return -math.inf, 0


class State(NamedTuple):
    """Where a search stands, as far as the scheduler is concerned: the place of its task, the bests of the levels."""

    place: Place
    bests: tuple[Outcome | None, ...]


class Recorded:
    """The states of a recorded search (``nrpa.search.speculation.States``)."""

    def __init__(self, levels: int, iterations: int, task: int) -> None:
        self._levels, self._iterations, self._task = levels, iterations, task

    def start(self) -> State:
        """Return the beginning."""
        above = self._levels - self._task
        return State((0,) * (above + 1), (None,) * above)

    def place(self, state: State) -> Place:
        """Return the place of the task."""
        return state.place

    def is_same(self, one: State, other: State) -> bool:
        """Return whether they are equal."""
        return one == other

    def guessed(self, state: State, level: int) -> State | None:
        """Return the state after the running searches of ``level`` and below, if they find nothing more."""
        if all(best is None for best in state.bests[: level - self._task + 1]):
            return None
        return self.ended(state, level, None)

    def ended(self, state: State, level: int, result: Outcome | None) -> State:
        """Return the state after the searches of ``level`` and below, of which the task found ``result``."""
        place, kept = list(state.place), list(state.bests)
        for number in range(self._task + 1, self._levels + 1):
            at, count = number - self._task - 1, len(place) - (number - self._task)
            best = kept[at]
            if result is not None and (best is None or result[0] >= best[0]):
                best = result
            if number > level:
                place[count] += 1
            if number > level and place[count] < self._iterations:
                kept[at] = best
                return State(tuple(place), tuple(kept))
            result, kept[at], place[count] = best, None, 0
        place[0] += 1
        return State(tuple(place), tuple(kept))


class Tasks(NamedTuple):
    """The tasks of a recorded search, in their order."""

    seconds: np.ndarray
    outcomes: list[Outcome]
    iterations: int

    def number(self, place: Place) -> int:
        """Return which task is at a place; those of a later search stand for it with their own place in this one."""
        number = 0
        for iteration in place[1:]:
            number = number * self.iterations + iteration
        return min(number, len(self.outcomes) - 1)


def simulated(tasks: Tasks, levels: int, task: int, workers: int) -> tuple[float, float]:
    """Return how many times sooner so many workers are done, and the share of their tasks that was kept."""
    states = Recorded(levels, tasks.iterations, task)
    most = STAGES + STAGES_PER_WORKER * workers
    speculation = Speculation(states, states.start(), levels, task, tasks.iterations, most)
    clock, running, begun, committed = 0.0, [], 0, 0
    while committed < len(tasks.outcomes):
        running = [entry for entry in running if not entry[2].is_dropped]
        heapq.heapify(running)
        while len(running) < workers and (stage := speculation.next()) is not None:
            stage.is_running = True
            begun += 1
            heapq.heappush(running, (clock + tasks.seconds[tasks.number(stage.place)], begun, stage))
        clock, _, stage = heapq.heappop(running)
        stage.is_running = False
        score, name = tasks.outcomes[tasks.number(stage.place)]
        result = None if score == -math.inf else (score, name)
        speculation.progress(stage, states.ended(stage.start, task, result), 1, [], True)
        while speculation.root.has_ended and committed < len(tasks.outcomes):
            speculation.commit()
            committed += 1
    return float(tasks.seconds.sum()) / clock, committed / begun


@commands.command()
@click.option("--folder", required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--csv", "table", required=True, type=click.Path(path_type=Path))
@click.option("--picture", type=click.Path(path_type=Path))
@click.option("--sample", is_flag=True, help="The small search, with few workers.")
def simulate(folder: Path, table: Path, picture: Path | None, sample: bool) -> None:
    """Let the scheduler work on recorded tasks."""
    done = {tuple(row[key] for key in SPEEDS[:5]) for row in read_rows(table, SPEEDS)}
    for name, level, count in cases_of(sample):
        file = file_of(folder, name, level, count)
        if not file.exists():
            print(f"{file}: not recorded")
            continue
        with np.load(file) as kept:
            outcomes = list(zip(kept["scores"].tolist(), kept["names"].tolist(), strict=True))
            tasks, task = Tasks(kept["seconds"].astype(float), outcomes, count), int(kept["task"])
        for workers in WORKERS[:4] if sample else WORKERS:
            key = (name, level, count, task, workers)
            if tuple(map(str, key)) in done:
                continue
            speedup, share = simulated(tasks, level, task, workers)
            row = (*key, len(outcomes), round(speedup, 3), round(share, 4))
            append_row(table, dict(zip(SPEEDS, row, strict=True)))
    if picture is not None:
        draw(read_rows(table, SPEEDS), picture)


def draw(rows: list[dict[str, str]], picture: Path) -> None:
    """Draw the speed-up by the number of workers, a line a search."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4.5), layout="constrained")
    axes.plot(WORKERS, WORKERS, color="0.6", linestyle=":", label="all kept")
    styles = product(("-", "--", "-.", ":"), "os^v")
    lines = sorted({(row["problem"], row["level"], row["iterations"]) for row in rows})
    for (name, level, count), (_, marker) in zip(lines, styles, strict=False):
        own = [row for row in rows if (row["problem"], row["level"], row["iterations"]) == (name, level, count)]
        points = sorted((int(row["workers"]), float(row["speedup"])) for row in own)
        axes.plot(*zip(*points, strict=True), marker=marker, label=f"{name}, level {level}, N = {count}")
    axes.set(xscale="log", yscale="log", xlabel="workers", ylabel="times sooner (simulated)")
    axes.legend()
    figure.savefig(picture, dpi=150)


if __name__ == "__main__":
    run(lambda: commands(standalone_mode=True))
