"""A small game for tests of tree search, compiled and plain: mark cells until so many are marked; the set decides.

For one player, two or three; with equal states that are reached in different orders; with codes that several moves
share. One class of states, so that it is compiled once.
"""

import itertools
from typing import NamedTuple

import numpy as np

import nrpa


class Instance(NamedTuple):
    cells: int
    marks: int
    players: int
    coarse: int
    spread: int
    weights: np.ndarray


def reset(instance, state):
    for cell in range(instance.cells):
        state.owner[cell] = -1
    state.made[0] = 0


def legal_moves(instance, state, moves):
    if state.made[0] == instance.marks:
        return 0
    count = 0
    for cell in range(instance.cells):
        if state.owner[cell] < 0:
            moves.move[count] = cell
            moves.code[count] = (cell // instance.coarse * instance.players + mover(instance, state)) * instance.spread
            moves.exp_bias[count] = 1.0 + cell % 3
            count += 1
    return count


@nrpa.jit
def mover(instance, state):
    return state.made[0] % instance.players


def player(instance, state):
    return mover(instance, state)


def play(instance, state, move):
    state.owner[move] = mover(instance, state)
    state.made[0] += 1


@nrpa.jit
def total(instance, state, who):
    found = 0
    for cell in range(instance.cells):
        if state.owner[cell] == who:
            found += instance.weights[cell]
            if cell > 0 and state.owner[cell - 1] == who:
                found += 3
    return found


def rewards(instance, state, rewards):
    if instance.players == 1:
        rewards[0] = total(instance, state, 0)
    elif instance.players == 2:
        difference = total(instance, state, 0) - total(instance, state, 1)
        rewards[0] = 1.0 if difference > 0 else 0.0
        rewards[1] = 1.0 - rewards[0]
    else:
        for who in range(instance.players):
            rewards[who] = total(instance, state, who) / 100.0


def value(instance, state, rewards):
    for who in range(instance.players):
        ahead = total(instance, state, who) - total(instance, state, (who + 1) % instance.players)
        rewards[who] = total(instance, state, 0) * 1.5 if instance.players == 1 else 0.5 + ahead / 256.0


def score(instance, state):
    return total(instance, state, 0)


def hash(instance, state):  # noqa: A001
    key = 0
    for cell in range(instance.cells):
        key = 5 * key + state.owner[cell] + 1
    return key * 7919


@nrpa.kernels(reset, legal_moves, play, player, rewards, value, score, hash)
class State(NamedTuple):
    owner: np.ndarray
    made: np.ndarray


class Marks(nrpa.CompiledProblem):
    """Mark cells; the figure is the weight of what the only player marked."""

    objective = nrpa.Objective("weight", sign=1)

    def __init__(self, cells=8, marks=6, players=1, coarse=1, hashed_codes=False):
        weights = np.random.default_rng(5).integers(1, 20, cells)
        self.plain = Plain(cells, marks, players, coarse, weights.tolist())
        super().__init__(
            Instance(cells, marks, players, coarse, 1_000_003 if hashed_codes else 1, weights),
            max_steps=marks,
            max_moves=cells,
            codes=None if hashed_codes else cells * players,
            bias_by_move=True,
            players=players,
        )

    def new_state(self):
        return State(np.zeros(self.instance.cells, np.int64), np.zeros(1, np.int64))

    def check(self, solution):
        score = self.plain.rewards((tuple(0 if c in solution else -1 for c in range(self.plain.cells)), 0))[0]
        return nrpa.Verdict({"weight": score}, score=score)


class Plain:
    """The same in plain Python, as ``naive_tree`` asks for it; ``by_key`` says whether equal states are one node."""

    def __init__(self, cells, marks, players, coarse, weights):
        self.cells, self.marks, self.players, self.coarse, self.weights = cells, marks, players, coarse, weights
        self.by_key = True

    def initial(self):
        return ((-1,) * self.cells, 0)

    def legal(self, state):
        owner, made = state
        return [] if made == self.marks else [cell for cell in range(self.cells) if owner[cell] < 0]

    def player(self, state):
        return state[1] % self.players

    def play(self, state, move):
        owner = list(state[0])
        owner[move] = self.player(state)
        return (tuple(owner), state[1] + 1)

    def code(self, state, move):
        return move // self.coarse * self.players + self.player(state)

    def prior(self, state, move):
        return 1.0 + move % 3

    def total(self, owner, who):
        found = sum(weight for weight, cell in zip(self.weights, owner, strict=True) if cell == who)
        return found + 3 * sum(a == b == who for a, b in itertools.pairwise(owner))

    def rewards(self, state):
        totals = [self.total(state[0], who) for who in range(self.players)]
        if self.players == 1:
            return totals
        if self.players == 2:
            return [1.0, 0.0] if totals[0] > totals[1] else [0.0, 1.0]
        return [found / 100.0 for found in totals]

    def value(self, state):
        totals = [self.total(state[0], who) for who in range(self.players)]
        if self.players == 1:
            return [totals[0] * 1.5]
        return [0.5 + (totals[who] - totals[(who + 1) % self.players]) / 256.0 for who in range(self.players)]

    def key(self, state):
        return state if self.by_key else None
