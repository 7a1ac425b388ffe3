from nrpa.python import numbering
from nrpa.python.checks import content_hash
from nrpa.python.numbering import Lists, Numbers


def test_codes_beyond_a_number_have_hashes():
    """They are not kept; what is equal has one hash, and -1 and -2, to which Python gives one, have two."""
    numbers = Numbers(most=2)
    assert [numbers[code] for code in ("a", "b", "a")] == [0, 1, 0]
    assert numbers[3, 4] == numbers[3, 4] == hash((3, 4))
    assert numbers["c", -1] == content_hash(("c", -1))
    assert numbers[0, -1] != numbers[0, -2]
    assert numbers.things == ["a", "b"]


def test_long_lists_are_not_kept(monkeypatch):
    """The room is for so many moves, not only for so many lists."""
    monkeypatch.setattr(numbering, "MOST_LISTED", 5)
    lists = Lists(Numbers(), None)
    assert [*lists[1, 2, 3]] == [0, 1, 2]
    assert (len(lists), lists.given_up) == (1, False)
    assert [*lists[3, 2, 1]] == [2, 1, 0]
    assert (len(lists), lists.given_up) == (0, True)
