"""Searches in the processes and threads of other libraries (docs/in-programs.md)."""

import multiprocessing
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from walk import walked

PAGE = Path(__file__).parent.parent.parent / "docs" / "in-programs.md"
SERVER = """
import pathlib
import socket

import uvicorn
from recipe import nrpa, searched
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


def cost(order):
    pathlib.Path("begun").touch()
    return order[0] + 1


async def tour(request):
    result = await searched(request, nrpa.permutation(8, cost), 300)
    pathlib.Path("ended").write_text(result.status)
    return JSONResponse(result.to_dict())


if __name__ == "__main__":
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        print(listener.getsockname()[1], flush=True)
        app = Starlette(routes=[Route("/", tour)])
        config = uvicorn.Config(app, timeout_graceful_shutdown=1, log_level="critical")
        uvicorn.Server(config).run(sockets=[listener])
"""


def test_a_worker_of_joblib_can_start_workers():
    """Its start method, "loky", is not known to processes of Python's own."""
    joblib = pytest.importorskip("joblib")
    assert joblib.Parallel(n_jobs=2)([joblib.delayed(walked)(2)]) == [walked(2)]


def test_a_daemon_searches_alone():
    """As one with a single worker does; for several it says in a sentence that it cannot."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(walked, [1]) == [walked(1)]
        assert "a daemon process cannot start worker processes" in pool.map(walked, [2])[0]


def test_a_thread_finds_the_same():
    """With one worker and with several."""
    scores = {}
    threads = [threading.Thread(target=lambda n=n: scores.update({n: walked(n)})) for n in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scores == {1: walked(1), 2: walked(2)}


@pytest.fixture
def asked(tmp_path):
    """Start a server by the recipe of the page; return its process, and a client that waits for a search of minutes."""
    for name in ("anyio", "starlette", "uvicorn"):
        pytest.importorskip(name)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), flags=re.M | re.S)
    (tmp_path / "recipe.py").write_text("\n".join(blocks[:2]))
    (tmp_path / "server.py").write_text(SERVER)
    with subprocess.Popen([sys.executable, "server.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        try:
            with socket.create_connection(("127.0.0.1", int(server.stdout.readline())), timeout=60) as client:
                client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                wait_for(tmp_path / "begun")
                yield server, client
        finally:
            server.kill()


def wait_for(path):
    """Wait until a file is there with what belongs in it."""
    for _ in range(1200):
        if path.exists() and (path.name == "begun" or path.read_text()):
            return
        time.sleep(0.05)
    pytest.fail(f"no {path.name} after a minute")


def test_a_search_ends_with_its_client(asked, tmp_path):
    """A client that leaves ends the search, by the recipe of the page."""
    _, client = asked
    client.close()
    wait_for(tmp_path / "ended")
    assert (tmp_path / "ended").read_text() == "callback"


def test_ctrl_c_ends_a_server_that_searches(asked):
    """Though a client waits for the answer."""
    server, _ = asked
    server.send_signal(signal.SIGINT)
    # Python says 1 where another thread evaluates a text before the end: findings/python_status_after_ctrl_c.sh.
    assert server.wait(timeout=60) in (0, -signal.SIGINT, 130, 1)
