"""A solution move by move, as one page of HTML that plays it in a browser."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator
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
from nrpa.checking.validate import hints_of, validate
from nrpa.games.choice import listed_moves
from nrpa.games.open_game import OpenGame
from nrpa.io.files import write_text
from nrpa.modelling.base_problem import BaseProblem, require_problem
from nrpa.modelling.problem import Problem
from nrpa.plots.films import film_of
from nrpa.plots.picture import require_scored
from nrpa.search.result import Result, figures_text

jinja2, engine_game = lazy("jinja2"), lazy("nrpa.engine.game")

MOST_LISTED = 40
HEIGHT = 640


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


def show(problem: BaseProblem, solution: Any = None, *, seed: int = 0) -> Walkthrough:
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

    Returns
    -------
    Walkthrough
        The positions; ``save(path)`` writes the page, and a notebook shows it.

    Raises
    ------
    InputError
        If no legal moves build the solution.

    Examples
    --------
    >>> import nrpa
    >>> page = nrpa.show(nrpa.Hex(size=3, first="none"), ["b2", "a1", "b1", "c1", "b3"])
    >>> steps = page.data["steps"]
    >>> page.data["title"], len(steps), steps[1]["move"], steps[1]["text"]
    ('hex 3x3', 6, 'b2', 'player 2 of 2 moves')
    """
    require_problem(problem)
    # Moves and codes are the author's own, also where the class is compiled.
    problem = getattr(problem, "plain", problem)
    validate(problem)
    # Kernels run as plain Python: for one game, that is sooner than to compile them.
    with debug():
        return Walkthrough(_data(*_played(problem, solution, checked_seed(seed))))


def _played(problem: BaseProblem, solution: Any, seed: int) -> tuple[BaseProblem, list[int]]:
    """Return the moves of a solution, those of a game by their names or as the author writes them; else a playout's.

    Where the rules for moves leave it out, other rules under which ``auto`` searches, in the problem that has them.
    """
    random = np.random.default_rng(seed)
    if isinstance(solution, Result):
        solution = solution.solution
    if problem.players > 1:
        game = OpenGame(problem)
        if solution is not None:
            game.play_moves(listed_moves(solution))
            return problem, game.moves
        game.deal(random)
        while game.legal:
            game.play(random.choice(game.legal))
        return problem, game.moves
    if solution is None:
        return problem, engine_game.Game(problem.model, interpreted=True).playout(random.choice)
    if not isinstance(problem, Problem):
        require_scored(problem, solution)
    for other in (problem, *hints_of(problem).arms):
        with suppress(InputError):
            return other, other.moves_of(solution).tolist()
    return problem, problem.moves_of(solution).tolist()


def _data(problem: BaseProblem, moves: list[int]) -> dict[str, Any]:
    verdict, film = problem.check(problem.solution(np.array(moves, np.int64))), film_of(problem, moves)
    figures = figures_text(problem.objective, plain(verdict.figures))
    steps = [*_steps(problem, moves)]
    if verdict.score is not None or verdict.rewards is not None:
        # Also where a game ends although moves are left.
        steps[-1].update(text=figures, legal=[], left=0)
    for number, step in enumerate(steps):
        if film is None:
            step["picture"] = _text(problem, moves[:number], number == len(moves))
        else:
            stays, now, text = film.stills[number]
            step.update(stays=stays, now=now, text=text or step["text"])
    columns = ["move", "code", "β"]
    if all(row[2] == "0" for step in steps for row in step["legal"]):
        columns.pop()
    data = {
        "title": f"{problem.name} {problem.label}".rstrip(),
        "about": "; ".join(filter(None, [figures, *verdict.faults[:1]])),
        "columns": columns,
        "steps": steps,
    }
    return data if film is None else {**data, "box": film.box, "ground": film.ground}


def _steps(problem: BaseProblem, moves: list[int]) -> Iterator[dict[str, Any]]:
    """Yield each position: the move before it, who is to move, the legal moves with code and β."""
    game, by_code = engine_game.Game(problem.model, interpreted=True), problem.bias_by_code()
    game.reset()
    for number, move in enumerate([*moves, None]):
        game.legal_moves()
        if move is not None and game.find(move.__eq__) is None:
            raise InputError(f"{problem.name}: move {number + 1}, {problem.move_name(move)}, is not legal")
        legal, codes = game.listed, game.codes
        things = problem.model.numbering()[1] if problem.model.numbers_moves else []
        # Codes that the author has numbered stand for themselves.
        names = things or {code: code for code in codes}
        betas = np.log(game.exp_biases) + (0.0 if by_code is None else np.asarray(by_code)[codes])
        rows = [
            [problem.move_name(each), _code_text(names[code]), f"{beta:.3g}"]
            for each, code, beta in zip(legal, codes, betas, strict=True)
        ]
        chosen = -1 if move is None else legal.index(move)
        if chosen >= MOST_LISTED:
            rows[MOST_LISTED - 1], chosen = rows[chosen], MOST_LISTED - 1
        yield {
            "move": problem.move_name(moves[number - 1]) if number else "",
            "text": f"player {game.player() + 1} of {problem.players} moves" if problem.players > 1 else "",
            "legal": rows[:MOST_LISTED],
            "left": max(0, len(rows) - MOST_LISTED),
            "chosen": chosen,
        }
        if move is not None:
            game.play(move)


def _text(problem: BaseProblem, moves: list[int], is_last: bool) -> str:
    """Return a position as text: as the problem draws what is built so far, or else the state that its author keeps."""
    numbers = np.array(moves, np.int64)
    if type(problem).draw is not BaseProblem.draw:
        try:
            if drawn := problem.draw(problem.solution(numbers)):
                return drawn
        except Exception:
            # What is drawn of whole solutions need not be possible of their beginnings.
            if is_last:
                raise
    if not isinstance(problem, Problem):
        return str(problem.solution(numbers))
    state = problem.initial_state()
    for move in problem.model.things_of(numbers):
        state = problem.play(problem.copy(state), move)
    return pformat(state)


def _code_text(code: Any) -> str:
    """Return a code as its author writes it, without NumPy's names of types."""
    return code if isinstance(code, str) else str(plain(code)).replace("[", "(").replace("]", ")").replace(" ", "")
