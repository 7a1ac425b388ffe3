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
    """No better than the best of all subsets, and not far from it."""
    from knapsack import Knapsack

    line = re.search(r"```python\n(result = .*)\n```", PAGE.read_text())[1]
    names = {"nrpa": nrpa, "Knapsack": Knapsack}
    exec(line.replace("examples/", f"{EXAMPLES}/"), names)
    items = [(12, 24), (7, 13), (11, 23), (8, 15), (9, 16)]
    best = max(
        sum(v for k, (_, v) in enumerate(items) if subset >> k & 1)
        for subset in range(32)
        if sum(w for k, (w, _) in enumerate(items) if subset >> k & 1) <= 26
    )
    assert 0.9 * best <= names["result"].value <= best
