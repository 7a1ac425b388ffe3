"""SIGTERM or SIGINT while the search of a command starts its workers: none hangs."""

import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tries import SEED, tries
from user_problems import EXAMPLES

KNAPSACK = [f"{EXAMPLES / 'knapsack.py'}:Knapsack", str(EXAMPLES / "knapsack.txt")]
COMMAND = [sys.executable, "-m", "nrpa", "solve", *KNAPSACK, "--workers", "2", "-q", "--time", "600"]


def begun():
    """Return a command that has ended or started a process: what still imports modules cannot mind signals."""
    process = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        with suppress(OSError):
            if any((each / "children").read_text() for each in Path(f"/proc/{process.pid}/task").iterdir()):
                break
        time.sleep(0.01)
    return process


def wrong(process, number):
    """Send a signal; return what is wrong with how the command ends."""
    process.send_signal(number)
    try:
        _, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        return "hangs"
    fine = process.returncode in (0, 130) and not ("Traceback" in err or "leaked" in err)
    return "" if fine else f"status {process.returncode}, {err}"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_no_command_hangs(number):
    """Each ends with status 0 or 130 and no traceback."""
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("whoever started the tests ignores it, and what they start inherits that")
    chance = random.Random(f"{SEED} {number}")
    for _ in tries(1):
        process = begun()
        time.sleep(chance.uniform(0, 4))
        assert wrong(process, number) == ""
