"""Other packages' problems and solvers, as entry points."""

import importlib
import sys

import fake_package
import pytest

import nrpa
from nrpa.cli.list import listed_problem
from nrpa.registry import problem_class, problems, solver_class, summary_of


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Return a function that installs a package for this test."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(name, problems=(), solvers=()):
        fake_package.install(tmp_path, name, problems, solvers)
        importlib.invalidate_caches()
        monkeypatch.delitem(sys.modules, name, raising=False)

    return make


def test_another_package_brings_a_problem_and_a_solver(install):
    """They are listed with their package, and load like those of nrpa."""
    install("purse", ["coins = purse:Coins"], ["tabu = purse:Tabu"])
    assert problems.entries()["coins"].summary == "of the package purse 1.0"
    assert problem_class("coins").__name__ == "Coins"
    assert summary_of("coins") == listed_problem("coins")["summary"] == "Coins for an amount, as few as can be"
    assert solver_class("tabu").name == "tabu"
    with pytest.raises(nrpa.InputError, match=r"expected one of .*, tsptw, .*coins, or path/to/file.py:Class"):
        problem_class("dominoes")


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ("coins = purse:Purse", r"cannot be imported \(AttributeError: module 'purse' has no attribute 'Purse'\)"),
        ("coins = nowhere:Coins", r"cannot be imported \(ModuleNotFoundError: No module named 'nowhere'\)"),
        ("coins = purse:Tabu", "is not a subclass of nrpa.Problem or nrpa.CompiledProblem"),
        ("coins = purse:Misnamed", "calls itself 'other'; expected the same name"),
        ("coins = purse Coins", "cannot be imported"),
    ],
)
def test_a_broken_entry_point_is_a_sentence(install, point, message):
    """It names the package, and the other names still work."""
    install("purse", [point, "misnamed = purse:Misnamed"])
    with pytest.raises(nrpa.InputError, match=f"the problem 'coins' of the package purse 1.0 {message}"):
        problem_class("coins")
    assert problem_class("tsptw") is nrpa.TSPTW
    assert "misnamed" in problems.entries()


def test_a_solver_is_a_dataclass(install):
    """Anything else is refused with the package's name."""
    install("purse", solvers=["coins = purse:Coins"])
    with pytest.raises(nrpa.InputError, match=r"'coins' of the package purse .* is not a dataclass with"):
        solver_class("coins")


def test_a_name_of_two_packages_is_a_sentence(install):
    """Neither is taken; both are named, in the list, too."""
    for name in ("purse", "wallet"):
        install(name, [f"coins = {name}:Coins"])
    with pytest.raises(nrpa.InputError, match=r"packages, purse 1\.0 and wallet 1\.0; uninstall"):
        problem_class("coins")
    assert problems.entries()["coins"].summary == "of several packages, purse 1.0 and wallet 1.0: unusable"


def test_nobody_takes_a_bundled_name(install):
    """Nrpa's own stays, and the other is said to be left out."""
    install("purse", ["tsptw = purse:Coins"])
    assert problem_class("tsptw") is nrpa.TSPTW
    sentence = "the problem 'tsptw' of the package purse 1.0 is left out: nrpa has its own of that name"
    assert problems.left_out() == [sentence]
