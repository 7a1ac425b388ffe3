"""What is demanded of a design beside its structure, by plain Python that tries all sequences."""

import itertools
import random

import numpy as np
import pytest

pytest.importorskip("RNA")

from compiled_kernels import compiled_improve, compiled_legal_moves, compiled_play, compiled_reset, moves_for

import nrpa
from nrpa import InverseFolding

PAIR = {"CG", "GC", "UA", "AU", "UG", "GU"}
MEANT = dict(
    zip(
        "ACGUTRYSWKMBDHVN",
        ["A", "C", "G", "U", "U", "AG", "CU", "CG", "AU", "GU", "AC", "CGU", "AGU", "ACU", "ACG", "ACGU"],
        strict=True,
    )
)


def playout(problem, generator):
    """Return the sequence and the moves of a random game."""
    state, moves, played = problem.new_state(), moves_for(problem), []
    compiled_reset(problem.instance, state)
    while count := compiled_legal_moves(problem.instance, state, moves):
        played.append(int(moves.move[generator.randrange(count)]))
        compiled_play(problem.instance, state, played[-1])
    sequence = bytes(state.letters).decode()
    assert sequence == problem.solution(np.array(played))
    assert problem.moves_of(sequence).tolist() == played
    return sequence, played


def playable(problem, begun=()):
    """Return the sequences of all games that begin so."""
    state, moves = problem.new_state(), moves_for(problem)
    compiled_reset(problem.instance, state)
    for move in begun:
        compiled_play(problem.instance, state, move)
    count = compiled_legal_moves(problem.instance, state, moves)
    if count == 0:
        return {bytes(state.letters).decode()}
    return set().union(*(playable(problem, (*begun, move)) for move in moves.move[:count].tolist()))


def fits(sequence, letters):
    return all(base in MEANT[letter] for base, letter in zip(sequence, letters, strict=True))


def test_playouts_give_the_sequences_that_the_letters_allow():
    """All of them, and no others."""
    letters = "KVNTYS"
    problem = InverseFolding("(...).", constraints=letters.lower())
    wanted = {
        sequence
        for bases in itertools.product("ACGU", repeat=6)
        if fits(sequence := "".join(bases), letters) and sequence[0] + sequence[4] in PAIR
    }
    assert playable(problem) == wanted
    assert problem.max_total == 2 + 3 + 4 + 1 + 2


def test_improved_sequences_keep_the_letters():
    """Some of them fold into the target."""
    target = "..((((.(((...))).((..(....)..)))))).((....))."
    letters = "NNNSNNNNGNNGAANNNNNYNNNRRRNNNNNNNNNNNNNNNNNNN"
    problem, generator, solved = InverseFolding(target, constraints=letters), random.Random(2), 0
    for _ in range(8):
        sequence, moves = playout(problem, generator)
        moves = np.array(moves)
        compiled_improve(problem.instance, problem.new_state(), moves, len(moves))
        assert fits(problem.solution(moves), letters)
        assert problem.check(problem.solution(moves)).score >= problem.check(sequence).score
        solved += problem.check(problem.solution(moves)).valid
    assert solved >= 2


def test_a_sequence_that_is_fixed_has_one_playout():
    """There is nothing to improve."""
    problem = InverseFolding("((...))", constraints="AAAAAUU")
    sequence, moves = playout(problem, random.Random(3))
    assert sequence == "AAAAAUU"
    assert problem._improver.improved(moves) == moves
    assert nrpa.solve(problem, seed=1, playouts=3).sequence == "AAAAAUU"


def test_where_little_is_free_an_improvement_changes_that():
    """Though what misfolds is fixed."""
    problem = InverseFolding("((((....))))....", constraints="AAAAAAAAUUUUNNNN")
    improver = problem._improver
    assert improver._steps_near("." * 16) == [8]
    assert improver._steps_near("(((......)))....") == [8, 9, 10, 11]
    after = improver.improved(problem.moves_of("AAAAAAAAUUUUUUUU").tolist())
    assert fits(problem.solution(np.array(after)), "AAAAAAAAUUUUNNNN")


def test_the_check_names_bases_that_the_letters_do_not_allow():
    """Such a design is no start of a search."""
    problem = InverseFolding("((((....))))", constraints="NNNNANNNNNNY")
    assert problem.check("GGGGAAAACCCC").valid
    assert problem.check("GGGGCAAACCCC").faults == ["C at position 5 is not one of A, as the constraints want"]
    with pytest.raises(nrpa.InputError, match="rna: C at position 5 is not one of A"):
        problem.moves_of("GGGGCAAACCCC")


