import numpy as np
import pytest

import nrpa
from nrpa.engine.game import Game
from nrpa.engine.hash_table import hash_table
from nrpa.engine.legal import leads_alike
from nrpa.engine.sound import UnsoundError, require_shapes, require_table, within


def test_within_names_the_first_number_outside():
    """And its own bounds, where each number has its own; NaN is outside."""
    within("a", np.arange(3), 0, np.arange(3))
    with pytest.raises(UnsoundError, match="array a holds 5; expected 0 to 2"):
        within("a", np.array([0, 5, 7]), 0, np.array([1, 2, 3]))
    with pytest.raises(UnsoundError, match="holds nan"):
        within("a", np.array([np.nan]), -np.inf, np.inf)


def test_shapes_are_those_of_a_fresh_search():
    """The sentence names the array by its path."""
    with pytest.raises(UnsoundError, match=r"array m/1/0 has the shape \(2,\); expected \(3,\)"):
        require_shapes("m", (np.zeros(1), (np.zeros(2),)), (np.zeros(1), (np.zeros(3),)))


def test_a_table_needs_free_slots():
    """A full one would be searched for ever; a key too many is noticed as well."""
    table = hash_table(4)
    require_table("t", table, 0)
    table.word[::2] = range(4)
    for used in (0, 4):
        with pytest.raises(UnsoundError, match="array t"):
            require_table("t", table, used)


def test_a_move_with_another_number_leads_alike():
    """In SameGame any cell of a group takes it; a cell of none, or none of the board, does not."""
    model = nrpa.SameGame([[0, 0, 1], [1, 1, 0]]).model
    listed = Game(model)
    listed.reset()
    alike = {cell for cell in range(-5, 40) if leads_alike(model, [], cell)}
    assert alike > set(listed.all_moves())
    assert len(alike) == 4
