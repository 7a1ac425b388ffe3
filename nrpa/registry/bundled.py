"""The problems and solvers that come with nrpa. To add one: its folder (its module), and its line here."""

from __future__ import annotations


def _problem(name: str, class_name: str, summary: str) -> tuple[str, str, str]:
    return name, f"nrpa.problems.{name}.problem:{class_name}", summary


PROBLEMS = (
    _problem("atarigo", "Atarigo", "Atarigo (Capture Go), for two: who first captures wins"),
    _problem("binpacking", "BinPacking", "one-dimensional bin packing"),
    _problem("breakthrough", "Breakthrough", "Breakthrough, for two: pawns that cross"),
    _problem("coloring", "Coloring", "graph colouring"),
    _problem("fold", "Folding", "RNA folding: the structure of least energy of a sequence"),
    _problem("gomoku", "Gomoku", "Gomoku, for two: five in a row"),
    _problem("hex", "Hex", "Hex, for two: connect two sides of the board"),
    _problem("investment", "Investment", "the Investment Pair Game, for two or three teams"),
    _problem("knightthrough", "Knightthrough", "Knightthrough, for two: knights that cross"),
    _problem("morpion", "Morpion", "Morpion Solitaire (Join Five)"),
    _problem("nogo", "Nogo", "Nogo, for two or three: who cannot move without capture loses"),
    _problem("rna", "InverseFolding", "RNA inverse folding: a sequence for a structure"),
    _problem("samegame", "SameGame", "SameGame: clear a board of coloured cells group by group"),
    _problem("schur", "WeakSchur", "weak Schur numbers: weakly sum-free parts of 1, 2, 3, …"),
    _problem("snake", "Snake", "snake-in-the-box and coil-in-the-box"),
    _problem("tsptw", "TSPTW", "travelling salesman with time windows"),
    _problem("videogame", "VideoGame", "a game of tactics, for two: units move and attack"),
    _problem("vrptw", "VRPTW", "vehicle routing with time windows"),
    _problem("wargame", "Wargame", "the Wargame, for two or three: units that choose their targets"),
)

SOLVERS = (
    ("gnrpa", "nrpa.solvers.nrpa:GNRPA", "Generalized NRPA: with temperature and bias"),
    ("nrpa", "nrpa.solvers.nrpa:NRPA", "Nested Rollout Policy Adaptation: GNRPA with temperature 1 and no bias"),
    ("pareto", "nrpa.solvers.nrpa:ParetoNRPA", "NRPA for several goals: all solutions that no other beats"),
    ("auto", "nrpa.solvers.auto:Auto", "the default: what suits the problem, or GNRPA and tempering in turns"),
    ("nmcs", "nrpa.solvers.nmcs:NMCS", "Nested Monte Carlo search"),
    ("tempering", "nrpa.solvers.tempering:Tempering", "parallel tempering: whole games are changed and replayed"),
    ("random", "nrpa.solvers.nmcs:RandomSampling", "independent random playouts: level 0 of nested search"),
    ("greedy", "nrpa.solvers.nmcs:Greedy", "playouts that make the move of largest bias"),
    ("uct", "nrpa.solvers.tree:UCT", "tree search by upper confidence bounds, or another bandit"),
    ("sp-mcts", "nrpa.solvers.tree:SPMCTS", "tree search for one player, with a term for the spread of scores"),
    ("puct", "nrpa.solvers.tree:PUCT", "tree search with the bias as a prior"),
    ("rave", "nrpa.solvers.tree:RAVE", "tree search with statistics of all moves behind a node (AMAF)"),
    ("grave", "nrpa.solvers.tree:GRAVE", "RAVE with the statistics of a node further up"),
    ("mcps", "nrpa.solvers.tree:MCPS", "Monte Carlo Permutation Search: GRAVE with statistics of permutations"),
    ("sequential-halving", "nrpa.solvers.tree:SequentialHalving", "Sequential Halving at the root, UCT below"),
    ("shuss", "nrpa.solvers.tree:SHUSS", "Sequential Halving with AMAF statistics"),
    ("anytime-halving", "nrpa.solvers.tree:AnytimeSequentialHalving", "Sequential Halving without a budget"),
)
