"""The problems that nrpa has not seen before, experiments/strangers, and their table."""

import importlib
import sys
from pathlib import Path

import pytest

import nrpa
from nrpa.engine.game import Game
from nrpa.engine.kernels import kernels_of

STRANGERS = Path(__file__).parent.parent.parent / "experiments" / "strangers"
sys.path.insert(0, str(STRANGERS))
table = importlib.import_module("table")
INSTANCES = [(name, instance) for name in table.NAMES for instance in importlib.import_module(name).BEST]


@pytest.mark.parametrize(("name", "instance"), INSTANCES)
def test_problem_and_baseline_agree(name, instance):
    """What the baseline finds is played by the problem, whose rules and whose check give it the same value."""
    module = importlib.import_module(name)
    problem = table.problem_of(module, instance)
    value, moves = module.baseline(problem, 0.01, 1)
    verdict = problem.check(moves)
    assert (verdict.faults, verdict.figures[problem.objective.name]) == ([], value)
    assert problem.objective.score(value) <= problem.objective.score(module.BEST[instance])
    if isinstance(problem, nrpa.CompiledProblem):
        assert played(problem, moves) == value == problem.objective.value(verdict.score)


def played(problem, moves):
    """Return the value of a game that the compiled kernels play."""
    game = Game(problem.model)
    game.reset()
    for move in moves:
        assert move in game.legal_moves()
        game.play(move)
    assert not game.legal_moves()
    return problem.objective.value(game.score())


@pytest.mark.parametrize("name", table.NAMES)
def test_nothing_but_what_somebody_new_writes(name):
    """A problem in plain Python has its four methods only, a compiled one no kernel beyond the four, and no bias."""
    module = importlib.import_module(name)
    problem = table.problem_of(module, next(iter(module.BEST)))
    if isinstance(problem, nrpa.CompiledProblem):
        assert set(kernels_of(type(problem.new_state()))) == {"reset", "legal_moves", "play", "score"}
        assert not problem.bias_by_move
    else:
        own = {each for each in vars(type(problem)) if each in vars(nrpa.Problem)}
        assert not own & {"code", "bias", "copy", "key"}


def test_the_table(tmp_path, monkeypatch, capsys):
    """A run gives all times, and is recorded once; a ratio below 1 is better, for a cost and for a value."""
    command = ["table.py", "--problems", "tardiness", "--variants", "nrpa --level 2,baseline", "--time", "0.02"]
    monkeypatch.setattr(sys, "argv", [*command, "--time", "0.01", "--seeds", "2", "--out", str(tmp_path)])
    table.main()
    records = (tmp_path / "strangers.csv").read_text()
    assert [line.split(",")[2:5] for line in records.splitlines()[1:]] == [
        [variant, seconds, seed]
        for seed in "12"
        for variant in ("nrpa --level 2", "baseline")
        for seconds in ("0.01", "0.02")
    ]
    playouts = [int(line.split(",")[6]) for line in records.splitlines()[1:]]
    assert 0 < playouts[0] < playouts[1]
    capsys.readouterr()
    table.main()
    assert (tmp_path / "strangers.csv").read_text() == records
    head, _, row, last, *_, ratios = capsys.readouterr().out.splitlines()
    assert (head[:6], ratios.split()[-1]) == ("0.02 s", "1.000")
    assert row.endswith("1.000      17,465")
    assert last.split()[-1] == "1.000"
    assert table.ratio([90, 110], [200], -1) == table.ratio([200], [90, 110], 1) == 0.5


def test_a_variant_is_spelled_as_at_the_command_line():
    """Options with values, and flags either way."""
    kind = importlib.import_module("tardiness").Tardiness
    solver = table.solver_of("gnrpa --level auto --no-bias --tau 1.4", kind)
    assert solver == nrpa.GNRPA(level="auto", bias=False, tau=1.4)
    with pytest.raises(nrpa.InputError, match="colour"):
        table.solver_of("gnrpa --colour 3", kind)
