"""The branches of a target, which are improved before the whole."""

import random

import numpy as np
import pytest

pytest.importorskip("RNA")

from compiled_kernels import compiled_improve

from nrpa import Auto, InverseFolding
from nrpa.engine.game import Game
from nrpa.problems.rna.branches import branches, ensembles_of_branch, folds_of_branch, instance_of, steps_of
from nrpa.problems.rna.improving import Rivals
from nrpa.problems.rna.structure import pair_table

HAIRPINS = "((((.((((....)))).((((....)))).))))"
LONG = "." * 30 + "((.." + HAIRPINS + ".((((((....)))))).." + HAIRPINS + "..))" + "." * 40


def test_branches_are_closed_by_a_helix_and_grow():
    """Each is one whole branch of the target, clearly longer than those inside it, which come before it."""
    found = branches(pair_table(LONG))
    parts = [LONG[first : last + 1] for first, last in found]
    assert parts == ["((((((....))))))", HAIRPINS, HAIRPINS, LONG.strip(".")]
    assert found == [(70, 85), (34, 68), (88, 122), (30, 126)]
    barely = "(.((((((....)))))).)"
    assert branches(pair_table("." * 150 + barely)) == [(150, 169)]


def test_neighbours_in_a_loop_are_branches():
    """All of a loop without the pair around it if there is none, then halves; short ones are none."""
    one, stem = "((((((....(((....)))....))))))", "(((((((....)))))))"
    target = "." * 60 + ".".join([one] * 5) + "." * 60
    alone = [(60 + 31 * k, 89 + 31 * k) for k in range(5)]
    assert branches(pair_table(target)) == [*alone, (60, 120), (153, 213), (122, 213), (60, 213)]
    inside = "." * 60 + "((" + one + "." + one + "." + one + "))" + "." * 60
    assert branches(pair_table(inside))[-2:] == [(93, 153), (60, 155)]
    short = "." * 150 + stem + "." + stem
    assert branches(pair_table(short)) == [(150, 167), (169, 186)]
    *_, (first, steps, improver) = InverseFolding(target)._improver._branches
    assert (first, [InverseFolding(target).instance.position[steps[own]] for own in improver._own]) == (60, [121])


def test_short_targets_have_none():
    """Nor is a branch nearly the whole target."""
    assert len(LONG) >= 150
    assert branches(pair_table(LONG.strip("."))) == []
    whole = "(((((" + "." * 140 + ")))))"
    assert branches(pair_table(whole)) == []


def test_branches_take_few_folds():
    """Together about four seconds of them and of ensembles, but 30 and 5 each if these take no more than three."""
    sizes = (20, 20), (100, 5), (300, 1), (300, 5), (16, 1), (1_000, 9), (2_400, 9)
    assert [folds_of_branch(*size) for size in sizes] == [89, 85, 51, 30, 200, 3, 1]
    assert [ensembles_of_branch(*size) for size in sizes] == [60, 26, 13, 5, 60, 0, 0]


def test_a_branch_is_an_instance_of_its_own():
    """It has the steps that decide its positions, with the bias that these have in the whole."""
    whole = InverseFolding(LONG).instance
    for first, last in branches(pair_table(LONG)):
        part, steps = instance_of(whole, first, last), steps_of(whole, first, last)
        alone = InverseFolding(LONG[first : last + 1]).instance
        assert part.position.tolist() == alone.position.tolist()
        assert part.partner.tolist() == alone.partner.tolist()
        near = whole.context[steps]
        assert (part.context + first)[near >= 0].tolist() == near[near >= 0].tolist()
        assert (part.context[near < 0] == -1).all()
        assert np.array_equal(part.exp_bias, whole.exp_bias[steps])
        assert (part.address, part.improver) == (0, 0)


def test_better_branches_make_a_better_whole():
    """Branches fold better by a fold of that part alone; what lies outside stays as it was."""
    problem = InverseFolding(LONG)
    generator = random.Random(2)
    before = [generator.randrange(6 if j >= 0 else 4) for j in problem.instance.partner]
    after = problem._improver._with_better_branches(before)
    was, now = (problem.solution(np.array(moves)) for moves in (before, after))
    assert was[:30] + was[127:] == now[:30] + now[127:]
    assert was[30:127] != now[30:127]
    for part in (LONG[30:127], HAIRPINS):
        first = LONG.index(part)
        branch = InverseFolding(part)
        scores = [branch.check(sequence[first : first + len(part)]).score for sequence in (was, now)]
        assert scores[0] < scores[1]
    assert problem._improver._with_better_branches(before) == after


def test_a_long_target_is_improved():
    """The fitness is higher by the independent check; the same moves give the same moves, in a new problem, too."""
    generator = random.Random(3)
    before = np.array([generator.randrange(6 if j >= 0 else 4) for j in InverseFolding(LONG).instance.partner])
    found = []
    for problem in (InverseFolding(LONG), InverseFolding(LONG)):
        after = before.copy()
        assert compiled_improve(problem.instance, problem.new_state(), after, len(after)) == 1
        assert problem.check(problem.solution(after)).score > problem.check(problem.solution(before)).score
        found.append(after.tolist())
    assert found[0] == found[1]


