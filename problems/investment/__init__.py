"""The Investment Pair Game."""

from nrpa.problems.investment.problem import Investment

__all__ = ["Investment"]
