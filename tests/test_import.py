import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["plots.tour", "bench.read_records", "problems.problem_class", "solvers.SOLVERS"])
def test_subpackages_need_no_import_of_their_own(name):
    """After ``import nrpa`` alone, in a fresh interpreter; nothing heavy is imported before."""
    code = f"import sys, nrpa; assert 'matplotlib' not in sys.modules and 'numba' not in sys.modules; nrpa.{name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
