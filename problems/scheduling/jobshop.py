"""The job shop: jobs whose operations need machines, which do one at a time; the last shall end early."""

# mypy: ignore-errors

from itertools import chain, pairwise
from typing import NamedTuple, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import listed
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.common import fault_in_list, faultless, is_whole, whole_text
from nrpa.problems.lines import located_lines, rows_of_numbers
from nrpa.problems.scheduling.critical import improved
from nrpa.problems.scheduling.schedules import LONGEST, MAKESPAN, MOST, STARTS, gantt, is_start, verdict_of


class State(NamedTuple):
    """The next operation of each job, and when it is free; when each machine is free, and its last operation."""

    ahead: np.ndarray
    free: np.ndarray
    idle: np.ndarray
    last: np.ndarray


def _is_operation(pair):
    return isinstance(pair, (list, tuple)) and len(pair) == 2 and all(map(is_whole, pair, (0, 0), (MOST, LONGEST)))


def _pairs(row):
    """Return the pairs of a machine and a time in the row of a job, which may end with -1 -1."""
    words = [*row]
    while len(words) > 2 and words[-2:] == ["-1", "-1"]:
        del words[-2:]
    if len(words) % 2:
        row[0].fail(f"expected pairs of a machine and a time, found {len(words)} numbers")
    return zip(words[::2], words[1::2], strict=True)


def _machine(word, machines):
    return word.whole(0, machines - 1, f"a machine from 0 to {machines - 1:,}, as the first one is 0")


def _time(word):
    return word.whole(0, LONGEST, f"a time from 0 to {LONGEST:,}")


