"""What games show in which one move was left out."""

import nrpa
from nrpa.bench.changed_games import changed_games

PRIZES = [(7 * step) % 11 - 5 for step in range(24)]


class Take(nrpa.Problem):
    """Take what is at each step, or leave it."""

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return ["leave", "take"] if len(state) < len(PRIZES) else []

    def play(self, state, move):
        return (*state, "take" in move)

    def score(self, state):
        return sum(prize for prize, taken in zip(PRIZES, state, strict=True) if taken)


class TakeIt(Take):
    """The same, with moves that say what is taken or left."""

    def legal_moves(self, state):
        return [(what, len(state)) for what in super().legal_moves(state)]


class Flat(Take):
    """The score tells nothing."""

    def score(self, state):
        return 1


class Unlike(Take):
    """Tempering is no arm."""

    def hints(self):
        return nrpa.Hints(tempered=False)


def changed(problem):
    return changed_games(problem, seed=1, most=60, seconds=60.0)


def test_moves_that_mean_other_things_later_are_seen():
    """Where all that follows moves up by a step, little is kept; where moves carry their subject, nearly all."""
    found, carried = changed(Take()), changed(TakeIt())
    assert (found.length, found.different, found.lose_their_meaning) == (24, 2, True)
    assert (carried.length, carried.different, carried.lose_their_meaning) == (24, 24, False)
    assert found.kept < 0.5
    assert carried.kept > 0.8
    assert found == changed(Take())


def test_nothing_is_said_of_what_tells_nothing():
    """Of few games, of scores that are all the same, and where tempering plays nothing again by its moves."""
    assert changed_games(Take(), seed=1, most=5, seconds=60.0).kept is None
    assert changed(Flat()).kept is None
    assert not changed(Flat()).lose_their_meaning
    assert changed(Unlike()) is None
    assert changed(nrpa.permutation(5, lambda order: order[0])) is None
    assert changed(nrpa.Snake.load("5")) is None
