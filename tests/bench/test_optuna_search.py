import pytest

from nrpa.bench.optuna_search import is_clearly_worse


@pytest.mark.parametrize(
    ("own", "best", "worse"),
    [
        ([0.0, 0.1, 0.2], [1.0, 1.0, 1.0, 1.0, 1.0], False),
        ([0.0, 0.1, 0.2, 0.1], [1.0, 1.0, 1.0, 1.0, 1.0], True),
        ([1.0, 1.0, 1.0, 1.0], [0.0, 0.1, 0.2, 0.3], False),
        ([0.5, 0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5, 0.5], False),
        ([0.4, 0.6, 0.4, 0.6, 0.4], [0.5, 0.5, 0.5, 0.5, 0.5], False),
    ],
)
def test_only_what_is_clearly_worse_is_given_up(own, best, worse):
    """After four pairs that all went against it; not after three, nor where neither is better."""
    assert is_clearly_worse(own, best) is worse
