"""Inverse folding: kernels, bias and fitness against slow plain Python."""

import random

import numpy as np
import pytest

pytest.importorskip("RNA")

import RNA
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, moves_for

from nrpa.problems.rna.problem import InverseFolding
from nrpa.problems.rna.structure import BASES, PAIRS

TARGET = "..((((.(((...))).((..(....)..)))))).((....))."


@pytest.fixture(scope="module")
def problem():
    return InverseFolding(TARGET)


def random_playout(problem, rng):
    state = problem.new_state()
    moves = moves_for(problem)
    compiled_reset(problem.instance, state)
    played, codes, counts = [], [], []
    while count := compiled_legal_moves(problem.instance, state, moves):
        chosen = rng.randrange(count)
        codes.append(int(moves.code[chosen]))
        counts.append(count)
        played.append(int(moves.move[chosen]))
        assert (moves.exp_bias[:count] > 0).all()
        assert moves.exp_bias[:count].sum() == pytest.approx(1.0, abs=0.02)
        compiled_play(problem.instance, state, played[-1])
    return state, played, codes, counts


def naive_sequence(target, played):
    """Return what moves make: the pairs from left to right, then the unpaired bases."""
    letters = dict.fromkeys(range(len(target)))
    waiting, partner = [], {}
    for j, symbol in enumerate(target):
        if symbol == "(":
            waiting.append(j)
        elif symbol == ")":
            partner[waiting.pop()] = j
    todo = iter(played)
    for i in sorted(partner):
        letters[i], letters[partner[i]] = PAIRS[next(todo)]
    for i in range(len(target)):
        if target[i] == ".":
            letters[i] = BASES[next(todo)]
    return "".join(letters[i] for i in range(len(target)))


def test_playouts_build_the_sequence_that_the_rules_say(problem):
    """On thousands of random playouts; each step has six pairs or four bases, and codes are never shared."""
    rng = random.Random(1)
    for _ in range(2000):
        state, played, codes, counts = random_playout(problem, rng)
        sequence = naive_sequence(TARGET, played)
        assert bytes(state.letters).decode() == sequence == problem.solution(np.array(played))
        assert counts == [6] * TARGET.count("(") + [4] * TARGET.count(".")
        assert len(set(codes)) == len(codes) == problem.max_steps
        assert max(codes) < problem.codes
        assert sum(counts) == problem.max_total


def naive_fitness(target, sequence):
    """NEMO's formula, with the package called as its manual says and its own distance."""
    model = RNA.md()
    compound = RNA.fold_compound(sequence, model)
    structure, energy = compound.mfe()
    distance = RNA.bp_distance(target, structure)
    if distance == 0:
        return 1.0
    k = 1 - distance / (2 * target.count("("))
    e = 1.01 + compound.eval_structure(target) - energy
    return k / e if k >= 0 else k * e


def test_the_fitness_is_that_of_the_formula(problem):
    """Search, independent check and the formula written out agree."""
    rng = random.Random(2)
    for _ in range(300):
        state, *_ = random_playout(problem, rng)
        sequence = bytes(state.letters).decode()
        expected = naive_fitness(TARGET, sequence)
        assert problem.fitness(sequence.encode()) == pytest.approx(expected, abs=1e-4)
        assert problem.check(sequence).score == pytest.approx(problem.fitness(sequence.encode()), abs=1e-9)


def test_nothing_is_folded_twice(problem):
    """A known sequence costs no fold."""
    problem.fitness(b"A" * len(TARGET))
    before = problem.fitness.folds
    problem.fitness(b"A" * len(TARGET))
    assert problem.fitness.folds == before


def test_the_bias_prefers_what_designers_prefer():
    """GC pairs, A unpaired, and G then A as the mismatch of a hairpin."""
    problem = InverseFolding("((((......))))")
    exp_bias, state = problem.instance.exp_bias, problem.new_state()
    compiled_reset(problem.instance, state)
    assert exp_bias[0, 0, :2].sum() > 0.5
    assert BASES[exp_bias[4, 0, :4].argmax()] == "G"
    assert BASES[exp_bias[5, 0, :4].argmax()] == "A"
    given_g = 1 + BASES.index("G")
    assert BASES[exp_bias[9, given_g, :4].argmax()] == "A"
    assert problem.instance.context[9] == 4


def test_a_triloop_with_a_weak_outer_pair_is_free_to_take_any():
    """Only after a GC pair must the closing pair be GC too."""
    problem = InverseFolding("((...))")
    given_cg, given_au = 1 + PAIRS.index("CG"), 1 + PAIRS.index("AU")
    assert problem.instance.exp_bias[1, given_cg, 2:].max() < 0.01
    assert problem.instance.exp_bias[1, given_au, 2] > 0.1
