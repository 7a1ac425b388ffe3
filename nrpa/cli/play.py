"""The command ``nrpa play``."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from typing import Any

import click
import numpy as np

from nrpa.base.errors import InputError
from nrpa.bench.contender import Contender
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
from nrpa.cli.tree_solvers import DEFAULT_SOLVER, effort_text, opinions_text
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class
from nrpa.search.choice import Budget, Choice, Chooser, named_moves
from nrpa.search.open_game import OpenGame, require_game
from nrpa.search.run import checked_seed

DEFAULT_SECONDS = 2.0
SHOWN = 5
COMMANDS = "undo, hint, moves, quit"


def play_command(name: str) -> click.Command:
    """Return the command with which a person plays one game.

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
    own: list[click.Parameter] = [
        *instance_argument(problem),
        click.Option(
            ["--against"],
            default=DEFAULT_SOLVER,
            show_default=True,
            metavar="SOLVER[:KEY=VALUE,...]",
            help="The tree search that plays the others.",
        ),
        click.Option(["--seat"], type=WHOLE, default=1, show_default=True, help="Which player you are, from 1."),
        click.Option(["--time"], type=NUMBER, help="Seconds that it thinks of a move.  [default: 2]"),
        click.Option(["--playouts"], type=WHOLE, help="Tree walks for each move instead, at least 2."),
        click.Option(["--moves"], default="", metavar='"MOVE ..."', help="Begin after these moves."),
        click.Option(["--seed"], type=WHOLE, help="Same seed, playouts and moves, same replies.  [default: drawn]"),
    ]
    of_problem = game_options(problem, named(own))

    def callback(**given: Any) -> None:
        options, rest = of_game(given)
        run(name, options, **rest)

    return click.Command(
        name,
        callback=callback,
        params=[*own, *of_problem],
        help=f"Play {described(name)} against a tree search.\n\n"
        "Type a move by its name, or: undo (take your last move back), hint (what the search thinks of your moves), "
        "moves (those that are legal), quit. Ctrl-D quits as well.",
    )


command = PerProblem("play", play_command, "Play a game against a tree search.")


def run(
    name: str,
    problem_options: dict[str, Any],
    *,
    instance: str | None = None,
    against: str,
    seat: int,
    time: float | None,
    playouts: int | None,
    moves: str,
    seed: int | None,
) -> None:
    """Play a game with the person at the terminal.

    Parameters
    ----------
    name : str
        The game.
    problem_options : dict
        Its options by name.
    instance : str, optional
        The instance, of a game that reads instances.
    against, seat, time, playouts, moves, seed
        The options of the command.

    Raises
    ------
    InputError
        If a value cannot be used, or the game is none of several players.
    """
    budget = Budget.checked(playouts, DEFAULT_SECONDS if time is None and playouts is None else time)
    drawn = secrets.randbits(32) if seed is None else checked_seed(seed)
    problem = read_or_make(problem_class(name), instance, problem_options)
    require_game(problem)
    if not 1 <= seat <= problem.players:
        raise InputError(f"--seat must be from 1 to {problem.players}, the players of {problem.name}, not {seat}")

    def make(options: dict[str, Any]) -> BaseProblem:
        return read_or_make(problem_class(name), instance, {**problem_options, **options})

    try:
        contender = Contender.parse(against, problem, make)
    except InputError as error:
        raise InputError(f"--against: {error}") from None
    problem = contender.game
    game = OpenGame(problem)
    game.play_names(named_moves(moves))
    click.echo(f"{problem.name} {problem.label}, you are player {seat} of {problem.players}, seed {drawn}")
    click.echo(f"Type a move, or one of: {COMMANDS}.")
    Sitting(game, Chooser(problem, contender.solver), budget, seat - 1, drawn).play()


class Sitting:
    """A person and a tree search at one board.

    Parameters
    ----------
    game : OpenGame
        The game.
    chooser : Chooser
        Plays for all but the person.
    budget : Budget
        How long it thinks of a move.
    seat : int
        Who the person is, 0 to players - 1.
    seed : int
        The seed of the searches; each begins with this and the number of moves made.
    """

    def __init__(self, game: OpenGame, chooser: Chooser, budget: Budget, seat: int, seed: int) -> None:
        self._game = game
        self._chooser = chooser
        self._budget = budget
        self._seat = seat
        self._seed = seed
        self._mine: list[int] = []
        self._commands: dict[str, Callable[[], None]] = {"undo": self._undo, "hint": self._hint, "moves": self._list}

    def play(self) -> None:
        """Play until the game ends or the person leaves; then say how it stands, and the moves."""
        game = self._game
        try:
            while game.legal and self._step():
                pass
            click.echo(game.text())
            click.echo("the game has not ended" if game.legal else self._outcome())
        finally:
            names = [game.problem.move_name(move) for move in game.moves]
            click.echo(f"moves: {' '.join(names)}".rstrip())

    def _step(self) -> bool:
        """Let whose turn it is make a move; return False if the person leaves."""
        if self._game.player == self._seat:
            return self._turn()
        self._reply()
        return True

    def _turn(self) -> bool:
        """Let the person make a move; return False if the person leaves."""
        click.echo(self._game.text())
        length = len(self._game.moves)
        while len(self._game.moves) == length and self._game.player == self._seat:
            word = self._asked()
            if word is None or (word in ("quit", "q") and word not in self._game.names):
                return False
            if word in self._commands and word not in self._game.names:
                self._commands[word]()
                continue
            if word:
                self._try(word)
        return True

    def _asked(self) -> str | None:
        """Return what the person types, None at the end of the input."""
        try:
            word = input("your move: ").strip()
        except EOFError:
            click.echo()
            return None
        except UnicodeDecodeError:
            word = "?"
        if not sys.stdin.isatty():
            click.echo(word)
        return word

    def _try(self, word: str) -> None:
        try:
            move = self._game.number_of(word)
        except InputError as error:
            click.echo(f"{error}; or one of {COMMANDS}")
            return
        self._mine.append(len(self._game.moves))
        self._game.play(move)

    def _undo(self) -> None:
        if not self._mine:
            click.echo("there is no move of yours to take back")
            return
        length = self._mine.pop()
        self._game.take_back(len(self._game.moves) - length)

    def _hint(self) -> None:
        choice = self._choice()
        click.echo(f"{self._chooser.solver.name} would play {choice.move}: {effort_text(choice)}")
        click.echo(opinions_text(choice.ranked[:SHOWN]))

    def _list(self) -> None:
        click.echo(" ".join(self._game.names))

    def _reply(self) -> None:
        who = self._game.player
        choice = self._choice()
        as_whom = f" as player {who + 1}" if self._game.problem.players > 2 else ""
        click.echo(f"{self._chooser.solver.name} plays {choice.move}{as_whom}: {effort_text(choice)}")
        click.echo(opinions_text(choice.ranked[:SHOWN]))
        self._game.play(choice.number)

    def _choice(self) -> Choice:
        seed = np.random.SeedSequence(self._seed, spawn_key=(len(self._game.moves),))
        return self._chooser.choose(self._game.moves, self._budget, seed)

    def _outcome(self) -> str:
        rewards = self._game.rewards()
        best = max(rewards)
        winners = [who for who, reward in enumerate(rewards) if reward == best]
        listed = ", ".join(f"{reward:g}" for reward in rewards)
        if winners == [self._seat]:
            return f"you have won (rewards {listed})"
        if len(winners) == 1:
            return f"player {winners[0] + 1}, {self._chooser.solver.name}, has won (rewards {listed})"
        return f"drawn between players {' and '.join(str(who + 1) for who in winners)} (rewards {listed})"
