"""The server of ``nrpa mcp``: its tools run the commands of nrpa, each call in a process of its own.

So nothing that a problem does or prints reaches the protocol, a call that is cancelled or takes too long is ended for
sure, and others are answered meanwhile.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, TypeAlias

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from nrpa import __version__
from nrpa.base.errors import InputError, UnknownNameError
from nrpa.base.options import words_of
from nrpa.cli.faults import ENVIRONMENT, fault_record
from nrpa.cli.solver_options import all_solver_options
from nrpa.registry import is_users, problems, solvers
from nrpa.search.workers import cores

# Reading, checking and machine code may take so long in all, beside the search.
SETUP_SECONDS = 180.0
PROGRESS_SECONDS = 1.0
# What a model is told of a record, in this order.
OF_RESULT = (
    *("figures", "valid", "faults", "status", "solution", "problem", "instance", "sha256", "solver", "chosen"),
    *("seed", "playouts", "seconds", "setup_seconds", "front"),
)
OF_DIAGNOSIS = ("sentences", "doubts", "leader", "rates", "problem", "instance")
OF_ENTRY = ("name", "summary", "package")
INSTRUCTIONS = (
    "Monte Carlo search for combinatorial problems. list says which problems, instances and solvers there are; solve "
    "searches; check verifies a solution by code that shares nothing with the search; diagnose looks at a problem that "
    "somebody has written."
)
NAMED = "the folder that `nrpa mcp --files` names"
Calling: TypeAlias = Context[Any, Any] | None
Record = Annotated[CallToolResult, dict[str, Any]]
Problem = Annotated[str, Field(description="A name of list, or FILE.py:NAME for a class below the folder of files")]
Instance = Annotated[str, Field(description="A bundled name of list, or a file below the folder of files")]
Seconds = Annotated[float, Field(description="How long to search; the server has a limit")]
Options = Annotated[dict[str, bool | int | float | str | None], Field(description="Options that list NAME describes")]


@dataclass
class Commands:
    """Runs commands in ``folder``, outside which nothing is read; ``is_named`` says whether it is the user's."""

    folder: Path
    is_named: bool
    max_seconds: float

    def __post_init__(self) -> None:
        self.folder, self._places = self.folder.resolve(), anyio.Semaphore(cores())

    def require_inside(self, name: str) -> None:
        """Raise InputError for the name of a file outside the folder, links resolved, or of an option."""
        ends = [at for at, sign in enumerate(name) if sign == ":"]
        try:
            paths = [(self.folder / name[:end]).resolve() for end in (*ends, None)]
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(f"{name}: no such file ({error})") from None
        if name.startswith("-") or not all(path.is_relative_to(self.folder) for path in paths):
            raise InputError(f"expected a bundled name, or a file below {NAMED}, found {name!r}")

    def words(self, problem: str, instance: str) -> list[str]:
        """Return problem and instance as words of a command, if they may be used."""
        for name in (problem, instance):
            self.require_inside(name)
        if problem in problems.entries() and problem not in problems.bundled:
            raise InputError(f"{problem} is not bundled, and may run what it likes; expected a bundled name of list")
        if is_users(problem) and not self.is_named:
            raise InputError(f"expected a bundled name, as no folder was named ({NAMED}), found {problem!r}")
        return [problem, *([instance] if instance else [])]

    async def option_words(self, problem: str, given: dict[str, Any]) -> list[str]:
        """Return options as words of a command. Raises UnknownNameError for one that nobody has."""
        known = {option.name for option in all_solver_options()} | {"compile"}
        if not given.keys() <= known:
            known |= (await self.record(["list", problem])).get("options", {}).keys()
        for name in given:
            if name not in known:
                raise UnknownNameError(f"neither {problem} nor a solver has an option {name!r}; `nrpa list` shows them")
        # In one word, so that no value is taken for another option.
        return ["=".join(words_of({name: value})) for name, value in given.items()]

    async def answer(
        self,
        command: str,
        problem: str,
        instance: str = "",
        more: Iterable[str] = (),
        *,
        given: dict[str, Any] | None = None,
        stdin: str = "",
        context: Calling = None,
        keys: Iterable[str] = (),
    ) -> CallToolResult:
        """Run a command; return the values of ``keys`` in its record, or all of it, or the error."""
        try:
            words = [command, *self.words(problem, instance), *await self.option_words(problem, given or {}), *more]
        except InputError as error:
            return _answer(fault_record(error, str(error)))
        record = await self.record(words, stdin, context)
        if keys and "error" not in record:
            record = {key: record[key] for key in keys if key in record}
        return _answer(record)

    async def record(self, words: list[str], stdin: str = "", context: Calling = None) -> dict[str, Any]:
        """Run a command; return the JSON that it wrote on standard output, or on standard error of an error."""
        command = [sys.executable, "-P", "-m", "nrpa", *words, "--json", "-"]
        environment, most = {**os.environ, ENVIRONMENT: "json"}, self.max_seconds + SETUP_SECONDS
        async with self._places:
            with anyio.move_on_after(most):
                async with anyio.create_task_group() as group:
                    group.start_soon(_tell, context)
                    done = await anyio.run_process(
                        command, input=stdin.encode(), check=False, cwd=self.folder, env=environment
                    )
                    group.cancel_scope.cancel()
                return _record_of(done.stdout, done.stderr, done.returncode)
        return fault_record(TimeoutError(), f"{words[0]} was ended after {most:g} s; try a smaller instance")


