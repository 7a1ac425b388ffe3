"""Games of teams: each player has a team of members, who take turns in a fixed order."""

from __future__ import annotations

from nrpa.base.errors import InputError
from nrpa.problems.games.cells import MARKS
from nrpa.problems.games.problem import GameProblem

MOST_MEMBERS = 100


class TeamProblem(GameProblem):
    """A game in which the first member of each team takes a turn, then the second of each, and so on, all over again.

    Members are counted team after team from 0.
    """

    members: int

    def checked_members(self, option: str, members: int) -> int:
        """Return how many members a team has.

        Parameters
        ----------
        option : str
            The name of the option, for the message.
        members : int
            Its value.

        Returns
        -------
        int
            The number.

        Raises
        ------
        InputError
            If it is not 1 to 100.
        """
        if not 1 <= members <= MOST_MEMBERS:
            raise InputError(f"{option} must be a whole number from 1 to {MOST_MEMBERS}, not {members}")
        return members

    @property
    def label(self) -> str:
        """The size of each team."""
        return self.origin.label or "x".join([str(self.members)] * self.players)

    def move_name(self, move: int) -> str:
        """Return the name of the member that a move is about, such as ``O7``."""
        return member_name(move, self.members)


def member_name(member: int, members: int) -> str:
    """Return the name of a member: the mark of the team and a number from 1.

    Parameters
    ----------
    member : int
        The member, counted team after team from 0.
    members : int
        How many a team has.

    Returns
    -------
    str
        The name.

    Examples
    --------
    >>> member_name(16, 10)
    'O7'
    """
    team, number = divmod(member, members)
    return f"{MARKS[team]}{number + 1}"


def turns(players: int, members: int) -> list[int]:
    """Return the members in the order in which they take turns.

    Parameters
    ----------
    players, members : int
        How many teams there are, and how many members each has.

    Returns
    -------
    list of int
        The members.

    Examples
    --------
    >>> turns(2, 3)
    [0, 3, 1, 4, 2, 5]
    """
    return [team * members + number for number in range(members) for team in range(players)]


def teams_text(values: list[int], members: int, marked: int | None) -> str:
    """Return a number for each member as text.

    Parameters
    ----------
    values : list of int
        The numbers, team after team.
    members : int
        How many a team has.
    marked : int or None
        The member whose turn it is, whose number is in brackets.

    Returns
    -------
    str
        A line for each team.

    Examples
    --------
    >>> print(teams_text([3, 2, 0, 1], 2, marked=1))
    X   3 [2]
    O   .  1
    """
    shown = [f"[{value or '.'}]" if k == marked else f" {value or '.'} " for k, value in enumerate(values)]
    starts = range(0, len(values), members)
    return "\n".join(
        f"{MARKS[team]}  {''.join(shown[start : start + members])}".rstrip() for team, start in enumerate(starts)
    )
