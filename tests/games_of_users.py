"""Small games in plain Python that the tests let tree searches play."""

import nrpa


class ThreeNim(nrpa.Problem):
    """Three players take one, two or three of seven stones in turn; who takes the last one wins."""

    players = 3
    stones = 7

    def initial_state(self):
        return (self.stones, 0)

    def player(self, state):
        return state[1]

    def legal_moves(self, state):
        return [taken for taken in (1, 2, 3) if taken <= state[0]]

    def play(self, state, move):
        return (state[0] - move, (state[1] + 1) % 3)

    def rewards(self, state):
        return [float(player == (state[1] - 1) % 3) for player in range(3)]


class Even(nrpa.Problem):
    """Two players say a number in turn, twice each; whoever said more wins, and it is always a draw."""

    players = 2

    def initial_state(self):
        return 0

    def player(self, state):
        return state % 2

    def legal_moves(self, state):
        return [1] if state < 4 else []

    def play(self, state, move):
        return state + move

    def rewards(self, state):
        return (0.5, 0.5)


class Ring(nrpa.Problem):
    """Two players move their tokens round a ring, one place to either side; who comes to the other's place wins."""

    players = 2
    max_steps = 20
    at_max_steps: tuple[float, float] | None = (0.5, 0.5)

    def initial_state(self):
        return (0, 4, 0)

    def player(self, state):
        return state[2]

    def legal_moves(self, state):
        return [] if state[0] == state[1] else [-1, 1]

    def play(self, state, move):
        first, second, turn = state
        return ((first + move) % 8, second, 1) if turn == 0 else (first, (second + move) % 8, 0)

    def rewards(self, state):
        return (float(state[2] == 1), float(state[2] == 0))
