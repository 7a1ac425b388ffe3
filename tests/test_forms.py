"""The forms of files on the pages of problems: every example is read."""

import re
from pathlib import Path

import pytest
from test_pages import BLOCK

import nrpa
from nrpa.registry import problem_class

PAGES = (Path(__file__).parent.parent / "docs" / "problems").glob("*.md")
FORMS = re.compile(r"^```\{problem-forms\} (\w+)\n```\n(.*?)(?=^##|^```\{problem-forms|\Z)", re.MULTILINE | re.DOTALL)
SECTIONS = dict(section for page in PAGES for section in FORMS.findall(page.read_text(encoding="utf-8")))


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
