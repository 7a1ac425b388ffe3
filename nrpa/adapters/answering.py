"""Another program that is asked by lines and answers by lines: started, asked within a limit of seconds, ended."""

from __future__ import annotations

import os
import select
import shutil
import signal
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.values import shortened

LONGEST_ANSWER = 2**26
# How long a program may take to end by itself, once nobody asks any more.
GRACE = 0.5
# After how long a wait it is looked whether an answer is still wanted.
PATIENCE = 0.1
# As much as a pipe holds.
CHUNK = 2**16
# How much is kept of what a program says beside its answers, and shown.
KEPT, LAST_LINES = 2000, 3


class Died(Exception):  # noqa: N818
    """The program ended in place of an answer: its message is how."""


class NoAnswer(Exception):  # noqa: N818
    """There is no answer in time, or more than one: its message is what there is."""


class AnsweringProgram:
    """A program in a session of its own, which Ctrl-C does not reach. It ends with this object, or with this process.

    What it writes to its standard error is read, and the end of it kept.
    """

    def __init__(self, words: Sequence[str]) -> None:
        # Where the system has it, a program is killed with this process, though that is killed, too.
        tool = shutil.which("setpriv") if shutil.which(words[0]) else None
        command = [*([tool, "--pdeathsig", "KILL", "--"] if tool else []), *words]
        try:
            process: Any = Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, bufsize=0, start_new_session=True)
        except (OSError, ValueError) as error:
            raise InputError(f"{words[0]}: cannot be started ({getattr(error, 'strerror', None) or error})") from None
        self._process, self._owner, self._said = process, os.getpid(), b""
        self.end = weakref.finalize(self, _end, process, self._owner)
        self._poll = select.poll()
        for pipe in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(pipe.fileno(), False)
        for pipe in (process.stdout, process.stderr):
            self._poll.register(pipe, select.POLLIN)

    @property
    def is_usable(self) -> bool:
        """Whether it was neither ended, nor started by a process of which this one is a fork."""
        return self.end.alive and self._owner == os.getpid()

    def ask(self, line: bytes, seconds: float, is_wanted: Callable[[], bool]) -> bytes | None:
        """Return the line that answers a line; None where the wait was given up, as no answer is wanted any more.

        Raises Died, or NoAnswer. Wherever there is no answer, the program is ended.
        """
        answer = None
        try:
            answer = self._answer(line, seconds, is_wanted)
        finally:
            if answer is None:
                _kill(self._process)
                self.end()
        return answer

    def _answer(self, line: bytes, seconds: float, is_wanted: Callable[[], bool]) -> bytes | None:
        read = self._process.stdout.read
        if early := read(CHUNK):
            raise NoAnswer(f"a line that nobody asked for, {shortened(repr(early))}")
        answer, unsent, begun = bytearray(), memoryview(line), monotonic()
        while len(answer) <= LONGEST_ANSWER:
            unsent = self._sent(unsent)
            self._wait(min(seconds, PATIENCE))
            chunk = read(CHUNK)
            if chunk == b"":
                raise Died(self._how_it_ended())
            answer += chunk or b""
            if chunk and b"\n" in chunk:
                if answer.index(b"\n") + 1 < len(answer):
                    raise NoAnswer(f"more than one line, {shortened(repr(bytes(answer[:CHUNK])))}")
                return bytes(answer)
            waited = monotonic() - begun
            if waited > seconds:
                raise NoAnswer(f"no answer within {seconds:g} s, the timeout{self._last_lines()}")
            if waited > PATIENCE and not is_wanted():
                return None
        raise NoAnswer(f"a line of more than {LONGEST_ANSWER >> 20} MiB")

    def _sent(self, unsent: memoryview) -> memoryview:
        """Write as much as the program takes; return the rest, of which it is told when more can be written."""
        if unsent:
            pipe = self._process.stdin
            try:
                unsent = unsent[pipe.write(unsent) or 0 :]
            except BrokenPipeError:
                raise Died(self._how_it_ended()) from None
            self._poll.register(pipe, select.POLLOUT if unsent else 0)
        return unsent

    def _wait(self, seconds: float) -> None:
        """Wait until there is something to read or to write, and keep what the program says beside its answers."""
        err = self._process.stderr
        for descriptor, _ in self._poll.poll(1000 * seconds):
            if descriptor == err.fileno() and self._keep() == b"":
                self._poll.unregister(err)

    def _keep(self) -> Any:
        said = self._process.stderr.read(CHUNK)
        self._said = (self._said + (said or b""))[-KEPT:]
        return said

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(GRACE)
            how = f"ended with signal {-code}" if code < 0 else f"ended with exit status {code}"
        except TimeoutExpired:
            how = "closed its standard input or output"
        return how + self._last_lines()

    def _last_lines(self) -> str:
        self._keep()
        lines = self._said.decode(errors="replace").strip().splitlines()[-LAST_LINES:]
        return f"; it said {' / '.join(map(str.strip, lines))!r}" if lines else ""


def _end(process: Popen[bytes], owner: int) -> None:
    """Let a program end by itself, as nobody asks it any more, or else kill it with all that it has started."""
    if os.getpid() != owner:
        return
    for pipe in (process.stdin, process.stdout, process.stderr):
        with suppress(OSError):
            pipe.close()  # type: ignore[union-attr]
    try:
        process.wait(GRACE)
    except TimeoutExpired:
        _kill(process)
        process.wait()


def _kill(process: Popen[bytes]) -> None:
    """Kill a program, unless it has ended, with all that it has started in its session."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
