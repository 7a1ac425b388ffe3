"""Which variant did best over all instances."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from nrpa.base.lazy import lazy
from nrpa.bench.compare import differences
from nrpa.bench.records import Record
from nrpa.bench.table import Table, cells, marks_of, names

stats = lazy("scipy.stats")


def standing(rows: Sequence[Record], axis: str, base: str) -> Table | None:
    """Return a table with a line for each variant, the best first.

    Means are compared at the last mark that all variants have; an instance without one is left out. None for one
    variant alone, or where no instance is left.

    >>> pairs = [("A", 1.0), ("B", 2.0)]
    >>> rows = [Record(name, "i", seed, 1.0, 9, score) for name, score in pairs for seed in range(6)]
    >>> table = standing(rows, "seconds", "A")
    >>> table.head
    ['variant', 'best on', 'mean rank', 'better than A on', 'worse on']
    >>> table.lines
    [['B', '1', '1.00', '1', '0'], ['A', '0', '2.00', '-', '-']]
    """
    variants, found = names(rows, "variant"), cells(rows)
    ranks: list[list[float]] = []
    sides: list[list[int]] = []
    for instance in names(rows, "instance"):
        marks = [mark for mark in marks_of(rows, instance) if all((instance, mark, v) in found for v in variants)]
        if marks:
            means = [found[instance, marks[-1], variant].mean for variant in variants]
            ranks.append(stats.rankdata([-mean for mean in means], "min").tolist())
            sides.append([_side(rows, instance, variant, base, marks[-1]) for variant in variants])
    if len(variants) == 1 or not ranks:
        return None
    lines = []
    for place, variant in enumerate(variants):
        own = [of_instance[place] for of_instance in ranks]
        proven = [of_instance[place] for of_instance in sides]
        against = ["-", "-"] if variant == base else [str(proven.count(1)), str(proven.count(-1))]
        lines.append([variant, str(own.count(1)), f"{fmean(own):.2f}", *against])
    head = ["variant", "best on", "mean rank", f"better than {base} on", "worse on"]
    proven_where = "better and worse where the 95 % interval (Welch) of the difference excludes 0"
    instances = f"{len(ranks)} of {len(names(rows, 'instance'))} instances"
    return Table(
        instances, f"at the last mark by {axis}; {proven_where}", head, sorted(lines, key=lambda line: float(line[2]))
    )


def _side(rows: Sequence[Record], instance: str, variant: str, base: str, mark: float) -> int:
    """Return 1 where a variant is proven better than another at a mark, -1 where it is proven worse, else 0."""
    found = differences(rows, instance, variant, base).get(mark)
    return 0 if found is None or not found.is_proven else 1 if found.mean > 0 else -1
