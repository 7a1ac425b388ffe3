"""The rules of the Video Game in plain Python."""

from nrpa.problems.games.cells import cell_name
from nrpa.problems.games.rules import winner_takes_all
from nrpa.problems.games.teams import TeamRules, member_name

ROWS = 2


class Skirmish(TeamRules):
    """A position of the Video Game; points are health.

    A move is an arrival cell times (units + 1), plus the number of the target from 1, or plus 0 without attack.
    """

    def __init__(self, size: int, health: int, reach: int, most_moves: int) -> None:
        super().__init__(2, ROWS * size, health)
        self.size = size
        self.reach = reach
        self.moves_left = most_moves
        front_first = [(row, column) for row in reversed(range(ROWS)) for column in range(size)]
        mirrored = [(size - 1 - row, column) for row, column in front_first]
        self.place = [*front_first, *mirrored]

    def alive(self, player: int) -> list[int]:
        """Return the living units of a player."""
        first = player * self.members
        return [unit for unit in range(first, first + self.members) if self.points[unit] > 0]

    def legal(self) -> list[int]:
        """Return the moves that attack; where there are none, the cells where the unit can go or stay."""
        if self.moves_left == 0 or not self.alive(0) or not self.alive(1):
            return []
        attacks, walks = [], []
        for row, column in self._arrivals():
            arrival = (row * self.size + column) * (len(self.place) + 1)
            walks.append(arrival)
            for target in self.alive(1 - self.player):
                down, right = self.place[target][0] - row, self.place[target][1] - column
                if max(abs(down), abs(right)) <= self.reach:
                    attacks.append(arrival + target + 1)
        return attacks or walks

    def _arrivals(self) -> list[tuple[int, int]]:
        """Return the cell of the unit and the empty ones beside it, row after row."""
        taken = {self.place[unit] for unit in [*self.alive(0), *self.alive(1)] if unit != self.mover}
        row, column = self.place[self.mover]
        around = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        return [(r, c) for r, c in around if 0 <= r < self.size and 0 <= c < self.size and (r, c) not in taken]

    def play(self, move: int) -> None:
        """Go to a cell and attack; the turn passes to the next unit that lives."""
        cell, target = divmod(move, len(self.place) + 1)
        self.place[self.mover] = divmod(cell, self.size)
        if target > 0:
            self.points[target - 1] -= 1
        self.moves_left -= 1
        self.pass_on(lambda unit: self.points[unit] > 0)

    def rewards(self) -> tuple[float, ...]:
        """Return 1 for the only player who has units and 0 for the other; 0.5 each where both have."""
        alive = [player for player in (0, 1) if self.alive(player)]
        return winner_takes_all(alive[0] if len(alive) == 1 else None, 2)

    def text(self) -> str:
        """Return the board: each unit with its health after the colon; the next one to move is in brackets."""
        there = {self.place[unit]: unit for unit in [*self.alive(0), *self.alive(1)]}
        lines = ["    " + " ".join(f"{cell_name(column, self.size)[0]:^7}" for column in range(self.size)).rstrip()]
        for row in range(self.size):
            cells = [self._shown(there.get((row, column))) for column in range(self.size)]
            lines.append(f"{row + 1:2}  " + " ".join(cells).rstrip())
        return "\n".join(lines)

    def _shown(self, unit: int | None) -> str:
        if unit is None:
            return f"{'.':^7}"
        what = f"{member_name(unit, self.members)}:{self.points[unit]}"
        return f"{f'[{what}]' if unit == self.mover else what:^7}"
