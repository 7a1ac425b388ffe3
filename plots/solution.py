"""The solution of a result, as its problem draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nrpa.base.errors import InputError
from nrpa.modelling.base_problem import BaseProblem
from nrpa.plots.position import position
from nrpa.registry import problem_class, problems, read_problem
from nrpa.search.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def solution(
    result: Result, ax: Axes | None = None, *, problem: BaseProblem | None = None, instance: str | None = None
) -> Axes:
    """Draw the solution of a result.

    Parameters
    ----------
    result : Result
        Whose solution is drawn.
    ax : matplotlib.axes.Axes, optional
        Where to draw the first panel that the problem has. Without it, all panels are drawn in a new figure.
    problem : BaseProblem, optional
        The problem that the result is of. Without it, the instance that the result names is read again.
    instance : str, optional
        Where the instance is, if not where the result says.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the first panel.

    Raises
    ------
    InputError
        If the instance is not there or not the one that the result is of, or if the solution is too broken to have a
        score.
    ProblemError
        If the problem's own ``panels`` are no functions.
    """
    problem = reread(result, instance) if problem is None else problem
    return position(problem, result.solution, ax)


def reread(result: Result, instance: str | None = None, name: str | None = None) -> BaseProblem:
    """Return the problem that a result is of.

    Raises InputError if problem or instance cannot be read or are not those of the result.
    """
    if name is None and result.problem not in problems.entries():
        raise InputError(
            f"the result is of {result.problem!r}, which nrpa does not know; "
            "say where it is with --problem path/to/file.py:Class"
        )
    found = problem_class(result.problem if name is None else name)
    if found.name != result.problem:
        raise InputError(f"the result is of {result.problem!r}, not of {found.name!r}")
    if instance is not None and not found.reads_instances():
        raise InputError(f"{found.name} reads no instances, so {instance!r} cannot be one")
    where = result.instance if instance is None else instance
    if found.reads_instances() and not where:
        raise InputError("the result does not say which instance it is of; name it with --instance")
    own = {option.name for option in found.cli_options}
    options = {key: value for key, value in result.options.items() if key in own}
    try:
        problem = read_problem(found, where, options)
    except InputError as error:
        hint = "; name the instance with --instance" if instance is None and found.reads_instances() else ""
        raise InputError(f"{error}{hint}") from None
    if problem.sha256 != result.sha256:
        raise InputError(f"{problem.label or problem.name}: is not the instance that the result is of")
    return problem
