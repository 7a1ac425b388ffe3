import subprocess
import sys

from nrpa.registry import problems


def test_problem_classes_need_no_machine_code():
    """All can be imported, and their options listed, without numba, scipy and matplotlib."""
    code = (
        "import sys\n"
        "from importlib import import_module\n"
        f"for module in {[entry.where.partition(':')[0] for entry in problems.bundled.values()]!r}:\n"
        "    import_module(module)\n"
        "from nrpa import CompiledProblem, Objective, Option, Origin, Problem, Verdict, TSPTW\n"
        "assert TSPTW.cli_options[0].name == 'minimize'\n"
        "print([name for name in ('numba', 'llvmlite', 'scipy', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
