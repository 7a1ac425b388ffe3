"""A packing as text."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

WIDTH = 30
SHADES = "█▓"


def draw_packing(capacity: float, bins: Sequence[Sequence[float]]) -> str:
    """Return a packing as text: each bin's number, how full it is (as figure and bar), and the sizes that it holds."""
    whole = f"{capacity:g}" if isinstance(capacity, float) else str(capacity)
    digits = len(str(len(bins)))
    return "\n".join(
        f"{number:{digits}}  {f'{round(sum(content), 9):.15g}':>{len(whole)}}/{whole} "
        f"{_bar(capacity, content)}  {' '.join(map(str, content))}"
        for number, content in enumerate(bins, 1)
    )


def _bar(capacity: float, content: Sequence[float]) -> str:
    """Return ``WIDTH`` characters, the items in turn in two shades, dots for the room that is left."""
    edges = [round(WIDTH * float(fill) / float(capacity)) for fill in accumulate(content, initial=0)]
    bar = "".join(SHADES[k % 2] * (end - begin) for k, (begin, end) in enumerate(pairwise(edges)))
    return bar.ljust(WIDTH, "·")
