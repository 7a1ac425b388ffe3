"""The rules of a game in plain Python: obvious and slow, for checks, drawings and tests."""

from __future__ import annotations

from abc import ABC, abstractmethod


class Rules(ABC):
    """A position of a game, which changes with each move. It shares nothing with the kernels but the numbers of moves.

    Attributes
    ----------
    player : int
        Whose turn it is.
    """

    player: int = 0

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
    """A position on a square board.

    Attributes
    ----------
    size : int
        The cells of a row.
    cells : list of int
        The owner of each cell, row after row, or EMPTY.
    """

    size: int
    cells: list[int]


def winner_takes_all(winner: int | None, players: int) -> tuple[float, ...]:
    """Return 1 for the winner and 0 for the others; without a winner the same for all, 1 in sum.

    Parameters
    ----------
    winner : int or None
        The winner.
    players : int
        The number of players.

    Returns
    -------
    tuple of float
        The rewards, one a player.
    """
    if winner is None:
        return (1.0 / players,) * players
    return tuple(float(player == winner) for player in range(players))
