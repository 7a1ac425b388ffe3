"""The rules of a game in plain Python: obvious and slow, for checks, drawings and tests."""

from abc import ABC, abstractmethod

from nrpa.problems.games.cells import EMPTY, board_text


class Rules(ABC):
    """A position of a game, changed by each move. It shares nothing with the kernels but the numbers of moves."""

    player: int = 0
    """Whose turn it is."""

    @abstractmethod
    def legal(self) -> list[int]:
        """Return the legal moves in ascending order; none where the game has ended."""

    @abstractmethod
    def play(self, move: int) -> None:
        """Make a legal move."""

    @abstractmethod
    def rewards(self) -> tuple[float, ...]:
        """Return what each player gets where the game has ended."""

    @abstractmethod
    def text(self) -> str:
        """Return the position as text, in one line or several."""


class BoardRules(Rules):
    """A position on a square board; here, one on which stones are placed on empty cells until somebody wins.

    ``cells`` has the owner of each cell, row after row, or EMPTY.
    """

    slant = 0

    def __init__(self, size: int, players: int = 2) -> None:
        self.size = size
        self.players = players
        self.cells = [EMPTY] * size**2
        self.winner: int | None = None

    def legal(self) -> list[int]:
        """Return the empty cells, none where somebody has won."""
        return [cell for cell, owner in enumerate(self.cells) if owner == EMPTY and self.winner is None]

    def rewards(self) -> tuple[float, ...]:
        """Return 1 for the winner and 0 for the others; without a winner the same for all, 1 in sum."""
        return winner_takes_all(self.winner, self.players)

    def text(self) -> str:
        """Return the board; each row lies ``slant`` characters to the right of the one above it."""
        return board_text(self.cells, self.size, self.slant)


def winner_takes_all(winner: int | None, players: int) -> tuple[float, ...]:
    """Return 1 for the winner and 0 for the others; without a winner the same for all, 1 in sum."""
    if winner is None:
        return (1.0 / players,) * players
    return tuple(float(player == winner) for player in range(players))
