"""Search algorithms over any problem."""

from nrpa.solvers.nrpa import GNRPA, NRPA

SOLVERS = {"gnrpa": GNRPA, "nrpa": NRPA}

__all__ = ["GNRPA", "NRPA", "SOLVERS"]
