"""The production line of the examples with other codes and biases, for line-codes.toml.

nrpa bench experiments/line-codes.toml --out line-codes.csv
nrpa table line-codes.playouts.csv --versus good
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nrpa
from nrpa.registry import problem_class

CODES = ("colour", "order", "step", "rest")
BIASES = ("due", "none", "against")
ProductionLine: Any = problem_class(
    f"{Path(__file__).resolve().parent.parent}/examples/production_line.py:ProductionLine"
)


class Lines(ProductionLine):
    """The same line; what moves are learned under, and what is preferred from the start, are options."""

    code_rule = nrpa.Option(
        "colour", "Beside the order: the colour before, nothing, the step, or all that are left.", CODES
    )
    bias_rule = nrpa.Option("due", "As the example has it, none, or that against it.", BIASES)

    @classmethod
    def load(cls, name: str, **options: Any) -> Any:
        """Return the instance of the example."""
        problem = super().load(name)
        problem.set_options(**options)
        return problem

    def code(self, state: Any, move: int) -> Any:
        """Return what the option says."""
        if self.code_rule == "order":
            return move
        if self.code_rule == "step":
            return len(state[0]), move
        if self.code_rule == "rest":
            return tuple(state[0]), move
        return super().code(state, move)

    def bias(self, state: Any, move: int) -> float:
        """Return what the option says."""
        factor = {"due": 1.0, "none": 0.0, "against": -1.0}[self.bias_rule]
        return factor * super().bias(state, move)
