"""The independent check of a weak Schur partition: plain Python, sharing nothing with the kernels."""

from typing import Any

from nrpa.modelling.verdict import Verdict
from nrpa.problems.common import fault_in_lists


def check_partition(parts: int, solution: Any) -> Verdict:
    """Check that the numbers from 1 on are parted so that no part holds the sum of two of its numbers."""
    fault = fault_in_lists(solution, "a partition is a list of parts", "part", "whole numbers", 10**6)
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
