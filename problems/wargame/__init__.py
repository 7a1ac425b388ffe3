"""The Wargame."""

from nrpa.problems.wargame.problem import Wargame

__all__ = ["Wargame"]
