import numpy as np
import pytest

from nrpa.engine.hash_table import FREE, find, hash_table, is_free, occupy, vacate


@pytest.mark.parametrize("spread", [1, 2**48], ids=["side by side", "far apart"])
def test_equals_a_dict(spread):
    """Keys of all kinds, the reserved one too, are found again; one that is not there has a free slot."""
    rng = np.random.default_rng(5)
    table, slots = hash_table(256), {}
    keys = [int(FREE), *(rng.permutation(150) * spread - 7).tolist()]
    for key in keys:
        slot = int(find(table, key))
        assert is_free(table, slot)
        occupy(table, slot, key)
        slots[key] = slot
    assert {key: int(find(table, key)) for key in keys} == slots
    assert len(set(slots.values())) == len(keys)
    assert is_free(table, find(table, 10**18))


def test_removal_in_reverse_order_leaves_no_trace():
    """The table is as it was before, to the last slot, though the keys collide."""
    table = hash_table(64, value=5)
    before = table.word.copy()
    keys = np.random.default_rng(2).integers(0, 100, 60).tolist()
    taken = []
    for key in keys:
        slot = int(find(table, key))
        if is_free(table, slot):
            occupy(table, slot, key)
            taken.append(slot)
    assert len(taken) > 30
    for slot in reversed(taken):
        vacate(table, slot)
    np.testing.assert_array_equal(table.word, before)


def test_the_number_of_slots_is_a_power_of_two():
    """At least as many as asked for, and at least two."""
    assert [hash_table(slots).slots for slots in (1, 2, 3, 64, 65)] == [2, 2, 4, 64, 128]
