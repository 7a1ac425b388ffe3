"""An RNA secondary structure as arcs over the sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.plots.picture import Axes, draw_result, legend_below, name_of_solved, of_result, set_frame
from nrpa.search.result import Result

if TYPE_CHECKING:
    from nrpa.problems.fold.problem import Folding
    from nrpa.problems.rna.problem import InverseFolding

_fold, _rna = lazy("nrpa.problems.fold.problem"), lazy("nrpa.problems.rna.problem")
_structure = lazy("nrpa.problems.rna.structure")

Pair = tuple[int, int]

_MOST_LETTERS = 130
_LONGEST_LABEL = 28


@of_result
def arcs(result: Result, ax: Axes | None = None, *, problem: InverseFolding | Folding) -> Axes:
    """Draw the structure of an RNA result, of folding or inverse folding, as arcs over the sequence."""
    return draw_result(_draw_arcs, result, ax, problem)


def _draw_arcs(problem: InverseFolding | Folding, solution: str, axes: Axes) -> None:
    if isinstance(problem, _fold.Folding):
        draw_fold(problem, solution, axes)
    elif isinstance(problem, _rna.InverseFolding):
        draw_design(problem, solution, axes)
    else:
        raise InputError(f"arcs are drawn of RNA structures, not of {problem.name}")


def draw_design(problem: InverseFolding, solution: str, axes: Axes) -> None:
    """Draw the structure that a sequence folds into, and below the line the pairs of the target that it lacks."""
    figures = problem.check(solution).figures
    found, wanted = _structure.base_pairs(figures["structure"]), _structure.base_pairs(problem.target)
    layers = {"in both": found & wanted, "not in the target": found - wanted}
    _draw_pairs(axes, solution, layers, wanted - found, "in the target only")
    set_frame(
        axes,
        f"{_short_label(problem)}: distance {figures['distance']} from the target",
        x="position",
    )


def draw_fold(problem: Folding, solution: str, axes: Axes) -> None:
    """Draw a structure, and below the line the pairs of the optimum that it lacks.

    Pairs in square brackets are dashed. With pseudoknots, and for a long sequence, there is no optimum to compare with.
    """
    layers = {"pairs": _structure.base_pairs(solution), "crossing pairs": _structure.base_pairs(solution, "[]")}
    is_known = problem.is_folded_exactly and not problem.pseudoknots
    optimal = _structure.base_pairs(problem.optimal_structure) if is_known else set()
    _draw_pairs(axes, problem.sequence, layers, optimal - layers["pairs"], "in the optimum only")
    energy = problem.check(solution).figures["energy"]
    set_frame(axes, f"{_short_label(problem)}: {energy:z.2f} kcal/mol", x="position")


def _draw_pairs(axes: Axes, sequence: str, above: dict[str, set[Pair]], missing: set[Pair], lacking: str) -> None:
    """Draw two kinds of pairs above the sequence, and those that are missing below it."""
    from matplotlib.lines import Line2D

    styles: list[dict[str, Any]] = [{"color": "black"}, {"color": "#d55e00", "linestyle": (0, (4, 1.5))}]
    groups = [(name, found, 1, style) for (name, found), style in zip(above.items(), styles, strict=True)]
    groups.append((lacking, missing, -1, {"color": "#0072b2", "linestyle": (0, (1, 1.2))}))
    width = 1.1 if len(sequence) <= _MOST_LETTERS else 0.7
    for _, found, side, style in groups:
        for i, j in sorted(found):
            axes.add_patch(_arc(i + 1, j + 1, side, width, style))
    highest, deepest = (
        max([j - i for _, found, side, _ in groups if side == wanted for i, j in found], default=0) / 2
        for wanted in (1, -1)
    )
    margin = max(0.06 * (highest + deepest), 0.5)
    axes.set_xlim(0.2, len(sequence) + 0.8)
    axes.set_ylim(-deepest - margin, highest + margin)
    axes.axhline(0, color="0.6", linewidth=0.6, zorder=0)
    if len(sequence) <= _MOST_LETTERS:
        size = min(8.0, 420 / len(sequence))
        for place, letter in enumerate(sequence, 1):
            axes.text(place, 0, letter, ha="center", va="center", fontsize=size, bbox=_PAPER)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    drawn = [(name, style) for name, found, _, style in groups if found]
    if len(drawn) > 1:
        lines = [Line2D([], [], **style) for _, style in drawn]
        legend_below(axes, len(drawn), handles=lines, labels=[name for name, _ in drawn], fontsize="x-small")


_PAPER: dict[str, Any] = {"boxstyle": "square,pad=0.05", "facecolor": "white", "edgecolor": "none"}


def _arc(i: int, j: int, side: int, width: float, style: dict[str, Any]) -> Any:
    from matplotlib.patches import Arc

    begin, end = (0, 180) if side > 0 else (180, 360)
    return Arc(((i + j) / 2, 0), j - i, j - i, theta1=begin, theta2=end, linewidth=width, **style)


def _short_label(problem: InverseFolding | Folding) -> str:
    label = problem.label
    return name_of_solved(problem.name, label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…")
