from statistics import fmean

import numpy as np
import pytest
from naive_nrpa import NaiveGNRPA
from user_problems import Bits

import nrpa

SEARCHED, COMPARED = 2, 7


class Luck(Bits):
    """Bits, of which each gains what a draw says."""

    steps = 6

    def __init__(self, number):
        self.gains = np.random.default_rng(number).normal(size=(6, 2)).tolist()

    def score(self, state):
        return sum(gains[bit] for gains, bit in zip(self.gains, state, strict=True))


class NaiveLuck:
    """The mean over draws by their numbers, as the naive search wants it."""

    def __init__(self):
        bits = Luck(0)
        self.initial, self.legal, self.play, self.code = bits.initial_state, bits.legal_moves, bits.play, bits.code
        self.common = [Luck(number) for number in range(COMPARED)]

    def bias(self, state, move):
        return 0.0

    def draw(self, random):
        seed = np.random.SeedSequence(random.tolist()).generate_state(1, np.uint64)
        numbers = np.random.SeedSequence(int(seed[0])).generate_state(SEARCHED)
        self.drawn = [Luck(COMPARED + number) for number in numbers.tolist()]

    def score(self, state):
        return fmean(each.score(state) for each in self.drawn)


class NaiveDrawnGNRPA(NaiveGNRPA):
    """Each search of level 1 has draws of its own; what it found has its score in common draws."""

    def run(self):
        self.problem.draw(self.random)
        return super().run()

    def nrpa(self, level, policy, first=None):
        score, sequence = super().nrpa(level, policy)
        if level == 1:
            score = self.compared(sequence)
            self.problem.draw(self.random)
        return score, sequence

    def compared(self, sequence):
        score = fmean(each.score(tuple(sequence)) for each in self.problem.common)
        if score > self.kept[0]:
            self.kept = score, sequence
        return score

    kept = (-np.inf, [])

    def playout(self, policy):
        score, sequence = super().playout(policy)
        if len(self.scores) == 1:
            self.compared(sequence)
        return score, sequence


def drawn():
    return nrpa.averaged(Luck, searched=SEARCHED, compared=COMPARED)


@pytest.mark.parametrize(
    "solver",
    [
        nrpa.GNRPA(level=3, iterations=5, tau=1.4),
        nrpa.GNRPA(level=2, iterations=20, repetitions=2, alpha=0.5),
        nrpa.GNRPA(level=2, iterations=9, adapt="plain"),
    ],
    ids=["level-3", "repetitions", "plain"],
)
def test_agrees_with_a_slow_search(solver):
    """All 500 scores on the draws of their level 1 search, and the best by the common draws, restarts included."""
    options = {name: value for name, value in solver.options.items() if name not in ("bias", "adapt", "improve")}
    oracle = NaiveDrawnGNRPA(NaiveLuck(), **options, seed=3, playouts=500).run()
    problem = drawn()
    search, found = solver.start(problem, 3), []
    for _ in range(500):
        search.advance(1)
        found.append(search.last_score)
    assert found == pytest.approx(oracle.scores, rel=1e-12)
    assert search.score == pytest.approx(oracle.kept[0])
    assert problem.solution(search.moves) == oracle.kept[1]


def test_the_result_has_the_score_of_the_common_draws():
    """And its figures are those of the best and the worst of them; slices and a pause on disk change nothing."""
    solver = nrpa.NRPA(level=2, iterations=15)
    result = nrpa.solve(drawn(), solver, seed=1, playouts=400)
    every = [Luck(number).score(tuple(result.solution)) for number in range(COMPARED)]
    assert result.score == pytest.approx(fmean(every))
    assert (result.figures["best"], result.figures["worst"]) == pytest.approx((max(every), min(every)))
    assert (result.options["searched"], result.options["scenarios"]) == (SEARCHED, COMPARED)


@pytest.mark.parametrize("moment", [218, 225], ids=["within", "at its end"])
def test_it_goes_on_from_a_checkpoint(tmp_path, moment):
    """Within a search of level 1, with the scenarios of that search, or where one has just ended."""
    whole, parted = (nrpa.start(drawn(), nrpa.NRPA(level=2, iterations=15), seed=1) for _ in range(2))
    whole.advance(playouts=400)
    parted.advance(playouts=1)
    parted.advance(playouts=moment - 1)
    parted.save(tmp_path / "run.npz")
    parted = nrpa.resume(tmp_path / "run.npz", problem=drawn())
    parted.advance(playouts=400 - moment)
    assert [point.score for point in parted.result().improvements] == [
        point.score for point in whole.result().improvements
    ]
    assert parted.result().solution == whole.result().solution


def test_compiled_scenarios_are_drawn():
    """A tour whose travel times are drawn: the score is the mean of 20 problems."""
    instance = nrpa.TSPTW.load("rc201.1", moves="all")

    def draw(number):
        longer = np.random.default_rng(number).uniform(1, 1.5, instance.distances.shape)
        return nrpa.TSPTW(instance.distances * longer, instance.windows, moves="all")

    result = nrpa.solve(nrpa.averaged(draw, compared=20), nrpa.GNRPA(level=2, iterations=10), seed=1, playouts=30)
    assert result.score == pytest.approx(fmean(draw(number).check(result.solution).score for number in range(20)))


def test_one_level_is_refused():
    with pytest.raises(nrpa.InputError, match="level 2"):
        nrpa.solve(drawn(), nrpa.NRPA(level=1), seed=1, playouts=10)


def test_other_solvers_search_on_the_common_draws():
    result = nrpa.solve(drawn(), nrpa.NMCS(level=1), seed=1, playouts=10)
    common = nrpa.averaged(map(Luck, range(COMPARED)))
    same = nrpa.solve(common, nrpa.NMCS(level=1), seed=1, playouts=10)
    assert (result.score, result.solution) == (same.score, same.solution)
