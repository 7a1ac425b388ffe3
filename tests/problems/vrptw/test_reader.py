"""Reading vehicle routing files."""

from importlib import resources

import numpy as np
import pytest

from nrpa import VRPTW, Source
from nrpa.base.errors import InputError
from nrpa.problems.vrptw.reader import parse_vrptw

SOLOMON = (resources.files("nrpa.instances") / "r101").read_text(encoding="utf-8")


def test_solomon():
    """All columns, and distances that are not rounded."""
    problem = VRPTW.from_source(Source("r101", SOLOMON, ""))
    assert (len(problem.demand), problem.capacity) == (101, 200)
    assert problem.windows[1].tolist() == [161, 171]
    assert problem.service[:2].tolist() == [0, 10]
    assert problem.distances[0, 1] == pytest.approx(np.hypot(*(problem.coordinates[1] - problem.coordinates[0])))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "r101\n" * 9,
        SOLOMON.replace("CAPACITY", "SIZE"),
        SOLOMON.replace("200", "many", 1),
        SOLOMON[: SOLOMON.rindex("195")],
        SOLOMON.replace(" 161 ", f" {10**12} "),
        "NAME : a\nTYPE : VRPTW\n",
        "NAME : a\nCAPACITY : 3\nNODE_COORD_SECTION\n1 0 0\n2 1 x\nDEMAND_SECTION\n1 0\n2 1\nEOF\n",
        "DEMAND_SECTION\n1 0\n",
    ],
)
def test_other_files_are_refused(text):
    """In one sentence that names the file and the forms."""
    with pytest.raises(InputError) as raised:
        VRPTW.from_source(Source("here", text, ""))
    assert str(raised.value).startswith("here: ")
    assert "\n" not in str(raised.value)


def test_a_file_of_many_lines_is_refused_at_once():
    """Before distances of all pairs are made."""
    with pytest.raises(InputError, match="has 50,000 lines; expected at most 3,000 places"):
        parse_vrptw("1 2 3\n" * 50_000, "here")
