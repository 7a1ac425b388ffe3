"""The command ``nrpa play``."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass

import click
import numpy as np

from nrpa.base.errors import InputError
from nrpa.bench.referee import Contender
from nrpa.cli import options
from nrpa.cli.output import echo, echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.cli.tree_solvers import DEFAULT_SOLVER, WORKERS, effort_text, statistics_text
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.choice import Budget, Choice, Chooser, named_moves
from nrpa.search.open_game import OpenGame, require_game
from nrpa.search.run import checked_seed

DEFAULT_SECONDS = 2.0
SHOWN = 5
COMMANDS = "undo, hint, moves, quit"


def _own(problem: type[BaseProblem]) -> list[click.Parameter]:
    return [
        click.Option(
            ["--against"],
            default=DEFAULT_SOLVER,
            show_default=True,
            metavar="SOLVER[:KEY=VALUE,...]",
            help="The tree search that plays the others.",
        ),
        options.whole("--seat", "Which player you are, from 1.", 1),
        options.number("--time", "Seconds that it thinks of a move.  [default: 2]"),
        options.whole("--playouts", "Tree walks for each move instead, at least 2."),
        click.Option(["--moves"], default="", metavar='"MOVE ..."', help="Begin after these moves."),
        options.whole("--seed", "Same seed, playouts and moves, same replies.  [default: drawn]"),
        options.whole("--workers", WORKERS, 1),
    ]


def run(
    asked: Asked,
    *,
    against: str,
    seat: int,
    time: float | None,
    playouts: int | None,
    moves: str,
    seed: int | None,
    workers: int,
) -> None:
    """Play a game with the person at the terminal."""
    budget = Budget.checked(playouts, DEFAULT_SECONDS if time is None and playouts is None else time)
    drawn = secrets.randbits(32) if seed is None else checked_seed(seed)
    problem = asked.read()
    require_game(problem)
    if problem.hides:
        raise InputError(f"{problem.name} hides something from its players, which nrpa play would show")
    if not 1 <= seat <= problem.players:
        raise InputError(f"--seat must be from 1 to {problem.players}, the players of {problem.name}, not {seat}")
    try:
        contender = Contender.parse(against, problem, asked.read)
    except InputError as error:
        raise InputError(f"--against: {error}") from None
    problem = contender.game
    game = OpenGame(problem)
    game.play_names(named_moves(moves))
    budget.shares(contender.solver.trees, workers)
    chooser = Chooser(problem, contender.solver, workers)
    echo(f"{problem.name} {problem.label}, you are player {seat} of {problem.players}, seed {drawn}")
    echo(f"Type a move, or one of: {COMMANDS}.")
    Sitting(game, chooser, budget, seat - 1, drawn).play()


@dataclass
class Sitting:
    """A person and a tree search at one board."""

    _game: OpenGame
    _chooser: Chooser
    _budget: Budget
    _seat: int
    _seed: int

    def __post_init__(self) -> None:
        self._mine: list[int] = []
        self._commands: dict[str, Callable[[], None]] = {"undo": self._undo, "hint": self._hint, "moves": self._list}

    def play(self) -> None:
        """Play until the game ends or the person leaves; then say how it stands, and the moves."""
        game = self._game
        try:
            while game.legal and self._step():
                pass
            echo_lines(game.text())
            echo("the game has not ended" if game.legal else self._outcome())
        finally:
            names = [game.problem.move_name(move) for move in game.moves]
            echo(f"moves: {' '.join(names)}".rstrip())

    def _step(self) -> bool:
        """Let whose turn it is make a move; return False if the person leaves."""
        if self._game.player == self._seat:
            return self._turn()
        self._reply()
        return True

    def _turn(self) -> bool:
        """Let the person make a move; return False if the person leaves."""
        echo_lines(self._game.text())
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
            echo()
            return None
        except UnicodeDecodeError:
            word = "?"
        if not sys.stdin.isatty():
            echo(word)
        return word

    def _try(self, word: str) -> None:
        try:
            move = self._game.number_of(word)
        except InputError as error:
            echo(f"{error}; or one of {COMMANDS}")
            return
        self._mine.append(len(self._game.moves))
        self._game.play(move)

    def _undo(self) -> None:
        if not self._mine:
            echo("there is no move of yours to take back")
            return
        length = self._mine.pop()
        self._game.take_back(len(self._game.moves) - length)

    def _hint(self) -> None:
        choice = self._choice()
        echo(f"{self._chooser.solver.name} would play {choice.move}: {effort_text(choice)}")
        echo_lines(statistics_text(choice.ranked[:SHOWN]))

    def _list(self) -> None:
        echo(" ".join(self._game.names))

    def _reply(self) -> None:
        who = self._game.player
        choice = self._choice()
        as_whom = f" as player {who + 1}" if self._game.problem.players > 2 else ""
        echo(f"{self._chooser.solver.name} plays {choice.move}{as_whom}: {effort_text(choice)}")
        echo_lines(statistics_text(choice.ranked[:SHOWN]))
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


command = PerProblem(
    "play",
    "Play a game against a tree search.",
    run=run,
    own=_own,
    of_games=True,
    text="Play {} against a tree search.\n\n"
    "Type a move by its name, or: undo (take your last move back), hint (what the search thinks of your moves), "
    "moves (those that are legal), quit. Ctrl-D quits as well.",
)
