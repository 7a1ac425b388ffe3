"""Tree search: the solvers and their options, each a selection of the one search (``nrpa.solvers.tree.kernel``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import documented, option
from nrpa.base.values import LARGEST_WHOLE
from nrpa.solvers.interface import Started, cut_option

POLICIES = ("uniform", "bias", "greedy", "mast", "adapt")
BANDITS = (
    "ucb1",
    "ucb1-tuned",
    "thompson",
    "epsilon-greedy",
    "decaying-epsilon",
    "boltzmann",
    "decaying-boltzmann",
)
SELECTIONS = (*BANDITS, "sp-mcts", "puct", "grave", "mcps")
WORLDS = ("trees", "walks")
HALVINGS = ("", "sequential", "scores", "anytime")
# Options that mean nothing to the others.
OF_ONE_PLAYER, OF_GAMES = ("mix", "commit"), ("trees", "keep", "worlds")
MOST_NODES = 2**31 - 2
MOST_TREES = 10_000
LARGEST = 1e100


def _exploration(default: float) -> float:
    return option(default, "C, weight of exploration", least=0.0, most=LARGEST)


def _reference() -> int:
    return option(50, "Visits that a reference node has more than", least=0, most=LARGEST_WHOLE)


def _amaf_bias() -> float:
    return option(
        1e-5,
        "Bias of AMAF in the weight of a move's own mean",
        least=0.0,
        most=LARGEST,
        details="``bias`` in the papers.",
    )


@documented
@dataclass(frozen=True)
class TreeSearchOptions(Started):
    """The options that all tree searches share."""

    family: ClassVar[str] = "tree searches"
    _module: ClassVar[Any] = lazy("nrpa.solvers.tree.search")
    # The selection at the nodes, and which Sequential Halving there is at the root.
    formula: ClassVar[str] = "ucb1"
    halving: ClassVar[str] = ""

    nodes: int = option(0, "Most nodes of the tree; 0: by memory", least=0, most=MOST_NODES, tried=())
    policy: str = option("uniform", "Playouts", choices=POLICIES)
    playout_epsilon: float = option(0.1, "ε of the playouts greedy", least=0.0, most=1.0)
    playout_tau: float = option(0.5, "Temperature τ of the playouts mast", least=1e-3, most=LARGEST)
    alpha: float = option(1.0, "Learning rate α", least=1e-100, most=1e100)
    cut: int = cut_option()
    result_share: float = option(1.0, "λ, share of the playout in a leaf's worth", least=0.0, most=1.0, tried=())
    minimax: float = option(0.0, "Share of implicit minimax in a move's worth", least=0.0, most=1.0, tried=())
    normalise: bool = option(True, "See scores between the extremes so far")
    mix: float = option(0.0, "Share of the maximum in a move's worth", least=0.0, most=1.0)
    commit: float = option(0.0, "Playouts for each move, or share of budget", least=0.0, most=1e18)
    trees: int = option(
        1,
        "Trees that share the walks of a game's move",
        most=MOST_TREES,
        tried=(),
        details="The visits and values of their roots are added up.",
    )
    keep: bool = option(False, "Go on in the tree of a game's last move", tried=())
    parallel: str = option(
        "root",
        "What workers share",
        choices=("root", "leaf", "tree"),
        tried=(),
        details="``root``: nothing. ``leaf``: the tree, and all play from one leaf. ``tree``: the tree, and each walks "
        "down it; the same seed may then give another result.",
    )
    worlds: str = option(
        "trees",
        "For each of which what is hidden is drawn anew",
        choices=WORLDS,
        tried=(),
        details="For each of the ``trees``; or for each of the ``walks`` of one tree of what players know (``uct``).",
    )
    budget: int = option(10_000, "Playouts of a pass of Sequential Halving", most=LARGEST_WHOLE)

    aliases: ClassVar[dict[str, str]] = {}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.commit > 1 and not self.commit.is_integer():
            raise InputError(f"commit must be a share of less than 1, or a whole number of playouts, not {self.commit}")

    @property
    def uses_bias(self) -> bool:
        """Whether the search follows the bias β, as the prior or in playouts."""
        return self.formula == "puct" or self.policy in ("bias", "greedy")


@documented
@dataclass(frozen=True)
class UCT(TreeSearchOptions):
    """Upper Confidence Bounds applied to Trees: at each node the move of the largest bound, or by another bandit.

    References
    ----------
    L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo Planning*, ECML 2006.

    Examples
    --------
    >>> UCT(c=0.7).options["selection"]
    'ucb1'
    """

    name: ClassVar[str] = "uct"

    selection: str = option("ucb1", "Bandit at the nodes", choices=BANDITS)
    c: float = _exploration(0.4)
    epsilon: float = option(0.1, "ε of the greedy bandits", least=0.0, most=1.0)
    tau: float = option(0.1, "Temperature τ", least=1e-3, most=LARGEST)
    urgency: float = option(
        LARGEST,
        "Worth of a move never tried",
        least=0.0,
        most=LARGEST,
        tried=(),
        details="First-play urgency (Gelly & Wang 2006); of 1e100, such moves come first.",
    )


@documented
@dataclass(frozen=True)
class SPMCTS(TreeSearchOptions):
    """Single-Player Monte-Carlo Tree Search: UCT with a term for the spread of a move's scores.

    ``normalise=False`` takes scores as they are, as the paper does on SameGame.

    References
    ----------
    M. Schadd, M. Winands, J. van den Herik, G. Chaslot and J. Uiterwijk, *Single-Player Monte-Carlo Tree Search*, CG
    2008.
    """

    name: ClassVar[str] = "sp-mcts"
    formula: ClassVar[str] = "sp-mcts"

    c: float = _exploration(0.1)
    d: float = option(0.05, "D, spread of a move that was rarely tried", least=0.0, most=LARGEST)


@documented
@dataclass(frozen=True)
class PUCT(TreeSearchOptions):
    """Predictor and UCT: exploration in proportion to a prior, e^β of a move over the sum at its node.

    β is the problem's bias, or the caller's (``nrpa.solve(problem, PUCT(), bias=...)``).

    References
    ----------
    D. Silver et al., *Mastering the game of Go with deep neural networks and tree search*, Nature 529, 2016.
    """

    name: ClassVar[str] = "puct"
    formula: ClassVar[str] = "puct"

    c: float = _exploration(1.0)
    grows: bool = option(True, "Explore in proportion to √N")


@documented
@dataclass(frozen=True)
class RAVE(TreeSearchOptions):
    """Rapid Action Value Estimation: the mean of a move, and of all playouts behind the node with its code.

    References
    ----------
    S. Gelly and D. Silver, *Combining online and offline knowledge in UCT*, ICML 2007.
    """

    name: ClassVar[str] = "rave"
    formula: ClassVar[str] = "grave"
    aliases: ClassVar[dict[str, str]] = {"bias": "amaf_bias"}

    amaf_bias: float = _amaf_bias()


@documented
@dataclass(frozen=True)
class GRAVE(TreeSearchOptions):
    """Generalized RAVE: the statistics of codes are those of the last node above with more than ``ref`` visits.

    References
    ----------
    T. Cazenave, *Generalized Rapid Action Value Estimation*, IJCAI 2015.

    Examples
    --------
    >>> GRAVE(ref=100).ref
    100
    """

    name: ClassVar[str] = "grave"
    formula: ClassVar[str] = "grave"
    aliases: ClassVar[dict[str, str]] = {"bias": "amaf_bias"}

    ref: int = _reference()
    amaf_bias: float = _amaf_bias()


@documented
@dataclass(frozen=True)
class MCPS(TreeSearchOptions):
    """Monte Carlo Permutation Search: GRAVE, and the playouts that contain a node's moves in any order.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*, 2025: Algorithm 2.
    """

    name: ClassVar[str] = "mcps"
    formula: ClassVar[str] = "mcps"

    ref: int = _reference()


@documented
@dataclass(frozen=True)
class SequentialHalving(TreeSearchOptions):
    """Sequential Halving at the root, UCT below: all moves get equal shares, the better half of them again, and so on.

    A pass has ``budget`` playouts; the next begins with all moves and the statistics so far.

    References
    ----------
    Z. Karnin, T. Koren and O. Somekh, *Almost Optimal Exploration in Multi-Armed Bandits*, ICML 2013.
    """

    name: ClassVar[str] = "sequential-halving"
    halving: ClassVar[str] = "sequential"

    c: float = _exploration(0.4)


@documented
@dataclass(frozen=True)
class SHUSS(TreeSearchOptions):
    """Sequential Halving Using Scores: the better half is that of the mean plus c · AMAF / visits.

    References
    ----------
    N. Fabiano and T. Cazenave, *Sequential Halving Using Scores*, ACG 2021.
    """

    name: ClassVar[str] = "shuss"
    halving: ClassVar[str] = "scores"

    c: float = _exploration(0.4)
    c_amaf: float = option(
        128.0, "Weight of AMAF at the root", least=0.0, most=LARGEST, details="The paper takes 128 or more."
    )


@documented
@dataclass(frozen=True)
class AnytimeSequentialHalving(TreeSearchOptions):
    """Sequential Halving at the root, UCT below, by passes as short as can be, so that no budget is needed beforehand.

    The first round of a pass has one playout a move, the next as many for half of the moves, and so on; passes are
    repeated.

    References
    ----------
    D. Sagers, M. Winands and D. Soemers, *Anytime Sequential Halving in Monte-Carlo Tree Search*, arXiv 2411.07171,
    2024.
    """

    name: ClassVar[str] = "anytime-halving"
    halving: ClassVar[str] = "anytime"

    c: float = _exploration(0.4)
