"""What a bundled problem says itself, and what follows from it in other places."""

from importlib import import_module
from pathlib import Path

import nrpa
from nrpa.io.source import bundled
from nrpa.registry import problem_class, problems, solvers

ROOT = Path(__file__).parent.parent.parent
PAGES = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "problems").glob("*.md"))
STUB = Path(nrpa.__file__).with_name("__init__.pyi").read_text(encoding="utf-8").splitlines()


def directives(name, cls):
    """Return what the page of a problem has: its options, the forms of its files with an example of each."""
    kinds = [kind for kind, are_some in (("options", cls.cli_options), ("forms", cls.forms)) if are_some]
    return [f"```{{problem-{kind}}} {name}\n```" for kind in kinds]


def folder_of(line):
    """Return the package of a problem that a line of the stub imports."""
    return import_module(f"nrpa.problems.{line.split('.')[2]}")


def test_the_bundled_ones_are_found_under_their_names():
    """Each class has the name under which the table has it."""
    for table in (problems, solvers):
        for name in table.bundled:
            assert table.load(name).name == name


def test_other_places_have_what_a_problem_says():
    """The public names, the pages, the instances; what one lacks is listed as it is to be written."""
    lacking, lines = [], []
    for name, entry in problems.bundled.items():
        module, _, attribute = entry.where.removeprefix("nrpa").partition(":")
        lines.append(f"from {module} import {attribute} as {attribute}")
        cls = problem_class(name)
        lacking += [f"docs/problems/*.md: {text}" for text in directives(name, cls) if text not in PAGES]
        if cls.forms and not bundled(name):
            lacking.append(f"instances/{name}.csv: instance,size,value,proven_by,source,solution")
    lacking += [f"nrpa/__init__.pyi: {line}" for line in lines if line not in STUB]
    of_problems = [line for line in STUB if ".problems." in line and hasattr(folder_of(line), "PROBLEMS")]
    lacking += [f"nrpa/__init__.pyi, without: {line}" for line in of_problems if line not in lines]
    assert not lacking, "\n".join(["write", *lacking])
