"""Dot-bracket notation."""

import pytest

from nrpa import InputError
from nrpa.problems.rna.structure import helices, pair_table, parse_sequence, parse_target


def test_a_pair_table_names_each_partner():
    """And -1 for unpaired bases."""
    assert pair_table("((...).)") == [7, 5, -1, -1, -1, 1, -1, 0]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("", "found nothing"),
        ("((...)", "'(' at position 1 is never closed"),
        ("(...))", "')' at position 6 closes nothing"),
        ("((..))", "has 2 bases; no sequence can fold so"),
        ("()", "has 0 bases"),
        ("((..[[...))..]]", "or '.' at position 5, found '['; pairs have round brackets"),
        ("((.x.))", "expected '(', ')' or '.' at position 4, found 'x'"),
    ],
)
def test_targets_that_nothing_folds_into_are_refused(target, message):
    """With the position, counted from 1."""
    with pytest.raises(InputError) as error:
        parse_target(target)
    assert message in str(error.value)


def test_sequences_are_read_in_capitals_with_t_as_u():
    """And other letters are refused with their position."""
    assert parse_sequence("acgt") == "ACGU"
    with pytest.raises(InputError, match="expected A, C, G or U at position 2, found 'n'"):
        parse_sequence("anA")
    with pytest.raises(InputError, match="at position 3, found '\u1e9a'"):
        parse_sequence("GG\u1e9aU")


def test_helices_are_runs_of_stacked_pairs():
    """A bulge ends one."""
    assert helices(pair_table("((.((...))))")) == [[(0, 11), (1, 10)], [(3, 9), (4, 8)]]
