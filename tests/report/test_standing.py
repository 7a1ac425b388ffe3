from nrpa.bench.records import Record
from nrpa.report.standing import standing


def records(means, instance, mark=1.0, runs=6):
    """Return runs of variants around their means."""
    return [
        Record(variant, instance, seed, mark, 9, mean + 0.01 * seed)
        for variant, mean in means.items()
        for seed in range(runs)
    ]


def test_places_over_instances():
    """Equal means share a place; an instance that a variant lacks is left out; the last common mark counts."""
    rows = records({"A": 1.0, "B": 2.0, "C": 2.0}, "i") + records({"A": 9.0, "B": 0.0}, "i", mark=2.0)
    rows += records({"A": 3.0, "B": 2.0, "C": 1.0}, "j") + records({"A": 5.0, "B": 4.0}, "k")
    instances, title, head, lines = standing(rows, "seconds", "A")
    assert instances == "2 of 3 instances"
    assert title.startswith("at the last mark by seconds")
    assert head[3:] == ["better than A on", "worse on"]
    assert lines == [["B", "1", "1.50", "1", "1"], ["A", "1", "2.00", "-", "-"], ["C", "1", "2.00", "1", "1"]]


def test_what_cannot_be_compared_has_no_line():
    """One variant alone, or variants without a common mark; few runs prove nothing."""
    assert standing(records({"A": 1.0}, "i"), "seconds", "A") is None
    assert standing(records({"A": 1.0}, "i") + records({"B": 2.0}, "i", mark=2.0), "seconds", "A") is None
    assert standing(records({"A": 1.0, "B": 2.0}, "i", runs=3), "seconds", "A").lines[0] == ["B", "1", "1.00", "0", "0"]
