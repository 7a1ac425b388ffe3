"""Kernels that go wrong late, in machine code that is on disk already: a sentence, or no harm.

A problem of 20 steps has a fault in one kernel. Which, where and what is part of the instance, so that all cases share
their machine code; each runs in a process of its own.
"""

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tries import SEED, tries

import nrpa

STEPS, MOVES = 20, 4
KINDS = ["code", "move", "count", "play", "score", "reset", "find", "improve state", "improve sequence"]
CODE, MOVE, COUNT, PLAY, SCORE, RESET, FIND, STATE, SEQUENCE = range(len(KINDS))
VALUES = [-7, -1, STEPS * MOVES, STEPS * MOVES + 3, 10**5, 10**9, 10**12, -(10**9)]
SEARCHES = nrpa.NRPA(level=2), nrpa.GNRPA(level=2, improve=True), nrpa.NMCS(level=1), nrpa.GRAVE(), nrpa.Tempering()
SOLVERS = {type(solver).__name__: solver for solver in SEARCHES}


class Instance(NamedTuple):
    kind: int
    step: int
    value: int


def reset(instance, state):
    state.count[0] = 0
    state.digits[instance.value if instance.kind == RESET else 0] = 0


def legal_moves(instance, state, moves):
    step = state.count[0]
    for m in range(MOVES):
        moves.move[m], moves.code[m] = m, MOVES * step + m
    if step == instance.step and instance.kind == CODE:
        moves.code[MOVES - 1] = instance.value
    if step == instance.step and instance.kind == MOVE:
        moves.move[MOVES - 1] = instance.value
    return 0 if step == STEPS else instance.value if step == instance.step and instance.kind == COUNT else MOVES


def play(instance, state, move):
    place = instance.value if state.count[0] == instance.step and instance.kind == PLAY else state.count[0]
    state.digits[place if 0 <= move < MOVES else STEPS + move] = move
    state.count[0] += 1


def score(instance, state):
    total = 0.0
    for k in range(STEPS):
        total += state.digits[instance.value if instance.kind == SCORE and k == instance.step else k]
    return total


def find(instance, state, name):
    if state.count[0] == instance.step and instance.kind == FIND:
        return instance.value
    return name % MOVES if name // MOVES == state.count[0] else nrpa.NOT_NOW


def improve(instance, state, sequence, steps):
    sequence[instance.value if instance.kind == SEQUENCE else 0] = MOVES - 1
    state.digits[instance.value if instance.kind == STATE else 0] = 0
    return 1


@nrpa.kernels(reset, legal_moves, play, score, find, improve)
class State(NamedTuple):
    digits: np.ndarray
    count: np.ndarray


class Digits(nrpa.CompiledProblem):
    def __init__(self, *fault):
        super().__init__(Instance(*fault), max_steps=STEPS, max_moves=MOVES, codes=STEPS * MOVES)

    def new_state(self):
        return State(np.zeros(STEPS, np.int64), np.zeros(1, np.int64))

    def check(self, solution):
        faults = [] if len(solution) == STEPS and set(solution) <= set(range(MOVES)) else ["no digits"]
        return nrpa.Verdict({"score": sum(solution)}, faults, score=float(sum(solution)))


def case(solver, *fault):
    try:
        result = nrpa.solve(Digits(*fault), SOLVERS[solver], seed=1, playouts=2000)
        print("wrong" if Digits(*fault).check(result.solution).faults else "solved", result.summary(), sep=": ")
    except nrpa.InputError as error:
        print("sentence", error, sep=": ")


def test_a_late_fault_is_told_in_a_sentence_or_does_no_harm():
    """No process dies, and what is found are digits."""
    chance = random.Random(SEED)
    here = Path(__file__)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here.parent), *filter(None, sys.path)])}
    for _ in tries(4):
        solver, kind = chance.choice(list(SOLVERS)), chance.randrange(len(KINDS))
        fault = kind, chance.randrange(STEPS), chance.choice(VALUES)
        command = [sys.executable, "-c", f"from {here.stem} import case; case({solver!r}, *{fault})"]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        said = f"{solver} | {KINDS[kind]} | {fault[1:]} | {done.stdout} | {done.stderr}"
        assert (done.returncode, done.stdout.partition(": ")[0] in ("solved", "sentence")) == (0, True), said
