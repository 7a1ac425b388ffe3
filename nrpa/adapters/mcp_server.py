"""The server of ``nrpa mcp``: its tools run the commands of nrpa, each call in a process of its own.

So nothing that a problem does or prints reaches the protocol, a call that is cancelled or takes too long is ended for
sure, and others are answered meanwhile.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, TypeAlias

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError

from nrpa import __version__
from nrpa.base.errors import InputError, UnknownNameError
from nrpa.base.options import words_of
from nrpa.base.values import require_known, shortened
from nrpa.cli.faults import ENVIRONMENT, PARENT, fault_record
from nrpa.cli.solver_options import all_solver_options
from nrpa.registry import Registered, is_users, problems, solvers
from nrpa.search.workers import cores

# Reading, checking and machine code may take so long in all, beside the search.
SETUP_SECONDS = 180.0
MOST_FAULTS = 20
INSTANCE_TEXT = "instance_text"
# What a model is told of a record, in this order; of others, all.
TOLD = {
    "solve": (
        *("figures", "valid", "faults", "status", "solution", "problem", "instance", "sha256", "solver", "chosen"),
        *("seed", "playouts", "seconds", "setup_seconds", "front"),
    ),
    "diagnose": ("sentences", "doubts", "leader", "rates", "problem", "instance"),
    "ask": ("games", "value", "best", "open", "told", "seed"),
}
OF_ENTRY = ("name", "summary", "package")
INSTRUCTIONS = (
    "Monte Carlo search for combinatorial problems. list says which problems, instances and solvers there are; solve "
    "searches; check verifies a solution by code that shares nothing with the search; diagnose looks at a problem that "
    "somebody has written; ask and tell search for what you score yourself."
)
Record = Annotated[CallToolResult, dict[str, Any]]
Problem = Annotated[str, Field(description="A name of list, or FILE.py:NAME for a class below the folder of files")]
Instance = Annotated[str, Field(description="A bundled name of list, or a file below the folder of files")]
Text = Annotated[str, Field(description="The instance itself, in a form of list NAME, in place of its name")]
Seconds = Annotated[float, Field(description="How long to search; the server has a limit")]
Given: TypeAlias = dict[str, bool | int | float | str | None]
Options = Annotated[Given, Field(description="Options that list NAME describes")]


@dataclass
class Commands:
    """Runs commands in ``folder``, outside which nothing is read."""

    folder: Path
    max_seconds: float
    kept: Path  # where runs of ask and tell are

    def __post_init__(self) -> None:
        self.folder, self._places = self.folder.resolve(), anyio.Semaphore(cores())
        self.runs: dict[str, tuple[anyio.Lock, list[str], dict[str, Any]]] = {}

    def require_inside(self, name: str) -> None:
        """Raise InputError for the name of a file outside the folder, links resolved, or of an option.

        What stands before a colon may be a file, too.
        """
        try:
            paths = [(self.folder / path).resolve() for path in accumulate(name.split(":"), "{}:{}".format)]
            is_inside = all(path.is_relative_to(self.folder) for path in paths)
        except (OSError, ValueError, RuntimeError):
            is_inside = False
        if name.startswith("-") or not is_inside:
            what = "expected a bundled name, or a file below the folder that `nrpa mcp --files` names"
            raise InputError(f"{what}, found {name!r}")

    def require_allowed(self, name: str, table: Registered) -> None:
        """Raise InputError unless a problem or a solver comes with nrpa, or is in a file of the folder.

        Others may run what they like: the problem program does, and so may those of other packages.
        """
        self.require_inside(name)
        if not is_users(name) and name not in table.bundled:
            raise UnknownNameError(f"{name!r} is not bundled with nrpa; list shows the names")

    async def option_words(self, problem: str, given: Given) -> list[str]:
        """Return options as words of a command. Raises UnknownNameError for one that nobody has."""
        known = {option.name for option in all_solver_options()} | {"compile"}
        if not given.keys() <= known:
            known |= (await self.record(["list", problem])).get("options", {}).keys()
        require_known(f"neither a solver nor {problem}", given, known)
        # In one word, so that no value is taken for another option.
        return ["=".join(words_of({name: value})) for name, value in given.items()]

    async def answer(
        self,
        command: str,
        problem: str,
        instance: str,
        *more: str,
        solver: str = "",
        given: Given,
        stdin: str = "",
        note: str = "",
        text: str = "",
    ) -> CallToolResult:
        """Run a command; return what a model is told of its record, or the error.

        An instance may be given as ``text``, which is written to a file that is there for this command only.
        """
        with TemporaryDirectory(prefix="nrpa-") as folder:
            path = os.path.join(folder, INSTANCE_TEXT)
            try:
                self.require_allowed(problem, problems)
                self.require_inside(instance)
                if text and instance:
                    raise InputError(f"instance and {INSTANCE_TEXT} are both given; expected one of them")
                if text:
                    Path(path).write_text(text, encoding="utf-8")
                words = [command, problem, *filter(None, [path if text else instance]), *more]
                if solver:
                    self.require_allowed(solver, solvers)
                    words.append(f"--solver={solver}")
                words += await self.option_words(problem, given)
            except InputError as error:
                return _answer(fault_record(error, str(error)))
            record = await self.record(words, stdin)
        record = json.loads(json.dumps(record).replace(path, INSTANCE_TEXT))
        if "error" not in record:
            record = {key: record[key] for key in TOLD.get(command, record) if key in record}
            faults = record.get("faults") or []
            if len(faults) > MOST_FAULTS:
                record["faults"] = [*faults[:MOST_FAULTS], f"and {len(faults) - MOST_FAULTS:,} more"]
        return _answer(record | ({"note": note} if note else {}))

    async def told(self, run: str, values: dict[str, Any], games: int) -> CallToolResult:
        """Tell a run values, and ask it for games; one call after the other."""
        if run not in self.runs:
            wrong = InputError(f"there is no run {shortened(repr(run))}; ask begins one")
            return _answer(fault_record(wrong, str(wrong)))
        in_turn, words, about = self.runs[run]
        async with in_turn:
            more = (f"--saved={self.kept / run}", f"--games={games}", "--tell=-")
            found = await self.answer("ask", *words, *more, stdin=json.dumps(values), **about)
        return _answer({"run": run, **found.structured_content})

    async def record(self, words: list[str], stdin: str = "") -> dict[str, Any]:
        """Run a command; return the JSON that it wrote on standard output, or on standard error of an error."""
        command = [sys.executable, "-P", "-m", "nrpa", *words, "--json", "-"]
        environment = {**os.environ, ENVIRONMENT: "json", PARENT: str(os.getpid())}
        most = self.max_seconds + SETUP_SECONDS
        async with self._places:
            with anyio.move_on_after(most):
                done = await anyio.run_process(
                    command, input=stdin.encode(), check=False, cwd=self.folder, env=environment
                )
                return _record_of(done.stdout, done.stderr, done.returncode)
        return fault_record(TimeoutError(), f"{words[0]} was ended after {most:g} s; try a smaller instance")


def _record_of(out: bytes, err: bytes, status: int) -> dict[str, Any]:
    lines = err.decode(errors="replace").splitlines()
    for text in (out.decode(), *reversed(lines)):
        if text.startswith("{"):
            with suppress(ValueError):
                return dict(json.loads(text))
    return fault_record(RuntimeError(), f"the process ended with status {status}: {''.join(lines[-1:])}")


def _answer(record: dict[str, Any]) -> CallToolResult:
    text = TextContent(type="text", text=json.dumps(record))
    return CallToolResult(content=[text], structured_content=record, is_error="error" in record)


class Server(MCPServer[Any]):  # type: ignore[misc]
    """A server that refuses arguments which a tool does not have, or of another type, with a code as all errors."""

    async def call_tool(self, name: str, arguments: dict[str, Any], *more: Any, **others: Any) -> Any:
        tool = next((each for each in await self.list_tools() if each.name == name), None)
        known = [*tool.input_schema.get("properties", {})] if tool else [*arguments]
        try:
            require_known(name, arguments, known)
        except UnknownNameError as error:
            return _answer(fault_record(error, str(error)))
        try:
            return await super().call_tool(name, arguments, *more, **others)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            first = error.__cause__.errors()[0]
            what = f"{name}: {'.'.join(map(str, first['loc']))}: {first['msg']}"
            wrong = InputError(f"{what}; found {shortened(repr(first['input']))}")
            return _answer(fault_record(wrong, str(wrong)))


def made_server(commands: Commands) -> MCPServer[Any]:
    """Return the server with its tools."""
    server = Server("nrpa", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")

    def limited(seconds: float) -> str:
        return f"--time={min(seconds, commands.max_seconds)}"

    def said(seconds: float) -> str:
        """Return that a limit holds, where it does."""
        most = commands.max_seconds
        return f"this server searches for {most:g} s at most, not for {seconds:g}" if seconds > most else ""

    async def list_all(name: Annotated[str, Field(description="A problem or a solver; empty for all")] = "") -> Record:
        """List problems and solvers; of one of them its options, and of a problem its instances and forms of files."""
        if name and name not in solvers.bundled:
            return await commands.answer("list", name, "", given={})
        found = await commands.record(["list"])
        if name:
            return _answer(next(each for each in found["solvers"] if each["name"] == name))
        return _answer({kind: [{key: each[key] for key in OF_ENTRY} for each in found[kind]] for kind in found})

    async def solve(
        problem: Problem,
        instance: Instance = "",
        seconds: Seconds = 10.0,
        playouts: Annotated[int | None, Field(description="Stop after so many, if that is earlier")] = None,
        seed: Annotated[int, Field(description="Same seed and playouts, same result")] = 1,
        solver: Annotated[str, Field(description="A name of list, or FILE.py:NAME; empty for the default")] = "",
        options: Options = {},  # noqa: B006
        instance_text: Text = "",
    ) -> Record:
        """Search for a good solution; return its figures, whether it is valid, and the solution."""
        more = [limited(seconds), f"--seed={seed}", "-q"]
        if playouts is not None:
            more.append(f"--playouts={playouts}")
        note = said(seconds)
        about: dict[str, Any] = {"solver": solver, "given": options, "note": note, "text": instance_text}
        return await commands.answer("solve", problem, instance, *more, **about)

    async def check(
        problem: Problem,
        solution: Annotated[Any, Field(description="The solution, as solve returns it")],
        instance: Instance = "",
        options: Options = {},  # noqa: B006
        instance_text: Text = "",
    ) -> Record:
        """Check a solution by code that shares nothing with the search; return figures and faults."""
        stdin = json.dumps({"solution": solution})
        return await commands.answer("check", problem, instance, "-", given=options, stdin=stdin, text=instance_text)

    async def diagnose(
        problem: Problem, instance: Instance = "", seconds: Seconds = 10.0, instance_text: Text = ""
    ) -> Record:
        """Check a problem that somebody has written, search it by several solvers, and say what to do next."""
        about: dict[str, Any] = {"given": {}, "note": said(seconds), "text": instance_text}
        return await commands.answer("diagnose", problem, instance, limited(seconds), **about)

    async def ask(
        problem: Problem,
        instance: Instance = "",
        games: Annotated[int, Field(description="How many to score")] = 1,
        seed: Annotated[int, Field(description="Same seed, questions and values, same games")] = 1,
        solver: Annotated[str, Field(description="gnrpa, nrpa, tempering or uct")] = "gnrpa",
        options: Options = {},  # noqa: B006
        instance_text: Text = "",
    ) -> Record:
        """Begin a search whose games you score yourself; return the name of the run, and games, for tell."""
        run = f"run-{len(commands.runs) + 1}"
        about = {"solver": solver, "given": options, "text": instance_text}
        commands.runs[run] = anyio.Lock(), [problem, instance, f"--seed={seed}"], about
        return await commands.told(run, {}, games)

    async def tell(
        run: Annotated[str, Field(description="As ask names it")],
        values: Annotated[dict[str, Any], Field(description="Objective values by the numbers of games; null: none")],
        games: Annotated[int, Field(description="How many more to score")] = 1,
    ) -> Record:
        """Tell values of games, in any order, some never; return the best so far, and more games."""
        return await commands.told(run, values, games)

    annotations = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    tools = {"list": list_all, "solve": solve, "check": check, "diagnose": diagnose, "ask": ask, "tell": tell}
    for name, function in tools.items():
        server.add_tool(function, name, annotations=annotations)
    return server


def serve_tools(folder: str | None, max_seconds: float) -> None:
    """Serve until the client closes standard input, or SIGINT or SIGTERM comes.

    A thread waits for input that nothing but its end can interrupt, so a signal ends the process at once.
    """
    with TemporaryDirectory(prefix="nrpa-") as own:
        empty, kept = (os.path.join(own, name) for name in ("empty", "runs"))
        os.mkdir(empty)
        os.mkdir(kept)

        def end(number: int, frame: Any) -> None:
            shutil.rmtree(own, ignore_errors=True)
            os._exit(128 + number)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end)
        made_server(Commands(Path(folder or empty), max_seconds, Path(kept))).run("stdio")
