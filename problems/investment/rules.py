"""The rules of the Investment Pair Game in plain Python."""

from nrpa.problems.games.teams import TeamRules

ENOUGH = 3


class InvestmentRules(TeamRules):
    """A position of the Investment Pair Game; points are wealth."""

    def winner_of(self, number: int) -> int | None:
        """Return the team whose member of a number has won against those of the same number; None while nobody has."""
        teams = range(self.players)
        return next((team for team in teams if self.points[team * self.members + number] == ENOUGH), None)

    def legal(self) -> list[int]:
        """Return the members of the team to whom a unit can be given: those against whom nobody has won, nor they."""
        first = self.player * self.members
        return [first + number for number in range(self.members) if self.winner_of(number) is None]

    def play(self, move: int) -> None:
        """Give a unit of wealth to a member; the turn passes to the next one who has not been beaten."""
        self.points[move] += 1
        if any(self.winner_of(number) is None for number in range(self.members)):
            self.pass_on(lambda giver: self.winner_of(giver % self.members) in {None, giver // self.members})

    def rewards(self) -> tuple[float, ...]:
        """Return 1 for the team that has won most often; those that have won equally often share it."""
        won = [self.winner_of(number) for number in range(self.members)]
        counts = [won.count(team) for team in range(self.players)]
        share = 1.0 / counts.count(max(counts))
        return tuple(share if count == max(counts) else 0.0 for count in counts)
