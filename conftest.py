"""The examples and commands of README and docs are tests: run page by page, each in a folder of its own."""

import pytest
from page_commands import enter_folder, leave_folder, run_commands
from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

RUN_BY_TEST_PAGES = [f"docs/{name}.md" for name in ("five-minutes", "simulator", "when-not", "which-solver")]
RUN_BY_TEST_PYTHON_EXTRAS = ["docs/python-extras.md"]

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), CodeBlockParser("sh", run_commands), SkipParser()],
    patterns=["README.md", "experiments/*.md", "docs/*.md", "docs/problems/*.md"],
    excludes=RUN_BY_TEST_PAGES + RUN_BY_TEST_PYTHON_EXTRAS,
    setup=enter_folder,
    teardown=leave_folder,
).pytest()


def pytest_collection_modifyitems(items):
    """Mark what the pages show as slow."""
    for item in items:
        if item.path.suffix == ".md":
            item.add_marker(pytest.mark.slow)