def motifs_in(sequence, motifs):
    """Return how often motifs occur, also in one another."""
    return sum(
        fits(sequence[i : i + len(motif)], motif) for motif in motifs for i in range(len(sequence) - len(motif) + 1)
    )


@pytest.mark.parametrize(
    ("gc", "fewest", "most", "motifs"),
    [("0.5:0.7", 4, 4, []), ("", 0, 7, ["AA", "RY"]), ("0:0.5", 0, 3, ["KK", "UNA", "C"])],
)
def test_playouts_give_the_sequences_that_break_no_demand(gc, fewest, most, motifs):
    """All of them; others only after a dead end, and less is their score."""
    target = "(...).."
    problem = InverseFolding(target, gc=gc, forbid=",".join(motifs))
    free = InverseFolding(target)
    wanted, strong = set(), lambda sequence: sequence.count("G") + sequence.count("C")
    for bases in itertools.product("ACGU", repeat=len(target)):
        sequence = "".join(bases)
        if sequence[0] + sequence[4] in PAIR:
            count = motifs_in(sequence, motifs)
            if count == 0 and fewest <= strong(sequence) <= most:
                wanted.add(sequence)
    played = playable(problem)
    assert played >= wanted
    assert len(played - wanted) < (6 * 4**5 - len(wanted)) / 4
    for sequence in sorted(wanted)[:20] + sorted(played - wanted)[:20]:
        beyond = max(fewest - strong(sequence), strong(sequence) - most, 0)
        verdict, broken = problem.check(sequence), motifs_in(sequence, motifs) + beyond
        assert (broken > 0) == (sequence not in wanted)
        assert verdict.score == pytest.approx(free.check(sequence).score - broken)
        assert problem.fitness(sequence.encode()) == pytest.approx(verdict.score)


def test_a_dead_end_is_a_fault():
    """Whatever follows an A is forbidden, and so each sequence that has one but at its end has a fault."""
    played = playable(problem := InverseFolding("..", forbid="AA,AC,AG,AU"))
    assert len(played) == 16
    for sequence in played:
        faults = [f"{sequence} is at position 1"] if sequence[0] == "A" else []
        assert problem.check(sequence).faults == faults


def test_a_design_breaks_no_demand():
    """Of a target that is met without runs of one base and with as many of G and C as of A and U."""
    target = "..((((.(((...))).((..(....)..)))))).((....))."
    problem = InverseFolding(target, gc="0.45:0.55", forbid="AAAA,CCCC,GGGG,UUUU,SSSSS")
    result = nrpa.solve(problem, seed=1, playouts=300)
    assert result.status == "target"
    strong = result.sequence.count("G") + result.sequence.count("C")
    assert 0.45 <= strong / len(target) <= 0.55
    assert motifs_in(result.sequence, ["AAAA", "CCCC", "GGGG", "UUUU", "SSSSS"]) == 0


def test_improved_sequences_break_no_demand():
    """Nor is one improved that breaks some already."""
    target = "..((((.(((...))).((..(....)..)))))).((....))."
    problem, generator = InverseFolding(target, gc="0.5:0.55", forbid="AAA,GUNA"), random.Random(6)
    changed = ended = 0
    for _ in range(12):
        sequence, moves = playout(problem, generator)
        after = problem.solution(np.array(problem._improver.improved(moves)))
        if problem.demands.broken(sequence):
            assert after == sequence
            ended += 1
        else:
            assert problem.demands.broken(after) == 0
            assert problem.check(after).score >= problem.check(sequence).score
            changed += after != sequence
    assert changed >= 6
    assert ended >= 1


def test_the_check_names_motifs_and_the_number_of_g_and_c():
    """Each costs 1, and each base too many or too few."""
    problem = InverseFolding("((((....))))", gc="0:0.5", forbid="GGN")
    verdict = problem.check("GGGGAAAACCCC")
    assert verdict.faults == [
        *(f"GGN is at position {i}" for i in (1, 2, 3)),
        "8 of the 12 bases are G or C; 0 to 6 are wanted",
    ]
    assert verdict.score == 1 - 3 - 2
