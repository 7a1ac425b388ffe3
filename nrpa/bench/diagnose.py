"""What a look of some seconds shows the author of a problem: random games, codes, which solver leads, and speed."""

from __future__ import annotations

import logging
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from cProfile import Profile
from dataclasses import asdict, dataclass, replace
from inspect import unwrap
from statistics import fmean, quantiles
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any, NamedTuple

from nrpa.base.errors import ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.values import MOST_PLAYOUTS, SeedLike, checked_seed, counted, plain, positive
from nrpa.bench.changed_games import ChangedGames, changed_games
from nrpa.bench.compiled_speed import CompiledSpeed, compiled_speed
from nrpa.engine.game import Game
from nrpa.modelling.base_problem import BaseProblem, require_problem
from nrpa.modelling.problem import Problem
from nrpa.modelling.sequences import SequenceProblem
from nrpa.search.curve import PROCESSOR, WALL, of_clock
from nrpa.search.run import Run
from nrpa.search.solve import start
from nrpa.solvers.interface import Solver
from nrpa.solvers.nmcs import NMCS, RandomSampling
from nrpa.solvers.nrpa import GNRPA, NRPA
from nrpa.solvers.tempering import Tempering

if TYPE_CHECKING:
    from nrpa.checking.contract import Contract

try:
    from resource import RUSAGE_THREAD, getrusage
except ImportError:  # Other systems than Linux do not count for a thread.
    getrusage = None  # type: ignore[assignment]

checking = lazy("nrpa.checking.check_problem")
costs = lazy("nrpa.compiling.cost")
logger = logging.getLogger("nrpa")

SECONDS = 10.0
CHECKED_GAMES = 5
MOST_GAMES = 200
RUNS = 4
# Random playouts follow the bias as those of GNRPA do, so that only learning is left out.
SOLVERS: dict[str, Solver] = {
    "gnrpa": GNRPA(),
    "tempering": Tempering(),
    "nmcs": NMCS(),
    "random": RandomSampling(bias=True),
}
# Of the seconds, for random games, half as much for changed ones, and again for where the time goes; the solvers have
# the rest.
LOOK = 0.1
# A problem that uses the processor for less of the time than this waits for something else, if it also gives it up by
# itself at least once a game: a busy machine takes it away, and threads that share Python's lock use it in turn.
BUSY = 0.1
REST = "the search itself"
MOSTLY = 0.5
# Of the codes of a random game, the share that earlier ones had, below which hardly any weight is used again.
TOO_FINE = 0.1
# So many middle halves away from the median, a score is one of another kind, such as a penalty.
FAR = 50.0
# With fewer, an iteration of NRPA's lowest level has hardly begun.
FEWEST_PLAYOUTS = 100
SHOWN = 0.01
# Where the search itself takes so much of the time, quicker methods hardly help.
QUICK = 0.7
HELP = {
    "initial_state": "make once in the constructor what all games begin with",
    "legal_moves": "keep in the state what legal_moves works out anew each time",
    "play": "let play build less: small tuples and numbers in place of lists, dicts and objects that are copied",
    "score": "let play carry the score along, move by move",
    "code": "let code look up what it gives, or build a small tuple: it is asked for each legal move",
    "bias": "work β out in the constructor, and let bias look it up: it is asked for each legal move",
    "copy": "let copy copy only what play changes, or use tuples and no copy",
    "is_legal": "let is_legal look at the one move only, in what the state keeps",
    "evaluate": "let evaluate keep what it needs in local variables, and hand what is left to a library or to numba",
    REST: "your methods are quick, so only fewer moves a game or machine code are quicker",
}


@dataclass(frozen=True)
class RandomGames:
    """What random games have shown: ``moves`` is the mean of a step, ``repeated`` the share of a game's codes."""

    lengths: list[int]
    scores: list[float]
    moves: float
    most_moves: int
    codes: int
    repeated: float
    waits: bool