def _record_of(out: bytes, err: bytes, status: int) -> dict[str, Any]:
    lines = err.decode(errors="replace").strip().split("\n")
    for text in (out, lines[-1]):
        try:
            found = json.loads(text)
        except ValueError:
            continue
        if isinstance(found, dict):
            return found
    message = f"the process ended with status {status}: {lines[-1]}"
    return fault_record(RuntimeError(message), message)


async def _tell(context: Calling) -> None:
    """Tell the client now and then how many seconds have gone."""
    seconds = 0.0
    while context is not None:
        await context.report_progress(seconds)
        await anyio.sleep(PROGRESS_SECONDS)
        seconds += PROGRESS_SECONDS


def _answer(record: dict[str, Any]) -> CallToolResult:
    text = TextContent(type="text", text=json.dumps(record))
    return CallToolResult(content=[text], structured_content=record, is_error="error" in record)


def made_server(commands: Commands) -> MCPServer[Any]:
    """Return the server with its tools."""
    server: MCPServer[Any] = MCPServer("nrpa", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")

    def limited(seconds: float) -> str:
        return f"--time={min(seconds, commands.max_seconds)}"

    async def list_all(name: Annotated[str, Field(description="A problem or a solver; empty for all")] = "") -> Record:
        """List problems and solvers; of one of them its options, and of a problem its instances and forms of files."""
        if name and name not in solvers.entries():
            return await commands.answer("list", name)
        found = await commands.record(["list"])
        if name:
            return _answer(next(each for each in found["solvers"] if each["name"] == name))
        told = {
            kind: [{key: each[key] for key in OF_ENTRY} for each in found[kind]] for kind in ("problems", "solvers")
        }
        return _answer(told)

    async def solve(
        context: Context[Any, Any],
        problem: Problem,
        instance: Instance = "",
        seconds: Seconds = 10.0,
        playouts: Annotated[int | None, Field(description="Stop after so many, if that is earlier")] = None,
        seed: Annotated[int, Field(description="Same seed and playouts, same result")] = 1,
        solver: Annotated[str, Field(description="A name of list; empty for the default")] = "",
        options: Options = {},  # noqa: B006
    ) -> Record:
        """Search for a good solution; return its figures, whether it is valid, and the solution."""
        more = [limited(seconds), f"--seed={seed}", "-q"]
        more += [f"--solver={solver}"] * bool(solver) + [f"--playouts={playouts}"] * (playouts is not None)
        return await commands.answer("solve", problem, instance, more, given=options, context=context, keys=OF_RESULT)

    async def check(
        problem: Problem,
        solution: Annotated[Any, Field(description="The solution, as solve returns it")],
        instance: Instance = "",
        options: Options = {},  # noqa: B006
    ) -> Record:
        """Check a solution by code that shares nothing with the search; return figures and faults."""
        stdin = json.dumps({"solution": solution})
        return await commands.answer("check", problem, instance, ["-"], given=options, stdin=stdin)

    async def diagnose(
        context: Context[Any, Any], problem: Problem, instance: Instance = "", seconds: Seconds = 10.0
    ) -> Record:
        """Check a problem that somebody has written, search it by several solvers, and say what to do next."""
        return await commands.answer(
            "diagnose", problem, instance, [limited(seconds)], context=context, keys=OF_DIAGNOSIS
        )

    annotations = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    for name, function in {"list": list_all, "solve": solve, "check": check, "diagnose": diagnose}.items():
        server.add_tool(function, name, annotations=annotations)
    return server


def serve_tools(folder: str | None, max_seconds: float) -> None:
    """Serve until the client closes standard input."""
    with TemporaryDirectory(prefix="nrpa-") as empty:
        made_server(Commands(Path(folder or empty), folder is not None, max_seconds)).run("stdio")
