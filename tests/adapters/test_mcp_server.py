"""``nrpa mcp``, by a real client of the SDK."""

import json
import os
import signal
import subprocess
import sys

import anyio
import pytest
from mcp import Client, StdioServerParameters

import nrpa
from nrpa.adapters import mcp_server
from nrpa.adapters.mcp_server import Commands

PROBLEMS = """
import os, time
import nrpa

print("imported")

class Bits(nrpa.Problem):
    def initial_state(self):
        print("begins")
        return ()

    def legal_moves(self, state):
        return (0, 1) if len(state) < 5 else ()

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(state)

class Endless(Bits):
    def initial_state(self):
        open("pid", "w").write(str(os.getpid()))
        while True:
            time.sleep(0.01)
        return ()
"""


@pytest.fixture
def folder(tmp_path):
    """Return a folder with problems and a link that leads out of it; beside it is a file."""
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "problems.py").write_text(PROBLEMS)
    (tmp_path / "outside").write_text("3\n")
    (inside / "link").symlink_to(tmp_path / "outside")
    return inside


def with_client(steps, *words):
    """Run some steps with a client of a server that has been started so."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "nrpa", "mcp", *words], env={**os.environ})

    async def run():
        async with Client(command) as client:

            async def call(tool, **given):
                found = await client.call_tool(tool, given)
                assert json.loads(found.content[0].text) == found.structured_content
                return found.is_error, found.structured_content

            await steps(client, call)

    anyio.run(run)


def test_a_session_with_bundled_problems():
    """The tools are listed; rc204.1 is solved and checked, the limit of seconds holds, and errors are errors."""

    async def steps(client, call):
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["list", "solve", "check", "diagnose", "ask", "tell"]
        assert all(tool.annotations.read_only_hint and tool.output_schema for tool in tools)
        assert "tsptw" in [each["name"] for each in (await call("list"))[1]["problems"]]
        assert (await call("list", name="gnrpa"))[1]["options"]["tau"]["type"] == "number"
        rc204 = {"problem": "tsptw", "instance": "rc204.1"}
        is_error, found = await call("solve", **rc204, playouts=50, options={"bias_scale": 2.0})
        assert (is_error, next(iter(found)), found["status"]) == (False, "figures", "playouts")
        is_error, checked = await call("check", **rc204, solution=found["solution"])
        assert (is_error, checked["valid"]) == (False, found["valid"])
        assert checked["figures"] == pytest.approx(found["figures"])
        assert not (await call("check", **rc204, solution=[1, 2]))[1]["valid"]
        found = (await call("solve", **rc204, seconds=1e6))[1]
        assert found["status"] == "time"
        assert found["note"] == "this server searches for 1 s at most, not for 1e+06"
        is_error, found = await call("solve", **rc204, second=3)
        assert (is_error, found["error"]["message"]) == (
            True,
            "solve has no option 'second'; did you mean seconds or seed?",
        )
        for given, said in (
            ({"seconds": "long"}, "solve: seconds: Input should be a valid number"),
            ({"options": [1]}, "solve: options: Input should be a valid dictionary"),
            ({"seed": None}, "solve: seed: Input should be a valid integer"),
        ):
            is_error, found = await call("solve", **rc204, **given)
            assert (is_error, found["error"]["code"]) == (True, "bad-input")
            assert said in found["error"]["message"]
        faults = (await call("check", **rc204, solution=[99] * 1000))[1]["faults"]
        assert (len(faults), faults[-1]) == (21, "and 1,026 more")
        for given, code in (
            ({"problem": "tsptw", "instance": "/etc/hostname"}, "bad-input"),
            ({"problem": "tsptx", "instance": "rc204.1"}, "unknown-name"),
            ({"problem": "problems.py:Bits"}, "bad-input"),
            ({**rc204, "options": {"json": "x"}}, "unknown-name"),
            ({**rc204, "solver": "gnrp"}, "unknown-name"),
        ):
            is_error, found = await call("solve", **given)
            assert (is_error, found["error"]["code"]) == (True, code)

    with_client(steps, "--max-seconds", "1")


def test_an_instance_as_text():
    """It is solved and checked without a file of the client's; what is wrong with it names the line."""
    windows = {"problem": "tsptw", "instance_text": "3\n0 5 9\n5 0 4\n9 4 0\n0 99\n0 99\n0 99\n"}

    async def steps(client, call):
        is_error, found = await call("solve", **windows, playouts=20)
        assert (is_error, found["figures"]["cost"], found["instance"]) == (False, 18.0, "instance_text")
        assert (await call("check", **windows, solution=found["solution"]))[1]["valid"]
        _, found = await call("solve", problem="tsptw", instance_text="3\n0 5\n", playouts=20)
        assert (found["error"]["code"], found["error"]["message"][:14]) == ("bad-input", "instance_text:")
        _, found = await call("solve", **windows, instance="rc204.1")
        assert "instance and instance_text are both given" in found["error"]["message"]

    with_client(steps)


