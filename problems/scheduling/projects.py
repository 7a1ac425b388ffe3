"""Projects as files have them: Patterson's form, and PSPLIB's."""

from graphlib import CycleError, TopologicalSorter
from itertools import takewhile
from typing import Any

from nrpa.base.errors import InputError
from nrpa.problems.common import fault_in_list, is_whole
from nrpa.problems.lines import Located, located_lines
from nrpa.problems.scheduling.schedules import LONGEST, MOST

FORMS = (
    "Patterson's (.rcp): the numbers of activities and resources; capacities; of each activity its time, demands, "
    "the number of its successors, these from 1",
    "PSPLIB's (.sm), with renewable resources and one mode",
)
KINDS, CELLS = 99, 1_000_000
SECTIONS = "PRECEDENCE RELATIONS", "REQUESTS/DURATIONS", "RESOURCEAVAILABILITIES"


def checked_project(hours: Any, after: Any, demand: Any, capacity: Any) -> list[int]:
    """Return the activities in an order in which all can be placed; InputError if the arguments make no project."""
    kinds = len(capacity) if isinstance(capacity, list) else 0

    def rows(least: int, most: int) -> Any:
        return lambda row: isinstance(row, (list, tuple)) and all(is_whole(each, least, most) for each in row)

    amount = f"a whole number from 0 to {LONGEST:,}"
    count = len(hours) if isinstance(hours, list) else 0
    lists = (
        ("hours", hours, "activity", amount, lambda each: is_whole(each, 0, LONGEST)),
        ("after", after, "activity", f"a list of activities from 0 to {count - 1}", rows(0, count - 1)),
        ("demand", demand, "activity", f"a list of {kinds} whole numbers up to the capacities", rows(0, LONGEST)),
        ("capacity", capacity, "resource", amount, lambda each: is_whole(each, 0, LONGEST)),
    )
    for what, given, member, expected, fits in lists:
        if fault := fault_in_list(given, f"{what} must be a list", member, expected, fits):
            raise InputError(fault if fault.startswith(what) else f"{what}, {fault}")
    if not (0 < count <= MOST and len(after) == len(demand) == count and 0 < kinds <= KINDS):
        what = f"1 to {MOST:,} activities, each in hours, after and demand, and 1 to {KINDS} resources"
        raise InputError(f"expected {what}")
    for number, needs in enumerate(demand, 1):
        if len(needs) != kinds or any(need > has for need, has in zip(needs, capacity, strict=True)):
            raise InputError(f"activity {number}: expected {kinds} demands up to the capacities, found {list(needs)}")
    if not 0 < sum(hours) * kinds <= CELLS:
        raise InputError(f"expected times that sum to 1 to {CELLS // kinds:,}, found {sum(hours):,}")
    before: dict[int, list[int]] = {each: [] for each in range(count)}
    for one, others in enumerate(after):
        for other in set(others):
            before[other].append(one)
    try:
        return [*TopologicalSorter(before).static_order()]
    except CycleError as error:
        ring = " after ".join(str(each + 1) for each in error.args[1][:9])
        raise InputError(f"the activities wait for each other: {ring}") from None


def parsed_project(text: str, label: str) -> tuple[list[int], list[list[int]], list[list[int]], list[int]]:
    """Return the times, successors from 0, demands and capacities of a project; InputError names the line."""
    lines = located_lines(text, label)
    is_psplib = any(line.startswith(SECTIONS) for line in lines)
    words = _in_patterson_form(lines, label) if is_psplib else [word for line in lines for word in line.words()]
    words.reverse()

    def take(what: str, least: int, most: int) -> int:
        if not words:
            raise InputError(f"{label}: ends where {what} is expected")
        return words.pop().whole(least, most, f"{what} from {least} to {most:,}")

    count, kinds = take("a number of activities", 1, MOST), take("a number of resources", 1, KINDS)
    capacity = [take("a capacity", 0, LONGEST) for _ in range(kinds)]
    hours, after, demand = [], [], []
    for _ in range(count):
        hours.append(take("a time", 0, LONGEST))
        demand.append([take("a demand", 0, LONGEST) for _ in range(kinds)])
        after.append([take("a successor", 1, count) - 1 for _ in range(take("a number of successors", 0, count))])
    if words:
        words[-1].expected(f"nothing after {count} activities")
    return hours, after, demand, capacity


def _in_patterson_form(lines: list[Located], label: str) -> list[Located]:
    """Return the numbers of a file of PSPLIB's form, in the order of the other."""
    for line in lines:
        if line.startswith(("- nonrenewable", "- doubly")) and line.split(":")[-1].split()[:1] != ["0"]:
            line.fail("expected renewable resources only")
    follow, request, available = (_rows(title, lines, label) for title in SECTIONS)
    if len(available) != 1 or len(follow) != len(request):
        raise InputError(f"{label}: expected one row of capacities, and each activity in two sections")
    words = [follow[-1][0], follow[-1][0].at(str(len(available[0]))), *available[0]]
    for number, (row, needs) in enumerate(zip(follow, request, strict=True), 1):
        followers = row[2].whole(0, MOST, "a number of successors") if row[2:] else 0
        for each, length in ((row, 3 + followers), (needs, 3 + len(available[0]))):
            if len(each) != length or each[0] != str(number):
                each[0].fail(f"expected {length} numbers of activity {number}")
        if row[1] != "1" or needs[1] != "1":
            row[1].fail(f"expected one mode of activity {number}")
        words += [*needs[2:], *row[2:]]
    return words


def _rows(title: str, lines: list[Located], label: str) -> list[list[Located]]:
    """Return the words of the rows of a section, which begin with a digit."""
    found = [k for k, line in enumerate(lines) if line.startswith(title)]
    if len(found) != 1:
        raise InputError(f"{label}: expected one section {title}, found {len(found)}")
    section = takewhile(lambda line: not line.startswith("*"), lines[found[0] + 1 :])
    rows = [line.words() for line in section if line[0].isdecimal()]
    return rows or lines[found[0]].fail("expected rows of numbers below")
