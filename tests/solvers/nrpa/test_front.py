import itertools
import json
import random

import numpy as np
import pytest
from small_problems import made
from user_problems import Bits, Pairs

import nrpa
from nrpa.solvers.nrpa.front import FREE, RESERVED, Fronts, take_in

SMALL = nrpa.ParetoNRPA(level=2, iterations=30)
DISTANCES = [
    [0, 6, 2, 7, 9, 8],
    [6, 0, 5, 9, 7, 7],
    [1, 7, 0, 1, 2, 1],
    [5, 8, 9, 0, 1, 6],
    [7, 4, 4, 9, 0, 9],
    [6, 8, 4, 1, 9, 0],
]
WINDOWS = [[0, 60], [5, 11], [11, 14], [9, 12], [8, 13], [3, 5]]


def best_of(goals):
    """Return those tuples, all maximised, that no other one beats, best first."""
    different = set(goals)
    beaten = {
        one
        for one, other in itertools.product(different, repeat=2)
        if one != other and all(mine <= yours for mine, yours in zip(one, other, strict=True))
    }
    return sorted(different - beaten, reverse=True)


@pytest.mark.parametrize("goals", [2, 3], ids=["two", "three"])
def test_a_front_is_what_no_other_beats(goals):
    """After each sequence that comes, in slots that are used again."""
    chance = random.Random(goals)
    fronts = Fronts(np.zeros((200, goals)), np.full(200, FREE))
    fronts.level[0] = RESERVED
    fronts.level[1] = 1  # of another level
    seen = []
    for _ in range(150):
        seen.append(tuple(float(chance.randrange(12)) for _ in range(goals)))
        slot = int(np.flatnonzero(fronts.level == FREE)[0])
        fronts.goals[slot] = seen[-1]
        before = best_of(seen[:-1])
        assert take_in(fronts, 2, slot) == (seen[-1] in best_of(seen) and seen[-1] not in before)
        assert sorted(map(tuple, fronts.goals[fronts.level == 2].tolist()), reverse=True) == best_of(seen)
    assert fronts.level[:2].tolist() == [RESERVED, 1]


def figures(result):
    return [tuple(each["figures"].values()) for each in result.front]


@pytest.mark.parametrize("workers", [1, 2], ids=["alone", "two-workers"])
def test_the_front_of_a_small_tour(workers):
    """That of all tours, each solution with its own figures; the same seed finds it again."""
    problem = nrpa.TSPTW(DISTANCES, WINDOWS, moves="all")
    solver = nrpa.ParetoNRPA(level=1, iterations=20)
    found = [nrpa.solve(problem, solver, seed=5, playouts=4000, workers=workers) for _ in range(2)]
    checked = [problem.check(list(tour)).figures for tour in itertools.permutations(range(1, 6))]
    best = best_of((-each["cost"], -each["violations"]) for each in checked)
    assert len(best) == 4
    assert figures(found[0]) == [(-cost, -violations) for cost, violations in best]
    for each in found[0].front:
        assert problem.check(each["solution"]).figures == each["figures"]
    assert found[0].front == found[1].front


@pytest.mark.parametrize(
    "options", [{}, {"adapt": "memoized"}, {"adapt": "plain", "repetitions": 3}, {"level": 1}], ids=str
)
def test_the_front_of_a_problem_in_python(options):
    """Its parts are told apart again; more solutions than there are slots at first."""
    problem = Pairs()
    solver = nrpa.ParetoNRPA(**{"level": 2, "iterations": 30, **options})
    result = nrpa.solve(problem, solver, seed=3, playouts=3000)
    best = best_of(problem.all_scores())
    found = [(ones, -waste) for ones, waste in figures(result)]
    assert set(found) <= set(best)
    assert len(found) > 0.8 * len(best)
    assert nrpa.Result.from_json(result.to_json()) == result


def test_improved_playouts():
    """The kernel improve changes sequences before they are taken in, and their goals are those of the check."""
    problem = nrpa.VRPTW.load("r105").hints().arms[0]
    plain, improved = (
        nrpa.solve(problem, nrpa.ParetoNRPA(level=2, iterations=5, improve=improve), seed=1, playouts=40)
        for improve in (False, True)
    )
    assert improved.score > plain.score
    assert all(problem.check(each["solution"]).valid for each in improved.front)


class Improving(Pairs):
    """Its games are improved by a 2 for the first 0; the third time it may fail."""

    fails, asked = False, 0

    def improve(self, moves):
        self.asked += 1
        if self.fails and self.asked == 3:
            raise RuntimeError("no time")
        return [2 if place == moves.index(0) else move for place, move in enumerate(moves)] if 0 in moves else moves


