"""The pages of docs/ are run: their commands, their Python, and what they say comes out.

Blocks of a page are run in order, in one folder that has ``examples``, ``experiments`` and ``docs``. Python blocks
share their names. Lines of the other blocks that begin with ``nrpa`` are commands. A block of text is what the one
before it prints. ``<!-- name.py -->`` stands before an example, ``<!-- not run: why -->`` before what cannot be run.
Notebooks are run where the site is built.
"""

import contextlib
import io
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from nrpa.cli import main

ROOT = Path(__file__).parent.parent
PAGES = ("five-minutes", "simulator", "explain", "ask-and-tell")
BLOCK = re.compile(
    r"(?:<!-- (?P<mark>[^\n]*) -->\n)?^```(?P<kind>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


class Block(NamedTuple):
    """A block of a page: the comment before it, its language, its text."""

    mark: str
    kind: str
    text: str


def blocks_of(page):
    """Return the blocks that are fenced."""
    text = page.read_text(encoding="utf-8")
    return [Block(found["mark"] or "", found["kind"], found["text"]) for found in BLOCK.finditer(text)]


def python(text, names):
    """Return what a block of Python prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, "page", "exec"), names)
    return out.getvalue()


def commands(text):
    """Return what the commands of a block print."""
    printed = ""
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("nrpa "):
            found = CliRunner().invoke(main.commands, shlex.split(line, comments=True)[1:])
            assert found.exit_code == 0, f"{line}: {found.output} {found.exception!r}"
            printed += found.stdout
    return printed


def without_times(text):
    """Return a text without the lines that tell how long a search took."""
    return [line.rstrip() for line in text.splitlines() if not re.match(r"(search|setup) |\s*$", line)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("examples", "experiments", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_says_happens(name):
    """Every command and every example of it, with what it prints."""
    names, printed, ran = {"__name__": "page"}, None, 0
    for block in blocks_of(ROOT / "docs" / f"{name}.md"):
        if block.mark.startswith("not run:") or block.mark.endswith(".py"):
            printed = None
        elif block.kind == "text":
            assert printed is not None, block.text
            assert without_times(printed) == without_times(block.text)
        else:
            printed = python(block.text, names) if block.kind == "python" else commands(block.text)
            ran += 1
    assert ran > 0


@pytest.mark.parametrize("name", PAGES)
def test_a_page_leads_to_files_that_are_there(name):
    """Pages, examples and scripts that it names."""
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text) if "://" not in link]
    scripts = re.findall(r"\b(?:experiments|examples)/[\w./-]+\.(?:py|toml|txt|csv)", text)
    assert links
    for path in [*(ROOT / "docs" / link for link in links), *(ROOT / script for script in scripts)]:
        assert path.resolve().exists(), path
