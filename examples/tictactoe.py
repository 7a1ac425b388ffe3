"""Tic-tac-toe: a game of your own, in plain Python."""

import nrpa

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    """Return the mark of the player who has a line, or None."""
    return next((board[a] for a, b, c in LINES if board[a] != "." and board[a] == board[b] == board[c]), None)


class TicTacToe(nrpa.Problem):
    """Two players mark cells, 0 to 8; who has three in a row wins."""

    players = 2

    def initial_state(self):
        return "........."

    def player(self, state):
        return (9 - state.count(".")) % 2

    def legal_moves(self, state):
        return [] if winner(state) else [cell for cell in range(9) if state[cell] == "."]

    def play(self, state, move):
        return state[:move] + "XO"[self.player(state)] + state[move + 1 :]

    def rewards(self, state):
        return {"X": (1, 0), "O": (0, 1), None: (0.5, 0.5)}[winner(state)]

    def code(self, state, move):
        return (self.player(state), move)

    def draw(self, solution):
        board = self.final_state(solution)
        return "\n".join(board[row : row + 3] for row in (0, 3, 6))
