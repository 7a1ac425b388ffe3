import math

import numpy as np
import pytest

from nrpa.solvers.nrpa.adapt import exponentials, learning_rate


@pytest.mark.parametrize("step", [1e-6, 0.2, 0.25, 0.51, 1.0, 7.3, 100.0])
def test_exponentials_match_exp(step):
    """To a few units in the last place over the whole range of arguments."""
    rate = learning_rate(step, 1.0)
    probabilities = np.linspace(0, 1, 1001)
    x = rate.scaled * probabilities
    exponentials(x, len(x), rate.squarings)
    expected = [math.exp(-step * p) for p in probabilities]
    np.testing.assert_allclose(x, expected, rtol=5e-16 * 2**rate.squarings)
    assert x[0] == 1.0


def test_learning_rate_divides_by_the_square_of_tau():
    """w/τ moves by α/τ², so that is the exponent."""
    rate = learning_rate(2.0, 4.0)
    assert rate.up == pytest.approx(math.exp(2.0 / 16))
    assert rate.scaled * 2**rate.squarings == pytest.approx(-2.0 / 16)
