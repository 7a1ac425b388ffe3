"""AlphaZero at Connect Four, small: a network of scikit-learn learns moves and results from games against itself.

    python examples/selfplay.py --rounds 6 --games 30 --walks 30

D. Silver et al., *A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play*,
Science 362, 2018.
"""

import argparse
import functools
import math

import numpy as np
from connect_four import COLUMNS, ROWS, ConnectFour

import nrpa

CELLS = [column * (ROWS + 1) + row for column in range(COLUMNS) for row in range(ROWS)]
LEAST = 0.01  # of the prior of a move
AT_RANDOM = 10  # so many moves of a game are drawn by their visits


def seen(state):
    """Return what the network sees: the cells of who is to move, and of the other, float64[84]."""
    own, filled, _ = state
    return np.array([stones >> cell & 1 for stones in (own, own ^ filled) for cell in CELLS], np.float64)


class Learned(ConnectFour):
    """Connect Four with what a network thinks: the prior of each move, and what the player to move gets in the end."""

    def __init__(self, layers):
        self.layers = layers  # the weights and the shift of each
        self.asked = functools.lru_cache(100_000)(self._asked)

    def _asked(self, state):
        answer = seen(state)
        for k, (weights, shift) in enumerate(self.layers):
            answer = (np.maximum(answer, 0.0) if k else answer) @ weights + shift
        return answer

    def bias(self, state, move):
        return math.log(max(LEAST, self.asked(state)[move]))

    def value(self, state):
        mine = min(1.0, max(0.0, self.asked(state)[COLUMNS]))
        return (mine, 1.0 - mine) if state[2] == 0 else (1.0 - mine, mine)


SOLVER = nrpa.PUCT(cut=0, c=1.5)  # no playouts: leaves are worth what the network says


def own_game(problem, walks, random):
    """Play a game against itself; return what was seen, and what the network should have said of it."""
    session, states, visits = nrpa.GameSession(problem, SOLVER, seed=int(random.integers(2**31))), [], []
    state = problem.initial_state()
    while session.legal:
        session.think(playouts=walks)
        choice, shares = session.choice(), np.zeros(COLUMNS)
        shares[[each.own_move for each in choice.opinions]] = [each.visits for each in choice.opinions]
        if choice.solved:
            shares = np.eye(COLUMNS)[choice.own_move]
        shares /= shares.sum()
        states.append(state)
        visits.append(shares)
        drawn = random.choice(COLUMNS, p=shares) if len(states) <= AT_RANDOM else choice.own_move
        session.advance(int(drawn))
        state = problem.play(state, int(drawn))
    wanted = [[*shares, session.rewards[each[2]]] for each, shares in zip(states, visits, strict=True)]
    return [seen(each) for each in states], wanted


def learned(rounds, games, walks, seed=0, tell=print):
    """Return the game with a network that has learned from so many rounds of games against itself."""
    from sklearn.neural_network import MLPRegressor

    random = np.random.default_rng(seed)
    network = MLPRegressor(
        hidden_layer_sizes=(64, 32), learning_rate_init=0.003, alpha=1e-4, warm_start=True, max_iter=20, random_state=0
    )
    rows, wanted = [], []
    problem = Learned([(np.zeros((2 * len(CELLS), COLUMNS + 1)), np.array([1 / COLUMNS] * COLUMNS + [0.5]))])
    for number in range(rounds):
        for _ in range(games):
            new_rows, new_wanted = own_game(problem, walks, random)
            rows += new_rows
            wanted += new_wanted
        network.fit(np.array(rows), np.array(wanted))
        problem = Learned(list(zip(network.coefs_, network.intercepts_, strict=True)))
        tell(f"round {number + 1}: {len(rows)} positions, R² {network.score(rows, wanted):.2f}")
    return problem


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--walks", type=int, default=30)
    given = parser.parse_args()
    found = learned(given.rounds, given.games, given.walks)
    players = (SOLVER, found), (nrpa.UCT(), ConnectFour())
    print(nrpa.match(found, *players, playouts=given.walks, games=40).table())
