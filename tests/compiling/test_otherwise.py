"""The table of what numba computes otherwise, on the page of problems of one's own, row by row."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import NumbaError

from nrpa.base.errors import ProblemError
from nrpa.compiling import arithmetic, comparison, kernels
from nrpa.compiling.source import Sources

PAGE = Path(__file__).parents[2] / "docs" / "your-problem.md"
ROWS = re.findall(
    r"^\| `(.+?)`[^|]* \| ([^|]+) \| (the same|refused|ends the search) \| [^|]+ \|$", PAGE.read_text(), re.M
)
HEAD = """
import math
import numpy as np
import nrpa
CAP = 10
class Drawn(nrpa.Problem):
    most = 8
    def __init__(self):
        self.bytes, self.stops, self.near = np.array([200, 100], np.uint8), [3, 1, 4], {2: 5}
        self.closed, self.text = frozenset({9, 1}), "7a"
    def initial_state(self):
        return 3
    def legal_moves(self, n):
        return [n]
    def fits(self, n, most=CAP):
        return n <= most
class Below(Drawn):
    most = 2
"""


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    """Return a problem with a method for each row of the table."""
    lines = [f"    def row{k}(self, n):\n        return {text}\n" for k, (text, _, _) in enumerate(ROWS)]
    file = tmp_path_factory.mktemp("table") / "rows_of_table.py"
    file.write_text(f"{HEAD}{''.join(lines)}CAP = 1\n")
    scope = {"__name__": "rows_of_table"}
    exec(compile(file.read_text(), file, "exec"), scope)
    return scope["Below"]()


def outcome(function, *arguments):
    """Return what a function gives, or the class of what it raises."""
    try:
        return function(*arguments)
    except Exception as error:
        return type(error)


def test_the_table_is_read():
    """All its rows, of the page that a difference names."""
    assert PAGE.read_text().splitlines()[0].removeprefix("# ") in comparison.PAGE
    assert len(ROWS) == PAGE.read_text().split("### What numba")[1].split("\n\nNumPy's")[0].count("\n| `")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", range(len(ROWS)), ids=[text for text, _, _ in ROWS])
def test_a_row_is_as_it_says(row, problem):
    """What is written gives in plain Python what stands there, and compiled the same, an error, or an exception."""
    _, said, expected = ROWS[row]
    there = outcome(getattr(problem, f"row{row}"), 3)
    if re.fullmatch(r"[-\w.+]+", said):
        assert (there.__name__ if isinstance(there, type) else str(there)) == said
    sources = Sources(problem, 0)
    try:
        method = sources.method(f"row{row}")
        here = outcome(method, kernels.record_of(sources.attributes, f"row{row}"), 3)
        found = "refused" if isinstance(here, type) and issubclass(here, NumbaError) else "ends the search"
    except ProblemError:
        found = "refused"
    else:
        is_same = here == there or (isinstance(here, type) and isinstance(there, type))
        found = "the same" if is_same and found != "refused" else found if isinstance(here, type) else f"{here}"
    assert found == expected


def test_decimals_are_rounded_as_python_rounds_them():
    """Halves of cents, which are none in binary, among them; NumPy rounds many of them otherwise."""
    for digits in (0, 1, 2, 3, 7):
        values = [k / 200 for k in range(-1000, 1000)] + np.random.default_rng(digits).normal(0, 1e4, 3000).tolist()
        values += [0.5, 2.5, -0.0, 1e300, 2.0**52 + 0.5, math.inf]
        for value in values:
            assert str(arithmetic._rounded(value, digits)) == str(round(value, digits)), (value, digits)


def test_sums_are_those_of_python_since_312():
    """With what is lost on the way; of the version that runs, where that is as late."""
    values = np.random.default_rng(1).normal(0, 1, 1000).tolist()
    assert arithmetic.compensated([1e16, 1.0, -1e16], 0) == 1.0
    assert arithmetic.compensated(values, 0) == pytest.approx(math.fsum(values), rel=1e-15)
    if sum([0.1] * 10) == 1.0:
        assert all(arithmetic.compensated(values[:k], 0) == sum(values[:k]) for k in range(1, 300))


@pytest.mark.parametrize(
    ("operation", "given", "said"),
    [
        ("times", (2**40, np.int64(2**40)), "beyond 64 bits"),
        ("plus", (2**63 - 1, True), "beyond 64 bits"),
        ("left", (1, 63), "beyond 64 bits"),
        ("negated", (-(2**63),), "beyond 64 bits"),
        ("to_the_power", (2, -1), "a negative power"),
        ("divided_by", (2**60, 3), r"beyond 2\^53"),
        ("below", (2**60, 0.5), r"beyond 2\^53"),
        ("times", (2**31, -(2**32)), ""),
        ("to_the_power", (2.0, -1), ""),
        ("below", (2**60, 2**61), ""),
        ("plus", ([1], [2]), ""),
    ],
)
def test_as_plain_python_an_operation_raises_where_machine_code_does(operation, given, said):
    """With why; so a line can be named. What is no number is left alone."""
    if not said:
        arithmetic.plain[operation](*given)
        return
    with pytest.raises(OverflowError, match=said):
        arithmetic.plain[operation](*given)
