"""How far auto is behind its own arms, experiments/auto_and_arms.py."""

import sys
from pathlib import Path

import pytest

import nrpa

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS / "strangers"))
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import auto_and_arms

    return auto_and_arms


@pytest.mark.parametrize(("sign", "arm", "regret"), [(-1, "low", 10.0), (1, "high", 100 * 1.5 / 12.5)])
def test_regret_is_to_the_arm_of_the_best_mean(script, sign, arm, regret):
    """In per cent of its mean, for costs and for gains."""
    values = {"auto": {1: 11.0, 2: 11.0}, "low": {1: 9.0, 2: 11.0}, "high": {1: 12.0, 2: 13.0}}
    line, found = script.compared(values, sign)
    assert line[2] == arm
    assert found == pytest.approx(regret)
    low, high = map(float, line[4].split(" to "))
    assert low < regret < high


def test_it_goes_on_where_it_was_stopped(script, monkeypatch, tmp_path, capsys):
    """A run that the record has is not made again; auto and each of its arms have the same seeds."""
    made = []

    def run_one(solver, problem, seconds, seed):
        made.append((solver, seed))
        return float(len(made)), 1

    monkeypatch.setattr(script, "run_one", run_one)
    words = ["auto_and_arms.py", "--problems", "bandwidth", "--form", "plain", "--out", str(tmp_path / "record.csv")]
    for seeds in ("1", "2", "2"):
        monkeypatch.setattr(sys, "argv", [*words, "--seeds", seeds])
        script.main()
    table = capsys.readouterr().out
    bandwidth = script.problem_of(__import__("bandwidth"), "6")
    solvers = [nrpa.Auto(), *(arm.solver for arm in nrpa.Auto().arms_of(bandwidth))]
    assert made == [(solver, seed) for seed in (1, 2) for solver in solvers]
    assert len((tmp_path / "record.csv").read_text().splitlines()) == 1 + len(made)
    assert table.count("mean regret") == 3


def test_the_roster_improves_its_games(script):
    """No other shift of one cell is better afterwards."""
    problem = script.problem_of(__import__("nurses"), "14")
    result = nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=1)
    shifts = problem.improve(result.solution)
    assert problem.cost(shifts) < problem.cost(result.solution)
    neighbours = [[*shifts[:cell], shift, *shifts[cell + 1 :]] for cell in range(problem.cells) for shift in range(4)]
    assert min(map(problem.cost, neighbours)) == problem.cost(shifts)
