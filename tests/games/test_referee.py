"""Players of a match, as texts and as objects."""

import pytest

import nrpa
from nrpa.games.match import Contender

HEX = nrpa.Hex(size=3, first="none")


def test_a_text_has_options_of_the_solver_and_of_the_game():
    """Papers' names of options are understood; the game is another object only where it differs."""
    game = nrpa.Wargame(units=3)
    found = Contender.parse("grave:ref=100,bias=1e-4,codes=abstract", game, lambda more: nrpa.Wargame(units=3, **more))
    assert (found.solver, found.name) == (nrpa.GRAVE(ref=100, amaf_bias=1e-4), "grave:ref=100,bias=1e-4,codes=abstract")
    assert (found.game.options["units"], found.game.options["codes"]) == (3, "abstract")
    assert Contender.parse("uct", game, nrpa.Wargame).game is game


def test_an_object_is_named_by_what_is_not_usual():
    """Options of the solver, and of the game where the player sees another one."""
    seen = nrpa.Hex(size=3, first="none", codes="abstract")
    assert Contender.of(nrpa.MCPS(), HEX, "first").name == "mcps"
    assert Contender.of((nrpa.MCPS(ref=5), seen), HEX, "first").name == "mcps:ref=5,codes=abstract"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "player : a variant needs a name"),
        ("zz", "player zz: unknown solver 'zz'"),
        ("gnrpa", "player gnrpa: gnrpa does not choose moves of games"),
        ("mcps:solver=uct", "player mcps:solver=uct: expected SOLVER:key=value"),
        ("mcps:ref=5, solver=gnrpa", "player mcps:ref=5, solver=gnrpa: expected SOLVER:key=value"),
        ("mcps:bias=1", "player mcps:bias=1: unknown option 'bias'"),
        ("mcps:ref=-1", "player mcps:ref=-1: ref must be a whole number of at least 0, not -1"),
        ("mcps:codes=z", "player mcps:codes=z: codes must be one of exact, abstract"),
    ],
)
def test_bad_texts_are_one_sentence(text, message):
    """It names the player and what was expected."""
    with pytest.raises(nrpa.InputError, match=message) as fault:
        Contender.parse(text, HEX, lambda more: nrpa.Hex(**more))
    assert "\n" not in str(fault.value)


def test_a_class_is_no_player():
    """Nor is a solver for one player."""
    for given in (nrpa.MCPS, nrpa.NMCS(), 5):
        with pytest.raises(nrpa.InputError, match="player 1: "):
            Contender.of(given, HEX, "player 1")
