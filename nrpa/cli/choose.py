"""The command ``nrpa choose``."""

from __future__ import annotations

import json as jsons
import secrets
from typing import Any

import click

from nrpa.base.plain import plain
from nrpa.cli.completion import files, tree_solver_names
from nrpa.cli.number_types import NUMBER, WHOLE
from nrpa.cli.per_problem import (
    PerProblem,
    described,
    game_options,
    instance_argument,
    named,
    of_game,
    read_or_make,
)
from nrpa.cli.solver_options import make_solver, solver_options
from nrpa.cli.tree_solvers import DEFAULT_SOLVER, effort_text, opinions_text, tree_solvers
from nrpa.io.files import require_kept, require_writable, write_text
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class
from nrpa.registry.source_files import source_files
from nrpa.search.choice import Choice, choose, named_moves, require_tree_search
from nrpa.search.open_game import OpenGame, require_game
from nrpa.search.run import checked_seed, versions


def choose_command(name: str) -> click.Command:
    """Return the command that chooses moves of one game.

    Parameters
    ----------
    name : str
        The game.

    Returns
    -------
    click.Command
        The command.

    Raises
    ------
    InputError
        If there is no such problem.
    """
    problem = problem_class(name)
    names = tree_solvers()
    own: list[click.Parameter] = [
        *instance_argument(problem),
        click.Option(
            ["--solver"],
            shell_complete=tree_solver_names,
            default=DEFAULT_SOLVER,
            show_default=True,
            metavar="NAME",
            help=f"One of {', '.join(names)}.",
        ),
        click.Option(["--moves"], default="", metavar='"MOVE ..."', help="The moves that lead to the position."),
        click.Option(["--playouts"], type=WHOLE, help="So many tree walks, at least 2."),
        click.Option(["--time"], type=NUMBER, help="So many seconds instead.  [default: 1]"),
        click.Option(["--seed"], type=WHOLE, help="Same seed and playouts, same choice.  [default: drawn]"),
        click.Option(
            ["--json"],
            metavar="FILE",
            shell_complete=files,
            help="Write the move, and visits and value of each legal one.",
        ),
        click.Option(["-q", "--quiet"], is_flag=True, help="Print the move only."),
    ]
    of_solvers: list[click.Parameter] = [option.parameter() for option in solver_options(names)]
    of_problem = game_options(problem, named([*own, *of_solvers]))

    def callback(**given: Any) -> None:
        options, rest = of_game(given)
        settings = {each: rest.pop(each) for each in named(of_solvers)}
        run(problem, settings, options, **rest)

    return click.Command(
        name,
        callback=callback,
        params=[*own, *of_solvers, *of_problem],
        help=f"Choose a move of a position of {described(name)}.\n\n"
        "Printed are the position, the move, and for each legal move the tree walks that began with it and their mean "
        "reward for who makes it.",
    )


command = PerProblem("choose", choose_command, "Choose a move of a position by a tree search.")


def run(
    problem_class: type[BaseProblem],
    solver_options: dict[str, Any],
    problem_options: dict[str, Any],
    *,
    instance: str | None = None,
    solver: str,
    moves: str,
    playouts: int | None,
    time: float | None,
    seed: int | None,
    json: str | None,
    quiet: bool,
) -> None:
    """Choose a move, print it, and write the file that was asked for.

    Parameters
    ----------
    problem_class : type
        The class of the game.
    solver_options, problem_options : dict
        Options by name; those of the solver that were not given are None.
    instance : str, optional
        The instance, of a game that reads instances.
    solver, moves, playouts, time, seed, json, quiet
        The options of the command.

    Raises
    ------
    InputError
        If a value cannot be used, the game is none of several players, or a file cannot be written.
    """
    algorithm: Any = make_solver(solver, solver_options)
    require_tree_search(algorithm)
    chosen_seed = secrets.randbits(32) if seed is None else checked_seed(seed)
    if json is not None:
        require_writable(json)
        require_kept({"--json": json}, [*([] if instance is None else [file_of(instance)]), *source_files()])
    problem = read_or_make(problem_class, instance, problem_options)
    require_game(problem)
    before = named_moves(moves)
    choice = choose(problem, algorithm, moves=before, playouts=playouts, time=time, seed=chosen_seed)
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
        write_text(json, jsons.dumps(record, indent=1) + "\n")
    click.echo(choice.move if quiet else _report(problem, before, choice, chosen_seed))


def _report(problem: BaseProblem, before: list[str], choice: Choice, seed: int) -> str:
    game = OpenGame(problem)
    game.play_names(before)
    lines = [
        game.text(),
        f"player {choice.player + 1} of {problem.players}: {choice.move}",
        f"{effort_text(choice)}, seed {seed}",
        opinions_text(choice.ranked),
    ]
    return "\n".join(lines)
