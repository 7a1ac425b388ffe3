"""What a check says of a solution."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Verdict:
    """What an independent check found.

    figures: what it computed, by name. faults: in words what is wrong, empty when valid.
    score: the score it computed, or None where the solution is too broken to have one.
    """

    figures: dict[str, Any]
    faults: list[str] = field(default_factory=list)
    score: float | None = None

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults
