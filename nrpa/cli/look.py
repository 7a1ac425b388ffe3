"""The commands ``nrpa codes`` and ``nrpa diagnose``: what a look at a problem shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from nrpa.base.lazy import lazy
from nrpa.bench.codes import code_shares
from nrpa.cli import options
from nrpa.cli.output import echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.io.files import STANDARD_OUTPUT, write_json
from nrpa.modelling.base_problem import BaseProblem

diagnosing = lazy("nrpa.bench.diagnose")


def _look(asked: Asked, found_in: Callable[[BaseProblem], Any], text: Callable[[Any], str], json: str | None) -> None:
    """Look at a problem, print what was found, and write it if that was asked for."""
    options.require_files({"--json": json}, asked.inputs)
    found = found_in(asked.read())
    echo_lines(text(found), err=json == STANDARD_OUTPUT)
    if json is not None:
        write_json(json, found.to_dict())


def _codes(asked: Asked, *, json: str | None, **given: Any) -> None:
    _look(asked, lambda problem: code_shares(problem, **given), lambda found: found.summary(), json)


def _diagnose(asked: Asked, *, time: float, json: str | None, **given: Any) -> None:
    _look(
        asked,
        lambda problem: diagnosing.diagnose(problem, seconds=time, **given),
        lambda found: "\n".join(f"- {sentence}" for sentence in found.sentences),
        json,
    )


codes_command = PerProblem(
    "codes",
    run=_codes,
    own=lambda problem: [
        options.whole("--games", "How many random games to play.", 10_000),
        options.whole("--seed", "Same seed, same games.", 0),
        options.output("--json", "Write what was found as JSON, with the share of each move."),
    ],
    text="Count the codes of {} in random games.\n\n"
    "Prints the number of moves of the first position, the mean length of random games, and the mean share of them "
    "in which the code of one of these moves appears.",
)
diagnose_command = PerProblem(
    "diagnose",
    run=_diagnose,
    own=lambda problem: [
        click.Option(
            ["--time"], type=options.NUMBER, default=10.0, show_default=True, help="Look for so many seconds."
        ),
        options.whole("--playouts", "So many playouts a run instead: same seed, same scores."),
        options.whole("--seed", "The seed of the random numbers.", 0),
        options.clock("processor, unless playouts wait"),
        options.output("--json", "Write the figures and the sentences as JSON."),
    ],
    text="Look at {} for some seconds, and say what its author can do next.\n\n"
    "It is checked, played at random, and searched by several solvers, four runs each.",
)
