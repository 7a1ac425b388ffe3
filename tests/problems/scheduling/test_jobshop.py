from functools import cache

import numpy as np
import pytest

import nrpa
from nrpa.base.errors import InputError
from nrpa.io.source import Source
from nrpa.problems.scheduling.jobshop import JobShop

PlainShop = JobShop.plain_class
SMALL = [[(0, 3), (1, 2), (2, 2)], [(0, 2), (2, 1), (1, 4)], [(1, 4), (2, 3)]]
FT06 = [
    [5, 6, 16, 30, 42, 49],
    [0, 8, 13, 28, 38, 48],
    [0, 5, 9, 18, 27, 42],
    [8, 13, 22, 27, 30, 45],
    [13, 22, 25, 38, 48, 52],
    [13, 16, 19, 28, 38, 42],
]


def random_shop(rng, most=6):
    """Return jobs of several lengths; machines come again, some operations take no time."""
    return [
        [(int(rng.integers(3)), int(rng.integers(most))) for _ in range(rng.integers(1, 5))]
        for _ in range(rng.integers(2, 5))
    ]


def random_moves(rng, jobs):
    return rng.permutation(np.repeat(np.arange(len(jobs)), [*map(len, jobs)])).tolist()


def naive_starts(jobs, moves):
    """Return starts by longest ways: an operation begins when the one before in its job and on its machine end."""
    done, sequence = [0] * len(jobs), []
    for job in moves:
        sequence.append((job, done[job]))
        done[job] += 1

    @cache
    def start(job, step):
        machine = jobs[job][step][0]
        same = [each for each in sequence[: sequence.index((job, step))] if jobs[each[0]][each[1]][0] == machine]
        ends = [start(*each) + jobs[each[0]][each[1]][1] for each in same[-1:] + [(job, step - 1)] * (step > 0)]
        return max(ends, default=0)

    return [[start(job, step) for step in range(len(jobs[job]))] for job in range(len(jobs))]


@cache
def least(ahead, free, idle):
    """Return the least makespan of SMALL from a position, all ways tried."""
    found = []
    for job, step in enumerate(ahead):
        if step < len(SMALL[job]):
            machine, hours = SMALL[job][step]
            end = max(free[job], idle[machine]) + hours
            changed = [(*row[:k], value, *row[k + 1 :]) for row, k, value in
                       ((ahead, job, step + 1), (free, job, end), (idle, machine, end))]  # fmt: skip
            found.append(least(*changed))
    return min(found, default=max(free))


@pytest.mark.parametrize("seed", range(20))
def test_starts_are_those_of_the_longest_ways(seed):
    """Played move by move, and by the longest ways in the graph of operations."""
    rng = np.random.default_rng(seed)
    jobs = random_shop(rng)
    problem, moves = PlainShop(jobs), random_moves(rng, jobs)
    starts = problem.solution_of(moves)
    assert starts == naive_starts(jobs, moves)
    verdict = problem.check(starts)
    assert verdict.valid
    assert verdict.score == -max(row[-1] + job[-1][1] for row, job in zip(starts, jobs, strict=True))
    assert problem.bound() <= -verdict.score
    assert problem.solution_of(problem.own_moves(starts)) == starts


@pytest.mark.parametrize("seed", range(20))
def test_improving_gives_a_game_that_is_no_worse(seed):
    """Of the same operations."""
    rng = np.random.default_rng(seed)
    jobs = random_shop(rng, 2 if seed % 2 else 9)
    problem, moves = PlainShop(jobs), random_moves(rng, jobs)
    better = problem.improve(moves, rng.integers(3, size=4).tolist())
    assert sorted(better) == sorted(moves)
    assert problem.check(problem.solution_of(better)).score >= problem.check(problem.solution_of(moves)).score


@pytest.mark.parametrize("end", ["", " -1 -1"])
def test_jobs_of_any_length(end):
    """A machine may come again, or never, and rows may end with -1 -1; a form feed ends no line."""
    text = f"2 3  # page 1\fpage 2\n0 3 1 2{end}\n0 2 2 1 1 4 0 1{end}\n"
    problem = PlainShop.from_source(Source("x", text, ""))
    assert np.diff(problem.first).tolist() == [2, 4]
    assert problem.machine.tolist() == [0, 1, 0, 2, 1, 0]
    assert nrpa.solve(problem, seed=1, playouts=50).makespan == 9


def test_nothing_begins_inside_another():
    """Not even what takes no time; at its ends it may."""
    problem = PlainShop([[(0, 10)], [(0, 0)]])
    assert [problem.check([[0], [start]]).valid for start in (0, 10, 5)] == [True, True, False]
    assert problem.check([[0], [5]]).faults == [
        "operation 1 of job 2 begins at 5, in the middle of operation 1 of job 1"
    ]


def test_the_best_schedule_is_found():
    """As by trying all."""
    right = least((0,) * 3, (0,) * 3, (0,) * 3)
    problem = PlainShop(SMALL)
    result = nrpa.solve(problem, nrpa.GNRPA(level=1, improve=True), seed=1, playouts=100)
    assert result.makespan == right >= problem.bound()


def test_tabu_search_finds_the_optimum_of_ft06_alone():
    """55, from one of three random games."""
    problem = JobShop.load("ft06").plain
    jobs, rng = [[0] * 6] * 6, np.random.default_rng(1)
    games = [problem.improve(random_moves(rng, jobs), []) for _ in range(3)]
    assert min(problem.check(problem.solution_of(game)).figures["makespan"] for game in games) == 55


def test_a_published_optimum():
    """The solution of ft06 is valid, and worth what is published; it is a start for a search."""
    problem = JobShop.load("ft06")
    verdict = problem.check(FT06)
    assert (verdict.valid, verdict.figures) == (True, {"makespan": problem.best_known.value})
    assert nrpa.solve(problem.plain, nrpa.RandomSampling(), seed=1, playouts=1, warm_start=FT06).makespan == 55


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ((0, 1, 5), "operation 2 of job 1 begins at 5, before operation 1 of job 1 ends at 6"),
        ((1, 0, 1), "at 8, 2 of machine 1 are in use, and there are 1"),
    ],
)
def test_faults(change, fault):
    """A start in another place is one."""
    starts = [[*row] for row in FT06]
    job, step, start = change
    starts[job][step] = start
    verdict = JobShop.load("ft06").check(starts)
    assert fault in verdict.faults


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x: expected the number of jobs"),
        ("2 2\n0 1 1 1\n", "x:2: expected 2 rows of jobs in all, found 1"),
        ("1 2\n0 1 1\n", "x:2: expected pairs of a machine and a time, found 3 numbers"),
        ("1 2\n0 1 2 1\n", "x:2: expected a machine from 0 to 1, as the first one is 0, found '2'"),
        ("1 2\n0 1 -1 -1 1 1\n", "x:2: expected a machine from 0 to 1"),
        ("2 5000\n" + "0 1 " * 5000 + "\n" + "0 1 " * 5000, "expected 1 to 9,999 operations, found 10,000"),
        ("1 1\n0 1.5\n", "x:2: expected a time from 0 to 100,000, found '1.5'"),
    ],
)
def test_what_is_no_job_shop(text, message):
    """The message names the line."""
    with pytest.raises(InputError) as error:
        JobShop.from_source(nrpa.Source("x", text, ""))
    assert str(error.value).startswith(message)