class Usage(NamedTuple):
    """Seconds on the wall and of the processor, and how often this thread has given the processor up by itself."""

    wall: float
    processor: float
    given_up: int

    @classmethod
    def now(cls) -> Usage:
        """Return what this thread has used so far."""
        given_up = 0 if getrusage is None else getrusage(RUSAGE_THREAD).ru_nvcsw
        return cls(perf_counter(), thread_time(), given_up)

    def waits(self, before: Usage, games: int) -> bool:
        """Return whether so many games have waited for something other than the processor."""
        is_idle = self.processor - before.processor < BUSY * (self.wall - before.wall)
        return is_idle and (getrusage is None or self.given_up - before.given_up >= games)


def random_games(problem: BaseProblem, seed: int, most: int, seconds: float) -> RandomGames:
    """Play random games, at least 2 and at most ``most``, for so many seconds on the wall.

    The share of codes that an earlier game had is the mean over the second half of them, steps without a choice aside.
    Whether games wait is seen after the first, which also loads what all of them need.
    """
    game, chance = Game(problem.model), random.Random(seed)
    counts: list[int] = []
    lengths: list[int] = []
    scores: list[float] = []
    repeated: list[float] = []
    codes: set[int] = set()
    seen: set[int] = set()
    chosen: set[int] = set()

    def looked(moves: list[int]) -> int:
        codes.update(game.codes)
        move = chance.choice(moves)
        if len(moves) > 1:
            chosen.add(game.codes[moves.index(move)])
        counts.append(len(moves))
        return move

    before = Usage.now()
    end = before.wall + seconds
    while len(scores) < 2 or (len(scores) < most and perf_counter() < end):
        if len(scores) == 1:
            before = Usage.now()
        chosen.clear()
        lengths.append(len(game.playout(looked)))
        scores.append(game.score())
        repeated.append(len(chosen & seen) / len(chosen) if chosen else 1.0)
        seen |= chosen
    waits = Usage.now().waits(before, len(scores) - 1)
    mean_repeated = fmean(repeated[len(repeated) // 2 :])
    return RandomGames(lengths, scores, fmean(counts), max(counts), len(codes), mean_repeated, waits)


@dataclass(frozen=True)
class Diagnosis:
    """What a short look at a problem has shown.

    Attributes
    ----------
    problem, instance : str
        The names of the problem and of its instance.
    doubts : list of str
        Those of ``check_problem``.
    seed : int
        The seed of the random numbers.
    clock : {"processor", "wall"}
        What its seconds are.
    games : RandomGames
        What random games have shown (``nrpa.bench.diagnose``).
    changed : ChangedGames, optional
        What games have shown that were changed as tempering changes them (``nrpa.bench.changed_games``).
    limit : dict of str to float
        How long each run searched: so many seconds, ``time``, or ``playouts``.
    scores : dict of str to list of float
        By solver, the best score of each run at its end. ``random`` follows the bias; ``nrpa`` is there to show what a
        problem with a bias would be without it.
    at_equal, equal_playouts : dict of str to list of float, int
        The same after so many playouts, which all runs have done.
    rates : dict of str to float
        Playouts per second, by solver.
    shares : dict of str to float
        The share of the time in each method of a problem in plain Python, searched by the leader; empty of others.
    compiled : CompiledSpeed or None
        How quickly the leader searches the class compiled, or why it does not compile (``nrpa.bench.compiled_speed``).
    cost : str
        How the cost of a sequence is computed (``nrpa.explain_cost``); empty of other problems.
    """

    problem: str
    instance: str
    doubts: list[str]
    seed: int
    clock: str
    games: RandomGames
    changed: ChangedGames | None
    limit: dict[str, float]
    scores: dict[str, list[float]]
    at_equal: dict[str, list[float]]
    equal_playouts: int
    rates: dict[str, float]
    shares: dict[str, float]
    compiled: CompiledSpeed | None = None
    cost: str = ""

    @property
    def leader(self) -> str:
        """The solver whose runs have the best mean score."""
        return max(self.scores, key=lambda name: fmean(self.scores[name]))

    @property
    def sentences(self) -> list[str]:
        """What was seen, each time with what to do next."""
        games = self.games
        length = (
            f"Random games have {fmean(games.lengths):.4g} moves on average, {max(games.lengths)} at most, and "
            f"{games.moves:.3g} legal moves a step, {games.most_moves} at most."
        )
        return [length, *_scores(self), _codes(self), *_names(self), *_learning(self), _leader(self), *_speed(self)]

    def to_dict(self) -> dict[str, Any]:
        """Return all that is known, as JSON can hold it."""
        known: dict[str, Any] = plain({**asdict(self), "leader": self.leader, "sentences": self.sentences})
        return known


def diagnose(
    problem: BaseProblem,
    *,
    seconds: float = SECONDS,
    playouts: int | None = None,
    seed: SeedLike = 0,
    clock: str | None = None,
) -> Diagnosis:
    """Look at a problem for some seconds, and say in sentences what its author can do next.

    It is checked, played at random, and searched by solvers with their defaults, four runs each. One is said to beat
    another only if each of its runs is better than each of the other's.

    Parameters
    ----------
    problem : BaseProblem
        The problem, with its instance.
    seconds : float
        How long to look, machine code and the check left out.
    playouts : int, optional
        So many playouts a run instead, and at most so many random games: the same seed then gives the same scores.
    seed : int or numpy.random.Generator
        The seed of the random numbers.
    clock : {"processor", "wall"}, optional
        What seconds are, as ``solve`` takes it. If it is not given, those of the processor, unless the problem waits
        for something else.

    Returns
    -------
    Diagnosis
        The figures, and ``sentences``.

    Raises
    ------
    InputError
        If an argument is out of range, or the problem is a game of several players.
    ProblemError
        If ``check_problem`` finds a fault.

    Examples
    --------
    >>> import nrpa
    >>> found = diagnose(nrpa.Snake.load("5"), playouts=100)
    >>> len(found.games.scores), list(found.rates)
    (100, ['gnrpa', 'tempering', 'nmcs', 'random'])
    """
    require_problem(problem)
    seconds, seed = positive("seconds", seconds), checked_seed(seed)
    playouts = None if playouts is None else counted("playouts", playouts, 2)
    checked = checking.check_problem(problem, seed=seed, games=CHECKED_GAMES)
    if not checked.kept:
        raise ProblemError(f"{checked.problem}: {checked.faults[0]}")
    loud, logger.disabled = logger.disabled, True  # Each run would warn; a sentence says it once.
    try:
        return _measured(problem, checked, seconds, playouts, seed, clock)
    finally:
        logger.disabled = loud


def _measured(
    problem: BaseProblem, checked: Contract, seconds: float, playouts: int | None, seed: int, clock: str | None
) -> Diagnosis:
    cost = costs.explain_cost(problem).split("\n")[0] if isinstance(problem, SequenceProblem) else ""
    most_games = min(MOST_GAMES, playouts or MOST_GAMES)
    look = LOOK * seconds if playouts is None else math.inf
    games = random_games(problem, seed, most_games, look)
    changed = changed_games(problem, seed, most_games // 2, look / 2)
    clock = clock or (WALL if games.waits else PROCESSOR)
    has_bias = problem.bias_by_move or problem.bias_by_code() is not None
    solvers = {"nrpa": NRPA(), **SOLVERS} if has_bias else SOLVERS

    def limits(share: float) -> dict[str, Any]:
        return {"time": share * seconds} if playouts is None else {"playouts": playouts}

    of_a_run = limits((1 - 2.5 * LOOK) / (RUNS * len(solvers)))
    runs = {
        name: [_advanced(start(problem, solver, seed=seed + run, clock=clock), of_a_run) for run in range(RUNS)]
        for name, solver in solvers.items()
    }
    # A run that ended before its limit has found what cannot be better.
    limited = [run.progress.playouts for those in runs.values() for run in those if run.status in of_a_run]
    equal = min(limited, default=MOST_PLAYOUTS)
    found = Diagnosis(
        problem=problem.name,
        instance=problem.label,
        doubts=checked.doubts,
        seed=seed,
        clock=clock,
        games=games,
        changed=changed,
        limit=of_a_run,
        scores={name: [run.progress.score for run in those] for name, those in runs.items()},
        at_equal={name: [_score_after(equal, run) for run in those] for name, those in runs.items()},
        equal_playouts=equal,
        rates={name: _rate(those) for name, those in runs.items()},
        shares={},
        cost=cost,
    )
    if not isinstance(problem, Problem):
        return found
    leader = solvers[found.leader]
    last = start(problem, leader, seed=seed)
    found = replace(found, shares=method_shares(problem, lambda: _advanced(last, limits(LOOK))))
    if games.waits or problem._is_elsewhere:
        return found
    return replace(found, compiled=compiled_speed(problem, leader, seed, clock, of_a_run))


def _advanced(run: Run, limits: dict[str, Any]) -> Run:
    """Return a run after it has searched. Raises KeyboardInterrupt if Ctrl-C ended it."""
    try:
        if run.advance(**limits) == "interrupted":
            raise KeyboardInterrupt
    finally:
        run.close()
    return run


def _score_after(playouts: int, run: Run) -> float:
    return max(point.score for point in run.recorder.improvements if point.playouts <= playouts)


def _rate(runs: list[Run]) -> float:
    return sum(run.progress.playouts for run in runs) / max(sum(run.progress.seconds for run in runs), 1e-9)


def method_shares(problem: Problem, search: Callable[[], object]) -> dict[str, float]:
    """Search; return the share of the time in each method of the author's, with what it calls, the largest first."""
    profile, begun = Profile(builtins=False), perf_counter()
    profile.runcall(search)
    total = perf_counter() - begun
    seconds = {entry.code: entry.totaltime for entry in profile.getstats()}
    shares: dict[str, float] = {}
    for name in HELP:
        if name == REST:
            continue
        method = getattr(type(problem), name)
        code = getattr(unwrap(method), "__code__", None)
        if method is not getattr(Problem, name) and code in seconds:
            shares[name] = seconds[code] / total
    shares[REST] = max(0.0, 1.0 - sum(shares.values()))
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _scores(found: Diagnosis) -> Iterator[str]:
    scores = sorted(found.games.scores)
    common, times = Counter(scores).most_common(1)[0]
    low, middle, high = quantiles(scores, n=4, method="inclusive")
    far = [score for score in scores if abs(score - middle) > FAR * (high - low)]
    distinct = f"{len({*scores})} different scores in {len(scores)} random games"
    if times == len(scores):
        yield (
            f"Every random game has the same score ({common:z.6g}): the score may not depend on the moves. "
            "Next: print the final states of two games, and what score gives for each."
        )
    elif times >= MOSTLY * len(scores):
        yield (
            f"{times / len(scores):.0%} of the random games have the same score ({common:z.6g}); there are {distinct}. "
            "Next: let the score tell how near to good a game came, or leave out moves that cannot lead to a good one."
        )
    elif far:
        yield (
            f"{len(far)} of {len(scores)} random games have scores far from all others (such as {far[0]:z.6g}; half "
            f"have {low:z.6g} to {high:z.6g}). Next: if that is a penalty, leave out the moves that lead there, or let "
            "it grow with how much is wrong."
        )
    else:
        spread = f"from {scores[0]:z.6g} to {scores[-1]:z.6g}, half of them {low:z.6g} to {high:z.6g}"
        yield f"There are {distinct}, {spread}."
    for doubt in found.doubts:
        yield f"In a random game {doubt}. Next: look at the sign that score gives it."


def _codes(found: Diagnosis) -> str:
    games, learns = found.games, _beats(found, "gnrpa", "random")
    again = f"{games.repeated:.0%} of the codes of a random game came in an earlier one, of {len(games.scores)}"
    if games.repeated < TOO_FINE:
        return (
            f"Codes are too fine: {again}, so NRPA {'learns little' if learns else 'cannot learn'} from game to game. "
            "Next: let code name only what makes a move good, not the whole state."
        )
    if games.codes <= fmean(games.lengths) and not learns:
        return (
            f"Codes are too coarse: there are {games.codes} for games of {fmean(games.lengths):.4g} moves, and "
            "learning is no better than random. Next: let code say more of where the move is made, such as the step."
        )
    return f"There are {games.codes:,} codes; {again}. Next: leave code as it is, or compare it with another one."


def _names(found: Diagnosis) -> Iterator[str]:
    changed = found.changed
    if changed is not None and changed.lose_their_meaning:
        yield (
            f"Moves repeat, {changed.different:.3g} different ones in a game of {changed.length:.4g}, and little is "
            f"kept when an early one is left out (rank correlation of the scores {changed.kept:.2f}): tempering plays "
            "the rest again by its moves. Next: if a move means another thing at another step, let it carry its "
            "subject, as (container, stack)."
        )


def _beats(found: Diagnosis, one: str, other: str) -> bool:
    """Return whether each run of one solver is better than each of another, at equal playouts."""
    return min(found.at_equal[one]) > max(found.at_equal[other])


def _learning(found: Diagnosis) -> Iterator[str]:
    mean = {name: f"{fmean(scores):z.6g}" for name, scores in found.at_equal.items()}
    after = f"after {found.equal_playouts:,} playouts each"
    means = f"{after} (mean score {mean['gnrpa']}, random {mean['random']})"
    if _beats(found, "gnrpa", "random"):
        yield f"Learning beats random playouts {means}. Next: search for longer."
    elif found.equal_playouts < FEWEST_PLAYOUTS:
        yield f"Learning has hardly begun {means}. Next: give more time, or make playouts quicker."
    elif mean["gnrpa"] == mean["random"]:
        yield f"Learning and random playouts find the same {means}. Next: try a larger instance."
    else:
        yield f"Learning does not beat random playouts {means}. Next: give more time, or change the code."
    if "nrpa" in mean and _beats(found, "nrpa", "gnrpa"):
        without = f"{after} (mean score {mean['gnrpa']}, without it {mean['nrpa']})"
        yield f"The bias does harm {without}. Next: look at its sign and its size, or search with --no-bias."
    if "nrpa" in mean and _beats(found, "random", "nrpa"):
        both = f"playouts that only follow it have mean score {mean['random']}, learning without it {mean['nrpa']}"
        yield (
            f"Your bias does the work, which tempering does not use: {after}, {both}. "
            "Next: compare gnrpa, which follows it, with the others, and make it better still."
        )


def _leader(found: Diagnosis) -> str:
    leader, scores = found.leader, found.scores
    behind = [name for name in scores if max(scores[name]) < min(scores[leader])]
    close = [name for name in scores if name not in (leader, *behind)]
    after = f"After {_looked(found)} a run"
    means = ", ".join(f"{name} {fmean(those):z.6g}" for name, those in scores.items())
    longer = "for as long as you will search, which may end otherwise"
    compare = f"Next: compare --solver auto, which tries several, with {leader} {longer}."
    if len({score for those in scores.values() for score in those}) == 1:
        return f"{after} all solvers find the same ({means}). Next: try a larger instance."
    if not behind:
        return f"{after} no solver leads (mean scores {means}). {compare}"
    if close:
        level = f"{' and '.join([leader, *close])} are level, {' and '.join(behind)} behind (mean scores {means})"
        return f"{after} {level}. {compare}"
    return f"{after} {leader} leads (mean scores {means}). {compare}"


def _looked(found: Diagnosis) -> str:
    """Return how long a run was."""
    (kind, limit), *_ = found.limit.items()
    return f"{limit:.2g} s{of_clock(found.clock)}" if kind == "time" else f"{limit:,} playouts"


def _speed(found: Diagnosis) -> Iterator[str]:
    rate = found.rates[found.leader]
    seen = f"{found.leader} makes {rate:,.0f} playouts a second, about {rate * fmean(found.games.lengths):,.0f} moves."
    if found.games.waits:
        yield "The processor is idle nearly all the time: playouts wait. Next: let score keep answers that come again."
    if found.cost:
        yield f"{seen} {found.cost}"
        return
    if not found.shares:
        yield f"{seen} Next: if that is little, let the kernels legal_moves and play do less."
        return
    parts = ", ".join(f"{name} {share:.0%}" for name, share in found.shares.items() if share >= SHOWN)
    largest = next(name for name, share in found.shares.items() if name != REST or share >= QUICK)
    yield f"{seen} The time goes to: {parts}. Next: {HELP[largest]}."
    if found.leader == "tempering" and not {"is_legal", "evaluate"} & {*found.shares}:
        yield "Tempering lists all legal moves to find one. Next: define is_legal(state, move)."
    if found.compiled is not None:
        yield found.compiled.sentence(found.leader, rate)
