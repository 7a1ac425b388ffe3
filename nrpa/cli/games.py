"""The commands ``nrpa choose``, ``nrpa match`` and ``nrpa play``: tree searches at a game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.installed import versions
from nrpa.base.lazy import lazy
from nrpa.base.values import aligned, plain
from nrpa.cli import options
from nrpa.cli.completion import tree_solver_names
from nrpa.cli.output import echo, echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.cli.progress import RunsLine
from nrpa.cli.solver_options import make_solver, solver_options
from nrpa.games.choice import Choice, Chooser, MoveBudget, MoveStatistics, choose, listed_moves, require_tree_search
from nrpa.games.match import ROLES, Contender, match
from nrpa.games.open_game import OpenGame, require_game
from nrpa.io.files import write_json
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import solver_class, solvers
from nrpa.solvers.tree import TreeSearchOptions
from nrpa.solvers.tree.options import OF_ONE_PLAYER

picture, trees = lazy("nrpa.plots.picture"), lazy("nrpa.plots.trees")

DEFAULT_SOLVER = "mcps"
WORKERS = "Threads that share the trees."
PLAYER = "SOLVER[:KEY=VALUE,...]"
DEFAULT_SECONDS = 2.0
SHOWN = 5
COMMANDS = "undo, hint, moves, quit"


def tree_solvers() -> list[str]:
    """Return the names of the tree searches. A solver that cannot be imported is left out."""

    def is_tree_search(name: str) -> bool:
        try:
            return issubclass(solver_class(name), TreeSearchOptions)
        except InputError:
            return False

    return [*filter(is_tree_search, solvers.entries())]


def _statistics_text(opinions: Sequence[MoveStatistics]) -> str:
    """Return what a search thinks of moves as lines: move, visits, value, and whether it is solved.

    >>> print(_statistics_text([MoveStatistics("c3", 120, 0.625, False), MoveStatistics("d4", 1, 1.0, True)]))
    move  visits  value
    c3       120  0.625
    d4         1  1.000 solved
    """
    lines = [("move", "visits", "value")]
    for each in opinions:
        lines.append((each.move, f"{each.visits:,}", "-" if each.value is None else f"{each.value:z.3f}"))
    solved = ["", *(" solved" * each.solved for each in opinions)]
    return "\n".join(map("".join, zip(aligned(lines, left=(0,)).split("\n"), solved, strict=True)))


def _effort_text(choice: Choice) -> str:
    rate = choice.playouts / choice.seconds if choice.seconds > 0 else 0.0
    solved = "; the position is solved" if choice.solved else ""
    return f"{choice.playouts:,} tree walks in {choice.seconds:.2f} s ({rate:,.0f}/s){solved}"


def _game(asked: Asked) -> BaseProblem:
    problem = asked.read()
    require_game(problem)
    return problem


def _contender(asked: Asked, option: str, text: str, game: BaseProblem) -> Contender:
    """Return the player that an option names. Raises InputError, which names the option."""
    try:
        return Contender.parse(text, game, asked.read)
    except InputError as error:
        raise InputError(f"--{option}: {error}") from None


def _choose(
    asked: Asked,
    *,
    solver: str,
    moves: str,
    seed: int | None,
    json: str | None,
    tree: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    algorithm: Any = make_solver(solver, asked.solver_options)
    require_tree_search(algorithm)
    drawn = options.seed_or_drawn(seed)
    options.require_files({"--json": json, "--tree": tree}, asked.inputs)
    if tree is not None:
        picture.require_format(tree)
        given["tree"] = trees.NODES
    problem = _game(asked)
    before = listed_moves(moves)
    choice = choose(problem, algorithm, moves=before, seed=drawn, **given)
    if json is not None:
        record = {
            "problem": problem.name,
            "instance": problem.label,
            "sha256": problem.sha256,
            "options": plain(problem.options),
            "solver": algorithm.name,
            "solver_options": plain(algorithm.options),
            "moves": before,
            **choice.to_dict(),
            "versions": versions(),
        }
        write_json(json, record)
    if tree is not None:
        picture.save(trees.tree(choice), tree)
    game = OpenGame(problem)
    game.play_moves(before)
    who = f"player {choice.player + 1} of {problem.players}: {choice.move}"
    why = f"{choice.reason}; expected: {' '.join(choice.variation)}" if choice.variation else choice.reason
    effort = f"{_effort_text(choice)}, seed {drawn}"
    report = "\n".join([game.text(), who, why, effort, _statistics_text(choice.ranked)])
    echo_lines(choice.move if quiet else report)


def _match(asked: Asked, *, out: str | None, quiet: bool, **given: Any) -> None:
    game = _game(asked)
    texts = {role: given.pop(role) for role in ROLES}
    contenders = [_contender(asked, role, text, game) for role, text in texts.items() if text is not None]
    line = RunsLine(quiet, "games")
    with line.until_interrupted(continues=out is not None):
        result = match(game, *contenders, out=out, on_game=line.tell, **given)
    echo_lines(result.table())


def _play(
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
    budget = MoveBudget.checked(playouts, DEFAULT_SECONDS if time is None and playouts is None else time)
    drawn = options.seed_or_drawn(seed)
    problem = _game(asked)
    if problem.hides:
        raise InputError(f"{problem.name} hides something from its players, which nrpa play would show")
    if not 1 <= seat <= problem.players:
        raise InputError(f"--seat must be from 1 to {problem.players}, the players of {problem.name}, not {seat}")
    contender = _contender(asked, "against", against, problem)
    problem = contender.game
    game = OpenGame(problem)
    game.play_moves(listed_moves(moves))
    budget.shares(contender.solver.trees, workers)
    chooser = Chooser(problem, contender.solver, workers)
    name = f"{problem.name} {problem.label}".rstrip()
    echo(f"{name}, you are player {seat} of {problem.players}, seed {drawn}")
    echo(f"Type a move, or one of: {COMMANDS}.")
    Sitting(game, chooser, budget, seat - 1, drawn).play()


@dataclass
class Sitting:
    """A person and a tree search at one board."""

    _game: OpenGame
    _chooser: Chooser
    _budget: MoveBudget
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
        self._choice("would play")

    def _list(self) -> None:
        echo(" ".join(self._game.names))

    def _reply(self) -> None:
        who = self._game.player
        choice = self._choice("plays", f" as player {who + 1}" if self._game.problem.players > 2 else "")
        self._game.play(choice.number)

    def _choice(self, verb: str, as_whom: str = "") -> Choice:
        """Return what the search chooses here, and say so."""
        seed = np.random.SeedSequence(self._seed, spawn_key=(len(self._game.moves),))
        choice = self._chooser.choose(self._game.moves, self._budget, seed)
        echo(f"{self._chooser.solver.name} {verb} {choice.move}{as_whom}: {_effort_text(choice)}")
        echo_lines(_statistics_text(choice.ranked[:SHOWN]))
        return choice

    def _outcome(self) -> str:
        rewards = self._game.rewards()
        best = max(rewards)
        winners = [who for who, reward in enumerate(rewards) if reward == best]
        listed = ", ".join(f"{reward:zg}" for reward in rewards)
        if winners == [self._seat]:
            return f"you have won (rewards {listed})"
        if len(winners) == 1:
            return f"player {winners[0] + 1}, {self._chooser.solver.name}, has won (rewards {listed})"
        return f"drawn between players {' and '.join(str(who + 1) for who in winners)} (rewards {listed})"


choose_command = PerProblem(
    "choose",
    run=_choose,
    own=lambda problem: [
        options.word(
            "--solver",
            f"One of {', '.join(tree_solvers())}.",
            "NAME",
            DEFAULT_SOLVER,
            shell_complete=tree_solver_names,
        ),
        click.Option(["--moves"], default="", metavar='"MOVE ..."', help="The moves that lead to the position."),
        options.integer("--playouts", "So many tree walks, at least 2."),
        options.number("--time", "So many seconds instead.  [default: 1]"),
        options.integer("--seed", "Same seed and playouts, same choice.  [default: drawn]"),
        options.integer("--workers", WORKERS, 1),
        options.output("--json", "Write the move, and visits and value of each legal one."),
        options.output("--tree", "Draw the most visited moves of the tree.", "PICTURE", options.PICTURE),
        options.quiet("move"),
    ],
    of_solvers=lambda own: solver_options(tree_solvers(), without=(*OF_ONE_PLAYER, "keep")),
    of_games=True,
    common=("solver", "moves", "playouts", "time", "seed", "workers", "json", "tree", "quiet"),
    solvers=(DEFAULT_SOLVER,),
    text="Choose a move of a position of {}.\n\n"
    "Printed are the position, the move, and for each legal move the tree walks that began with it and their mean "
    "reward for who makes it.",
)
match_command = PerProblem(
    "match",
    run=_match,
    own=lambda problem: [
        options.word("--first", "A tree search: mcps:ref=50 ...", PLAYER, required=True),
        options.word("--second", "Another: grave:ref=50,bias=1e-5 ...", PLAYER, required=True),
        options.word("--third", "And another, in a game for three.", PLAYER),
        options.integer("--playouts", "Tree walks for each move, at least 2."),
        options.number("--time", "Seconds for each move instead.  [default: 1]"),
        options.integer("--games", "The number of games.", 100),
        options.integer("--seed", "Seed of game 0; game k has SEED + k.", 0),
        options.output("--out", "A row a game; a match there continues.", "FILE.csv", options.RECORDS),
        options.integer("--workers", "Processes.  [default: one a core]"),
        options.quiet("table"),
    ],
    of_games=True,
    text="Let tree searches play {} against each other.\n\n"
    "Players change seats (colours) after each game. Options of a player are those of its solver and, for how "
    "moves are told apart, of the game: mcps:codes=abstract. Every game is on disk as soon as it ends; FILE.json "
    "beside FILE.csv says what was played.",
)
play_command = PerProblem(
    "play",
    run=_play,
    own=lambda problem: [
        options.word("--against", "The tree search that plays the others.", PLAYER, DEFAULT_SOLVER),
        options.integer("--seat", "Which player you are, from 1.", 1),
        options.number("--time", "Seconds that it thinks of a move.  [default: 2]"),
        options.integer("--playouts", "Tree walks for each move instead, at least 2."),
        click.Option(["--moves"], default="", metavar='"MOVE ..."', help="Begin after these moves."),
        options.integer("--seed", "Same seed, playouts and moves, same replies.  [default: drawn]"),
        options.integer("--workers", WORKERS, 1),
    ],
    of_games=True,
    text="Play {} against a tree search.\n\n"
    "Type a move by its name, or: undo (take your last move back), hint (what the search thinks of your moves), "
    "moves (those that are legal), quit. Ctrl-D quits as well.",
)
