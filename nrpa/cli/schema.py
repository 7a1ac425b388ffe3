"""The command ``nrpa schema``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.base.json_schema import DIALECT, object_schema, schema_of
from nrpa.base.lazy import lazy
from nrpa.cli.faults import CODES
from nrpa.io.files import STANDARD_OUTPUT, write_json
from nrpa.registry import problem_class

check, choosing, diagnosing = map(lazy, ("nrpa.cli.check", "nrpa.games.choice", "nrpa.bench.diagnose"))
experiments, listing, results = map(lazy, ("nrpa.bench.experiment", "nrpa.cli.list", "nrpa.search.result"))
objectives, tuning = map(lazy, ("nrpa.modelling.objective", "nrpa.bench.tune"))

TEXT, OBJECT = {"type": "string"}, {"type": "object"}


def _result() -> dict[str, Any]:
    return object_schema(results.Result, more={"valid": schema_of(bool | None)}, optional=("chosen", "front"))


def _choice() -> dict[str, Any]:
    opinions = object_schema(choosing.MoveStatistics, without=("own_move",))
    about = dict.fromkeys(("problem", "instance", "sha256", "solver"), TEXT)
    about |= dict.fromkeys(("options", "solver_options", "versions"), OBJECT)
    about |= {"seed": {"type": "integer"}, "moves": schema_of(list[str])}
    more = {**about, "opinions": {"type": "array", "items": opinions}}
    return object_schema(choosing.Choice, without=("number", "own_move"), more=more)


def _diagnosis() -> dict[str, Any]:
    return object_schema(diagnosing.Diagnosis, more={"leader": TEXT, "sentences": schema_of(list[str])})


def _tuning() -> dict[str, Any]:
    trial = {"configuration": OBJECT, "state": TEXT, "gain": schema_of(float | None)}
    trials = {"type": "array", "items": _object(trial)}
    gains = {name: schema_of(list[Any] | None) for name in ("fresh", "held_out")}
    more = {**gains, "solver": OBJECT, "proven": schema_of(bool), "command": TEXT, "trials": trials}
    return object_schema(tuning.Tuning, without=("study", "solver"), more=more)


def _bench() -> dict[str, Any]:
    more = {"instances": schema_of(dict[str, str]), "variants": schema_of(dict[str, Any])}
    objective = {"anyOf": [schema_of(objectives.Objective), schema_of(type(None))]}
    experiment = object_schema(experiments.Experiment, more=more)
    return _object({"experiment": experiment, "objective": objective, "versions": OBJECT, "machine": OBJECT})


def _list() -> dict[str, Any]:
    entries = {"type": "array", "items": schema_of(listing.Listed)}
    return _object({"problems": entries, "solvers": entries})


def _problem() -> dict[str, Any]:
    objective = _object({"name": TEXT, "sign": {"enum": [1, -1]}})
    instances = {"type": "array", "items": schema_of(listing.ListedInstance)}
    more = {"objective": objective, "players": schema_of(int), "forms": schema_of(list[str]), "instances": instances}
    return object_schema(listing.Listed, more=more)


def _error() -> dict[str, Any]:
    parts = {name: schema_of(str | None) for name in ("file", "expected")}
    parts |= {"code": {"enum": [*CODES]}, "message": TEXT, "line": schema_of(int | None), "remedy": TEXT}
    return _object({"error": _object(parts)})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {**OBJECT, "properties": properties, "required": [*properties]}


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "result": _result,
    "check": lambda: schema_of(check.Checked),
    "choice": _choice,
    "diagnosis": _diagnosis,
    "tuning": _tuning,
    "bench": _bench,
    "list": _list,
    "problem": _problem,
    "error": _error,
}
INSTANCE = "instance"


def instance_schema(name: str) -> dict[str, Any]:
    """Return the schema of an instance of a problem: the text of a file, in the forms that the problem reads."""
    problem = problem_class(name)
    if not problem.reads_instances():
        return {"type": "null", "description": f"{name} reads no instance"}
    forms = "; ".join(problem.forms) or f"what {problem.__name__} reads"
    return {**TEXT, "description": f"The text of a file, in one of these forms: {forms}"}


@click.command("schema")
@click.argument("name", type=click.Choice([*SCHEMAS, INSTANCE]), metavar="[NAME]", required=False)
@click.argument("problem", required=False)
def schema_command(name: str | None, problem: str | None) -> None:
    """Print the JSON Schema of what is written as JSON.

    NAME is result (of `nrpa solve`), check, choice, diagnosis, tuning, bench, list, problem (of `nrpa list PROBLEM`) or
    error. Without it, all are in one. Of an instance of a PROBLEM, which is text, it says in which forms that is read.
    """
    if (name == INSTANCE) != (problem is not None):
        raise InputError("expected a PROBLEM after instance, and after no other name")
    if name is None:
        found: dict[str, Any] = {"$defs": {key: make() for key, make in SCHEMAS.items()}}
    else:
        found = instance_schema(str(problem)) if name == INSTANCE else SCHEMAS[name]()
    write_json(STANDARD_OUTPUT, {"$schema": DIALECT, **found})
