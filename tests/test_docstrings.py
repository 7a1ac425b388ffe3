import doctest
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import nrpa
from nrpa.engine.kernels import OF_PROBLEMS

FOLDERS = (
    "adapters",
    "base",
    "bench",
    "checking",
    "cli",
    "compiling",
    "engine",
    "games",
    "io",
    "machine",
    "modelling",
    "plots",
    "problems",
    "python",
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


def test_what_docstrings_name_is_there():
    """Each ``nrpa.NAME`` in a docstring or a comment is a module of nrpa, or what one holds."""
    texts = [path.read_text(encoding="utf-8") for folder in FOLDERS for path in files_of(folder)]
    named = {name for text in texts for name in re.findall(r"``(nrpa\.[\w.]+)(?:\([^`]*\))?``", text)}
    assert len(named) > 50
    assert [name for name in sorted(named) if not is_there(name)] == []


def files_of(folder):
    return Path(*find_spec(f"nrpa.{folder}").submodule_search_locations).rglob("*.py")


def is_there(name):
    """Return whether a dotted name leads from the package to a module or an attribute."""
    found = nrpa
    for part in name.split(".")[1:]:
        if not hasattr(found, part):
            module = f"{found.__name__}.{part}"
            if not hasattr(found, "__path__") or find_spec(module) is None:
                return False
            import_module(module)
        found = getattr(found, part)
    return True


def test_the_docs_of_kernels_list_all():
    """What ``nrpa.kernels`` takes is in its docstring, with the parameters."""
    for kernel in OF_PROBLEMS.values():
        assert f"{kernel.name}({', '.join(kernel.parameters)})" in " ".join(nrpa.kernels.__doc__.split())
