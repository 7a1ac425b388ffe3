"""Where an instance comes from: a file, a bundled name, or standard input."""

from __future__ import annotations

import csv
import hashlib
import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from nrpa.base.errors import InputError, UnknownNameError, did_you_mean
from nrpa.base.values import path_shown
from nrpa.io.files import STANDARD_INPUT, as_text, exists, is_directory, is_file, read_bytes


@dataclass(frozen=True)
class BestKnown:
    """The best published value of an instance.

    Attributes
    ----------
    value : float
        The value, in the problem's own terms (a cost, say).
    proven_by : str
        Who proved it optimal, empty if nobody did.
    source : str
        Where it is published.
    """

    value: float
    proven_by: str = ""
    source: str = ""


@dataclass(frozen=True)
class Source:
    """The text of an instance, and where it comes from.

    Attributes
    ----------
    label : str
        How to name it.
    text : str
        The text.
    sha256 : str
        The hash of its bytes, in hex.
    best_known : BestKnown or None
        The best published value, if it is a bundled instance, byte for byte.
    file, member : str
        Where a file holds several instances: the file, and the name of the one meant. Else empty.
    """

    label: str
    text: str
    sha256: str
    best_known: BestKnown | None = None
    file: str = ""
    member: str = ""


@dataclass(frozen=True)
class Origin:
    """Where an instance comes from. ``load`` sets it; it is empty for instances made in a program.

    Parameters
    ----------
    label : str
        The name of the instance: the path of its file, or its name among the bundled ones.
    sha256 : str
        The hash of the bytes of its file, in hex; empty if ``BaseProblem.digest`` identifies the instance.
    best_known : BestKnown, optional
        The best published value.
    """

    label: str = ""
    sha256: str = ""
    best_known: BestKnown | None = None


@dataclass(frozen=True)
class Bundled:
    """A row of ``instances/<problem>.csv``, an instance; ``file`` holds it with others, ``text`` is itself."""

    name: str
    size: int
    best_known: BestKnown
    solution: str
    file: str = ""
    text: str = ""
    title: str = ""


def bundled(problem: str) -> dict[str, Bundled]:
    """Return the bundled instances of a problem; none for a text that is no name.

    >>> bundled("../tsptw"), bundled("x" * 999)
    ({}, {})
    >>> bundled("tsptw")["rc204.1"].best_known.value
    878.64
    """
    table = resources.files("nrpa.instances") / f"{problem}.csv"
    if not re.fullmatch(r"[\w-]{1,99}", problem) or not table.is_file():
        return {}
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {
        row["instance"]: Bundled(
            row["instance"],
            int(row["size"]),
            BestKnown(float(row["value"]), row["proven_by"], row["source"]),
            row["solution"],
            *(row.get(name) or "" for name in ("file", "text", "title")),
        )
        for row in csv.DictReader(lines)
    }


def read_source(problem: str, name: str) -> Source:
    """Return the text of an instance.

    A file with the same bytes as a bundled instance has the best known value of that instance.

    Parameters
    ----------
    problem : str
        The problem's name.
    name : str
        A path, else the name of a bundled instance, or ``-`` for standard input. FILE:NAME means the instance NAME of a
        file that holds several.

    Returns
    -------
    Source
        The text and where it comes from.

    Raises
    ------
    InputError
        If there is no such thing or it is not text in UTF-8.
    """
    file, member = _file_and_member(name)
    if name == STANDARD_INPUT:
        data, label = read_bytes(name), "<stdin>"
    elif is_directory(name):
        raise InputError(f"{name}: is a directory; expected an instance file")
    elif exists(name):
        data, label = read_bytes(name), name
    elif member:
        data, label = read_bytes(file), name
    elif name in bundled(problem):
        data, label = _bundled_bytes(bundled(problem)[name]), name
        file = bundled(problem)[name].file
        member = name if file else ""
    else:
        raise UnknownNameError(_no_such(problem, name))
    try:
        text = as_text(data)
    except UnicodeDecodeError as error:
        raise InputError(f"{label}: is not a text file (byte {error.start} is not UTF-8)") from None
    if "\0" in text:
        raise InputError(f"{label}: is not a text file (it holds zero bytes)")
    known = _best_known(problem, member or Path(label).name, data)
    return Source(label, text, hashlib.sha256(data).hexdigest(), known, file, member)


def file_of(name: str) -> str:
    """Return FILE of an instance's name FILE:NAME, else the name itself: a path, ``-``, or a bundled instance's."""
    return _file_and_member(name)[0] or name


def _file_and_member(name: str) -> tuple[str, str]:
    """Return FILE and NAME of FILE:NAME where there is such a file, else two empty texts."""
    file, _, member = name.rpartition(":")
    return (file, member) if is_file(file) and not exists(name) else ("", "")


def _bundled_bytes(instance: Bundled) -> bytes:
    if instance.text:
        return instance.text.encode()
    return (resources.files("nrpa.instances") / (instance.file or instance.name)).read_bytes()


def _best_known(problem: str, name: str, data: bytes) -> BestKnown | None:
    known = bundled(problem).get(name)
    if known is None or _bundled_bytes(known) != data:
        return None
    return known.best_known


def _no_such(problem: str, name: str) -> str:
    if not bundled(problem):
        return f"{path_shown(name)}: no such file, and no instance comes with {problem}"
    hint = did_you_mean(Path(name).name, bundled(problem), 3) or f"`nrpa list {problem}` shows the bundled ones"
    return f"{path_shown(name)}: no such file or bundled {problem} instance; {hint}"
