"""The command ``nrpa ask``: ask and tell, a step a call."""

from __future__ import annotations

from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import plain, whole_of
from nrpa.cli import options
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.cli.solver_options import make_solver, solver_options
from nrpa.io.files import is_file, read_json, write_json

asking = lazy("nrpa.search.ask_tell")
SOLVERS = "gnrpa", "nrpa", "tempering", "uct"


def _ask(
    asked: Asked, *, saved: str, tell: str | None, games: int, seed: int | None, solver: str, json: str, **given: Any
) -> None:
    """Take values, ask for games, save the run, and write what is known."""
    options.require_files({"--saved": saved, "--json": json}, asked.inputs)
    made = make_solver(solver, asked.solver_options)
    run = asking.ask_tell(asked.read(), made, seed=seed, saved=saved if is_file(saved) else None)
    values = {} if tell is None else read_json(tell)
    if not isinstance(values, dict):
        raise InputError(f"{tell}: expected an object of values by the numbers of games")
    numbers = {str(number): number for number in map(whole_of, values)}
    run.tell({numbers.get(text, text): value for text, value in values.items()})
    found = [each._asdict() for each in (run.ask(games) if games else [])]
    run.save(saved)
    best = {} if run.best is None else {"value": run.value, "best": run.best._asdict()}
    write_json(json, plain({"games": found, "open": run.open, "told": run.told, "seed": run.seed, **best}))


ask_command = PerProblem(
    "ask",
    run=_ask,
    own=lambda problem: [
        options.output("--saved", "The run, which is begun where the file is not there.", required=True),
        options.file("--tell", 'Values by the numbers of games, as {"1": 12.5, "3": null}; - for stdin.'),
        options.integer("--games", "Ask for so many games.", 1),
        options.integer("--seed", "The seed of the random numbers; drawn if not given."),
        options.word("--solver", "The search: gnrpa, nrpa, tempering or uct.", "NAME", "gnrpa"),
        options.output("--json", "Where the games are written; - for stdout.", default="-", show_default=True),
    ],
    of_solvers=lambda own: solver_options(SOLVERS),
    common=("saved", "tell", "games", "seed", "solver", "json"),
    solvers=("gnrpa",),
    text="Ask for games of {} to score elsewhere, and tell their values.",
)
