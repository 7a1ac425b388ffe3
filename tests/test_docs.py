import math
import re
from pathlib import Path

import pytest
from user_problems import EXAMPLES

import nrpa

PAGE = Path(__file__).parent.parent / "docs" / "your-problem.md"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(PAGE.parent.glob("*.md"))]
INCLUDED = re.findall(r"```\{literalinclude\} \.\./examples/(\w+\.py)\n", "\n".join(TEXTS))


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("[a-z]*.py")))
def test_the_pages_show_the_examples(name):
    """Every example is in the documentation, once."""
    assert INCLUDED.count(name) == 1


def test_the_first_line_of_the_page_runs():
    """No better than the best of all tours, and not far from it."""
    from prize_tour import PrizeTour

    line = re.search(r"```python\n(result = .*)\n```", PAGE.read_text())[1]
    names = {"nrpa": nrpa, "PrizeTour": PrizeTour}
    exec(line.replace("examples/", f"{EXAMPLES}/"), names)
    (limit,), *places = (tuple(map(int, row.split())) for row in (EXAMPLES / "prize_tour.txt").read_text().splitlines())

    def best(left, here, length):
        """Return the most prizes of places that are left, from a place after so long a tour."""
        reached = [(there, length + math.dist(here[:2], there[:2])) for there in left]
        return max(
            (
                there[2] + best(left - {there}, there, so_far)
                for there, so_far in reached
                if so_far + math.dist(there[:2], places[0][:2]) <= limit
            ),
            default=0,
        )

    most = best({*places[1:]}, places[0], 0.0)
    assert 0.9 * most <= names["result"].prize <= most
