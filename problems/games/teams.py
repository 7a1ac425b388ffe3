"""Games of teams: each player has a team of members, who take turns in a fixed order."""

from typing import Any, ClassVar

from nrpa.problems.games.cells import MARKS
from nrpa.problems.games.problem import GameProblem

MOST_MEMBERS = 100


class TeamProblem(GameProblem):
    """A game in which the first member of each team takes a turn, then the second of each, and so on, round by round.

    Members are counted team after team from 0. ``points`` is the name of what they have, in states, too.
    """

    members: int
    points: ClassVar[str]

    @property
    def label(self) -> str:
        return self.origin.label or "x".join([str(self.members)] * self.players)

    def move_name(self, move: int) -> str:
        """Return the name of the member that a move is about, such as ``O7``."""
        return member_name(move, self.members)

    def standing(self, solution: Any) -> tuple[list[int], int]:
        """Return what each member has after the moves of a game, or of its beginning, and who is next to move."""
        state = self.position(solution)
        return getattr(state, self.points).tolist(), int(self.instance.order[state.turn[0]])

    def draw(self, solution: Any) -> str:
        """Return a number for each member as text; that of the next one to move is in brackets."""
        points, mover = self.standing(solution)
        shown = [f"[{value or '.'}]" if k == mover else f" {value or '.'} " for k, value in enumerate(points)]
        starts = range(0, len(points), self.members)
        return "\n".join(f"{MARKS[k]}  {''.join(shown[i : i + self.members])}".rstrip() for k, i in enumerate(starts))


def member_name(member: int, members: int) -> str:
    """Return the name of a member: the mark of the team and a number from 1."""
    team, number = divmod(member, members)
    return f"{MARKS[team]}{number + 1}"


def turns(players: int, members: int) -> list[int]:
    """Return the members in the order in which they take turns.

    >>> turns(2, 3)
    [0, 3, 1, 4, 2, 5]
    """
    return [team * members + number for number in range(members) for team in range(players)]
