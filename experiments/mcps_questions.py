"""What the MCPS paper leaves open, by experiment: MCPS with one choice made otherwise against MCPS as it is; resumable.

    python experiments/mcps_questions.py --games 200
    python experiments/mcps_questions.py --dir sample --sample
    python experiments/mcps_questions.py --only-print

The changed searches run the package's own tree search, in a copy whose call of ``select`` goes to
``mcps_choices.select``; the copy is written into --dir. A match is played where the choice changes something: beside
each is in how many of 100 positions of games the changed search would visit a move more or less often, and would play
another.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import mcps_choices as choices
from matches import Meeting, parser, rows_of, table
from rows import run

import nrpa
from nrpa.base.errors import InputError
from nrpa.base.options import option
from nrpa.bench import referee
from nrpa.search.choice import Budget, Choice, Chooser
from nrpa.search.open_game import OpenGame
from nrpa.solvers import compiled_tree, tree_search
from nrpa.solvers.tree_amaf import START
from nrpa.solvers.tree_memory import BLOCK, CODE, PERMUTED, PERMUTED_SUM, SUM, TRIED

GAMES = {"hex": nrpa.Hex(size=7), "nogo": nrpa.Nogo(size=5), "atarigo": nrpa.Atarigo(size=6)}
MOST_VISITS, HIGHEST_MEAN, HIGHEST_VALUE = range(3)
POSITIONS = 100
CHANGES = (
    (
        "from nrpa.solvers.tree_selection import Formula, normalised, select\n",
        "from nrpa.solvers.tree_selection import Formula, normalised\nfrom mcps_choices import select\n",
    ),
    (
        "chosen = select(\n                nodes,\n                edges,\n                amaf,\n",
        "chosen = select(\n                nodes,\n                edges,\n                amaf,\n"
        "                memory.log,\n                memory.rows,\n",
    ),
)


@dataclass(frozen=True)
class Changed(nrpa.MCPS):
    """MCPS with one choice made otherwise.

    Parameters
    ----------
    c : float
        The number of the choice in the selection (``mcps_choices``).
    played : int
        Which move is played: of most visits, of the highest mean, of the highest value of the selection.
    """

    name: ClassVar[str] = "changed"

    c: float = option(0.0, "Choice in the selection", least=0.0, most=100.0)
    played: int = option(0, "The move played", least=0, most=2)


class Question(NamedTuple):
    """A choice made otherwise: the question, the answer tried, and the search that has it."""

    text: str
    tried: str
    solver: Changed


QUESTIONS = {
    "own-size": Question("ñ of the node or of the reference node?", "of the node", Changed(c=choices.OWN_SIZE)),
    "equal-weights": Question("ñ = 0 and n > 0", "(n Q + n̂ Q̂) / (n + n̂)", Changed(c=choices.EQUAL_WEIGHTS)),
    "unseen-first": Question("ñ = 0, n = 0, n̂ > 0", "the move comes first", Changed(c=choices.UNSEEN_FIRST)),
    "unknown-last": Question("ñ = n = n̂ = 0", "the lowest reward", Changed(c=choices.UNKNOWN_LAST)),
    "unknown-mean": Question("ñ = n = n̂ = 0", "the mean of the node", Changed(c=choices.UNKNOWN_MEAN)),
    "untried-first": Question("n = 0", "the move comes first", Changed(c=choices.UNTRIED_FIRST)),
    "first-of-ties": Question("ties", "the first move", Changed(c=choices.FIRST_OF_TIES)),
    "played-mean": Question("the move played", "the highest mean Q", Changed(played=HIGHEST_MEAN)),
    "played-value": Question("the move played", "the highest value Q*", Changed(played=HIGHEST_VALUE)),
}


class ChangedChooser(Chooser):
    """Chooses moves as ``Chooser`` does, but for the move that is played in the end."""

    def choose(self, moves: Any, budget: Budget, seed: Any = 0) -> Choice:
        """Return the choice, as ``Chooser`` does."""
        choice = super().choose(moves, budget, seed)
        played = getattr(self.solver, "played", MOST_VISITS)
        if played == MOST_VISITS or choice.solved or any(each.solved for each in choice.opinions):
            return choice
        memory = self._search.memory
        worth = [root_worth(memory, edge, played) for edge in range(len(choice.opinions))]
        best = max(range(len(worth)), key=worth.__getitem__)
        number = int(memory.edges.whole[best, compiled_tree.MOVE])
        return dataclasses.replace(choice, move=choice.opinions[best].move, number=number)


def root_worth(memory: Any, edge: int, played: int) -> float:
    """Return the mean of a move of the root, or its value in the selection; of moves without visits the lowest."""
    n, total, n_permuted, sum_permuted = memory.edges.number[edge, [TRIED, SUM, PERMUTED, PERMUTED_SUM]]
    if n == 0:
        return float("-inf")
    if played == HIGHEST_MEAN:
        return float(total / n)
    place = memory.amaf.block[memory.nodes.whole[0, BLOCK], START] + memory.edges.whole[edge, CODE]
    n_amaf, sum_amaf = memory.amaf.cell[place]
    weight = (n_amaf + n_permuted) / n_amaf * n
    return float((weight * total / n + sum_amaf + sum_permuted) / (weight + n_amaf + n_permuted))


def use_copy(folder: Path) -> None:
    """Write the changed copy of the tree search, and let ``Changed`` run on it."""
    folder.mkdir(parents=True, exist_ok=True)
    source = Path(compiled_tree.__file__).read_text(encoding="utf-8")
    for old, new in CHANGES:
        if source.count(old) != 1:
            raise InputError(f"{compiled_tree.__file__}: expected once: {old!r}")
        source = source.replace(old, new)
    (folder / "mcps_copy.py").write_text(source, encoding="utf-8")
    sys.path.insert(0, str(folder))
    function = importlib.import_module("mcps_copy").advance_tree
    tree_search.FAMILIES[Changed] = tree_search.BY_MCPS
    own = tree_search.TreeSearch._function
    tree_search.TreeSearch._function = lambda search: function if isinstance(search.solver, Changed) else own(search)
    referee.Chooser = ChangedChooser


def differences(problem: Any, solver: Changed, playouts: int) -> tuple[int, int]:
    """Return in how many positions the visits differ, and in how many the moves played do, from those of MCPS."""
    usual, other = Chooser(problem, nrpa.MCPS()), ChangedChooser(problem, solver)
    budget, game = Budget(playouts=playouts), OpenGame(problem)
    visits = moves = 0
    for seed in range(POSITIONS):
        if not game.legal:
            game.begin()
        here, there = (each.choose(game.moves, budget, seed) for each in (usual, other))
        visits += [each.visits for each in here.opinions] != [each.visits for each in there.opinions]
        moves += here.move != there.move
        game.play(here.number)
    return visits, moves


def main() -> None:
    """Play the matches that are left, and print a table for each game."""
    own = parser(__doc__, games=200, folder="experiments/mcps-questions")
    own.add_argument("--playouts", type=int, default=1000, help="tree walks for each move")
    own.add_argument("--only", action="append", metavar="NAME", help=f"some of {', '.join(QUESTIONS)}")
    own.add_argument("--game", choices=GAMES, action="append", help="some of the games")
    options = own.parse_args()
    if options.workers != 1:
        raise InputError("--workers: the changed searches run in this process only; expected 1")
    for name in options.only or ():
        if name not in QUESTIONS:
            raise InputError(f"--only: expected some of {', '.join(QUESTIONS)}, not {name}")
    use_copy(options.dir.resolve())
    for game in options.game or GAMES:
        print(f"\n{GAMES[game].name} {GAMES[game].label}\n", flush=True)
        meetings = [meeting for name in options.only or QUESTIONS if (meeting := question(game, name, options))]
        print(f"\n{table(rows_of(meetings, options), 'the changed one')}", flush=True)


def question(game: str, name: str, options: argparse.Namespace) -> Meeting | None:
    """Return the match of a question; None where the changed search does the same as the usual one."""
    asked, problem = QUESTIONS[name], GAMES[game]
    if not options.only_print:
        playouts = 200 if options.sample else options.playouts
        visits, moves = differences(problem, asked.solver, playouts)
        print(f"{name} ({asked.text} {asked.tried}): of {POSITIONS} positions {visits} with other visits, ", end="")
        print(f"{moves} with another move", flush=True)
        if not visits and not moves:
            return None
    return Meeting(f"{game}-{name}-{options.playouts}", problem, (asked.solver, nrpa.MCPS()), options.playouts)


if __name__ == "__main__":
    run(main)
