"""A solution that somebody claims, read from a file."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.plain import plain
from nrpa.io.text import decoded, read_bytes
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.verdict import Verdict


@dataclass(frozen=True)
class Claim:
    """A solution, and what its file says of it.

    Attributes
    ----------
    solution : object
        The solution in the problem's own form, not checked.
    record : dict
        The JSON object of a result that holds it; empty for a plain list or text.
    """

    solution: Any
    record: dict[str, Any]

    @property
    def sha256(self) -> str:
        """The hash of the instance that it was made for, in hex; empty if unknown."""
        return str(self.record.get("sha256", ""))

    def contradictions(self, verdict: Verdict) -> list[str]:
        """Return which figures of the file are not those that the check has found.

        Parameters
        ----------
        verdict : Verdict
            What the check has found.

        Returns
        -------
        list of str
            A sentence for each such figure.
        """
        wrong = []
        figures = self.record.get("figures", {})
        for name, found in plain(verdict.figures).items():
            claimed = figures.get(name, found)
            if claimed != found and not _is_close(claimed, found):
                wrong.append(f"the file says {name} {claimed}, but it is {found}")
        return wrong


def read_solution(problem: BaseProblem, name: str) -> Claim:
    """Return what a file claims.

    Parameters
    ----------
    problem : BaseProblem
        The problem, with its instance.
    name : str
        The file, or ``-`` for standard input: a result's JSON, a JSON list, or plain text.

    Returns
    -------
    Claim
        The solution, and what the file says of it.

    Raises
    ------
    InputError
        If the file cannot be read, or is none of these, or of another problem.
    """
    text = _text(name)
    record = _json(text, name)
    if record is None:
        try:
            return Claim(problem.parse_solution(text), {})
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
    if isinstance(record, list):
        return Claim(record, {})
    if "solution" not in record:
        raise InputError(f"{name}: has no key 'solution'; expected JSON that `nrpa solve --json` wrote")
    if record.get("problem", problem.name) != problem.name:
        raise InputError(f"{name}: holds a solution of {record['problem']}, not of {problem.name}")
    if not isinstance(record.get("figures", {}), dict):
        raise InputError(f"{name}: figures must be an object; expected JSON that `nrpa solve --json` wrote")
    return Claim(record["solution"], record)


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


def _is_close(claimed: Any, found: Any) -> bool:
    if not (isinstance(claimed, (int, float)) and isinstance(found, (int, float))):
        return False
    try:
        return math.isclose(claimed, found, rel_tol=1e-9, abs_tol=1e-6)
    except OverflowError:
        return False


def _is_structure(word: str) -> bool:
    """Return whether a word is a structure in dot-bracket notation, as of RNA, and not only JSON's brackets."""
    return set(word) <= set(".()[]{}<>") and not set(word) <= set("[]{}")


def _text(name: str) -> str:
    try:
        text = decoded(read_bytes(name))
    except UnicodeDecodeError:
        raise InputError(f"{name}: is not a text file") from None
    if not text.strip():
        raise InputError(f"{name}: is empty; expected a solution")
    return text
