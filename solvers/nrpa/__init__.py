"""NRPA and GNRPA: policies that adapt to the best sequence, level by level."""

from nrpa.solvers.nrpa.options import GNRPA, NRPA, ParetoNRPA, PolicyAdaptation

__all__ = ["GNRPA", "NRPA", "ParetoNRPA", "PolicyAdaptation"]
