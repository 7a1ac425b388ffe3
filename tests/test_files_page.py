"""The page of files: every example is read, and every form that a problem lists has one."""

import re
from pathlib import Path

import pytest
from test_pages import BLOCK

import nrpa
from nrpa.registry import problem_class, problems

PAGE = (Path(__file__).parent.parent / "docs" / "files.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([a-z]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("name", SECTIONS)
def test_the_examples_are_read(name, tmp_path):
    """A name in a comment before an example is the one to take of several."""
    examples = [found for found in BLOCK.finditer(SECTIONS[name]) if found["kind"] == "text"]
    for found in examples:
        path = tmp_path / "instance"
        path.write_text(found["text"], encoding="utf-8")
        problem_class(name).load(f"{path}:{found['mark']}" if found["mark"] else path)
    assert examples


@pytest.mark.parametrize("name", SECTIONS)
def test_a_name_in_a_file_of_one_instance_is_refused(name, tmp_path):
    """It is not left out in silence."""
    text = next(found["text"] for found in BLOCK.finditer(SECTIONS[name]) if found["kind"] == "text")
    (tmp_path / "instance").write_text(text, encoding="utf-8")
    with pytest.raises(nrpa.InputError, match="nosuch"):
        problem_class(name).load(f"{tmp_path}/instance:nosuch")


def test_every_problem_with_files_is_on_the_page():
    """Those that list forms."""
    assert {name for name in problems.bundled if problem_class(name).forms} == {*SECTIONS}
