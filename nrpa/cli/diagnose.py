"""The command ``nrpa diagnose``."""

from __future__ import annotations

import click

from nrpa.base.lazy import lazy
from nrpa.cli import options
from nrpa.cli.options import NUMBER
from nrpa.cli.output import echo
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.io.files import require_outputs, write_json
from nrpa.modelling.base_problem import BaseProblem

diagnosing = lazy("nrpa.bench.diagnose")


def _own(problem: type[BaseProblem]) -> list[click.Parameter]:
    return [
        click.Option(["--time"], type=NUMBER, default=10.0, show_default=True, help="Look for so many seconds."),
        options.whole("--playouts", "So many playouts a run instead: same seed, same scores."),
        options.whole("--seed", "The seed of the random numbers.", 0),
        options.clock("processor, unless playouts wait"),
        options.file("--json", "Write the figures and the sentences as JSON."),
    ]


def diagnose(
    asked: Asked, *, time: float, playouts: int | None, seed: int, clock: str | None, json: str | None
) -> None:
    """Look at a problem, print a sentence a line, and write the file that was asked for. Raises InputError."""
    require_outputs({"--json": json}, asked.inputs)
    found = diagnosing.diagnose(asked.read(), seconds=time, playouts=playouts, seed=seed, clock=clock)
    for sentence in found.sentences:
        echo(f"- {sentence}")
    if json is not None:
        write_json(json, found.to_dict())


command = PerProblem(
    "diagnose",
    "Say what a problem of your own needs.",
    run=diagnose,
    own=_own,
    text="Look at {} for some seconds, and say what its author can do next.\n\n"
    "It is checked, played at random, and searched by several solvers, four runs each.",
)
