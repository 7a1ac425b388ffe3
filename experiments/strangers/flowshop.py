"""The permutation flow shop, compiled: instance ta051 of 50 jobs on 20 machines, drawn by Taillard's generator.

E. Taillard, *Benchmarks for basic scheduling problems*, 1993; 3850 is the best known makespan.
"""

import time
from typing import NamedTuple

import numba
import numpy as np

import nrpa
from nrpa import kernels

BEST = {"ta051": 3850}
SEEDS = {"ta051": 1539989115}


class Instance(NamedTuple):
    durations: np.ndarray  # of each job on each machine


def reset(instance, state):
    state.used[:] = False
    state.free[:] = 0
    state.count[0] = 0


def legal_moves(instance, state, moves):
    count, jobs = 0, len(state.used)
    for job in range(jobs):
        if not state.used[job]:
            moves.move[count] = job
            moves.code[count] = state.count[0] * jobs + job
            count += 1
    return count


def play(instance, state, move):
    now = 0
    for machine in range(len(state.free)):
        now = max(now, state.free[machine]) + instance.durations[move, machine]
        state.free[machine] = now
    state.used[move] = True
    state.count[0] += 1


def score(instance, state):
    return -state.free[-1]


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    used: np.ndarray
    free: np.ndarray  # when each machine is
    count: np.ndarray


class FlowShop(nrpa.CompiledProblem):
    """The order of the jobs, the same on all machines, with the least makespan."""

    objective = nrpa.Objective("makespan", sign=-1)

    def __init__(self, durations):
        self.jobs, self.machines = durations.shape
        super().__init__(Instance(durations), max_steps=self.jobs, max_moves=self.jobs, codes=self.jobs**2)

    @classmethod
    def load(cls, name):
        number, durations = SEEDS[name], np.zeros((50, 20), np.int64)
        for machine in range(20):
            for job in range(50):
                number = 16807 * number % (2**31 - 1)
                durations[job, machine] = 1 + 99 * number // (2**31 - 1)
        return cls(durations)

    def new_state(self):
        return State(np.zeros(self.jobs, bool), np.zeros(self.machines, np.int64), np.zeros(1, np.int64))

    def check(self, solution):
        if sorted(solution) != list(range(self.jobs)):
            return nrpa.Verdict({}, ["expected each job once"])
        ends = np.zeros((self.jobs + 1, self.machines + 1), int)
        for place, job in enumerate(solution):
            for machine, duration in enumerate(self.instance.durations[job].tolist()):
                ends[place + 1, machine] = max(ends[place, machine], ends[place + 1, machine - 1]) + duration
        return nrpa.Verdict({"makespan": int(ends[-1, -2])}, score=-int(ends[-1, -2]))


def function(problem, data):
    """The makespan of an order of the jobs."""
    durations, machines = data(problem.instance.durations), problem.machines

    def cost(order):
        free = [0] * machines
        for job in order:
            now = 0
            for machine in range(machines):
                now = max(now, free[machine]) + durations[job][machine]
                free[machine] = now
        return free[-1]

    return nrpa.permutation, problem.jobs, cost


@numba.njit(cache=True)
def insert(durations, order, count, job):
    """Put the job where the makespan of the first ``count`` and it is least (Taillard 1990), and return that."""
    machines = durations.shape[1]
    heads, tails = np.zeros((count + 2, machines + 1), np.int64), np.zeros((count + 2, machines + 1), np.int64)
    for i in range(count):
        for m in range(machines):
            heads[i + 1, m + 1] = max(heads[i, m + 1], heads[i + 1, m]) + durations[order[i], m]
    for i in range(count - 1, -1, -1):
        for m in range(machines - 1, -1, -1):
            tails[i, m] = max(tails[i + 1, m], tails[i, m + 1]) + durations[order[i], m]
    best, where = np.int64(2**60), 0
    for i in range(count + 1):
        end, makespan = 0, 0
        for m in range(machines):
            end = max(end, heads[i, m + 1]) + durations[job, m]
            makespan = max(makespan, end + tails[i, m])
        if makespan < best:
            best, where = makespan, i
    order[where + 1 : count + 1] = order[where:count].copy()
    order[where] = job
    return best


@numba.njit(cache=True)
def reinsert(durations, order, places):
    """Take the jobs at some places out, put one after the other where it is best, and return the makespan."""
    jobs, left = order[places].copy(), len(order) - len(places)
    order[:left] = np.delete(order, places)
    makespan = np.int64(0)
    for k in range(len(jobs)):
        makespan = insert(durations, order, left + k, jobs[k])
    return makespan


def baseline(problem, seconds, seed):
    """NEH and iterated greedy (Ruiz and Stützle 2007, without local search): the makespan, and the jobs."""
    draw, durations = np.random.default_rng(seed), problem.instance.durations
    order = np.arange(problem.jobs)
    best = now = reinsert(durations, order, np.argsort(-durations.sum(axis=1), kind="stable"))
    best_order = order
    start = time.process_time()
    while time.process_time() - start < seconds:
        changed = order.copy()
        then = reinsert(durations, changed, draw.permutation(problem.jobs)[:4])
        if then <= now or draw.random() < np.exp((now - then) / (0.04 * durations.mean())):
            now, order = then, changed
        if now < best:
            best, best_order = now, order
    return int(best), best_order.tolist()
