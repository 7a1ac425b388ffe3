"""Identical parallel machines with set-ups, compiled: 40 jobs on 5 machines; durations 1 to 99, set-ups 1 to 49.

Drawn for one kind of machine as Vallada and Ruiz, *A genetic algorithm for the unrelated parallel machine scheduling
problem with sequence dependent setup times*, 2011. The best makespan is that of a run of GNRPA; the annealing below
reached 443 in 10 seconds.
"""

from functools import partial
from typing import NamedTuple

import numba
import numpy as np
from annealing import annealed_in_place

import nrpa
from nrpa import kernels

BEST = {"40": 426}


class Instance(NamedTuple):
    durations: np.ndarray
    setups: np.ndarray  # of each job before each other one


def reset(instance, state):
    state.used[:] = False
    state.free[:] = 0
    state.last[:] = -1


def legal_moves(instance, state, moves):
    count, jobs, machine = 0, len(state.used), 0
    for other in range(len(state.free)):
        if state.free[other] < state.free[machine]:
            machine = other
    for job in range(jobs):
        if not state.used[job]:
            moves.move[count] = job
            moves.code[count] = (state.last[machine] + 1) * jobs + job
            count += 1
    return count


def play(instance, state, move):
    machine = 0
    for other in range(len(state.free)):
        if state.free[other] < state.free[machine]:
            machine = other
    if state.last[machine] >= 0:
        state.free[machine] += instance.setups[state.last[machine], move]
    state.free[machine] += instance.durations[move]
    state.last[machine] = move
    state.used[move] = True


def score(instance, state):
    makespan = 0
    for free in state.free:
        makespan = max(makespan, free)
    return -makespan


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    used: np.ndarray
    free: np.ndarray  # when each machine is
    last: np.ndarray  # the last job of each machine


class Machines(nrpa.CompiledProblem):
    """A move is the job that the machine that is free first begins; the least makespan."""

    objective = nrpa.Objective("makespan", sign=-1)

    def __init__(self, jobs, machines=5):
        draw = np.random.default_rng(1)
        self.jobs, self.machines = jobs, machines
        instance = Instance(draw.integers(1, 100, jobs), draw.integers(1, 50, (jobs, jobs)))
        super().__init__(instance, max_steps=jobs, max_moves=jobs, codes=(jobs + 1) * jobs)

    def new_state(self):
        return State(*(np.zeros(self.jobs, bool), np.zeros(self.machines, np.int64), np.zeros(self.machines, np.int64)))

    def check(self, solution):
        if sorted(solution) != list(range(self.jobs)):
            return nrpa.Verdict({}, ["expected each job once"])
        lines = [(0, machine, None) for machine in range(self.machines)]
        for job in solution:
            free, machine, last = lines.pop(lines.index(min(lines, key=lambda line: line[:2])))
            setup = 0 if last is None else int(self.instance.setups[last, job])
            lines.append((free + setup + int(self.instance.durations[job]), machine, job))
        return nrpa.Verdict({"makespan": max(lines)[0]}, score=-max(lines)[0])


def function(problem, data):
    """The makespan of a list of jobs, of which the machine that is free first takes the next."""
    durations, setups, machines = data(problem.instance.durations), data(problem.instance.setups), problem.machines

    def cost(order):
        free, last = [0] * machines, [-1] * machines
        for job in order:
            machine = free.index(min(free))
            free[machine] += durations[job]
            if last[machine] >= 0:
                free[machine] += setups[last[machine]][job]
            last[machine] = job
        return max(free)

    return nrpa.permutation, problem.jobs, cost


@numba.njit(cache=True)
def makespan_of(durations, setups, order, free, last):
    free[:] = 0
    last[:] = -1
    for job in order:
        machine = free.argmin()
        free[machine] += durations[job] + (setups[last[machine], job] if last[machine] >= 0 else 0)
        last[machine] = job
    return free.max()


@numba.njit(cache=True)
def anneal(durations, setups, machines, order, temperature, tries):
    """Exchange random jobs, and return the makespan."""
    free, last = np.zeros(machines, np.int64), np.zeros(machines, np.int64)
    now = makespan_of(durations, setups, order, free, last)
    for _ in range(tries):
        i, j = np.random.randint(0, len(order)), np.random.randint(0, len(order))
        order[i], order[j] = order[j], order[i]
        then = makespan_of(durations, setups, order, free, last)
        if then <= now or np.random.random() < np.exp((now - then) / temperature):
            now = then
        else:
            order[i], order[j] = order[j], order[i]
    return now


def baseline(problem, seconds, seed):
    """Simulated annealing over the list of jobs: the makespan, and the jobs."""
    order = np.random.default_rng(seed).permutation(problem.jobs)
    of_problem = partial(anneal, *problem.instance, problem.machines)
    return annealed_in_place(of_problem, order, seconds, seed, 10, 0.05, -1)
