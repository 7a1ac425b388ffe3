"""The command ``nrpa check``, and the solution that somebody claims."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import click

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import agree, plain
from nrpa.cli import options
from nrpa.cli.completion import files
from nrpa.cli.output import echo, echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.io.files import read_text, write_json
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Verdict
from nrpa.registry import solvers
from nrpa.search.result import figures_text

front = lazy("nrpa.search.front")
records = lazy("nrpa.bench.records")
picture = lazy("nrpa.plots.picture")
results = lazy("nrpa.plots.results")
games = lazy("nrpa.cli.games")


class Checked(NamedTuple):
    """What the check of a solution has found, as JSON can hold it."""

    problem: str
    instance: str
    sha256: str
    valid: bool  # whether nothing is wrong
    figures: dict[str, Any]  # empty where the solution is too broken
    score: float | None  # which is maximised; None where there is none
    faults: list[str]  # what is wrong, in words
    notes: list[str]  # what was not checked, in words


@dataclass(frozen=True)
class Claim:
    """A solution, not checked, and the JSON object of a result that holds it; empty for a plain list or text."""

    solution: Any
    record: dict[str, Any]

    @property
    def sha256(self) -> str:
        """The hash of the instance that it was made for, in hex; empty if unknown."""
        return str(self.record.get("sha256", ""))

    def contradictions(self, problem: BaseProblem, verdict: Verdict) -> list[str]:
        """Return the claims of the file that the check contradicts: figures, the score, the status ``optimal``."""
        figures = self.record.get("figures", {})
        pairs = [(name, figures.get(name, found), found) for name, found in plain(verdict.figures).items()]
        if verdict.score is not None:
            pairs.append(("score", self.record.get("score", verdict.score), verdict.score))
        wrong = [
            f"the file says {name} {claimed}, but it is {found}"
            for name, claimed, found in pairs
            if claimed != found and not agree(claimed, found)
        ]
        if self.sha256 and self.sha256 != problem.sha256:
            wrong.append(f"the file is of another instance than {problem.label or problem.name}: its sha256 is another")
        claimed = self.record.get("valid")
        if isinstance(claimed, bool) and claimed == bool(verdict.faults):
            wrong.append(f"the file says that it is {'' if claimed else 'not '}valid")
        doubt = self.doubt(problem, verdict)
        return wrong if not doubt or self.may_know else [*wrong, doubt]

    def doubt(self, problem: BaseProblem, verdict: Verdict) -> str:
        """Return why the solution may not be optimal, as the file says it is; empty where a bound proves it."""
        if self.record.get("status") != "optimal" or verdict.score is None:
            return ""
        bound = problem.bound()
        least = math.inf if bound is None else problem.objective.score(float(bound))
        if verdict.score >= least or agree(verdict.score, least):
            return ""
        return f"the file says optimal, but no bound of {problem.name} proves it"

    @property
    def may_know(self) -> bool:
        """Whether the solver that the file names proves more than bounds: a tree search, or one that is not of nrpa."""
        solver = str(self.record.get("solver"))
        if solver in solvers.bundled:
            return solver in games.tree_solvers()
        return solver in solvers.entries()


def read_solution(problem: BaseProblem, name: str) -> Claim:
    """Return what a file claims."""
    text = _text(name)
    record = _json(text, name)
    if record is None:
        try:
            return Claim(problem.parse_solution(text), {})
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
    if isinstance(record, list):
        return Claim(record, {})
    if "variation" in record:
        # What `nrpa choose --json` wrote.
        return Claim([*record["moves"], *record["variation"]], {})
    if "best" in record:
        record = _best_of_bench(text, name, problem)
    if "solution" not in record:
        raise InputError(f"{name}: has no key 'solution'; expected JSON that `nrpa solve --json` wrote")
    if record.get("problem", problem.name) != problem.name:
        raise InputError(f"{name}: holds a solution of {record['problem']}, not of {problem.name}")
    if not isinstance(record.get("figures", {}), dict):
        raise InputError(f"{name}: figures must be an object; expected JSON that `nrpa solve --json` wrote")
    return Claim(record["solution"], record)


def _best_of_bench(text: str, name: str, problem: BaseProblem) -> dict[str, Any]:
    """Return the best result of the instance in the FILE.best.json of an experiment."""
    found = [run.result for run in records.best_runs(text, name) if run.result.sha256 == problem.sha256]
    if not found:
        raise InputError(f"{name}: holds no solution of {problem.label or problem.name}")
    best: dict[str, Any] = max(found, key=lambda result: result.score).to_dict()
    return best


def _json(text: str, name: str) -> Any:
    """Return the object or list that a text holds; None for one that is neither, such as a structure of brackets."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if _is_structure(text.split(maxsplit=1)[0]):
            return None
        raise InputError(f"{name}:{error.lineno}: is not JSON ({error.msg})") from None
    except ValueError as error:
        raise InputError(f"{name}: is JSON that cannot be read ({error})") from None
    except RecursionError:
        raise InputError(f"{name}: is JSON of too many lists within lists") from None


