"""The check of a problem as a whole."""

import pytest
from broken_kernels import Compiled
from bundled_problems import ONE_PLAYER
from user_problems import Bits

import nrpa
from nrpa.io.source import bundled
from nrpa.registry import problem_class


@pytest.mark.parametrize("name", ONE_PLAYER)
def test_the_bundled_problems_keep_the_contract(name):
    """Each on its smallest instance."""
    rows = bundled(name).values()
    problem = problem_class(name).load(min(rows, key=lambda row: row.size).name)
    contract = nrpa.check_problem(problem, seed=1, games=2)
    assert contract.kept, contract.summary()


def test_a_twin_is_plain_python():
    """Beside a compiled problem."""
    for problem, twin in ((Compiled(0), Compiled(0)), (Bits(), Compiled(0)), (Compiled(0), Bits)):
        with pytest.raises(nrpa.InputError, match="twin"):
            nrpa.check_problem(problem, twin=twin)
