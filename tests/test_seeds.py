"""Wherever a seed is taken, it may be a number of NumPy, or a generator that it is drawn from."""

import inspect

import numpy as np
import pytest
from user_problems import Bits

import nrpa
from nrpa.base.errors import InputError
from nrpa.base.values import checked_seed
from nrpa.bench import Experiment, Variant
from nrpa.bench.diagnose import diagnose
from nrpa.problems.puzzles.latin import LatinSquare

HEX = nrpa.Hex(size=3, first="none")
MOVES = ["b2", "a1", "b1", "a2"]
PLAYERS = nrpa.MCPS(), nrpa.GRAVE()
TAKERS = {
    "solve": lambda seed: nrpa.solve(nrpa.Snake.load("4"), nrpa.RandomSampling(), seed=seed, playouts=20).seed,
    "choose": lambda seed: nrpa.choose(HEX, nrpa.MCPS(), moves=MOVES, playouts=20, seed=seed).seed,
    "match": lambda seed: nrpa.match(HEX, *PLAYERS, playouts=20, games=1, workers=1, seed=seed).games[0].seed,
    "session": lambda seed: nrpa.GameSession(HEX, seed=seed)._seed,
    "bench": lambda seed: Experiment("snake", ("3",), (Variant("A", "random"),), playouts=5, seed=seed).jobs()[0].seed,
}


@pytest.mark.parametrize("taker", TAKERS.values(), ids=TAKERS)
def test_a_seed_may_be_of_numpy(taker):
    """The one that is recorded is an int of Python; a generator gives another each time, the same from its state."""
    assert (taker(np.uint32(7)), type(taker(np.int64(7)))) == (7, int)
    generator = np.random.default_rng(5)
    drawn = [taker(generator), taker(generator)]
    again = np.random.default_rng(5)
    assert [*map(type, drawn)] == [int, int]
    assert drawn == [checked_seed(again), checked_seed(again)]
    assert drawn[0] != drawn[1]
    assert taker(drawn[0]) == drawn[0]
    for wrong in (-1, 1.0, "1", True):
        with pytest.raises(InputError, match="seed must be a whole number of at least 0"):
            taker(wrong)


def test_all_seeds_that_callers_give_are_checked_by_one_function():
    """That of tuning, of the diagnosis and of drawn instances as well: tried there with what is refused."""
    for call in (
        lambda seed: nrpa.tune("snake", "3", seed=seed),
        lambda seed: nrpa.start(Bits(), seed=seed),
        lambda seed: nrpa.check_problem(Bits(), seed=seed),
        lambda seed: diagnose(Bits(), seed=seed),
        lambda seed: LatinSquare.drawn(4, 2, seed=seed),
        lambda seed: nrpa.from_gymnasium(Bits, seed=seed),
    ):
        with pytest.raises(InputError, match="seed must be a whole number of at least 0, not -1"):
            call(-1)
    generator, drawn = np.random.default_rng(1), checked_seed(np.random.default_rng(1))
    assert LatinSquare.drawn(4, 2, seed=generator).sha256 == LatinSquare.drawn(4, 2, seed=drawn).sha256


def test_types_say_so():
    """In the signatures that editors show."""
    for function in (nrpa.solve, nrpa.start, nrpa.choose, nrpa.match, nrpa.tune, nrpa.check_problem, diagnose):
        assert "SeedLike" in str(inspect.signature(function).parameters["seed"].annotation)