def _is_structure(word: str) -> bool:
    """Return whether a word is a structure in dot-bracket notation, as of RNA, and not only JSON's brackets."""
    return set(word) <= set(".()[]{}<>") and not set(word) <= set("[]{}")


def _text(name: str) -> str:
    text = read_text(name, "a solution")
    if not text.strip():
        raise InputError(f"{name}: is empty; expected a solution")
    return text


def _check(asked: Asked, solution: str, *, draw: bool, plot: str | None, json: str | None) -> None:
    """Print what is wrong with a solution, and end with exit status 1 if anything is."""
    if asked.instance == solution == "-":
        raise InputError("only one of INSTANCE and SOLUTION can be standard input")
    if plot is not None:
        picture.require_format(plot)
    options.require_files({"--plot": plot, "--json": json}, [solution, *asked.inputs])
    problem = asked.read()
    claimed = read_solution(problem, solution)
    verdict = problem.check(claimed.solution)
    faults = verdict.faults + claimed.contradictions(problem, verdict)
    if claimed.record.get("front") is not None:
        faults += front.front_faults(problem, claimed.record["front"])
    notes = []
    if claimed.may_know and (doubt := claimed.doubt(problem, verdict)):
        notes.append(f"{doubt}; a tree search that has been everywhere can tell, which is not checked")
    figures = figures_text(problem.objective, plain(verdict.figures))
    echo(("not valid" if faults else "valid") + (f": {figures}" if figures else ""))
    for fault in faults:
        echo(f"  {fault}")
    for note in notes:
        echo(f"note: {note}", err=True)
    if json is not None:
        who = (problem.name, problem.label, problem.sha256, not faults)
        write_json(json, Checked(*who, plain(verdict.figures), plain(verdict.score), faults, notes)._asdict())
    if draw and (verdict.score is not None or (problem.players > 1 and verdict.figures)):
        echo_lines(problem.draw(claimed.solution))
    if plot is not None:
        picture.save(results.position(problem, claimed.solution), plot)
    if faults:
        click.get_current_context().exit(1)


check_command = PerProblem(
    "check",
    run=_check,
    own=lambda problem: [
        click.Argument(["solution"], shell_complete=files),
        click.Option(["--draw"], is_flag=True, help="Print the whole solution as text, too."),
        click.Option(["--plot"], metavar="PICTURE", help="Draw it; the ending says which: PNG, SVG, PDF."),
        options.output("--json", "Write what was found as JSON; - for stdout."),
    ],
    text="Check a solution of {} by code that shares nothing with the search.\n\n"
    "SOLUTION is a JSON file that `nrpa solve` wrote, the FILE.best.json of `nrpa bench`, a plain list, or - for "
    "standard input. Exit status: 0 valid, 1 not valid, 2 unusable input.",
)
