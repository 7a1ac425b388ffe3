"""Sequences and their copies."""

import numpy as np
import pytest

from nrpa.engine.sequence import allocate_sequences, copied_sequences


@pytest.mark.parametrize("exp_bias", [False, True])
def test_a_copy_has_what_is_in_the_sequences_and_shares_nothing(exp_bias):
    """What lies in the room that is left is not copied; a change of the copy does not reach the first."""
    rng = np.random.default_rng(1)
    sequences = allocate_sequences(3, 4, 12, exp_bias)
    for slot, lengths in enumerate(([], [2, 3], [3, 1, 4, 2])):
        sequences.length[slot] = len(lengths)
        sequences.offset[slot, : len(lengths) + 1] = np.cumsum([0, *lengths])
    for array in (sequences.code, sequences.exp_bias, sequences.chosen, sequences.move, sequences.score):
        array[:] = rng.integers(1, 99, array.shape)
    copy = copied_sequences(sequences)
    for slot, total in enumerate((0, 5, 10)):
        assert (copy.code[slot, :total] == sequences.code[slot, :total]).all()
        assert (copy.exp_bias[slot, :total] == sequences.exp_bias[slot, :total]).all()
        assert not copy.code[slot, total:].any()
    for name in ("offset", "chosen", "move", "length", "score"):
        assert (getattr(copy, name) == getattr(sequences, name)).all()
    for one, other in zip(copy, sequences, strict=True):
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        assert not np.shares_memory(one, other)
