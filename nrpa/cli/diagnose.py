"""The command ``nrpa diagnose``."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.lazy import lazy
from nrpa.cli import options
from nrpa.cli.output import echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.io.files import write_json

diagnosing = lazy("nrpa.bench.diagnose")


def _diagnose(asked: Asked, *, time: float, json: str | None, **given: Any) -> None:
    """Look at a problem, print the sentences, and write the figures if that was asked for."""
    options.require_files({"--json": json}, asked.inputs)
    found = diagnosing.diagnose(asked.read(), seconds=time, **given)
    echo_lines("\n".join(f"- {sentence}" for sentence in found.sentences))
    if json is not None:
        write_json(json, found.to_dict())


diagnose_command = PerProblem(
    "diagnose",
    run=_diagnose,
    own=lambda problem: [
        click.Option(
            ["--time"], type=options.NUMBER, default=10.0, show_default=True, help="Look for so many seconds."
        ),
        options.integer("--playouts", "So many playouts a run instead: same seed, same scores."),
        options.integer("--seed", "The seed of the random numbers.", 0),
        options.clock("processor, unless playouts wait"),
        options.output("--json", "Write the figures and the sentences as JSON."),
    ],
    compiles=True,
    text="Look at {} for some seconds, and say what its author can do next.\n\n"
    "It is checked, played at random, and searched by several solvers, four runs each.",
)
