import json

import golden
import pytest
from tries import WHOLE

RECORDED = json.loads(golden.FILE.read_text())


@pytest.mark.parametrize("name", golden.PROBLEMS)
def test_same_seed_same_result_as_ever(name):
    """The scores after 2^k playouts and the best solution are those that were recorded, for every solver."""
    solvers = golden.solvers_of(name, WHOLE)
    assert golden.traces(name, solvers) == {solver: RECORDED[name].get(solver) for solver in solvers}
    assert [*RECORDED[name]] == golden.solvers_of(name)
