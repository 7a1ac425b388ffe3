"""The kernel ``improve`` of inverse folding, by folds that share nothing with it."""

import random

import numpy as np
import pytest

pytest.importorskip("RNA")

import RNA
from compiled_kernels import compiled_improve, compiled_legal_moves, compiled_play, compiled_reset, moves_for

import nrpa
from nrpa import InverseFolding
from nrpa.problems.rna.fitness import Folded
from nrpa.problems.rna.improving import ELSEWHERE, most_folds

TARGET = "..((((.(((...))).((..(....)..)))))).((....))."


@pytest.fixture(scope="module")
def problem():
    return InverseFolding(TARGET)


def random_game(problem, generator):
    return np.array([generator.randrange(6 if j >= 0 else 4) for j in problem.instance.partner])


def naive_distance(problem, moves):
    """Return how many base pairs differ, by the package as its manual says."""
    sequence = problem.solution(moves)
    return RNA.bp_distance(RNA.fold_compound(sequence, RNA.md()).mfe()[0], TARGET)


def test_sequences_fold_better(problem):
    """Their fitness is higher, by the independent check, or nothing changes; some fold into the target."""
    generator, changed, solved = random.Random(1), 0, 0
    for _ in range(12):
        before = random_game(problem, generator)
        after = before.copy()
        said = compiled_improve(problem.instance, problem.new_state(), after, len(after))
        assert said == (before.tolist() != after.tolist())
        scores = [problem.check(problem.solution(moves)).score for moves in (before, after)]
        assert scores[1] > scores[0] if said else scores[1] == scores[0]
        assert problem.moves_of(problem.solution(after)).tolist() == after.tolist()
        changed += said
        solved += naive_distance(problem, after) == 0
        again = before.copy()
        compiled_improve(problem.instance, problem.new_state(), again, len(again))
        assert again.tolist() == after.tolist()
    assert changed >= 10
    assert solved >= 3


def test_a_sequence_that_folds_into_the_target_stays():
    """It costs no fold but its own."""
    problem = InverseFolding("((((....))))")
    moves = problem.moves_of("GGGGAAAACCCC")
    assert compiled_improve(problem.instance, problem.new_state(), moves, len(moves)) == 0
    assert problem.solution(moves) == "GGGGAAAACCCC"
    assert problem.fitness.folds == 1


def test_an_improvement_ends(monkeypatch):
    """After 60 folds in a row without a higher fitness, and after so many as it may make at all."""
    problem = InverseFolding(TARGET)
    improver, generator = problem._improver, random.Random(3)
    moves = random_game(problem, generator).tolist()
    folded = []

    def worse(sequence):
        folded.append(sequence)
        return Folded("." * len(TARGET), -float(len(folded)))

    monkeypatch.setattr(problem.fitness, "fold", worse)
    assert improver.improved(moves) == moves
    assert len(folded) == 61
    folded.clear()

    def better(sequence):
        folded.append(sequence)
        return Folded("." * len(TARGET), float(len(folded)) - 1000)

    monkeypatch.setattr(problem.fitness, "fold", better)
    monkeypatch.setattr(improver, "_most", 80)
    assert improver.improved(moves) != moves
    assert len(folded) == 81


def test_an_improvement_of_a_long_target_takes_few_folds():
    """About 2 s, 10 s after branches were improved; one fold where that takes longer."""
    assert [most_folds(length) for length in (16, 100, 149, 150, 400, 1000, 3000)] == [500, 269, 115, 500, 71, 10, 1]


def test_a_base_is_drawn_by_the_bias_of_its_step(problem):
    """The weights are those that the kernel gives for the same moves before it."""
    generator = random.Random(4)
    state, moves = problem.new_state(), moves_for(problem)
    for _ in range(20):
        game = random_game(problem, generator)
        compiled_reset(problem.instance, state)
        for step, move in enumerate(game.tolist()):
            count = compiled_legal_moves(problem.instance, state, moves)
            weights = Weights()
            problem._improver._drawn(game.tolist(), step, weights)
            assert np.diff([0.0, *weights.seen]) == pytest.approx(moves.exp_bias[:count])
            compiled_play(problem.instance, state, move)


class Weights:
    """A generator that notes the cumulated weights that it is given."""

    def choices(self, options, cum_weights):
        self.seen = cum_weights
        assert len(options) == len(cum_weights)
        return [0]


def test_changes_are_near_what_is_misfolded(problem):
    """At positions that differ, what they pair with in either structure, beside them or a next pair; seldom others."""
    structure = "..((((.(((...))).((((....)).)).)))).((....))."
    improver, generator = problem._improver, random.Random(5)
    near = improver._steps_near(structure)
    here, there = (set(map(tuple, np.argwhere(pairs(s)).tolist())) for s in (structure, TARGET))
    wrong = {k for pair in here ^ there for k in pair}
    around = {k + by for k in wrong for by in (-1, 0, 1)}
    paired = [k for k, symbol in enumerate(TARGET) if symbol != "."]
    for k in wrong:
        around |= {p + by for p in [p for p in paired if p > k][:1] for by in (-1, 0)}
        around |= {p + by for p in [p for p in paired if p < k][-1:] for by in (0, 1)}
    steps = zip(problem.instance.position.tolist(), problem.instance.partner.tolist(), strict=True)
    assert near == [step for step, (i, j) in enumerate(steps) if i in around or j in around]
    assert 0 < len(near) < problem.max_steps / 2
    game = random_game(problem, generator).tolist()
    changed = [improver._changed(game, near, generator) for _ in range(2000)]
    touched = [{step for step in range(len(game)) if after[step] != game[step]} for after in changed]
    assert all(touched)
    outside = sum(not steps <= set(near) for steps in touched) / len(touched)
    assert ELSEWHERE / 4 < outside < 2 * ELSEWHERE
    assert {len(steps) for steps in touched} >= {1, 2, 3}


def pairs(structure):
    """Return the table of which position pairs with which."""
    table, waiting = np.zeros((len(structure), len(structure)), bool), []
    for j, symbol in enumerate(structure):
        if symbol == "(":
            waiting.append(j)
        elif symbol == ")":
            table[waiting.pop(), j] = True
    return table


def test_auto_improves():
    """A target that twenty playouts do not meet is met with it."""
    playouts = {
        improve: nrpa.solve(InverseFolding(TARGET), nrpa.Auto(improve=improve), seed=2, playouts=20)
        for improve in (True, False)
    }
    assert playouts[True].status == "target"
    assert playouts[True].distance == 0
    assert playouts[False].status == "playouts"


def test_what_goes_wrong_while_improving_reaches_the_caller(monkeypatch):
    """As the exception it was."""
    problem = InverseFolding(TARGET)

    def broken(moves):
        raise OSError("no more folds")

    monkeypatch.setattr(problem._improver, "improved", broken)
    with pytest.raises(OSError, match="no more folds"):
        nrpa.solve(problem, nrpa.Auto(), seed=1, playouts=10)


def test_an_improvement_ends_when_the_search_shall_stop(monkeypatch):
    """After the fold in progress: that of the sequence itself, where the search stops at once."""
    problem = nrpa.InverseFolding(TARGET)
    stop, folds = np.ones(1, np.bool_), []
    fold = problem._improver._fold
    monkeypatch.setattr(problem._improver, "_fold", lambda moves: folds.append(1) or fold(moves))
    problem.heed(stop)
    moves = [0] * problem.max_steps
    assert problem._improver.improved(moves) == moves
    assert len(folds) == 1
    stop[0] = False
    problem._improver.improved(moves)
    assert len(folds) > 3
