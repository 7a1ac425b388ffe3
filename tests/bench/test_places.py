import numpy as np

from nrpa.bench.places import incumbent, places, worths


def naive_places(scores):
    """Return the places by their definition."""
    found = []
    for own in scores:
        row = []
        for pair, score in enumerate(own):
            others = [other[pair] if pair < len(other) else -np.inf for other in scores if other is not own]
            row.append(sum(1.0 if score > other else 0.5 * (score == other) for other in others) / len(others))
        found.append(row)
    return found


def test_places_are_shares_of_beaten_configurations():
    """On random scores with ties and with configurations that were given up."""
    random = np.random.default_rng(1)
    for _ in range(20):
        scores = [[float(s) for s in random.integers(0, 4, random.integers(1, 6))] for _ in range(6)]
        np.testing.assert_allclose(np.concatenate(places(scores)), np.concatenate(naive_places(scores)))


def test_the_scale_of_an_instance_does_not_count():
    """Any growing function of one instance's scores leaves all worths as they are, also a penalty of millions."""
    scores = [[1.0, 5.0], [2.0, 4.0], [3.0, 1.0]]
    scaled = [[a, -1e6 / b] for a, b in scores]
    assert worths(scores, 2) == worths(scaled, 2)


def test_a_configuration_that_was_given_up_cannot_be_the_best():
    """Nor does it gain by not having been run on the hard pairs."""
    scores = [[5.0, 5.0], [9.0], [5.0, 5.0], []]
    assert incumbent(scores, 2) == 0
    assert worths(scores, 2)[1] < worths(scores, 2)[0]
    assert worths(scores, 2)[3] == -1
