"""The rules of the Wargame in plain Python."""

from nrpa.problems.games.rules import winner_takes_all
from nrpa.problems.games.teams import TeamRules


class WargameRules(TeamRules):
    """A position of the Wargame; points are health."""

    def _alive(self) -> set[int]:
        return {unit // self.members for unit, health in enumerate(self.points) if health > 0}

    def legal(self) -> list[int]:
        """Return the living units of others, none where only one player has any."""
        if len(self._alive()) == 1:
            return []
        return [unit for unit, health in enumerate(self.points) if health > 0 and unit // self.members != self.player]

    def play(self, move: int) -> None:
        """Attack a unit; the turn passes to the next unit that lives."""
        self.points[move] -= 1
        self.pass_on(lambda unit: self.points[unit] > 0)

    def rewards(self) -> tuple[float, ...]:
        """Return 1 for the only player who has units, and 0 for the others."""
        (winner,) = self._alive()
        return winner_takes_all(winner, self.players)
