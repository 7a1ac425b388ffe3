"""Ask and tell: games are those of the searches, values come in any order, and a saved run goes on."""

import random
import sys

import numpy as np
import pytest
from user_problems import Bits

import nrpa

SOLVERS = [nrpa.NRPA(level=2, iterations=4), nrpa.Tempering(chains=3), nrpa.UCT()]


class Unscored(nrpa.Problem):
    """An order of six things, whose cost only an experiment tells."""

    objective = nrpa.Objective("cost", sign=-1)

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [move for move in range(6) if move not in state]

    def play(self, state, move):
        return (*state, move)


def cost_of(order):
    return float(sum(abs(place - thing) for place, thing in enumerate(order)))


def told(run, games, k=1, value=cost_of):
    """Ask for k games at a time and tell all; return their moves."""
    found = []
    while len(found) < games:
        asked = run.ask(k)
        found += [each.moves for each in asked]
        run.tell({each.number: value(each.moves) for each in asked})
    return found


@pytest.mark.parametrize(
    "solver",
    [
        nrpa.NRPA(level=1, iterations=50),
        nrpa.NRPA(level=3, iterations=4, alpha=0.7),
        nrpa.NRPA(level=2, iterations=(5, 7), repetitions=2),
        nrpa.NRPA(level=None, iterations=3),
        nrpa.GNRPA(level=2, iterations=6, tau=1.4, gamma=0.5),
    ],
)
def test_nrpa_that_is_told_at_once_plays_the_games_of_the_compiled_search(solver):
    problem = nrpa.TSPTW.load("rc201.1")
    run, best = nrpa.ask_tell(problem, solver, seed=3), []
    for number in range(1, 151):
        (game,) = run.ask()
        run.tell({game.number: -problem.check(game.solution).score})
        if run.best == game:
            best.append((number, run.value))
    search = nrpa.start(problem, solver, seed=3)
    search.advance(playouts=150)
    expected = [(point.playouts, -point.score) for point in search.recorder.improvements]
    assert [number for number, _ in best] == [number for number, _ in expected]
    assert [value for _, value in best] == pytest.approx([value for _, value in expected])


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
def test_a_class_without_a_score_is_searched_far_better_than_at_random(solver):
    run = nrpa.ask_tell(Unscored(), solver, seed=1)
    told(run, 600, k=4)
    at_random = sorted(cost_of(np.random.default_rng(1).permutation(6)) for _ in range(600))
    assert run.value < at_random[300] / 2
    assert (run.told, run.open, cost_of(run.best.moves)) == (600, [], run.value)


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
def test_values_come_in_any_order_some_never_and_the_same_give_the_same_games(solver):
    def games():
        run, order, found = nrpa.ask_tell(Unscored(), solver, seed=5), random.Random(7), []
        for _ in range(60):
            found += run.ask(3)
            waiting = [each for each in found if each.number in run.open and each.number % 5]
            for each in order.sample(waiting, min(len(waiting), order.randint(0, 5))):
                run.tell({each.number: None if each.number % 7 == 0 else cost_of(each.moves)})
        return found, run.open, run.best

    one, other = games(), games()
    assert one == other
    assert {5, 10, 15} <= {*one[1]}
    assert len({tuple(each.moves) for each in one[0]}) > 20


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
@pytest.mark.parametrize("make", [Unscored, Bits, lambda: nrpa.TSPTW.load("rc201.1")])
def test_a_saved_run_goes_on_as_if_it_had_not_stopped(solver, make, tmp_path):
    def value(moves):
        return float(sum(place * move % 7 for place, move in enumerate(moves)))

    run = nrpa.ask_tell(make(), solver, seed=2)
    told(run, 20, k=4, value=value)
    left = run.ask(3)
    run.save(tmp_path / "run.npz")
    again = nrpa.ask_tell(make(), solver, saved=tmp_path / "run.npz")
    assert (again.seed, again.open, again.best, again.told) == (2, run.open, run.best, run.told)
    for each in (run, again):
        each.tell({left[1].number: 3.0})
    assert told(run, 20, value=value) == told(again, 20, value=value)
    assert (run.value, run.best, run.open) == (again.value, again.best, again.open)


