"""Stop a command with SIGTERM or SIGINT while its search starts its workers: none hangs.

    python experiments/attacks/kills.py --seed 1 --count 20

Each ends within a minute, with status 0 or 130 and no traceback. Exit status 1 if a try failed.
"""

import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import attack

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
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


def main():
    """Try so many times."""
    given, outcomes = attack.parser(__doc__, 20).parse_args(), attack.Outcomes("fine")
    chance = random.Random(given.seed)
    for _ in range(given.count):
        process, number = begun(), chance.choice([signal.SIGTERM, signal.SIGINT])
        time.sleep(chance.uniform(0, 4))
        found = wrong(process, number)
        outcomes.note("failed" if found else "fine", f"{number.name}: {found}")
    outcomes.end(given.seed)


if __name__ == "__main__":
    main()
