"""The examples and commands of pages are tests, each page in a folder of its own; and how processes share all tests."""

import re
import signal

import pytest
from page_commands import enter_folder, leave_folder, run_commands
from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser
from xdist.scheduler import LoadFileScheduling

RUN_BY_TEST_PAGES = [f"docs/{name}.md" for name in ("five-minutes", "simulator")]
RUN_BY_TEST_PYTHON_EXTRAS = ["docs/python-extras.md"]

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), CodeBlockParser("sh", run_commands), SkipParser()],
    patterns=["README.md", "nrpa/agent-skill.md", "experiments/*.md", "docs/*.md", "docs/problems/*.md"],
    excludes=RUN_BY_TEST_PAGES + RUN_BY_TEST_PYTHON_EXTRAS,
    setup=enter_folder,
    teardown=leave_folder,
).pytest()


# A script that runs the tests in the background lets them, and all that they start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What compiles all solvers for a problem, whose name its parameter is or begins with.
ALL_SOLVERS = (
    "tests/search/test_checkpoint.py::test_stopped_and_resumed_is_uninterrupted[",
    "tests/test_every_solver.py::",
    "tests/test_golden.py::",
)


class ByFileOrProblem(LoadFileScheduling):
    """Gives a process a file at a time, or a problem, so that its machine code is not compiled twice at once.

    CVRP has the machine code of VRPTW.
    """

    def _split_scope(self, nodeid):
        if nodeid.startswith(ALL_SOLVERS):
            return re.search(r"\[(\w+)", nodeid)[1].replace("cvrp", "vrptw")
        return super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config, log):
    """Let processes share the tests by file or problem."""
    return ByFileOrProblem(config, log)


def pytest_collection_modifyitems(items):
    """Mark what the pages show as slow, and begin with what takes longest."""
    items.sort(key=lambda item: not item.nodeid.startswith(ALL_SOLVERS))
    for item in items:
        if item.path.suffix == ".md":
            item.add_marker(pytest.mark.slow)