def test_what_is_told_is_checked_and_then_nothing_of_it_is_taken():
    run = nrpa.ask_tell(Unscored(), "uct", seed=1)
    run.ask(2)
    for wrong, why in (
        ({1: 2.0, 3: 1.0}, "game 3 is not open: it was not asked for, or its value was told before"),
        ({1: 2.0, 2: float("nan")}, "the value of game 2 is nan; expected a finite number, or None"),
        ({2: "5"}, "expected one number"),
    ):
        with pytest.raises(nrpa.InputError, match=why):
            run.tell(wrong)
    assert (run.open, run.told) == ([1, 2], 0)
    run.tell({1: 2.0})
    with pytest.raises(nrpa.InputError, match="game 1 is not open"):
        run.tell({1: 2.0})
    with pytest.raises(nrpa.InputError, match="games must be"):
        run.ask(0)


@pytest.mark.parametrize(
    ("solver", "why"),
    [
        (nrpa.NMCS(), "ask and tell is for nrpa, gnrpa, tempering, uct, not for nmcs"),
        (nrpa.GNRPA(improve=True), "ask and tell does not heed the option improve of gnrpa"),
        (nrpa.UCT(policy="mast"), "ask and tell does not heed the option policy of uct"),
    ],
)
def test_solvers_and_options_that_do_not_count_are_refused(solver, why):
    with pytest.raises(nrpa.InputError, match=why):
        nrpa.ask_tell(Unscored(), solver)


def test_a_file_of_another_search_is_refused(tmp_path):
    path = tmp_path / "run.npz"
    nrpa.ask_tell(Unscored(), nrpa.UCT(), seed=1).save(path)
    with pytest.raises(nrpa.InputError, match="is of Unscored and uct with other options, or of another instance"):
        nrpa.ask_tell(Unscored(), nrpa.UCT(c=3.0), saved=path)
    with pytest.raises(nrpa.InputError, match="no such file"):
        nrpa.ask_tell(Unscored(), nrpa.UCT(), saved=tmp_path / "none.npz")


def test_games_of_uct_that_are_told_or_given_up_wait_no_more():
    """Open games count as visits on their paths; one that is told counts once, one that is given up does not."""
    run = nrpa.ask_tell(Unscored(), nrpa.UCT(), seed=1)
    games = run.ask(9)
    root = run._search.memory["nodes"][()]
    assert root == [0, 0.0, 9]
    run.tell({game.number: 5.0 if game.number > 2 else None for game in games[:7]})
    assert root == [5, -25.0, 2]
    assert all(waiting in (0, 1, 2) for _, _, waiting in run._search.memory["nodes"].values())


def test_goals_of_a_tuple_are_told_as_tuples():
    class Two(Unscored):
        objective = nrpa.Lexicographic(nrpa.Objective("late", -1), nrpa.Objective("cost", -1))

    run = nrpa.ask_tell(Two(), nrpa.NRPA(level=1), seed=1)
    one, other = run.ask(2)
    run.tell({one.number: (1, 0), other.number: (0, 99)})
    assert run.best == other


PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    answer = {
        "problem": {"objective": "cost", "sign": -1},
        "initial_state": [],
        "legal_moves": [m for m in range(4) if m not in asked.get("state", [])],
        "play": [*asked.get("state", []), asked.get("move")],
    }
    call = asked["call"]
    print(json.dumps({"result": answer[call]} if call in answer else {"error": call}), flush=True)
"""


def test_a_program_that_answers_no_score_is_searched(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    problem = nrpa.Program(f"{sys.executable} {tmp_path / 'program.py'}")
    run = nrpa.ask_tell(problem, nrpa.NRPA(level=2, iterations=5), seed=1)
    told(run, 30, k=3)
    assert (run.value, run.best.moves) == (0.0, [0, 1, 2, 3])


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
def test_orders_without_a_class_are_searched(solver):
    run = nrpa.ask_tell(nrpa.permutation(6, lambda order: 0.0), solver, seed=1)
    told(run, 300, k=2)
    assert run.value == cost_of(run.best.solution) <= 4
