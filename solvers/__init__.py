"""Search algorithms over any problem."""

from nrpa.solvers.nmcs import NMCS, Greedy, RandomSampling
from nrpa.solvers.nrpa import GNRPA, NRPA

SOLVERS = {"gnrpa": GNRPA, "nrpa": NRPA, "nmcs": NMCS, "random": RandomSampling, "greedy": Greedy}

__all__ = ["GNRPA", "NMCS", "NRPA", "SOLVERS", "Greedy", "RandomSampling"]