@compiled
class JobShop(Problem):
    """A move begins the next operation of a job, as early as can be. A solution is the start times of each job.

    Parameters
    ----------
    jobs : list of list of (int, int)
        The operations of each job, in order: the machine, from 0, and the time.
    """

    name = "jobshop"
    objective = MAKESPAN
    _steps_of_forms = 3
    forms = (
        "JSPLIB's: how many jobs and machines; a row for each job, with machine and time of each of its operations, of "
        "which there may be any number, and -1 -1 at the end or not",
    )

    def __init__(self, jobs, **options):
        super().__init__(**options)
        pairs = f"a list of pairs of a machine, 0 to {MOST:,}, and a time, 0 to {LONGEST:,}"
        fits = lambda job: isinstance(job, (list, tuple)) and all(map(_is_operation, job))  # noqa: E731
        jobs = listed(jobs)
        fault = fault_in_list(jobs, "jobs are a list", "job", pairs, fits)
        if fault or not 0 < sum(map(len, jobs)) <= MOST:
            raise InputError(fault or f"expected 1 to {MOST:,} operations, found {sum(map(len, jobs)):,}")
        lengths = [*map(len, jobs)]
        self.first, self.job = np.cumsum([0, *lengths]), np.repeat(np.arange(len(jobs)), lengths)
        self.machine, self.hours = (np.array([pair[k] for job in jobs for pair in job], np.int64) for k in (0, 1))
        self.jobs, self.machines, none = len(jobs), int(self.machine.max()) + 1, len(self.job)
        places = np.arange(none)
        self.previous = np.where(np.isin(places, self.first), none, places - 1)
        self.following = np.where(np.isin(places + 1, self.first), none, places + 1)

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        lines = [line.words() for line in located_lines(whole_text(source), source.label)]
        if not lines or len(lines[0]) != 2:
            raise InputError(f"{source.label}: expected the number of jobs and that of machines in the first line")
        jobs, machines = (word.whole(1, MOST, f"a number from 1 to {MOST:,}") for word in lines[0])
        if len(lines) != jobs + 1:
            lines[-1][0].fail(f"expected {jobs} rows of jobs in all, found {len(lines) - 1}")
        read = [[(_machine(one, machines), _time(other)) for one, other in _pairs(row)] for row in lines[1:]]
        return cls(read, **options)

    def hints(self):
        return Hints(tempered=False)

    def bound(self):
        """Return the longest job, or work of a machine with the least that must come before it and after it."""
        ends = np.cumsum(self.hours)
        head = ends - self.hours - (ends - self.hours)[self.first[self.job]]
        tail = ends[self.first[self.job + 1] - 1] - ends
        own = [self.machine == machine for machine in np.unique(self.machine)]
        work = [head[mine].min() + self.hours[mine].sum() + tail[mine].min() for mine in own]
        return int(max(*work, (head + self.hours + tail).max()))

    def initial_state(self):
        free, idle = np.zeros(self.jobs, np.int64), np.zeros(self.machines, np.int64)
        return State(self.first[:-1].copy(), free, idle, np.full(self.machines, -1))

    def legal_moves(self, state):
        return [job for job in range(self.jobs) if state.ahead[job] < self.first[job + 1]]

    def start(self, state, job):
        """Return when the next operation of a job can begin: the place of set-up times, calendars, release dates."""
        return max(state.free[job], state.idle[self.machine[state.ahead[job]]])

    def play(self, state, move):
        ahead, free, idle, last = state.ahead.copy(), state.free.copy(), state.idle.copy(), state.last.copy()
        operation = ahead[move]
        machine = self.machine[operation]
        free[move] = idle[machine] = self.start(state, move) + self.hours[operation]
        ahead[move], last[machine] = operation + 1, operation
        return State(ahead, free, idle, last)

    def score(self, state):
        return -np.max(state.free)

    def code(self, state, move):
        return state.last[self.machine[state.ahead[move]]], state.ahead[move]

    def improve(self, moves, others):
        """Move operations to the ends of critical blocks, by tabu search."""
        steps, number = np.argsort(np.array(moves), kind="stable"), 0
        for move in others:
            number = (31 * number + move + 1) % (1 << 32)
        order = np.argsort(steps, kind="stable")
        better = improved(order, self.machine, self.hours, self.previous, self.following, number)
        return [self.job[operation] for operation in better]

    def solution_of(self, moves):
        state, starts = self.initial_state(), [[] for _ in range(self.jobs)]
        for job in moves:
            starts[job].append(int(self.start(state, job)))
            state = self.play(state, job)
        return starts

    def own_moves(self, solution):
        faultless(self, solution)
        starts = np.concatenate(solution)
        return self.job[np.lexsort((starts + self.hours, starts))].tolist()

    def check(self, solution):
        fits = lambda job: isinstance(job, list) and all(map(is_start, job))  # noqa: E731
        fault = fault_in_list(solution, "a solution is a list of the starts of each job", "job", STARTS, fits)
        if fault or [*map(len, solution)] != np.diff(self.first).tolist():
            return Verdict({}, [fault or "expected a start of each operation of each job"])
        pairs = [(k, k + 1) for k in range(len(self.job) - 1) if self.job[k] == self.job[k + 1]]
        machines = ((f"machine {k}", self.machine == k, 1) for k in range(self.machines))
        name = lambda k: f"operation {k - self.first[self.job[k]] + 1} of job {self.job[k] + 1}"  # noqa: E731
        begun = [*chain(*solution)]
        verdict = verdict_of(begun, self.hours, pairs, machines, name)
        for machine in range(self.machines):
            own = sorted(np.flatnonzero(self.machine == machine).tolist(), key=lambda k: (begun[k], self.hours[k]))
            for one, other in pairwise(own):
                if self.hours[other] == 0 and begun[other] < begun[one] + self.hours[one]:
                    verdict.faults.append(f"{name(other)} begins at {begun[other]}, in the middle of {name(one)}")
        return verdict

    @classmethod
    def parse_solution(cls, text: str) -> list[list[int]]:
        """Return the rows of numbers that a text holds, one a line."""
        return rows_of_numbers(text)

    def parts(self):
        """Return the jobs, which a schedule can leave out."""
        return [f"job {job}" for job in range(1, self.jobs + 1)]

    def without(self, parts):
        """Return the job shop without some jobs."""
        names, ends = self.parts(), pairwise(self.first.tolist())
        pairs = [*zip(self.machine.tolist(), self.hours.tolist(), strict=True)]
        left = [pairs[first:end] for name, (first, end) in zip(names, ends, strict=True) if name not in parts]
        return type(self)(left, **self.given_options)

    def draw(self, solution):
        begun = [self.first[job] + place for job, starts in enumerate(solution) for place in range(len(starts))]
        bars = [(start, start + self.hours[k], self.job[k]) for k, start in zip(begun, chain(*solution), strict=True)]
        own = [[bar for k, bar in zip(begun, bars, strict=True) if self.machine[k] == m] for m in range(self.machines)]
        titles = [f"machine {k:>2}" for k in range(self.machines)]
        return gantt(zip(titles, own, strict=True), max((end for _, end, _ in bars), default=0))
