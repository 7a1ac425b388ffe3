"""When a tour is where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from nrpa.problems.tsptw.problem import TSPTW


class Visit(NamedTuple):
    """When a city is reached and when service starts there: at the arrival, or when the window opens."""

    city: int
    arrival: float
    start: float
    opens: float
    closes: float

    @property
    def late(self) -> bool:
        """Whether the window is missed."""
        return self.start > self.closes

    @property
    def waits(self) -> bool:
        """Whether the window was not open yet."""
        return self.start > self.arrival


def visits(problem: TSPTW, solution: list[int]) -> list[Visit]:
    """Return the visits of a tour in order; the return to the depot is the last."""
    found, here, time = [], 0, 0.0
    for city in [*solution, 0]:
        arrival = time + float(problem.distances[here, city])
        opens, closes = map(float, problem.windows[city])
        time = max(arrival, opens)
        found.append(Visit(city, arrival, time, opens, closes))
        here = city
    return found


def timetable_text(problem: TSPTW, solution: list[int]) -> str:
    """Return a tour as a table: place, city, arrival, start of service, window; what waits and what is late."""
    lines: list[tuple[str, ...]] = [("place", "city", "arrival", "start", "opens", "closes", "")]
    for place, visit in enumerate(visits(problem, solution), 1):
        times = (f"{time:.2f}" for time in (visit.arrival, visit.start, visit.opens, visit.closes))
        remark = "  late" if visit.late else "  waits" if visit.waits else ""
        lines.append((str(place) if visit.city else "", str(visit.city), *times, remark))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    cells = [[text.rjust(width) for text, width in zip(line, widths, strict=True)] for line in lines]
    return "\n".join("  ".join(texts[:-1]) + line[-1] for texts, line in zip(cells, lines, strict=True))
