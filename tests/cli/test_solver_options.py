"""A solver's options reach the command line, its page and the variants of experiments from its fields."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import click
import pytest
from click.testing import CliRunner

import nrpa
from nrpa.base.options import Options, option
from nrpa.bench.experiment import Variant
from nrpa.cli import main
from nrpa.cli.solve import solve_command
from nrpa.cli.solver_options import all_solver_options, make_solver
from nrpa.registry import Entry, solver_class, solver_with, solvers

PAGE = Path(__file__).parent.parent.parent / "docs" / "command-line.md"


def by_name(name):
    return next(each for each in all_solver_options() if each.name == name)


def test_the_help_says_whose_an_option_is_and_its_defaults():
    """Solvers whose default differs are named with it."""
    level, bias, adapt = map(by_name, ("level", "bias", "adapt"))
    assert level.meaning == "Nesting level; auto: no top level (gnrpa, nrpa, pareto, nmcs)"
    assert level.default == "3; nmcs: 2"
    assert (bias.flag, bias.default) == ("--bias/--no-bias", "bias; nmcs, tempering and random: no-bias")
    assert "plain, memoized or optimized (gnrpa, nrpa, pareto)" in adapt.meaning


def test_every_field_of_every_solver_is_an_option():
    """None is forgotten, whatever its type."""
    for name in solvers.bundled:
        for field in solver_class(name)().options:
            assert name in by_name(field).terms


@dataclass(frozen=True)
class Tabu(Options):
    """A solver of another package, whose option ``time`` has the name of one of the command's."""

    name: ClassVar[str] = "tabu"
    level: int = option(5, "How deep")
    max_moves: int = option(7, "Moves that are remembered")
    time: float = option(1.0, "Seconds a move")

    def start(self, problem, seed, **options):
        raise NotImplementedError


@pytest.fixture
def tabu(monkeypatch):
    """Make it one of the solvers; beside it another that cannot be imported."""
    others = {"tabu": Entry("tabu", f"{__name__}:Tabu", "", "here"), "broken": Entry("broken", "no:Where", "", "here")}
    entries, load = solvers.entries(), solvers.load
    monkeypatch.setattr(solvers, "entries", lambda: {**entries, **others})
    monkeypatch.setattr(solvers, "load", lambda name, also="": Tabu if name == "tabu" else load(name, also))


@pytest.mark.usefixtures("tabu")
def test_a_solver_of_another_package_has_its_options():
    """Beside those of nrpa, but for one whose name the command needs itself."""
    assert by_name("level").default == "3; nmcs: 2; tabu: 5"
    own = by_name("max_moves")
    names = [parameter.name for parameter in solve_command.get_command(click.Context(solve_command), "tsptw").params]
    assert (own.is_bundled, names.count("max_moves"), names.count("time")) == (False, 1, 1)
    assert (own.flag, own.meaning) == ("--max-moves", "Moves that are remembered (tabu)")
    assert make_solver("tabu", {"max_moves": 9, "tau": None}) == Tabu(max_moves=9)


def test_a_number_or_a_word(tmp_path):
    """The word reaches the solver as None, at the command line and in a variant; another one is refused."""
    result = tmp_path / "r.json"
    checkpoint = str(tmp_path / "c.npz")
    arguments = ["solve", "tsptw", "rc201.1", "--playouts", "10", "--json", str(result)]
    found = CliRunner().invoke(main.commands, [*arguments, "--level", "auto", "--checkpoint", checkpoint])
    assert found.exit_code == 0, found.output
    assert nrpa.Result.from_json(result.read_text()).options["level"] is None
    for level, agrees in (("auto", True), ("3", False)):
        resumed = CliRunner().invoke(main.commands, [*arguments, "--resume", checkpoint, "--level", level])
        assert (resumed.exception is None) == agrees
    assert str(resumed.exception) == f"--level 3 contradicts {checkpoint}, a search with auto; leave it out"
    variant = Variant.parse("open:level=auto").typed(nrpa.TSPTW)
    assert variant.options == {"level": None}
    assert variant.make(nrpa.TSPTW)[0].level is None
    wrong = CliRunner().invoke(main.commands, [*arguments, "--level", "none"])
    assert wrong.exit_code == 2
    assert "'none' is not a valid integer, nor auto." in wrong.output
    with pytest.raises(nrpa.InputError, match="level must be a whole number"):
        make_solver("nmcs", {"level": "auto"})


@pytest.mark.parametrize(
    ("given", "solver"),
    [
        ({}, "auto"),
        ({"improve": True, "tempering": False}, "auto"),
        ({"improve": True, "level": 3}, "gnrpa"),
        ({"bias": False}, "gnrpa"),
        ({"memory": True}, "nmcs"),
        ({"chains": 5}, "tempering"),
        ({"nodes": 40}, "uct"),
        ({"tau": 1.4, "chains": 5}, "gnrpa"),
        ({"colour": 1}, "gnrpa"),
        ({"max_moves": 9}, "tabu"),
    ],
)
@pytest.mark.usefixtures("tabu")
def test_options_choose_the_solver(given, solver):
    """The first of the registry that has them all, after auto; GNRPA where none has."""
    assert solver_with(given) == solver


@pytest.mark.parametrize(
    ("options", "solver"), [([], "auto"), (["--tau", "1.4"], "gnrpa"), (["--searches", "1"], "gnrpa")]
)
def test_the_command_searches_by_what_options_choose(nrpa_command, options, solver, tmp_path):
    """The record says it, and what auto chose; so does standard error."""
    out = tmp_path / "out.json"
    code, _, err = nrpa_command("solve", "tsptw", "rc201.1", "--playouts", "10", *options, "--json", str(out))
    assert code == 0
    assert f"rc201.1, {solver}, seed" in err
    record = json.loads(out.read_text())
    assert record["solver"] == solver
    assert ("chosen" in record) == (solver == "auto")
    assert record.get("chosen", "") in err


def test_arms_are_a_text(nrpa_command, tmp_path, monkeypatch):
    """The search goes on with the same arms, however they are written; others are refused in a sentence."""
    monkeypatch.chdir(tmp_path)
    search = ["solve", "tsptw", "rc201.1", "--seed", "1", "--arms"]
    assert (
        nrpa_command(*search, "gnrpa --level 2,tempering --chains 3", "--playouts", "10", "--checkpoint", "c")[0] == 0
    )
    more = ["--resume", "c", "--playouts", "20", "--json", "r"]
    assert nrpa_command(*search, "gnrpa --level=2 , tempering --chains=3", *more)[0] == 0
    record = json.loads((tmp_path / "r").read_text())
    assert (record["solver"], record["options"]["arms"]) == ("auto", "gnrpa --level 2, tempering --chains 3")
    code, _, err = nrpa_command(*search, "uct")
    assert (code, err) == (2, "error: arms must be some of gnrpa, nrpa, tempering, with commas between, not 'uct'\n")