def test_games_that_are_asked_and_told():
    """As by ``nrpa.ask_tell``, though the class of each step is another process."""
    run = nrpa.ask_tell(nrpa.TSPTW.load("rc201.1"), nrpa.UCT(c=0.2), seed=4)

    async def steps(client, call):
        given = {"problem": "tsptw", "instance": "rc201.1", "solver": "uct", "options": {"c": 0.2}, "seed": 4}
        is_error, found = await call("ask", **given, games=2)
        assert (is_error, found["run"]) == (False, "run-1")
        assert [game["moves"] for game in found["games"]] == [game.moves for game in run.ask(2)]
        run.tell({2: 700.0})
        found = (await call("tell", run="run-1", values={"2": 700.0}))[1]
        assert ([game["moves"] for game in found["games"]], found["value"]) == ([run.ask()[0].moves], 700.0)
        is_error, found = await call("tell", run="run-1", values={"2": 700.0})
        assert (is_error, found["error"]["message"][:18]) == (True, "game 2 is not open")
        assert "there is no run 'run-7'" in (await call("tell", run="run-7", values={}))[1]["error"]["message"]

    with_client(steps)


def test_a_session_with_files(folder):
    """A class is run that prints; what takes too long is cancelled, its process ends, others are answered meanwhile."""

    async def steps(client, call):
        assert (await call("solve", problem="problems.py:Bits", playouts=40))[1]["figures"] == {"score": 5.0}
        assert (await call("diagnose", problem="problems.py:Bits", seconds=0.5))[1]["sentences"]
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as group:
                group.start_soon(lambda: call("solve", problem="problems.py:Endless"))
                while not (folder / "pid").exists() or not (pid := (folder / "pid").read_text()):
                    await anyio.sleep(0.05)
                assert (await call("list", name="tsptw"))[1]["players"] == 1
                scope.cancel()
        await ended(int(pid))

    with_client(steps, "--files", str(folder))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_signal_ends_the_server_and_its_calls(folder, number):
    """At once, though a call hangs and the input is open."""
    words = [sys.executable, "-m", "nrpa", "mcp", "--files", str(folder)]
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    call = {"name": "solve", "arguments": {"problem": "problems.py:Endless"}}
    said = [
        {"id": 1, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    ]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as server:
        for each in said:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\n")
        server.stdin.flush()
        anyio.run(begun, folder)
        server.send_signal(number)
        assert server.wait(timeout=20) in (128 + number, -number)
    anyio.run(ended, int((folder / "pid").read_text()))


async def begun(folder):
    """Wait until the endless call has begun."""
    with anyio.fail_after(60):
        while not (folder / "pid").exists() or not (folder / "pid").read_text():
            await anyio.sleep(0.05)


async def ended(pid):
    """Wait until a process is gone."""
    with anyio.fail_after(60):
        while os.path.exists(f"/proc/{pid}"):
            await anyio.sleep(0.05)


def test_the_limit_holds_for_a_class_that_never_ends(folder, monkeypatch):
    """Its process is ended; the error says that it is the limit."""
    monkeypatch.setattr(mcp_server, "SETUP_SECONDS", 0.0)
    pid = folder / "pid"
    for seconds in (3.0, 20.0, 100.0):
        found = anyio.run(Commands(folder, seconds, folder).record, ["solve", "problems.py:Endless"])
        assert found["error"]["code"] == "limit"
        if pid.exists():
            break  # It had not begun otherwise.
    anyio.run(ended, int(pid.read_text()))


OUTSIDE = ["../outside", "/etc/hostname", "link", "link:x", "x/../../outside", "--json=x", "-"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_is_outside_the_folder_is_refused(folder, name):
    """By any name, as an instance or as a file of classes."""
    commands = Commands(folder, 1.0, folder)
    for each in (name, f"{name}:X.py"):
        with pytest.raises(ValueError, match="expected a bundled name, or a file below"):
            commands.require_inside(each)
    for each in ("problems.py:Bits", "rc204.1:x"):
        commands.require_inside(each)


def test_only_what_is_bundled_or_in_the_folder_is_run(folder):
    """No problem of programs, compiled or not, no solver from elsewhere: nothing is written by what they are asked."""
    evil = folder.parent / "evil.py"
    evil.write_text(f"open({str(folder / 'ran')!r}, 'w')")

    async def steps(client, call):
        for given in (
            {"problem": "program", "instance": "touch ran"},
            {"problem": "program:compiled", "instance": "touch ran"},
            {"problem": "tsptw", "instance": "rc204.1", "solver": f"{evil}:X"},
            {"problem": "tsptw", "instance": "rc204.1", "solver": "../evil.py:X"},
            {"problem": "../evil.py:X"},
            {"problem": "tsptw", "instance": "../outside"},
        ):
            is_error, found = await call("solve", **given, playouts=1)
            assert is_error
            expected = "is not bundled with nrpa" if "program" in given["problem"] else "expected a bundled name"
            assert expected in found["error"]["message"]

    with_client(steps, "--files", str(folder))
    assert not (folder / "ran").exists()


def test_a_process_that_ends_without_a_word():
    """Is an error of its own, with what it said last."""
    error = mcp_server._record_of(b"", b"Fatal Python error: Segmentation fault", -11)["error"]
    assert (error["code"], "status -11" in error["message"]) == ("internal", True)


def test_the_command(nrpa_command, monkeypatch):
    """A folder that is not there, a limit that is none, and the package that is not installed are a sentence each."""
    assert "no such folder" in nrpa_command("mcp", "--files", "none")[2]
    assert "--max-seconds must be a positive number" in nrpa_command("mcp", "--max-seconds", "0")[2]
    monkeypatch.setattr("nrpa.search.clusters.find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "mcp", raising=False)
    code, _, err = nrpa_command("mcp")
    assert (code, err.count("\n")) == (2, 1)
    assert "pip install '.[mcp]'" in err
