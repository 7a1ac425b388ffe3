"""Speed beside another program, experiments/yardstick_speed.py."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent.parent.parent / "experiments" / "yardstick_speed.py"


def test_bad_input_is_one_sentence(tmp_path):
    """Exit code 2, a line on standard error, and no table."""
    command = [sys.executable, str(SCRIPT), "--program", "nosuch=x"]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (found.returncode, found.stdout) == (2, "")
    assert "--program: expected one of tsptw, morpion" in found.stderr
    assert found.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
