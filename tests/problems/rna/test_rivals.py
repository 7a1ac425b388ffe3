"""The rivals of a target."""

from nrpa.problems.rna.improving import Lead, Rivals


class Table:
    """Energies by structure; it notes which were asked for."""

    def __init__(self, **energy):
        self.energy = energy
        self.asked = []

    def energies(self, sequence, structures, enough):
        self.asked = []
        for structure in structures:
            self.asked.append(structure)
            if len(self.asked) > 1 and self.energy[structures[0]] - self.energy[structure] >= enough:
                break
        return [self.energy[structure] for structure in self.asked]


def test_the_best_rival_leads():
    """Of all that are kept; negative where the target is ahead."""
    rivals = Rivals(Table(target=-5.0, a=-6.0, b=-8.0, c=-1.0), "target", "a", 3)
    assert rivals.lead("") == Lead(1.0, "a")
    rivals.add("b")
    rivals.add("c")
    assert rivals.lead("") == Lead(3.0, "b")
    assert Rivals(Table(target=-5.0, c=-1.0), "target", "c", 3).lead("") == Lead(-4.0, "c")


def test_one_that_is_far_enough_ahead_ends_the_question_and_is_asked_first_from_then_on():
    """So that hopeless sequences cost one energy or two."""
    table = Table(target=-5.0, a=-8.0, b=-6.0)
    rivals = Rivals(table, "target", "a", 2)
    rivals.add("b")
    assert rivals.lead("", enough=2.0) == Lead(3.0, "a")
    assert table.asked == ["target", "b", "a"]
    assert rivals.lead("", enough=2.0) == Lead(3.0, "a")
    assert table.asked == ["target", "a"]


def test_the_one_that_was_not_ahead_for_the_longest_time_is_forgotten():
    """To be ahead again counts as new, and none is kept twice."""
    table = Table(target=0.0, a=-1.0, b=-2.0, c=-3.0, d=-4.0)
    rivals = Rivals(table, "target", "a", 3)
    for structure in ("b", "a", "a", "c"):
        rivals.add(structure)
    rivals.lead("")
    assert table.asked == ["target", "c", "a", "b"]
    rivals.add("d")
    rivals.lead("")
    assert table.asked == ["target", "d", "c", "a"]
