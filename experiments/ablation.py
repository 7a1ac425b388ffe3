"""What each part of `auto` is worth: `auto` without it, on problems that it has not seen and on bundled ones.

    python experiments/ablation.py
    python experiments/pages.py

Each run is `auto` as it is, or without one part, on an instance, for so many seconds of the processor, with paired
seeds. A part that changes nothing on an instance is not run there. Each run is a row of results/ablation.csv as soon as
it ends; the same command goes on where it was stopped.

The parts: each arm; names by moves (then all tempering goes by codes); improving; the bias; going on from the best game
of all (hand-over); and what a problem says of itself (hints: whether it is tempered).
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

import numpy as np
from scipy.stats import bootstrap

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "strangers"), str(HERE / "growth")]

from draw import draw  # noqa: E402
from tables import append_row, markdown, read_rows, run  # noqa: E402

import nrpa  # noqa: E402
from nrpa.base.errors import InputError  # noqa: E402
from nrpa.checking.validate import hints_of  # noqa: E402
from nrpa.registry import problem_class, read_problem  # noqa: E402
from nrpa.solvers.portfolio.arms import BY_CODES, Arm, FirstGame  # noqa: E402

RECORD = HERE / "results" / "ablation.csv"
FOLDER = HERE.parent / "build" / "ablation"
COLUMNS = ("group", "problem", "instance", "without", "seconds", "seed", "value", "score", "playouts", "arms")
WHOLE = "nothing"
NEVER = 10**9
WARM_UP = 0.001
FEWEST = 6  # values of which an interval is believed
DRAWN_SEED = 2  # experiments/growth.md has 1
DRAWN = {
    **{"tsptw": 60, "vrptw": 60, "binpacking": 120, "coloring": 100, "rna": 80},
    **{"fold": 80, "samegame": 15, "permutation": 60, "wide": 100},
}
STRANGERS = (
    *("ordering", "setcover", "bandwidth", "maxsat", "machines"),
    *("elevator", "yard", "roster", "prizes", "relocation"),
)
EXAMPLES = {
    "packing.py:Packing": "30x30/32/1",
    "production_line.py:ProductionLine": "1",
    "hyper.py:Tours": "40/1",
    "snake.py:Snake": "7",
}
BUNDLED = {
    **{"schur": "6", "rcpsp": "j30_13_4", "morpion": "5D", "snake": "7", "fold": "bwyv", "samegame": "samegame-08"},
    **{"coloring": "DSJC250.5", "binpacking": "Hard28_BPP40", "tsptw": "rbg193", "vrptw": "r112"},
    **{"rna": "eterna-v1-72", "jobshop": "la16", "cvrp": "X-n101-k25"},
}
NAMED = {"examples": EXAMPLES, "bundled": BUNDLED}
GROUPS = "drawn,strangers,examples,bundled"


class Changed(nrpa.Auto):
    """`auto` whose arms are changed by a function, unless that leaves none."""

    changed: ClassVar[Callable[[Arm], Arm | None]]

    def arms_of(self, problem: Any, has_weights: bool = False, has_codes: bool | None = None) -> tuple[Arm, ...]:
        """Return the changed arms of `auto`."""
        whole = super().arms_of(problem, has_weights, has_codes)
        return tuple(arm for each in whole if (arm := type(self).changed(each)) is not None) or whole


def leave_out(label: str, arm: Arm) -> Arm | None:
    """Return an arm unless its label begins so."""
    is_meant = arm.label.startswith(label) and (label == TEN or not arm.label.startswith(TEN))
    return None if is_meant else arm


def with_options(arm: Arm, **options: Any) -> Arm:
    """Return an arm with those options that its solver has."""
    own = {name: value for name, value in options.items() if hasattr(arm.solver, name)}
    return arm._replace(solver=replace(arm.solver, **own))


def changing(change: Callable[[Arm], Arm | None]) -> Callable[[], nrpa.Auto]:
    """Return what makes `auto` with other arms."""
    return type("Changed", (Changed,), {"changed": staticmethod(change)})


TEN = "tempering by moves, ten chains"
PARTS: dict[str, Callable[[], nrpa.Auto]] = {
    WHOLE: nrpa.Auto,
    "GNRPA": changing(partial(leave_out, "gnrpa")),
    "the chain that anneals": changing(partial(leave_out, "tempering by moves")),
    "ten chains": changing(partial(leave_out, TEN)),
    "tempering by codes": changing(partial(leave_out, BY_CODES)),
    "names by moves": changing(partial(with_options, names="code")),
    "bias": changing(partial(with_options, bias=False)),
    "improve": partial(nrpa.Auto, improve=False),
    "hand-over": nrpa.Auto,
    "hints": nrpa.Auto,
}


def around(part: str) -> AbstractContextManager[Any]:
    """Return what a search without a part has to run in."""
    if part == "hand-over":
        return patch("nrpa.solvers.portfolio.search.HANDED_ON_FROM", NEVER)
    if part == "hints":
        return patch(
            "nrpa.solvers.portfolio.options.hints_of", lambda problem: replace(hints_of(problem), tempered=None)
        )
    return nullcontext()


def matters(part: str, problem: Any) -> bool:
    """Return whether `auto` searches otherwise without a part."""
    whole = nrpa.Auto().arms_of(problem)
    if part == "hand-over":
        return any(arm.stays for arm in whole)
    if part == "names by moves" and not FirstGame.of(problem).has_codes:
        return False
    if part == "bias" and not any(arm.problem.bias_by_move or arm.problem.bias_by_code() is not None for arm in whole):
        return False
    with around(part):
        return part == WHOLE or PARTS[part]().arms_of(problem) != whole


def instances(group: str) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """Yield problem, instance and what makes it. Raises InputError if there is no such group."""
    if group == "drawn":
        for name, size in DRAWN.items():
            yield name, str(size), partial(drawn, name, size)
    elif group == "strangers":
        for name in STRANGERS:
            module = importlib.import_module(name)
            yield from ((name, instance, partial(stranger, name, instance)) for instance in module.BEST)
    elif group in NAMED:
        for name, instance in NAMED[group].items():
            kind = problem_class(str(HERE.parent / group / name) if group == "examples" else name)
            yield name, instance, partial(read_problem, kind, instance, {})
    else:
        raise InputError(f"--groups: expected some of {GROUPS}, found {group!r}")


def drawn(name: str, size: int) -> Any:
    """Return a drawn problem of a size."""
    problem, path, options = draw(name, size, FOLDER, DRAWN_SEED)
    return read_problem(problem_class(problem), str(path), options)


def stranger(name: str, instance: str) -> Any:
    """Return a problem of experiments/strangers."""
    from table import problem_of

    return problem_of(importlib.import_module(name), instance)


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", default=GROUPS)
    parser.add_argument("--problems", help="some of the groups' problems, with commas between")
    parser.add_argument("--without", default=",".join(PARTS), help=f"parts with commas between: {', '.join(PARTS)}")
    parser.add_argument("--time", type=float, default=2.0, help="seconds of the processor")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--out", type=Path, default=RECORD)
    options = parser.parse_args()
    parts = options.without.split(",")
    if unknown := [part for part in parts if part not in PARTS]:
        raise InputError(f"--without: expected some of {', '.join(PARTS)}, found {unknown[0]!r}")
    done = {tuple(row[name] for name in COLUMNS[:6]) for row in read_rows(options.out, COLUMNS)}
    for group in options.groups.split(","):
        for name, instance, make in instances(group):
            if options.problems is None or name in options.problems.split(","):
                problem = make()
                mine = [part for part in parts if matters(part, problem)]
                for seed, part in product(range(1, options.seeds + 1), mine):
                    key = group, name, instance, part, f"{options.time:g}", str(seed)
                    if key not in done:
                        row = (*key, *found(problem, part, options.time, seed))
                        append_row(options.out, dict(zip(COLUMNS, row, strict=True)))


def found(problem: Any, part: str, seconds: float, seed: int) -> tuple[Any, ...]:
    """Return what `auto` without a part finds: value, score, playouts, and the arm of the best answer."""
    with around(part):
        solver = PARTS[part]()
        nrpa.solve(problem, solver, seed=seed, time=WARM_UP, clock="processor")
        result = nrpa.solve(problem, solver, seed=seed, time=seconds, clock="processor")
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result.value, result.score, result.playouts, len(solver.arms_of(problem))


def ablation(rows: Sequence[dict[str, str]], seconds: str) -> str:
    """Return a table of what is lost without each part, in % of the score, and on how many instances that is proven.

    The loss of an instance is the mean over the seeds of the difference of the scores over the mean score's size, at
    most 100 %. The mean over instances has a bootstrap interval.
    """
    scores: dict[Any, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row["seconds"] == seconds:
            scores[row["without"], row["group"], row["problem"], row["instance"]][row["seed"]] = float(row["score"])
    groups = dict.fromkeys(key[1] for key in scores)
    lines = [["without", *(f"{group}: loss [%], worse, better of" for group in groups)]]
    for part in list(PARTS)[1:]:
        losses = {group: losses_in(scores, part, group) for group in groups}
        if any(losses.values()):
            lines.append([part, *(text_of(each) if each else "" for each in losses.values())])
    return markdown(lines)


def losses_in(scores: dict[Any, dict[str, float]], part: str, group: str) -> list[np.ndarray]:
    """Return the losses without a part on each instance of a group that has enough seeds."""
    found = [losses_of(scores[WHOLE, *key[1:]], each) for key, each in scores.items() if key[:2] == (part, group)]
    return [each for each in found if len(each) >= FEWEST]


def losses_of(whole: dict[str, float], without: dict[str, float]) -> np.ndarray:
    """Return the losses of the seeds that both have, in % of the size of the whole's mean score, at most 100."""
    size = abs(np.mean(list(whole.values()))) or 1.0
    found = np.array([100 * (whole[seed] - score) / size for seed, score in without.items() if seed in whole])
    return found.clip(-100, 100)


def text_of(losses: Sequence[np.ndarray]) -> str:
    """Return the mean loss with its interval, bold where that is without 0; how many are proven worse and better."""
    means, between = np.array([each.mean() for each in losses]), [interval(each) for each in losses]
    low, high = interval(means)
    text = f"{means.mean():+.2f}" + ("" if np.isnan(low) else f" [{low:.2f}, {high:.2f}]")
    text = f"**{text}**" if low > 0 or high < 0 else text
    return f"{text}, {sum(low > 0 for low, _ in between)}, {sum(high < 0 for _, high in between)} of {len(losses)}"


def interval(values: np.ndarray) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of a mean; nan for too few values."""
    if len(values) < FEWEST:
        return np.nan, np.nan
    found = bootstrap((values,), np.mean, method="percentile", rng=np.random.default_rng(1))
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


if __name__ == "__main__":
    run(main)
