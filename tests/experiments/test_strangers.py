"""The problems that nrpa has not seen before, experiments/strangers, and their table."""

import importlib
import sys
from pathlib import Path

import numpy as np
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


SEQUENCES = {
    "tour": lambda problem, moves: [city - 1 for city in moves],
    "jobshop": lambda problem, moves: [
        len(problem.jobs[0]) * job + moves[:k].count(job) for k, job in enumerate(moves)
    ],
    "bandwidth": lambda problem, moves: [moves.index(vertex) for vertex in range(problem.vertices)],
    "setcover": lambda problem, moves: [
        next(column for column in columns if column in moves) for columns in problem.covering
    ],
    "roster": lambda problem, moves: [nurse if nurse >= 0 else 10 for _, nurse in moves],
    "prizes": lambda problem, moves: [
        *(place - 1 for place in moves),
        *(k for k in range(len(problem.places) - 1) if k + 1 not in moves),
    ],
}
"""What the function of a problem is given for the moves of a game, where it is not these."""


@pytest.mark.parametrize("name", [name for name in table.NAMES if hasattr(importlib.import_module(name), "function")])
def test_function_agrees_with_the_class(name):
    """The function has the value of the baseline's game, in plain Python and jitted, and is a problem."""
    module = importlib.import_module(name)
    problem = table.problem_of(module, next(iter(module.BEST)))
    value, moves = module.baseline(problem, 0.01, 1)
    sequence = SEQUENCES.get(name, lambda _, same: same)(problem, moves)
    function, jitted = (table.formed(module, problem, form) for form in ("function", "jitted"))
    assert function.cost(sequence) == jitted.cost(np.array(sequence)) == value
    verdict = function.problem.check(sequence)
    assert (verdict.faults, verdict.figures[problem.objective.name]) == ([], value)


def test_a_form_that_a_problem_lacks_is_left_out(tmp_path, monkeypatch, capsys):
    """A class of kernels is not compiled anew, and one with too large numbers is refused: no rows; so is no form."""
    command = ["table.py", "--time", "0.01", "--seeds", "1", "--out", str(tmp_path), "--show", "gaps", "--problems"]
    for name, variant in (
        ("machines", "compiled: nmcs"),
        ("setcover", "compiled: nmcs"),
        ("solitaire", "function: nmcs"),
    ):
        monkeypatch.setattr(sys, "argv", [*command, name, "--variants", variant])
        table.main()
    assert len((tmp_path / "strangers.csv").read_text().splitlines()) == 1
    assert "SetCover does not compile" in capsys.readouterr().err
    for variant, message in (("twice: auto", "function, jitted, compiled"), ("simanneal", "function: simanneal")):
        with pytest.raises(nrpa.InputError, match=message):
            table.check_variant(variant)


def test_gaps_and_games():
    """A gap is of the mean, for a cost and for a value; means are over what all variants have."""
    rows = [
        {"problem": name, "instance": each, "variant": variant, "seconds": "1", "value": value, "playouts": playouts}
        for name, each, variant, value, playouts in (
            ("ordering", "50", "auto", 70735 - 7073.5, 100),
            ("tardiness", "wt40-11", "auto", 17465, 100),
            ("tardiness", "wt40-11", "compiled: auto", 17465 * 1.25, 2000),
            ("tardiness", "wt40-11", "compiled: auto", 17465 * 1.75, 4000),
        )
    ]
    shown = [rows, ["ordering", "tardiness"], ["auto", "compiled: auto"], 1]
    assert [line.split()[-2:] for line in table.gaps(*shown).splitlines()[2:]] == [
        ["0.1000", "-"],
        ["0.0000", "0.5000"],
        ["0.0000", "0.5000"],
    ]
    assert [line.split()[-2:] for line in table.games(*shown).splitlines()[2:]] == [["100", "30.0"]]


def test_rivals():
    """Each rival improves on its random sequence in its time, counts its calls, and tells what its sequence costs."""
    pytest.importorskip("simanneal")
    pytest.importorskip("alns")
    rivals = importlib.import_module("rivals")
    for name in ("tardiness", "maxcut", "setcover"):
        module = importlib.import_module(name)
        problem = table.problem_of(module, next(iter(module.BEST)))
        for form, each in (
            ("function", "simanneal"),
            ("function", "alns"),
            ("jitted", "alns"),
            ("jitted", "simanneal"),
        ):
            function = table.formed(module, problem, form)
            task = rivals.Task(function, 0.1, 1)
            first = task.sign * function.cost(task.first)
            value, calls = rivals.rival(each, function, 0.1, 1)
            assert calls > rivals.TRIES
            assert task.sign * value < first


def test_items_are_moved_in_lists_and_arrays():
    """A moved item is where it was told to be, and the others keep their order."""
    move = pytest.importorskip("rivals").move
    for i in range(5):
        for j in range(5):
            items = [0, 1, 2, 3, 4]
            expected = [*(item for item in items if item != i)]
            expected.insert(j, i)
            array = np.arange(5)
            move(items, i, j)
            move(array, i, j)
            assert items == array.tolist() == expected


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
