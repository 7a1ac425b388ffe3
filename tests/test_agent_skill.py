"""The skill file for agents names commands, options and names that exist. Its blocks are run as those of pages are."""

import re
from importlib import resources

import click
import pytest

import nrpa
from nrpa.cli.main import commands

TEXT = (resources.files("nrpa") / "agent-skill.md").read_text(encoding="utf-8")
CALLS = sorted(set(re.findall(r"`nrpa ([a-z]+)", TEXT)) | set(re.findall(r"^nrpa ([a-z]+)", TEXT, re.MULTILINE)))
NAMES = sorted(set(re.findall(r"\bnrpa\.([A-Za-z_]+)", TEXT)))


@pytest.mark.parametrize("name", CALLS)
def test_a_command_that_it_names_exists(name):
    """One word behind ``nrpa``, as the command line knows it."""
    assert commands.get_command(click.Context(commands), name) is not None


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_it_gives_is_public(name):
    """It can be read from the package."""
    assert hasattr(nrpa, name)


def test_it_names_what_an_agent_has_to_choose_between():
    """Functions of each kind, a class, the server and the schemas; the page is no longer than that."""
    assert {"permutation", "assignment", "subset", "check_problem", "compiled"} <= {*NAMES}
    assert {"schema", "mcp", "new", "diagnose", "check", "solve"} <= {*CALLS}
    assert len(TEXT.split()) < 600
