"""Which problems and solvers there are, by name: those of nrpa, of other packages, and a user's own file."""

from nrpa.registry.problems import problem_class, problems, read_problem, summary_of
from nrpa.registry.solvers import solver_class, solvers

__all__ = ["problem_class", "problems", "read_problem", "solver_class", "solvers", "summary_of"]
