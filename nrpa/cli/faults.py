"""An error as JSON, for programs that run a command: its code, message and remedy."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import traceback
from contextlib import suppress

import click

from nrpa.base.errors import InputError, is_of_library, one_line
from nrpa.base.lazy import lazy
from nrpa.cli.output import is_given

registry = lazy("nrpa.registry")
ENVIRONMENT, PARENT = "NRPA_ERRORS", "NRPA_PARENT"
# The codes, which are the same in all versions, and what can be done where the message does not say.
CODES = {
    "bad-input": "correct what the message names",
    "unknown-name": "`nrpa list` shows the names",
    "not-installed": "install the package that the message names",
    "bad-problem": "correct the class; `nrpa diagnose` checks it",
    "limit": "try a smaller instance, fewer workers, or more time",
    "interrupted": "run the command again",
    "internal": "report it, with the command and the output of `nrpa --version`",
}


def errors_as_json() -> bool:
    """Return whether the command line, or else the environment, asks for errors as JSON."""
    words = sys.argv[1:]
    asked = "json" if is_given(words, "--errors", "json") else os.environ.get(ENVIRONMENT)
    return asked == "json" and not is_given(words, "--errors", "text")


def end_with_parent() -> None:
    """Let the system end this process with its parent, where the parent asks for it and the system can."""
    parent = os.environ.pop(PARENT, "")
    if parent and sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        if str(os.getppid()) != parent:
            os._exit(1)


def error_code(error: BaseException) -> str:
    """Return the code of an error, or of the one that it says more of."""
    if isinstance(error, InputError):
        before = error.__context__
        return error_code(before) if type(error) is InputError and isinstance(before, InputError) else error.code
    if isinstance(error, click.UsageError):
        is_unknown = isinstance(error, click.NoSuchOption) or error.message.startswith("No such command")
        return "unknown-name" if is_unknown else "bad-input"
    if isinstance(error, (MemoryError, TimeoutError)):
        return "limit"
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return "interrupted"
    return "bad-problem" if users_line(error) else "internal"


def fault_record(error: BaseException, message: str, remedy: str = "") -> dict[str, dict[str, str]]:
    """Return an error as JSON can hold it; without a remedy, it is what a message says last, or goes with the code."""
    code, (before, _, last) = error_code(error), message.rpartition("; ")
    if not before or last.startswith("found "):
        last = CODES[code]
    return {"error": {"code": code, "message": one_line(message), "remedy": one_line(remedy or last)}}


def users_line(error: BaseException) -> str:
    """Return ``FILE:LINE: `` of the last call in a user's own files in the traceback of an error, else nothing."""
    calls = _users_calls(error)
    return f"{calls[-1].filename}:{calls[-1].lineno}: " if calls else ""


def users_lines(error: BaseException) -> list[str]:
    """Return the part of a traceback that is of a user's own files, as Python prints it; empty where there is none."""
    return traceback.format_list(_users_calls(error))


def _users_calls(error: BaseException) -> list[traceback.FrameSummary]:
    calls = list[traceback.FrameSummary]()
    frames = traceback.walk_tb(error.__traceback__)
    for (frame, _), call in zip(frames, traceback.extract_tb(error.__traceback__), strict=True):
        module = str(frame.f_globals.get("__name__"))
        imported = bool(calls) and not (module.startswith("nrpa.") or is_of_library(call.filename))
        if imported or module.startswith(registry.PREFIX):
            calls.append(call)
    return calls
