"""Folding: kernels against slow plain Python."""

import math
import random
from functools import cache

import numpy as np
import pytest

pytest.importorskip("RNA")

import RNA
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, compiled_score, moves_for

from nrpa.problems.fold import energy
from nrpa.problems.fold.energy import find_helices, helix_energy, stacking
from nrpa.problems.fold.problem import Folding
from nrpa.problems.rna.vienna import folder

SEQUENCE = "GGGAGCUCAACCGUAAGGCGGAUUCCGCAAGCUUCCC"
CAN_PAIR = {"AU", "UA", "GC", "CG", "GU", "UG"}


@pytest.fixture(scope="module", params=[False, True], ids=["nested", "pseudoknots"])
def problem(request):
    return Folding(SEQUENCE, pseudoknots=request.param)


def pairs_of(helix):
    return [(helix.first + k, helix.last - k) for k in range(helix.length)]


def cross(one, other):
    return any(a < i < b < j or i < a < j < b for i, j in one for a, b in other)


@cache
def conflict(one, other):
    """Return "share" where two helices have a base in common, "cross" where they cross, else an empty string."""
    if {base for pair in pairs_of(one) for base in pair} & {base for pair in pairs_of(other) for base in pair}:
        return "share"
    return "cross" if cross(pairs_of(one), pairs_of(other)) else ""


def naive_legal(problem, layers):
    """Return the helices with free bases that cross none, or with pseudoknots none of one layer, and the stop."""
    found = []
    for h, helix in enumerate(problem.helices):
        conflicts = [{conflict(helix, other) for other in layer} for layer in layers]
        if "share" in conflicts[0] | conflicts[1]:
            continue
        if "cross" in conflicts[0] and (not problem.pseudoknots or "cross" in conflicts[1]):
            continue
        found.append(h)
    return [*found, len(problem.helices)]


def test_playouts_follow_the_rules(problem):
    """Legal moves, structure and score agree with the naive ones, on thousands of states of random playouts."""
    rng = random.Random(1)
    instance = problem.instance._replace(dearest=math.inf)
    moves = moves_for(problem)
    state = problem.new_state()
    states = squares = 0
    for _ in range(200):
        compiled_reset(instance, state)
        layers = [], []
        played = []
        while legal := compiled_legal_moves(instance, state, moves):
            assert moves.move[:legal].tolist() == moves.code[:legal].tolist() == naive_legal(problem, layers)
            assert (moves.exp_bias[:legal] > 0).all()
            move = int(moves.move[rng.randrange(legal)])
            compiled_play(instance, state, move)
            played.append(move)
            if move < len(problem.helices):
                helix = problem.helices[move]
                layers["cross" in {conflict(helix, other) for other in layers[0]}].append(helix)
            states += 1
        structure = problem.solution(np.array(played))
        assert bytes(state.symbols).decode() == structure
        squares += "[" in structure
        verdict = problem.check(structure)
        assert verdict.valid
        assert problem.energy(structure.encode()) == pytest.approx(-verdict.score, abs=1e-6)
        assert len(played) <= problem.max_steps
    assert states > 1000
    assert (squares > 10) == problem.pseudoknots


def test_the_kernel_returns_minus_the_energy(problem):
    """Through the callback."""
    state = problem.new_state()
    compiled_reset(problem.instance, state)
    assert compiled_score(problem.instance, state) == 0.0
    state.symbols[:] = list(problem.optimal_structure.encode())
    assert compiled_score(problem.instance, state) == -problem.optimum


def test_helices_that_cost_too_much_are_not_offered(problem):
    """The others are."""
    moves = moves_for(problem)
    state = problem.new_state()
    compiled_reset(problem.instance, state)
    every = compiled_legal_moves(problem.instance._replace(dearest=math.inf), state, moves)
    costs = -np.log(moves.exp_bias[: every - 1]) / problem.instance.beta
    assert (
        1
        < compiled_legal_moves(problem.instance, state, moves)
        == 1 + (costs <= problem.instance.dearest + 1e-9).sum()
        < every
    )


def test_helices_are_all_runs_of_pairs():
    """As a plain search over all pairs and lengths finds them."""
    problem = Folding(SEQUENCE)
    n = len(SEQUENCE)
    naive = {
        (i, j, length)
        for i in range(n)
        for j in range(i + 4, n)
        for length in range(1, n)
        if j - i - 2 * (length - 1) > 3 and all(SEQUENCE[i + k] + SEQUENCE[j - k] in CAN_PAIR for k in range(length))
    }
    assert {helix[:3] for helix in problem.helices} == naive
    for helix in problem.helices:
        assert helix.energy == helix_energy(stacking(folder("turner2004")), SEQUENCE, pairs_of(helix))


def test_of_too_many_helices_those_of_least_energy_stay(monkeypatch):
    """The first of equal ones, also where the positions are looked at in several blocks."""
    stacks = stacking(folder("turner2004"))
    every = find_helices(SEQUENCE, stacks)
    assert every == sorted(every, key=lambda helix: (helix.energy, *helix))
    monkeypatch.setattr(energy, "BLOCK", 3 * len(SEQUENCE))
    for most in (1, 5, 100, len(every)):
        assert find_helices(SEQUENCE, stacks, most) == every[:most]


def test_the_energy_of_a_structure_is_the_packages():
    """On suboptimal structures too."""
    problem = Folding(SEQUENCE)
    compound = RNA.fold_compound(SEQUENCE, RNA.md())
    for solution in compound.subopt(500)[:200]:
        assert problem.energy(solution.structure.encode()) == pytest.approx(solution.energy, abs=0.005)


def test_the_bias_is_near_the_change_of_energy():
    """The rough change of energy ranks first helices nearly as the exact energies do."""
    problem = Folding(SEQUENCE)
    moves = moves_for(problem)
    state = problem.new_state()
    compiled_reset(problem.instance, state)
    legal = compiled_legal_moves(problem.instance, state, moves)
    rough = np.log(moves.exp_bias[: legal - 1])
    exact = [-problem.energy(problem.solution(np.array([h])).encode()) for h in range(legal - 1)]
    assert np.corrcoef(rough, exact)[0, 1] > 0.9


def test_surveying_finds_the_loops():
    """Adding a helix inside another, around one and beside one changes the energy as the package says, nearly."""
    problem = Folding(SEQUENCE)
    rng = random.Random(3)
    moves = moves_for(problem)
    state = problem.new_state()
    errors = []
    for _ in range(200):
        compiled_reset(problem.instance, state)
        for _ in range(3):
            legal = compiled_legal_moves(problem.instance, state, moves)
            chosen = rng.randrange(legal - 1) if legal > 1 else 0
            if legal == 1:
                break
            before = problem.energy(bytes(state.symbols))
            rough = -np.log(moves.exp_bias[chosen]) / problem.instance.beta
            compiled_play(problem.instance, state, int(moves.move[chosen]))
            change = problem.energy(bytes(state.symbols)) - before
            if abs(rough) < 15:
                errors.append(rough - change)
    assert len(errors) > 300
    assert np.median(np.abs(errors)) < 1.5
