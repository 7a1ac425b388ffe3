"""``nrpa solve --resume``: the checkpoint, and the options of the command line that it must agree with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.cli.per_problem import Asked
from nrpa.cli.solver_options import make_solver

if TYPE_CHECKING:
    from nrpa.search.checkpoint import Checkpoint

checkpoint = lazy("nrpa.search.checkpoint")


def read_agreeing(path: str, asked: Asked, solver: str | None, seed: int | None, clock: str | None) -> Checkpoint:
    """Return a checkpoint that agrees with the command line."""
    kept: Checkpoint = checkpoint.read_checkpoint(path)
    if kept.problem != asked.problem.name:
        wanted = f"{kept.problem} {kept.instance}".rstrip()
        raise InputError(f"{kept.path}: is a checkpoint of {wanted}, not of {asked.problem.name}")
    for name, value in {"solver": solver, "seed": seed, "clock": clock}.items():
        if value is not None:
            _require_same(kept, name, value, getattr(kept, name))
    given = {name: value for name, value in asked.solver_options.items() if value is not None}
    options = make_solver(kept.solver, given).options
    for name in given:
        _require_same(kept, name, options[name], kept.solver_options.get(name))
    for name, value in only_given(asked.problem_options).items():
        _require_same(kept, name, value, kept.problem_options.get(name))
    return kept


def only_given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those options of the running command that were given, not filled in by default."""
    context = click.get_current_context()
    return {
        name: value
        for name, value in options.items()
        if context.get_parameter_source(name) not in (None, ParameterSource.DEFAULT)
    }


def _require_same(kept: Checkpoint, name: str, given: Any, saved: Any) -> None:
    if given != saved:
        shown = f"--{name.replace('_', '-')}"
        raise InputError(f"{shown} {_text(given)} contradicts {kept.path}, a search with {_text(saved)}; leave it out")


def _text(value: Any) -> str:
    words = {True: "on", False: "off", None: "auto"}
    return words[value] if value is None or isinstance(value, bool) else str(value)
