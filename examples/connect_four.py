"""Connect Four on bits, and a program that plays it: a session, which thinks while the other does."""

import nrpa

COLUMNS, ROWS = 7, 6


def wins(stones):
    """Return whether a set of stones, a bit each, has four in a row in any direction."""
    for step in (1, ROWS, ROWS + 1, ROWS + 2):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


class ConnectFour(nrpa.Problem):
    """Two players drop stones into columns, 0 to 6; who has four in a row wins, and a full board is a draw."""

    players = 2
    max_steps = COLUMNS * ROWS

    def initial_state(self):
        return (0, 0, 0)  # the stones of who moves, all stones, whose turn it is

    def player(self, state):
        return state[2]

    def legal_moves(self, state):
        own, filled, _ = state
        if wins(own ^ filled):
            return []
        return [column for column in range(COLUMNS) if not filled >> column * (ROWS + 1) + ROWS - 1 & 1]

    def play(self, state, move):
        own, filled, turn = state
        return (own ^ filled, filled | filled + (1 << move * (ROWS + 1)), 1 - turn)

    def rewards(self, state):
        own, filled, turn = state
        won = 0.5 * wins(own ^ filled)
        return (0.5 - won, 0.5 + won) if turn == 0 else (0.5 + won, 0.5 - won)

    def draw(self, solution):
        own, filled, turn = self.final_state(solution)
        first = own if turn == 0 else own ^ filled
        bits = [[column * (ROWS + 1) + row for column in range(COLUMNS)] for row in reversed(range(ROWS))]
        return "\n".join(
            "".join(".XO"[(filled >> b & 1) + (filled >> b & ~first >> b & 1)] for b in line) for line in bits
        )
