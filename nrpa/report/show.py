"""A solution move by move, as one page of HTML that plays it in a browser."""

from __future__ import annotations

import html
import json
import math
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import compress
from pprint import pformat
from typing import Any, NamedTuple

import numpy as np

from nrpa import __version__
from nrpa.base.debugging import debug
from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import plain
from nrpa.games.open_game import OpenGame
from nrpa.io.files import write_text
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.problem import Problem
from nrpa.modelling.validate import require_problem, validate
from nrpa.plots.films import Still, film_of
from nrpa.search.result import Result, figures_text
from nrpa.search.run import Run, checked_seed

jinja2 = lazy("jinja2")
engine_game, guarded_game = lazy("nrpa.engine.game"), lazy("nrpa.engine.guarded_game")
machine_code, policies = lazy("nrpa.engine.machine_code"), lazy("nrpa.engine.policy")

UNIFORM = "uniform"
MOST_LISTED = 40
TEXT_WIDTH = 80
HEIGHT = 640


class _Position(NamedTuple):
    legal: list[tuple[str, Any, float, float]]  # the name of each move, its code, β and probability
    chosen: int  # which of them is made, -1 at the end
    player: int  # by whom


@dataclass(frozen=True)
class Step:
    """A position of a game, and how it is drawn.

    Attributes
    ----------
    move : str
        The move that leads to it, by its name; empty at the start.
    text : str
        What is to be said of it.
    picture : str
        The position as the problem draws it in text; empty where there is a picture in shapes.
    stays, now : str
        Shapes of SVG: those drawn from this step on, and those of this step alone.
    legal : list of list of str
        The legal moves: the name of each, its code, its β where there are such, its probability if a policy is given.
    left : int
        How many more there are.
    chosen : int
        Which of them is made, -1 at the end.
    """

    move: str
    text: str
    picture: str
    stays: str
    now: str
    legal: list[list[str]]
    left: int
    chosen: int


