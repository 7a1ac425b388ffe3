"""Files of all forms that are read come to the right answers; files spoilt by meaning are refused, or are right too.

Those with what differs in meaning: a number made decimal, a section added, a row moved, doubled or removed.
"""

import math

import numpy as np
import pytest
from drawn_files import KINDS
from tries import SEED, tries

import nrpa
from nrpa.registry import problem_class

SEARCH = nrpa.NRPA(level=3, iterations=12)
PLAYOUTS = 250
NEARLY = 1e-6


def answer(drawn, path):
    """Return the best value that a search finds for a file, or the target that is read; None if it is refused."""
    path.write_text(drawn.text)
    try:
        problem = problem_class(drawn.problem).load(path, **drawn.options)
    except nrpa.InputError as error:
        return None, f"refused: {error}"
    if drawn.problem == "rna":
        return problem.target, "read"
    result = nrpa.solve(problem, SEARCH, seed=1, playouts=PLAYOUTS)
    return (math.nan, f"not valid: {result.faults}") if result.faults else (result.value, "read")


def agree(found, right):
    """Return whether two answers are the same but for rounding."""
    return found == right or (isinstance(right, (int, float)) and found is not None and abs(found - right) < NEARLY)


@pytest.mark.parametrize("kind", KINDS)
def test_files_are_read_rightly_or_refused_in_a_sentence(kind, tmp_path):
    """Every value is the right one; nothing that has to be read is refused."""
    refused = 0
    for number in tries(3):
        for drawn in KINDS[kind](np.random.default_rng([SEED, number])):
            found, said = answer(drawn, tmp_path / "instance")
            allowed = said.startswith(f"refused: {tmp_path}") and not drawn.required
            shown = f"{drawn.what}: found {found}, right {drawn.right} ({said})\n{drawn.text}"
            assert agree(found, drawn.right) or allowed, shown
            refused += found is None
    assert refused
