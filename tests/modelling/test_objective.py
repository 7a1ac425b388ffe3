import pytest

from nrpa.base.errors import InputError
from nrpa.modelling.objective import Objective


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"name": 3}, "name of an objective must be text"),
        ({"name": "a\ud800"}, "name of an objective must be text"),
        ({"sign": 0}, "sign must be 1 or -1"),
        ({"sign": True}, "sign must be"),
        ({"digits": 10**8}, "digits must be at most 30"),
        ({"digits": -1}, "digits must be"),
        ({"tie_break": float("nan")}, "tie_break must be"),
        ({"tie_break": 1}, "tie_break must be less than 1"),
        ({"tie_break": 10**400}, "tie_break must be less than 1"),
    ],
)
def test_an_objective_can_be_shown(wrong, message):
    """Also one of a file: hundreds of decimals, or a sign of 0, show nothing."""
    with pytest.raises(InputError, match=message):
        Objective(**{"name": "cost", "sign": -1, **wrong})
