"""The rules of the Wargame in plain Python."""

from __future__ import annotations

from nrpa.problems.games.rules import Rules, winner_takes_all
from nrpa.problems.games.teams import teams_text, turns


class WargameRules(Rules):
    """A position of the Wargame.

    Parameters
    ----------
    units : int
        The units of each player.
    players : int
        The number of players.
    health : int
        The points of health that each unit begins with.
    """

    def __init__(self, units: int, players: int, health: int) -> None:
        self.units = units
        self.players = players
        self.health = [health] * (units * players)
        self.waiting = turns(players, units)

    @property
    def attacker(self) -> int:
        """The unit whose turn it is."""
        return self.waiting[0]

    @property
    def player(self) -> int:  # type: ignore[override]
        """Whose unit it is."""
        return self.attacker // self.units

    def _alive(self) -> set[int]:
        return {unit // self.units for unit, health in enumerate(self.health) if health > 0}

    def legal(self) -> list[int]:
        """Return the living units of others, none where only one player has any."""
        if len(self._alive()) == 1:
            return []
        return [unit for unit, health in enumerate(self.health) if health > 0 and unit // self.units != self.player]

    def play(self, move: int) -> None:
        """Attack a unit; the turn passes to the next unit that lives."""
        self.health[move] -= 1
        while True:
            self.waiting.append(self.waiting.pop(0))
            if self.health[self.attacker] > 0:
                break

    def rewards(self) -> tuple[float, ...]:
        """Return 1 for the only player who has units, and 0 for the others."""
        (winner,) = self._alive()
        return winner_takes_all(winner, self.players)

    def text(self) -> str:
        """Return the health of each player's units; that of the next one to attack is in brackets."""
        return teams_text(self.health, self.units, self.attacker)
