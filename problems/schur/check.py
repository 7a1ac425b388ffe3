"""The independent check of a weak Schur partition: plain Python, sharing nothing with the kernels."""

from typing import Any

from nrpa.base.values import shortened
from nrpa.modelling.verdict import Verdict
from nrpa.problems.common import is_whole


def check_partition(parts: int, solution: Any) -> Verdict:
    """Check that the numbers from 1 on are parted so that no part holds the sum of two of its numbers."""
    fault = form_fault(solution)
    if fault:
        return Verdict({}, [fault])
    faults = []
    if len(solution) > parts:
        faults.append(f"there are {len(solution)} parts; expected at most {parts}")
    numbers = sorted(number for part in solution for number in part)
    placed = next((k for k, number in enumerate(numbers) if number != k + 1), len(numbers))
    if placed < len(numbers):
        faults.append(f"expected the number {placed + 1} once, and every one from 1 to {len(numbers)}")
    for index, part in enumerate(solution, start=1):
        found = sum_in(part)
        if found:
            small, large = found
            faults.append(f"part {index}: {small + large} is the sum of {small} and {large}")
    return Verdict({"numbers": placed, "parts": sum(map(bool, solution))}, faults, score=float(placed))


def form_fault(solution: Any) -> str | None:
    """Return why something is not a list of lists of whole numbers above 0, None if it is."""
    if not isinstance(solution, list):
        return f"a partition is a list of parts, not {type(solution).__name__}"
    for index, part in enumerate(solution, start=1):
        if not isinstance(part, (list, tuple)):
            return f"part {index}: expected a list of whole numbers, found {shortened(repr(part))}"
        for number in part:
            if not is_whole(number, 1, 10**6):
                return f"part {index}: expected whole numbers from 1 to 1,000,000, found {shortened(repr(number))}"
    return None


def sum_in(part: list[int]) -> tuple[int, int] | None:
    """Return two different numbers of a part whose sum is in it too, None if there are none."""
    members = sum(1 << number for number in set(part))
    for small in sorted(set(part)):
        larger = members >> (small + 1) << (small + 1)
        sums = (larger << small) & members
        if sums:
            total = (sums & -sums).bit_length() - 1
            return small, total - small
    return None