@dataclass(frozen=True)
class Walkthrough:
    """A solution move by move, made by ``nrpa.show``. A notebook shows it below the cell.

    Attributes
    ----------
    title, about : str
        Problem and instance; the figures of the whole solution.
    columns : list of str
        What is said of each legal move.
    steps : list of Step
        The positions, one more than there are moves.
    kind, box, ground : str, tuple of float, str
        How shapes are drawn; left, top, width and height of all pictures; the shapes below them. Empty where positions
        are text.
    """

    title: str
    about: str
    columns: list[str]
    steps: list[Step]
    kind: str = ""
    box: tuple[float, ...] = ()
    ground: str = ""

    def html(self) -> str:
        """Return the page; it needs no network and no other file."""
        data = json.dumps(plain(asdict(self)), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        environment = jinja2.Environment(loader=jinja2.PackageLoader("nrpa.report", ""), autoescape=True)
        template = environment.get_template("show.html.jinja")
        # JSON may hold halves of letters, which no file can.
        page: str = template.render(page=self, data=jinja2.utils.markupsafe.Markup(data), version=__version__)
        return page.encode(errors="replace").decode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, whole or not at all."""
        write_text(path, self.html())

    def _repr_html_(self) -> str:
        title, page = html.escape(self.title), html.escape(self.html())
        return f'<iframe title="{title}" style="width:100%;height:{HEIGHT}px;border:0" srcdoc="{page}"></iframe>'


def show(problem: BaseProblem, solution: Any = None, *, seed: int = 0, policy: Run | str | None = None) -> Walkthrough:
    """Return a solution move by move, as a page that plays it in a browser.

    Parameters
    ----------
    problem : BaseProblem
        The problem, or a game.
    solution : Result or object, optional
        The solution in the problem's own form, or a result that holds one; of a game its moves, also the first ones
        only. Without it, a playout is shown whose moves are drawn with equal probabilities.
    seed : int
        Of that playout.
    policy : Run or "uniform", optional
        A run of ``nrpa`` or ``gnrpa``, perhaps one that ``nrpa.resume`` has read: the probabilities of moves in its
        next playout are shown. With ``"uniform"``, those of a policy that has learned nothing, by the bias alone.

    Returns
    -------
    Walkthrough
        The positions; ``save(path)`` writes the page, and a notebook shows it.

    Raises
    ------
    InputError
        If no legal moves build the solution, or the run has no policy.

    Examples
    --------
    >>> import nrpa
    >>> page = nrpa.show(nrpa.Hex(size=3, first="none"), ["b2", "a1", "b1", "c1", "b3"])
    >>> page.title, len(page.steps), page.steps[1].move, page.steps[1].text
    ('hex 3x3', 6, 'b2', 'player 2 of 2 moves')
    """
    require_problem(problem)
    weigh = _uniform if policy in (None, UNIFORM) else _weights_of(policy, problem)
    # Without a policy, nothing is known by the numbers of a compiled class: moves and codes are the author's own.
    problem = policy.searches[0].problem if isinstance(policy, Run) else getattr(problem, "plain", problem)
    validate(problem)
    # Kernels run as plain Python: for one game, that is sooner than to compile them.
    with debug():
        return _walked(problem, solution, checked_seed(seed), weigh, policy is not None)


def _walked(problem: BaseProblem, solution: Any, seed: int, weigh: Any, has_policy: bool) -> Walkthrough:
    solution = solution.solution if isinstance(solution, Result) else solution
    random = np.random.default_rng(seed)
    moves = _random_moves(problem, random) if solution is None else problem.moves_of(solution).tolist()
    verdict = problem.check(problem.solution(np.array(moves, np.int64)) if solution is None else solution)
    film, positions = film_of(problem, moves), list(_positions(problem, moves, weigh))
    if verdict.score is not None or verdict.rewards is not None:
        # Also where a game has ended although moves are left.
        positions[-1] = positions[-1]._replace(legal=[])
    has_bias = any(row[2] for position in positions for row in position.legal)
    columns = {"move": True, "code": True, "β": has_bias, "probability": has_policy}
    figures = figures_text(problem.objective, plain(verdict.figures))
    about = "; ".join([*filter(None, [figures]), *verdict.faults[:1]])
    names = ["", *map(problem.move_name, moves)]
    steps = []
    for number, position in enumerate(positions):
        still = Still("", "", "") if film is None else film.stills[number]
        is_turn = problem.players > 1 and position.legal
        said = f"player {position.player + 1} of {problem.players} moves" if is_turn else ""
        text = "; ".join(filter(None, [still.text, said or figures * (number == len(moves))]))
        picture = "" if film else _drawn(problem, moves[:number], number == len(moves))
        legal, chosen = _listed(position, [*columns.values()])
        left = len(position.legal) - len(legal)
        steps.append(Step(names[number], text, picture, still.stays, still.now, legal, left, chosen))
    title = f"{problem.name} {problem.label}".rstrip()
    own = [name for name, has in columns.items() if has]
    return Walkthrough(title, about, own, steps, *(() if film is None else film[:3]))


def _random_moves(problem: BaseProblem, random: np.random.Generator) -> list[int]:
    if problem.players > 1:
        game = OpenGame(problem)
        game.deal(random)
        while game.legal:
            game.play(game.legal[random.integers(len(game.legal))])
        return game.moves
    moves: list[int] = _stepped(problem).playout(lambda legal: legal[random.integers(len(legal))])
    return moves


def _stepped(problem: BaseProblem) -> Any:
    """Return the game whose kernels run as plain Python; one that checks them where lists do not grow."""
    if problem.model.limits.grow:
        return engine_game.Game(problem.model, interpreted=True)
    return guarded_game.GuardedGame(problem.model)


def _positions(problem: BaseProblem, moves: list[int], weigh: Any) -> Iterator[_Position]:
    game, by_code = _stepped(problem), problem.bias_by_code()
    game.reset()
    for number, move in enumerate([*moves, None], 1):
        game.legal_moves()
        if move is not None and game.find(move.__eq__) is None:
            raise InputError(f"{problem.name}: move {number}, {problem.move_name(move)}, is not legal")
        legal, codes = game.listed, game.codes
        betas = np.log(game.exp_biases) + (0.0 if by_code is None else np.asarray(by_code)[codes])
        weights = np.array([weigh(*each) for each in zip(codes, game.exp_biases, betas, strict=True)])
        keys = problem.model.numbering()[1] if problem.model.numbers_moves else None
        shown = codes if keys is None else [keys[code] for code in codes]
        names = map(problem.move_name, legal)
        rows = [*zip(names, shown, betas.tolist(), (weights / weights.sum()).tolist(), strict=True)]
        yield _Position(rows, -1 if move is None else legal.index(move), game.player())
        if move is not None:
            game.play(move)


def _listed(position: _Position, has: list[bool]) -> tuple[list[list[str]], int]:
    """Return the first legal moves as text, and the one that is made, with its place among them."""
    listed, chosen = position.legal[:MOST_LISTED], position.chosen
    if chosen >= MOST_LISTED:
        listed[-1], chosen = position.legal[chosen], MOST_LISTED - 1
    texts = [(name, _key_text(code), f"{beta:.3g}", f"{share:.3f}") for name, code, beta, share in listed]
    return [[*compress(row, has)] for row in texts], chosen


def _uniform(_code: int, _exp_bias: float, beta: float) -> float:
    return math.exp(beta)


def _weights_of(policy: Any, problem: BaseProblem) -> Any:
    """Return what gives e^(w/τ + β) of a code and the e^β of its move, by what a run has learned."""
    memory = getattr(policy.searches[0], "memory", None) if isinstance(policy, Run) else None
    if not hasattr(memory, "policy"):
        raise InputError("policy must be 'uniform' or a run of nrpa or gnrpa, which learn one")
    if (policy.problem.name, policy.problem.sha256) != (problem.name, problem.sha256):
        raise InputError("policy is of a run on another problem or instance")
    weight, is_biased = machine_code.runnable(policies.weight), policy.solver.uses_bias
    return lambda code, exp_bias, _: weight(memory.policy, 1, np.int64(code)) * (exp_bias if is_biased else 1.0)


def _drawn(problem: BaseProblem, moves: list[int], is_last: bool) -> str:
    """Return a position as text: as the problem draws what is built so far, or else the state that its author keeps."""
    numbers = np.array(moves, np.int64)
    # What is drawn of whole solutions need not be possible of their beginnings.
    with suppress(*() if is_last else (Exception,)):
        if type(problem).draw is not BaseProblem.draw:
            return problem.draw(problem.solution(numbers))
    if not isinstance(problem, Problem):
        return str(problem.solution(numbers))
    state = problem.initial_state()
    for move in problem.model.things_of(numbers):
        state = problem.play(problem.copy(state), move)
    return pformat(state, width=TEXT_WIDTH)


def _key_text(code: Any) -> str:
    """Return a code as its author writes it, without NumPy's names of types."""
    return code if isinstance(code, str) else str(plain(code)).replace("[", "(").replace("]", ")").replace(" ", "")