def test_auto_plays_fewer_playouts_between_improvements():
    """Of long targets, whose folds take longer than an improvement."""
    assert Auto().arms_of(InverseFolding(LONG))[0].solver.iterations == 2
    assert Auto().arms_of(InverseFolding(LONG.strip(".")))[0].solver.iterations == 100


def test_branches_keep_what_is_demanded_of_the_whole():
    """Letters and motifs, in each of them."""
    letters = "".join("R" if i % 9 == 0 and symbol == "." else "N" for i, symbol in enumerate(LONG))
    problem, moves = InverseFolding(LONG, forbid="AAA,CCC,GGG,UUU", constraints=letters), []
    game = Game(problem.model)
    game.reset()
    generator = random.Random(8)
    while legal := game.legal_moves():
        moves.append(generator.choice(legal))
        game.play(moves[-1])
    better = problem._improver._with_better_branches(moves)
    before, after = (problem.solution(np.array(each)) for each in (moves, better))
    assert not problem.demands.wrong_letters(after)
    for first, last in branches(pair_table(LONG)):
        parts = [sequence[first : last + 1] for sequence in (before, after)]
        assert parts[0] != parts[1]
        assert not any(base * 3 in part for base in "ACGU" for part in parts)


def misfolded(problem, moves):
    """Count the branches that fold otherwise by themselves than the target does there, by the independent check."""
    sequence, count = problem.solution(np.array(moves)), 0
    for first, last in branches(pair_table(LONG)):
        branch = InverseFolding(LONG[first : last + 1])
        count += branch.check(sequence[first : last + 1]).figures["distance"] > 0
    return count


def test_a_change_lets_no_more_branches_misfold():
    """Of changes of a sequence with better branches, hardly any does; without trying again, many do."""
    problem, generator = InverseFolding(LONG), random.Random(5)
    improver = problem._improver
    moves = improver._with_better_branches([generator.randrange(6 if j >= 0 else 4) for j in problem.instance.partner])
    most, more = misfolded(problem, moves), [0, 0]
    assert most < len(branches(pair_table(LONG)))
    rival = problem._folder.mfe(problem.solution(np.array(moves)))[0]
    for _ in range(30):
        for kind, change in enumerate((improver._ahead, improver._with_right_branches)):
            changed = change(moves, rival, Rivals(problem._folder, LONG, rival, 20), generator)
            assert changed != moves
            more[kind] += misfolded(problem, changed) > most
    assert more[0] >= 5
    assert more[1] <= more[0] // 5


def test_a_branch_that_misses_its_target_is_drawn_again():
    """What is outside its inner branches: it often folds better, and never worse."""
    problem, generator, better = InverseFolding(LONG), random.Random(6), 0
    _, steps, improver = problem._improver._branches[-1]
    improver._most = 2
    inside = {step for branch in problem._improver._branches[:-1] for step in branch.steps}
    assert [steps[own] for own in improver._own] == [step for step in steps if step not in inside]
    part = InverseFolding(LONG[30:127])
    for _ in range(10):
        moves = [generator.randrange(6 if j >= 0 else 4) for j in problem.instance.partner[steps]]
        found = [improver._sequence(change(moves)) for change in (improver.improved, improver._best_of_several)]
        scores = [part.check(sequence).score for sequence in found]
        assert scores[1] >= scores[0]
        better += scores[1] > scores[0]
    assert better >= 5


def test_a_branch_whose_folds_take_long_is_drawn_once(monkeypatch):
    """What more than half a second of folds does not bring, other moves would have to bring in as long."""
    _, steps, improver = InverseFolding(LONG)._improver._branches[-1]
    calls, moves = [], [0] * len(steps)
    monkeypatch.setattr(improver, "improved", lambda moves: calls.append(moves) or moves)
    for most, times in ((2, 6), (1_000, 1)):
        improver._most = most
        improver._best_of_several(moves)
        assert len(calls) == times
        calls.clear()


def test_a_branch_that_folds_right_is_made_steady():
    """It still does, and its ensemble defect is smaller; one that folds right already stays as it is."""
    improver = InverseFolding(LONG)._improver._branches[0].improver
    branch, generator, smaller, steadier = InverseFolding(LONG[70:86]), random.Random(7), 0, 0
    for _ in range(8):
        moves = [0] * len(improver._allowed)
        while improver._fold(moves).fitness == 1.0:
            moves = [generator.choice(allowed) for allowed in improver._allowed]
        right = improver.improved(moves)
        steady = improver._steadied(right, generator)
        before, after = (branch.check(improver._sequence(each)) for each in (right, steady))
        assert before.valid
        assert after.valid
        assert after.figures["defect"] <= before.figures["defect"]
        smaller += after.figures["defect"] < before.figures["defect"]
        assert improver._best_of_several(steady) == steady
        best = branch.check(improver._sequence(improver._best_of_several(moves)))
        assert best.valid
        steadier += best.figures["defect"] < before.figures["defect"]
    assert smaller >= 4
    assert steadier >= 4
