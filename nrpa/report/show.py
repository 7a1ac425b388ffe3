"""A solution move by move, as one page of HTML that plays it in a browser."""

from __future__ import annotations

import html
import json
import math
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pprint import pformat
from typing import Any

import numpy as np

from nrpa import __version__
from nrpa.base.debugging import debug
from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import checked_seed, plain
from nrpa.games.choice import listed_moves
from nrpa.games.open_game import OpenGame
from nrpa.io.files import write_text
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.problem import Problem
from nrpa.modelling.validate import hints_of, require_problem, validate
from nrpa.plots.films import film_of
from nrpa.plots.picture import require_scored
from nrpa.search.result import Result, figures_text
from nrpa.search.run import Run

jinja2 = lazy("jinja2")
engine_game, guarded_game = lazy("nrpa.engine.game"), lazy("nrpa.engine.guarded_game")
machine_code, policies = lazy("nrpa.engine.machine_code"), lazy("nrpa.engine.policy")

UNIFORM = "uniform"
MOST_LISTED = 40
HEIGHT = 640

# Of a code, the e^β of its move, and β of both.
Weigh = Callable[[int, float, float], float]


@dataclass(frozen=True)
class Walkthrough:
    """A solution move by move, made by ``nrpa.show``. A notebook shows it below the cell.

    Attributes
    ----------
    data : dict
        What the page holds: ``title``, ``about`` (the figures), ``columns`` (what is said of legal moves) and
        ``steps``: of each position the ``move`` that leads to it, a ``text``, a ``picture`` in text or as shapes of SVG
        (``stays``, ``now``), the ``legal`` moves, how many more there are (``left``), and which is made (``chosen``).
    """

    data: dict[str, Any]

    def html(self) -> str:
        """Return the page; it needs no network and no other file."""
        data = json.dumps(plain(self.data), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        environment = jinja2.Environment(loader=jinja2.PackageLoader("nrpa.report", ""), autoescape=True)
        template = environment.get_template("show.html.jinja")
        page: str = template.render(**self.data, data=data, version=__version__)
        # Names may hold halves of letters, which no file can.
        return page.encode(errors="replace").decode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, whole or not at all."""
        write_text(path, self.html())

    def _repr_html_(self) -> str:
        title, page = html.escape(self.data["title"]), html.escape(self.html())
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
    >>> steps = page.data["steps"]
    >>> page.data["title"], len(steps), steps[1]["move"], steps[1]["text"]
    ('hex 3x3', 6, 'b2', 'player 2 of 2 moves')
    """
    require_problem(problem)
    weigh = _uniform if policy in (None, UNIFORM) else _weigh_by(policy, problem)
    # Without a policy, nothing is known by the numbers of a compiled class: moves and codes are the author's own.
    problem = policy.searches[0].problem if isinstance(policy, Run) else getattr(problem, "plain", problem)
    validate(problem)
    # Kernels run as plain Python: for one game, that is sooner than to compile them.
    with debug():
        if solution is None:
            moves = _drawn_moves(problem, checked_seed(seed))
        else:
            problem, moves = _moves_of(problem, solution)
        return Walkthrough(_data(problem, moves, weigh, policy is not None))


def _data(problem: BaseProblem, moves: list[int], weigh: Weigh, has_policy: bool) -> dict[str, Any]:
    verdict = problem.check(problem.solution(np.array(moves, np.int64)))
    is_over = verdict.score is not None or verdict.rewards is not None
    figures, film = figures_text(problem.objective, plain(verdict.figures)), film_of(problem, moves)
    steps = list(_steps(problem, moves, weigh))
    shown = [True, True, any(row[2] != "0" for step in steps for row in step["legal"]), has_policy]
    for number, step in enumerate(steps):
        if film is None:
            step["picture"] = _text(problem, moves[:number], number == len(moves))
        else:
            step.update(film.stills[number]._asdict())
        if number == len(moves) and is_over:
            # Also where a game ends although moves are left.
            step.update(text="; ".join(filter(None, [step["text"], figures])), legal=[], left=0)
        elif problem.players > 1:
            step["text"] = f"player {step['player']} of {problem.players} moves"
        step["legal"] = [[text for text, is_shown in zip(row, shown, strict=True) if is_shown] for row in step["legal"]]
    names = [name for name, is_shown in zip(("move", "code", "β", "probability"), shown, strict=True) if is_shown]
    about = "; ".join(filter(None, [figures, *verdict.faults[:1]]))
    data = {"title": f"{problem.name} {problem.label}".rstrip(), "about": about, "columns": names, "steps": steps}
    return data if film is None else {**data, "kind": film.kind, "box": film.box, "ground": film.ground}


def _moves_of(problem: BaseProblem, solution: Any) -> tuple[BaseProblem, list[int]]:
    """Return the moves of a solution, those of a game by their names or as the author writes them.

    Where the rules for moves leave it out, other rules under which ``auto`` searches, in the problem that has them.
    """
    solution = solution.solution if isinstance(solution, Result) else solution
    if problem.players > 1:
        game = OpenGame(problem)
        game.play_moves(listed_moves(solution))
        return problem, game.moves
    if not isinstance(problem, Problem):
        require_scored(problem, solution)
    for other in (problem, *hints_of(problem).arms):
        with suppress(InputError):
            return other, other.moves_of(solution).tolist()
    return problem, problem.moves_of(solution).tolist()


def _drawn_moves(problem: BaseProblem, seed: int) -> list[int]:
    random = np.random.default_rng(seed)
    if problem.players > 1:
        game = OpenGame(problem)
        game.deal(random)
        while game.legal:
            game.play(game.legal[random.integers(len(game.legal))])
        return game.moves
    moves: list[int] = _game(problem).playout(lambda legal: legal[random.integers(len(legal))])
    return moves


def _game(problem: BaseProblem) -> Any:
    """Return a game whose kernels run as plain Python, and are checked unless lists may grow."""
    if problem.model.limits.grow:
        return engine_game.Game(problem.model, interpreted=True)
    return guarded_game.GuardedGame(problem.model)


def _steps(problem: BaseProblem, moves: list[int], weigh: Weigh) -> Iterator[dict[str, Any]]:
    """Yield each position: the move before it, who is to move, the legal moves with code, β and probability."""
    game, by_code = _game(problem), problem.bias_by_code()
    game.reset()
    for number, move in enumerate([*moves, None]):
        game.legal_moves()
        if move is not None and game.find(move.__eq__) is None:
            raise InputError(f"{problem.name}: move {number + 1}, {problem.move_name(move)}, is not legal")
        legal, codes = game.listed, game.codes
        betas = np.log(game.exp_biases) + (0.0 if by_code is None else np.asarray(by_code)[codes])
        weights = np.array([weigh(*each) for each in zip(codes, game.exp_biases, betas, strict=True)])
        chosen = -1 if move is None else legal.index(move)
        # The first ones, and the one that is made.
        listed = [*range(min(len(legal), MOST_LISTED))]
        if chosen >= MOST_LISTED:
            listed[-1] = chosen
        keys = problem.model.numbering()[1] if problem.model.numbers_moves else dict(zip(codes, codes, strict=True))
        yield {
            "move": problem.move_name(moves[number - 1]) if number else "",
            "text": "",
            "player": game.player() + 1,
            "legal": [
                [
                    problem.move_name(legal[k]),
                    _key_text(keys[codes[k]]),
                    f"{betas[k]:.3g}",
                    f"{weights[k] / weights.sum():.3f}",
                ]
                for k in listed
            ],
            "left": len(legal) - len(listed),
            "chosen": listed.index(chosen) if chosen >= 0 else -1,
        }
        if move is not None:
            game.play(move)


def _uniform(_code: int, _exp_bias: float, beta: float) -> float:
    return math.exp(beta)


def _weigh_by(policy: Any, problem: BaseProblem) -> Weigh:
    """Return what gives e^(w/τ + β) by what a run has learned."""
    memory: Any = getattr(policy.searches[0], "memory", None) if isinstance(policy, Run) else None
    if not hasattr(memory, "policy"):
        raise InputError("policy must be 'uniform' or a run of nrpa or gnrpa, which learn one")
    if (policy.problem.name, policy.problem.sha256) != (problem.name, problem.sha256):
        raise InputError("policy is of a run on another problem or instance")
    weight, is_biased = machine_code.runnable(policies.weight), policy.solver.uses_bias
    return lambda code, exp_bias, _: weight(memory.policy, 1, np.int64(code)) * (exp_bias if is_biased else 1.0)


def _text(problem: BaseProblem, moves: list[int], is_last: bool) -> str:
    """Return a position as text: as the problem draws what is built so far, or else the state that its author keeps."""
    numbers = np.array(moves, np.int64)
    # What is drawn of whole solutions need not be possible of their beginnings.
    with suppress(*() if is_last else (Exception,)):
        if type(problem).draw is not BaseProblem.draw and (drawn := problem.draw(problem.solution(numbers))):
            return drawn
    if not isinstance(problem, Problem):
        return str(problem.solution(numbers))
    state = problem.initial_state()
    for move in problem.model.things_of(numbers):
        state = problem.play(problem.copy(state), move)
    return pformat(state)


def _key_text(code: Any) -> str:
    """Return a code as its author writes it, without NumPy's names of types."""
    return code if isinstance(code, str) else str(plain(code)).replace("[", "(").replace("]", ")").replace(" ", "")
