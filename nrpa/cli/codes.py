"""The command ``nrpa codes``."""

from __future__ import annotations

import click

from nrpa.bench.codes import code_shares
from nrpa.cli import options
from nrpa.cli.output import echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.io.files import require_outputs, write_json
from nrpa.modelling.base_problem import BaseProblem


def _own(problem: type[BaseProblem]) -> list[click.Parameter]:
    return [
        options.whole("--games", "How many random games to play.", 10_000),
        options.whole("--seed", "Same seed, same games.", 0),
        options.file("--json", "Write what was found as JSON, with the share of each move."),
    ]


def codes(asked: Asked, *, games: int, seed: int, json: str | None) -> None:
    """Play random games, print what they show, and write it if that was asked for."""
    require_outputs({"--json": json}, asked.inputs)
    found = code_shares(asked.read(), games=games, seed=seed)
    echo_lines(found.summary())
    if json is not None:
        write_json(json, found.to_dict())


command = PerProblem(
    "codes",
    "Count how often the codes of moves appear in random games.",
    run=codes,
    own=_own,
    text="Count the codes of {} in random games.\n\n"
    "Prints the number of moves of the first position, the mean length of random games, and the mean share of them "
    "in which the code of one of these moves appears.",
)
