"""Which problems and solvers there are, by name: those of nrpa, of other packages, and a user's own file."""

from nrpa.registry.entries import Entry, Registered
from nrpa.registry.problem_classes import (
    COMPILED,
    first_line,
    problem_class,
    problems,
    read_problem,
    reader_of,
    summary_of,
)
from nrpa.registry.solver_classes import DEFAULT_SOLVER, OF_SEARCHES, solver_class, solver_with, solvers
from nrpa.registry.users_classes import users_class, what_to_write
from nrpa.registry.users_file import PREFIX, file_of_class, file_of_module, import_file, is_users

__all__ = [
    "COMPILED",
    "DEFAULT_SOLVER",
    "OF_SEARCHES",
    "PREFIX",
    "Entry",
    "Registered",
    "file_of_class",
    "file_of_module",
    "first_line",
    "import_file",
    "is_users",
    "problem_class",
    "problems",
    "read_problem",
    "reader_of",
    "solver_class",
    "solver_with",
    "solvers",
    "summary_of",
    "users_class",
    "what_to_write",
]
