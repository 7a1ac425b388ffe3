"""The command ``nrpa explain``."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.lazy import lazy
from nrpa.cli import options
from nrpa.cli.output import echo, echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.io.files import write_json

explaining = lazy("nrpa.bench.explain")
picture = lazy("nrpa.plots.picture")
clashes = lazy("nrpa.plots.clashes")

PLOT = click.Option(["--plot"], metavar="PICTURE", help="Draw the cities of the tour that clash: PNG, SVG, PDF.")


def _explain(asked: Asked, *, json: str | None, solver: str | None, plot: str | None = None, **given: Any) -> None:
    """Say what clashes; draw and write it if that was asked for."""
    if plot is not None:
        picture.require_format(plot)
    options.require_files({"--plot": plot, "--json": json}, asked.inputs)
    problem = asked.read()
    found = explaining.explain(problem, solver, **given)
    echo_lines("\n".join(found.sentences))
    if json is not None:
        write_json(json, found.to_dict())
    if plot is not None and found.clash:
        picture.save(clashes.clash(found, problem=problem), plot)
    elif plot is not None:
        echo(f"note: nothing clashes, so {plot} was not written", err=True)


explain_command = PerProblem(
    "explain",
    run=_explain,
    own=lambda problem: [
        options.integer("--seed", "The seed of the random numbers.", 0),
        options.integer("--playouts", "So many playouts look for a solution of each set.", explaining.PLAYOUTS),
        options.integer("--nodes", "So many states of each set are enumerated.", explaining.NODES),
        options.number("--time", "Stop after so many seconds in all."),
        click.Option(["--target"], type=options.TARGET, help="The value that a solution must reach, too."),
        click.Option(["--solver"], metavar="NAME", help="What searches.  [default: auto]"),
        *([PLOT] if hasattr(problem, "visits") else []),
        options.output("--json", "Write what was found as JSON; - for stdout."),
    ],
    compiles=True,
    text="Say which parts or rules of {} clash, and what each rule costs.\n\n"
    "Parts are what a solution can do without, such as customers; rules are methods that nrpa.rule marks.",
)
