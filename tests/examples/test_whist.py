"""Little whist: what the player to move cannot tell apart."""

import numpy as np
import pytest
from whist import HAND, Whist

import nrpa

WHIST = Whist()


def random_game(seed):
    """Return the moves of a game at random, and how many of them are the deal."""
    random = np.random.default_rng(seed)
    moves = WHIST.deal(random)
    while legal := WHIST.legal_moves(WHIST.after(moves)):
        moves.append(int(random.choice(legal)))
    return moves


@pytest.mark.parametrize("seed", range(5))
def test_a_drawing_is_what_the_player_may_believe(seed):
    """The own hand and what was played are the same, all moves are legal, and another hand is soon drawn."""
    moves, random = random_game(seed), np.random.default_rng(seed)
    for length in range(2 * HAND, len(moves)):
        known, state = moves[:length], WHIST.after(moves[:length])
        me = WHIST.player(state)
        drawn = [WHIST.determinize(known, random) for _ in range(30)]
        for each in drawn:
            assert (each[me : 2 * HAND : 2], each[2 * HAND :]) == (known[me : 2 * HAND : 2], known[2 * HAND :])
            assert WHIST.legal_moves(WHIST.after(each)) == WHIST.legal_moves(state)
        assert length > len(moves) - 2 or len({tuple(sorted(each[1 - me : 2 * HAND : 2])) for each in drawn}) > 1


def test_what_is_not_dealt_cannot_be_drawn_anew():
    """A position within the deal has no other drawing."""
    with pytest.raises(nrpa.InputError, match="the first 10 moves are the deal"):
        WHIST.determinize(random_game(1)[:9], np.random.default_rng(1))


def test_tricks_go_to_the_higher_card_of_the_suit_led():
    """Also where it was led; who wins a trick leads; who cannot follow loses it."""
    moves = [6, 0, 5, 1, 7, 8, 9, 10, 13, 11]  # 5, 6, 7, 9, 13 against 0, 1, 8, 10, 11
    moves += [5, 1, 6, 0, 7, 8, 10, 13, 9, 11]
    state = WHIST.after(moves)
    assert WHIST.after([*moves[:10], 5, 8]) is None  # must follow
    assert state[4] == (3, 2)
    assert WHIST.rewards(state) == [1.0, 0.0]
