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


def fits(sequence, letters):
    return all(base in MEANT[letter] for base, letter in zip(sequence, letters, strict=True))


def test_playouts_give_the_sequences_that_the_letters_allow():
    """All of them, and no others."""
    target, letters = "(...).", "KVNTYS"
    problem, generator = InverseFolding(target, constraints=letters.lower()), random.Random(1)
    wanted = {
        sequence
        for bases in itertools.product("ACGU", repeat=6)
        if fits(sequence := "".join(bases), letters) and sequence[0] + sequence[4] in PAIR
    }
    assert {playout(problem, generator)[0] for _ in range(3000)} == wanted
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
    after = problem._improver.improved(problem.moves_of("AAAAAAAAUUUUUUUU").tolist())
    assert fits(problem.solution(np.array(after)), "AAAAAAAAUUUUNNNN")


def test_the_check_names_bases_that_the_letters_do_not_allow():
    """Such a design is no start of a search."""
    problem = InverseFolding("((((....))))", constraints="NNNNANNNNNNY")
    assert problem.check("GGGGAAAACCCC").valid
    assert problem.check("GGGGCAAACCCC").faults == ["C at position 5 is not one of A, as the constraints want"]
    with pytest.raises(nrpa.InputError, match="rna: C at position 5 is not one of A"):
        problem.moves_of("GGGGCAAACCCC")
