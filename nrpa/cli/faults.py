"""An error as JSON, for the programs that run a command: what kind it is, where, and what to do."""

from __future__ import annotations

import os
import re
import sys
import traceback
from typing import Any

import click

from nrpa.base.errors import InputError, one_line
from nrpa.base.lazy import lazy
from nrpa.cli import COMMANDS
from nrpa.cli.output import is_given

registry = lazy("nrpa.registry")
ENVIRONMENT = "NRPA_ERRORS"
# The codes, which are the same in all versions, and what can be done where the message does not say.
CODES = {
    "bad-input": "correct it; `nrpa --help` says what is expected",
    "unknown-name": "`nrpa list` shows the names",
    "not-installed": "install the package that the message names",
    "bad-problem": "correct the class; `nrpa diagnose` checks it",
    "limit": "try a smaller instance, fewer workers, or more time",
    "interrupted": "run the command again",
    "internal": "report it, with the command and the output of `nrpa --version`",
}
WHERE = re.compile(r"(?P<file>[^:]+):(?:(?P<line>[0-9]+):)? ")
NO_FILE = re.compile(r": (cannot be|no such file|exists)")
EXPECTED = re.compile(r"(?:[Ee]xpected|must be|must have|is not) (.+?)(?:[,;] (?:found|not|did) |; |\.?$)")
MEANT = re.compile(r"[Dd]id (you mean .+\?)")
REMEDY = re.compile(r"(choose|leave|try|use|pip install|lower|uninstall|change|write|`nrpa|set|return|start)\b")


def errors_as_json() -> bool:
    """Return whether the command line, or else the environment, asks for errors as JSON."""
    words = sys.argv[1:]
    asked = "json" if is_given(words, "--errors", "json") else os.environ.get(ENVIRONMENT)
    return asked == "json" and not is_given(words, "--errors", "text")


def code_of(error: BaseException) -> str:
    """Return the code of an error, or of the one that it says more of."""
    if isinstance(error, InputError):
        before = error.__context__
        return code_of(before) if type(error) is InputError and isinstance(before, InputError) else error.code
    if isinstance(error, click.UsageError):
        is_unknown = isinstance(error, click.NoSuchOption) or error.message.startswith("No such command")
        return "unknown-name" if is_unknown else "bad-input"
    if isinstance(error, (MemoryError, TimeoutError)):
        return "limit"
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return "interrupted"
    return "bad-problem" if _users_line(error) else "internal"


def fault_record(error: BaseException, message: str, remedy: str = "") -> dict[str, Any]:
    """Return an error as JSON can hold it; None stands for what is not known."""
    code, where = code_of(error), WHERE.match(message)
    file, line = (where["file"], where["line"]) if where and _names_file(where, message) else (None, None)
    if file is None:
        file, line = _users_line(error) or (None, None)
    expected = EXPECTED.search(message)
    clauses = [clause for clause in message.split("; ")[1:] if REMEDY.match(clause)]
    if meant := MEANT.search(message):
        remedy = f"did {meant[1]}"
    command = next((f"nrpa {word} " for word in sys.argv[1:] if word in COMMANDS), "nrpa ")
    return {
        "error": {
            "code": code,
            "message": one_line(message),
            "file": file,
            "line": None if line is None else int(line),
            "expected": expected[1] if expected else None,
            "remedy": remedy or (clauses[-1] if clauses else CODES[code].replace("nrpa --", f"{command}--")),
        }
    }


def _names_file(where: re.Match[str], message: str) -> bool:
    """Return whether a message begins with a file: there is a line, or it is there, or the message says it is not."""
    return bool(where["line"] or NO_FILE.match(message, where.end() - 2)) or os.path.exists(where["file"])


def _users_line(error: BaseException) -> tuple[str, int] | None:
    """Return the file and the line of the last call in a user's own file in the traceback of an error."""
    calls = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).startswith(registry.PREFIX)
    ]
    return calls[-1] if calls else None
