"""Games of teams: each player has a team of members, who take turns in a fixed order."""

from collections.abc import Callable
from typing import ClassVar

from nrpa.problems.games.cells import MARKS
from nrpa.problems.games.problem import GameProblem
from nrpa.problems.games.rules import Rules

MOST_MEMBERS = 100


class TeamProblem(GameProblem):
    """A game in which the first member of each team takes a turn, then the second of each, and so on, round by round.

    Members are counted team after team from 0. ``points`` says what the numbers of its positions are.
    """

    picture = "games:draw_points"
    members: int
    points: ClassVar[str]

    @property
    def label(self) -> str:
        return self.origin.label or "x".join([str(self.members)] * self.players)

    def move_name(self, move: int) -> str:
        """Return the name of the member that a move is about, such as ``O7``."""
        return member_name(move, self.members)


class TeamRules(Rules):
    """A position of a game of teams: the ``points`` of each member, and who is ``waiting`` for the next turns."""

    def __init__(self, players: int, members: int, points: int) -> None:
        self.players = players
        self.members = members
        self.points = [points] * (players * members)
        self.waiting = turns(players, members)

    @property
    def mover(self) -> int:
        """The member whose turn it is."""
        return self.waiting[0]

    @property
    def player(self) -> int:  # type: ignore[override]
        """The team of that member."""
        return self.mover // self.members

    def pass_on(self, can_move: Callable[[int], bool]) -> None:
        """Pass the turn on to the next member who can move."""
        self.waiting.append(self.waiting.pop(0))
        while not can_move(self.mover):
            self.waiting.append(self.waiting.pop(0))

    def text(self) -> str:
        """Return the points of each team's members, a dot for none; those of the next one to move are in brackets."""
        shown = [f"[{had or '.'}]" if k == self.mover else f" {had or '.'} " for k, had in enumerate(self.points)]
        teams = [shown[first : first + self.members] for first in range(0, len(shown), self.members)]
        return "\n".join(f"{MARKS[team]}  {''.join(members)}".rstrip() for team, members in enumerate(teams))


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
