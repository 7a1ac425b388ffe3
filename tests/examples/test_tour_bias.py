import tour_bias

import nrpa


def test_a_bias_is_learned_from_tours():
    """Near cities first, and those whose windows are open and close soon."""
    with nrpa.debug():
        bias = tour_bias.learned(["rc201.1"], playouts=3)
    assert [*bias.weights] == ["way", "waiting", "slack"]
    assert bias.weights["way"] < 0 > bias.weights["waiting"]
    assert bias.probability > bias.uniform
