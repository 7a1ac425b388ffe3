"""Pictures of a result: its solution as its problem draws it, its front, and both beside its convergence."""

from __future__ import annotations

from typing import Any

from nrpa.base.errors import InputError
from nrpa.modelling.base_problem import BaseProblem
from nrpa.plots.curves import convergence
from nrpa.plots.panels import panels_of
from nrpa.plots.picture import Axes, new_axes, new_figure, of_axes, require_scored, set_frame, without_formulas
from nrpa.registry import problem_class, problems, read_problem
from nrpa.search.result import Result


@of_axes
def front(result: Result, ax: Axes | None = None) -> Axes:
    """Draw what the solver ``pareto`` found: a point for each solution, by the first two goals.

    Parameters
    ----------
    result : Result
        The run.

    Raises
    ------
    InputError
        If the result has no front.
    """
    if not result.front:
        raise InputError("the result has no front; the solver pareto finds one")
    axes = new_axes() if ax is None else ax
    across, up = list(result.front[0]["figures"])[:2]
    points = sorted((each["figures"][across], each["figures"][up]) for each in result.front)
    axes.plot(*zip(*points, strict=True), "o", color="black", linestyle=":", linewidth=1)
    set_frame(axes, f"{len(points)} solutions, none beaten by another", x=across, y=up)
    axes.grid(alpha=0.3)
    return without_formulas(axes)


@of_axes
def overview(result: Result, *, problem: BaseProblem) -> Axes:
    """Draw the convergence of a run beside its front, if it has one, and its solution.

    Parameters
    ----------
    result : Result
        The run.
    problem : BaseProblem
        The problem that it is of.

    Raises
    ------
    ProblemError
        If the problem's own ``panels`` are no functions.
    """
    panels = panels_of(problem)
    first, *rest = new_figure(1 + bool(result.front) + len(panels)).axes
    convergence(result, first, problem=problem)
    if result.front:
        front(result, rest.pop(0))
    for panel, axes in zip(panels, rest, strict=True):
        panel(problem, result.solution, axes)
    return first


@of_axes
def position(problem: BaseProblem, solution: Any, ax: Axes | None = None) -> Axes:
    """Draw a solution, or the position of a game after its first moves.

    Parameters
    ----------
    problem : BaseProblem
        The problem.
    solution : object
        The solution in the problem's own form; of a game its moves so far.
    ax : matplotlib.axes.Axes, optional
        Where to draw the first panel that the problem has. Without it, all panels are drawn in a new figure.

    Raises
    ------
    InputError
        If the solution is too broken to be drawn: its check gives no score, or a move of a game is not legal.
    ProblemError
        If the problem's own ``panels`` are no functions.

    Examples
    --------
    >>> import nrpa
    >>> axes = position(nrpa.Hex(size=3, first="none"), ["b1", "a1"])
    >>> axes.get_title()
    'hex 3x3: 2 moves'
    """
    require_scored(problem, solution)
    panels = panels_of(problem)
    all_axes = [ax] if ax is not None else list(new_figure(len(panels)).axes)
    for panel, axes in zip(panels, all_axes, strict=False):
        panel(problem, solution, axes)
    return all_axes[0]


@of_axes
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
