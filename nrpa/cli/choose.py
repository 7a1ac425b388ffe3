"""The command ``nrpa choose``."""

from __future__ import annotations

import secrets
from typing import Any

import click

from nrpa.base.installed import versions
from nrpa.base.plain import plain
from nrpa.cli import options
from nrpa.cli.completion import tree_solver_names
from nrpa.cli.output import echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.cli.solver_options import make_solver, solver_options
from nrpa.cli.tree_solvers import DEFAULT_SOLVER, WORKERS, effort_text, statistics_text, tree_solvers
from nrpa.io.files import require_outputs, write_json
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.choice import Choice, choose, named_moves, require_tree_search
from nrpa.search.open_game import OpenGame, require_game
from nrpa.search.run import checked_seed
from nrpa.solvers.tree import OF_ONE_PLAYER


def _own(problem: type[BaseProblem]) -> list[click.Parameter]:
    return [
        click.Option(
            ["--solver"],
            shell_complete=tree_solver_names,
            default=DEFAULT_SOLVER,
            show_default=True,
            metavar="NAME",
            help=f"One of {', '.join(tree_solvers())}.",
        ),
        click.Option(["--moves"], default="", metavar='"MOVE ..."', help="The moves that lead to the position."),
        options.whole("--playouts", "So many tree walks, at least 2."),
        options.number("--time", "So many seconds instead.  [default: 1]"),
        options.whole("--seed", "Same seed and playouts, same choice.  [default: drawn]"),
        options.whole("--workers", WORKERS, 1),
        options.file("--json", "Write the move, and visits and value of each legal one."),
        options.quiet("move"),
    ]


def run(
    asked: Asked,
    *,
    solver: str,
    moves: str,
    playouts: int | None,
    time: float | None,
    seed: int | None,
    workers: int,
    json: str | None,
    quiet: bool,
) -> None:
    """Choose a move, print it, and write the file that was asked for."""
    algorithm: Any = make_solver(solver, asked.solver_options)
    require_tree_search(algorithm)
    chosen_seed = secrets.randbits(32) if seed is None else checked_seed(seed)
    require_outputs({"--json": json}, asked.inputs)
    problem = asked.read()
    require_game(problem)
    before = named_moves(moves)
    choice = choose(problem, algorithm, moves=before, playouts=playouts, time=time, seed=chosen_seed, workers=workers)
    if json is not None:
        record = {
            "problem": problem.name,
            "instance": problem.label,
            "sha256": problem.sha256,
            "options": plain(problem.options),
            "solver": algorithm.name,
            "solver_options": plain(algorithm.options),
            "seed": chosen_seed,
            "moves": before,
            **choice.to_dict(),
            "versions": versions(),
        }
        write_json(json, record)
    echo_lines(choice.move if quiet else _report(problem, before, choice, chosen_seed))


def _report(problem: BaseProblem, before: list[str], choice: Choice, seed: int) -> str:
    game = OpenGame(problem)
    game.play_names(before)
    lines = [
        game.text(),
        f"player {choice.player + 1} of {problem.players}: {choice.move}",
        f"{effort_text(choice)}, seed {seed}",
        statistics_text(choice.ranked),
    ]
    return "\n".join(lines)


command = PerProblem(
    "choose",
    "Choose a move of a position by a tree search.",
    run=run,
    own=_own,
    of_solvers=lambda: solver_options(tree_solvers(), without=(*OF_ONE_PLAYER, "keep")),
    of_games=True,
    common=("solver", "moves", "playouts", "time", "seed", "workers", "json", "quiet"),
    solvers=(DEFAULT_SOLVER,),
    text="Choose a move of a position of {}.\n\n"
    "Printed are the position, the move, and for each legal move the tree walks that began with it and their mean "
    "reward for who makes it.",
)
