"""Connect Four, a bit for each cell, and a program that plays it: it thinks while the other does."""

import nrpa

COLUMNS, ROWS = 7, 6


def wins(stones):
    """Return whether a set of stones has four in a row in any direction; above each column lies an empty bit."""
    for step in (1, ROWS, ROWS + 1, ROWS + 2):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


class ConnectFour(nrpa.Problem):
    """Two players drop stones into columns, 0 to 6; who has four in a row wins, and a full board is a draw."""

    players, max_steps = 2, COLUMNS * ROWS

    def initial_state(self):
        return (0, 0, 0)  # the stones of who is to move, all stones, who is to move

    def player(self, state):
        return state[2]

    def legal_moves(self, state):
        own, filled, _ = state
        if wins(own ^ filled):
            return []
        return [column for column in range(COLUMNS) if not filled >> column * (ROWS + 1) + ROWS - 1 & 1]

    def play(self, state, move):
        own, filled, turn = state
        return own ^ filled, filled | filled + (1 << move * (ROWS + 1)), 1 - turn

    def code(self, state, move):
        return self.play(state, move)[1] ^ state[1]  # the cell, for searches that count by code

    def rewards(self, state):
        own, filled, turn = state
        won = 0.5 * wins(own ^ filled)
        return (0.5 - won, 0.5 + won) if turn == 0 else (0.5 + won, 0.5 - won)

    def draw(self, solution):
        own, filled, turn = self.final_state(solution)
        first = own if turn == 0 else own ^ filled
        cells = [[column * (ROWS + 1) + row for column in range(COLUMNS)] for row in reversed(range(ROWS))]
        marks = {(0, 0): ".", (1, 1): "X", (1, 0): "O"}
        return "\n".join("".join(marks[filled >> cell & 1, first >> cell & 1] for cell in row) for row in cells)


def play(ask, tell=print, seconds=2.0, seed=0):
    """Play against a person, who begins: ``ask`` returns a column; return what each player gets."""
    session = nrpa.GameSession(ConnectFour(), nrpa.UCT(), seed=seed)
    while session.legal:
        if session.player == 0:
            tell(session.text())
            session.think(background=True)
            session.advance(ask(session.legal))
        else:
            session.think(seconds)
            choice = session.choice()
            tell(f"{choice.move}: {choice.reason}; expected: {' '.join(choice.variation)}")
            session.advance(choice.own_move)
    return session.rewards


if __name__ == "__main__":
    print(play(lambda legal: int(input(f"one of {legal}: "))))
