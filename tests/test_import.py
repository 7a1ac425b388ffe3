import os
import subprocess
import sys
from pathlib import Path

import pytest

import nrpa

ROOT = Path(__file__).parent.parent
HEAVY = ("llvmlite", "matplotlib", "numba", "scipy")


def python(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize("name", ["plots.tour", "bench.read_records", "problems", "solvers", "TSPTW", "GNRPA"])
def test_subpackages_need_no_import_of_their_own(name):
    """After ``import nrpa`` alone, in a fresh interpreter; nothing heavy is imported before."""
    done = python(f"import sys, nrpa; assert not {{*{HEAVY}}} & {{*sys.modules}}; nrpa.{name}")
    assert done.returncode == 0, done.stderr


def test_dir_shows_the_public_names_and_no_others():
    """Each can be loaded; what ``nrpa/__init__.py`` uses itself is not among them."""
    names = dir(nrpa)
    assert {"Problem", "solve", "Option", "Source", "BestKnown", "TSPTW", "plots"} <= {*names}
    assert not {"Path", "lazy_loader", "find_in_checkout", "version_of", "base", "cli"} & {*names}
    assert names == sorted(nrpa.__all__)
    for name in names:
        assert getattr(nrpa, name) is not None


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return a function that runs code in a checkout that is not installed: no metadata, no finder of an installer."""
    packages, root = tmp_path_factory.mktemp("packages"), tmp_path_factory.mktemp("checkout")
    installed = [path for folder in sys.path if folder.endswith("-packages") for path in Path(folder).glob("*")]
    for folder, content in ((packages, installed), (root, ROOT.glob("*"))):
        for path in content:
            ours = path.name.startswith(("nrpa", "__editable__")) and (folder, path.name) != (root, "nrpa")
            if not ours and not (folder / path.name).exists():
                (folder / path.name).symlink_to(path)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [root, packages]))}

    def run(code):
        command = [sys.executable, "-S", "-c", code]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=packages)

    return run


def test_a_checkout_has_its_own_folders_and_no_others(checkout):
    """Problems, solvers, plots, instances and examples; not the tests, the experiments and nrpa itself."""
    code = """
from importlib import import_module
for name in ("nrpa", "tests", "build", "docs", "experiments", "setup"):
    try:
        import_module(f"nrpa.{name}")
    except ModuleNotFoundError:
        continue
    raise SystemExit(f"nrpa.{name} can be imported")
for name in ("examples", "instances", "plots.picture", "problems.tsptw.reader", "solvers.nrpa"):
    import_module(f"nrpa.{name}")
"""
    done = checkout(code)
    assert done.returncode == 0, done.stderr


def test_a_checkout_that_is_not_installed_solves(checkout):
    """Its version is said to be unknown: no error comes after the search."""
    code = """
import nrpa
result = nrpa.solve(nrpa.WeakSchur.load("2"), nrpa.RandomSampling(), seed=1, playouts=10)
print(nrpa.__version__, result.versions["nrpa"])
"""
    assert checkout(code).stdout == "0+unknown 0+unknown\n", checkout(code).stderr


def test_the_typed_program_runs():
    """The program that the continuous integration type-checks strictly against the installed package."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "typed_program.py")], capture_output=True, text=True, check=False
    )
    assert done.stdout == (
        "15.0 14.0\nTrue None 2\n['Sums', 'Sums', 'permutation', 'assignment', 'subset']\nUnknownNameError\n"
    ), done.stderr