def test_an_exception_in_improve_uses_up_no_random_numbers():
    """Called again, the search plays the same playout, and ends as one without the exception."""
    problem, solver = Improving(), nrpa.ParetoNRPA(level=2, iterations=5, improve=True)
    problem.fails = True
    with nrpa.debug():
        search, whole = solver.start(problem, 1), solver.start(Improving(), 1)
        with pytest.raises(RuntimeError, match="no time"):
            search.advance(20)
        search.advance(20 - search.playouts)
        whole.advance(20)
        assert search.memory.random.tolist() == whole.memory.random.tolist()
        assert search.front() == whole.front()


@pytest.mark.parametrize("problem", ["samegame", "bits"])
def test_a_problem_of_one_goal_is_refused(problem):
    with pytest.raises(nrpa.InputError, match="has a single goal; the solver pareto needs several"):
        nrpa.solve(Bits() if problem == "bits" else made(problem), SMALL, seed=1, playouts=5)


def test_stopped_and_resumed_is_uninterrupted(tmp_path):
    """The front is part of the search that a checkpoint keeps."""
    problem = nrpa.TSPTW(DISTANCES, WINDOWS, moves="all")
    whole, half = (nrpa.start(problem, nrpa.ParetoNRPA(level=2, iterations=5), seed=3) for _ in range(2))
    whole.advance(playouts=120)
    half.advance(playouts=77)
    half.save(tmp_path / "run.npz")
    again = nrpa.resume(tmp_path / "run.npz", problem)
    again.advance(playouts=43)
    assert again.result().front == whole.result().front
    assert again._search.memory.random.tolist() == whole._search.memory.random.tolist()


def test_a_warm_start_is_refused():
    with pytest.raises(nrpa.InputError, match="a warm start does not apply to the solver pareto"):
        nrpa.solve(Pairs(), SMALL, seed=1, playouts=5, warm_start=[0] * 6)


def test_the_command_line(nrpa_command, tmp_path):
    """A table, a record that is checked, a picture; the error for a problem of one goal is a sentence."""
    limits = ("--level", 2, "--iterations", 20, "--seed", 1, "--playouts", 400, "--json", "f.json", "--plot", "f.svg")
    code, out, _ = nrpa_command("solve", "tsptw", "rc201.1", "--moves", "all", "--solver", "pareto", *limits)
    record = json.loads((tmp_path / "f.json").read_text())
    assert code == 0
    assert out.splitlines()[-len(record["front"]) - 1].split() == ["front", "cost", "violations"]
    assert out.splitlines()[-1].split() == [
        f"{record['front'][-1]['figures']['cost']:.2f}",
        str(record["front"][-1]["figures"]["violations"]),
    ]
    assert "none beaten by another" in (tmp_path / "f.svg").read_text() or (tmp_path / "f.svg").stat().st_size > 10_000
    assert "of the front" not in nrpa_command("check", "tsptw", "rc201.1", "f.json")[1]
    code, _, err = nrpa_command("solve", "samegame", "samegame-01", "--solver", "pareto", "--playouts", 5)
    assert (code, err.splitlines()[-1][:38]) == (2, "error: samegame has a single goal; the")


@pytest.mark.parametrize(
    ("corrupt", "message"),
    [
        (
            lambda front: front[0]["figures"].update(cost=1.0),
            "solution 1 of the front: the file says cost 1.0, but it is",
        ),
        (lambda front: front[0]["solution"].pop(), "solution 1 of the front: city"),
        (lambda front: front.append(made_worse(front[0])), "of the front is beaten by another one"),
        (lambda front: front.append("x"), "front must be a list of figures, each with its solution"),
    ],
    ids=["figure", "solution", "beaten", "text"],
)
def test_a_corrupted_front_is_refused(nrpa_command, tmp_path, corrupt, message):
    """With an exit code that is not 0, saying what is wrong."""
    problem = nrpa.TSPTW.load("rc201.1", moves="all")
    record = nrpa.solve(problem, SMALL, seed=1, playouts=200).to_dict()
    corrupt(record["front"])
    (tmp_path / "bad.json").write_text(json.dumps(record))
    code, out, err = nrpa_command("check", "tsptw", "rc201.1", "bad.json")
    assert code in (1, 2)
    assert message in out + err


def made_worse(entry):
    problem = nrpa.TSPTW.load("rc201.1")
    solution = entry["solution"][::-1]
    figures = problem.check(solution).figures
    assert all(figures[name] >= entry["figures"][name] for name in figures)
    return {"figures": figures, "solution": solution}
