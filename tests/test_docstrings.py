import doctest
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import nrpa

FOLDERS = (
    "base",
    "bench",
    "cli",
    "engine",
    "io",
    "modelling",
    "plots",
    "problems",
    "registry",
    "report",
    "search",
    "solvers",
)


def modules_with_examples():
    found = []
    for folder in FOLDERS:
        home = Path(*find_spec(f"nrpa.{folder}").submodule_search_locations)
        for file in sorted(home.rglob("*.py")):
            if ">>> " in file.read_text(encoding="utf-8"):
                found.append(".".join(["nrpa", folder, *file.relative_to(home).with_suffix("").parts]))
    return [name.removesuffix(".__init__") for name in found]


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_say_what_happens(name):
    """Each example in a docstring prints what stands below it."""
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_examples_are_looked_for_in_every_folder():
    """A new folder inside the package is not left out."""
    folders = {path.parent.name for path in Path(nrpa.__file__).parent.glob("*/__init__.py")}
    assert folders - {"examples", "instances"} <= set(FOLDERS)
