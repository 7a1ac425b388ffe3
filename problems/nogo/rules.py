"""The rules of Nogo and Atarigo in plain Python: every chain is looked for anew."""

from nrpa.problems.games.cells import EMPTY, neighbours
from nrpa.problems.games.rules import BoardRules

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


class ChainRules(BoardRules):
    """A position of Nogo or Atarigo."""

    def __init__(self, size: int, players: int, *, wins: bool) -> None:
        super().__init__(size, players)
        self.wins = wins
        self.out: set[int] = set()

    def legal(self) -> list[int]:
        """Return the cells where the player may place a stone."""
        return [] if self.winner is not None else self._legal_of(self.player)

    def _legal_of(self, player: int) -> list[int]:
        return [cell for cell, owner in enumerate(self.cells) if owner == EMPTY and self._is_legal(cell, player)]

    def _is_legal(self, cell: int, player: int) -> bool:
        self.cells[cell] = player
        lives, captures = bool(self._liberties(cell)), self._captures(cell)
        self.cells[cell] = EMPTY
        return captures or lives if self.wins else lives and not captures

    def _captures(self, cell: int) -> bool:
        """Return whether a chain of another player beside a stone has no liberty."""
        beside = neighbours(cell, self.size, STEPS)
        return any(self.cells[c] not in {EMPTY, self.cells[cell]} and not self._liberties(c) for c in beside)

    def _liberties(self, cell: int) -> set[int]:
        """Return the empty cells beside the chain of a stone."""
        chain, open_cells, liberties = {cell}, [cell], set()
        while open_cells:
            for beside in neighbours(open_cells.pop(), self.size, STEPS):
                if self.cells[beside] == EMPTY:
                    liberties.add(beside)
                elif self.cells[beside] == self.cells[cell] and beside not in chain:
                    chain.add(beside)
                    open_cells.append(beside)
        return liberties

    def play(self, move: int) -> None:
        """Place a stone; who cannot move when it is their turn is out, and the last who is not has won."""
        self.cells[move] = self.player
        if self.wins and self._captures(move):
            self.winner = self.player
        while self.winner is None:
            self.player = (self.player + 1) % self.players
            if self.player in self.out:
                continue
            if len(self.out) == self.players - 1:
                self.winner = self.player
            elif not self._legal_of(self.player):
                self.out.add(self.player)
            else:
                break
