"""Sequence alignment: the score, the exact change of one string, the optimum of three strings, what is refused."""

import random
from functools import cache
from itertools import combinations, product

import pytest
from plain_games import random_game

import nrpa
from nrpa.problems.alignment.blosum62 import LETTERS, blosum62


def drawn(seed, letters="ACGT"):
    """Return a problem of three or four short strings."""
    chance = random.Random(seed)
    strings = ["".join(chance.choices(letters, k=chance.randint(2, 5))) for _ in range(chance.randint(3, 4))]
    costs = {"gap": chance.randint(0, 6), "mismatch": chance.randint(0, 9), "columns": chance.choice((0, 9))}
    return nrpa.Alignment(strings, kind="nucleotides" if letters == "ACGT" else "proteins", **costs).plain


def score_of(problem, rows):
    """Return the score by its definition."""
    total = 0
    for column in zip(*rows, strict=True):
        for one, other in combinations(column, 2):
            if "-" in (one, other):
                total -= problem.gap * (one != other)
            elif problem.known.startswith("AR"):
                total += blosum62()[LETTERS.index(one), LETTERS.index(other)]
            else:
                total += problem.match if one == other else -problem.mismatch
        total += problem.columns * (len({*column}) == 1)
    return total


def best_score(problem):
    """Return the best score, by all columns that can come next."""

    @cache
    def best(*rests):
        if not any(rests):
            return 0
        found = []
        for puts in product((0, 1), repeat=len(rests)):
            if any(puts) and all(rest or not put for rest, put in zip(rests, puts, strict=True)):
                column = [rest[0] if put else "-" for rest, put in zip(rests, puts, strict=True)]
                after = (rest[put:] for rest, put in zip(rests, puts, strict=True))
                found.append(score_of(problem, column) + best(*after))
        return max(found)

    return best(*problem.strings)


@pytest.mark.parametrize("letters", ["ACGT", "ARNDW"])
@pytest.mark.parametrize("seed", range(4))
def test_the_score_is_that_of_the_definition(letters, seed):
    """Of random games, by the state and by the check; the moves build the rows again."""
    problem = drawn(seed, letters)
    for game in range(5):
        moves, state = random_game(problem, random.Random(game))
        rows = problem.solution_of(moves)
        assert problem.score(state) == problem.check(rows).score == score_of(problem, rows) <= problem.bound()
        assert problem.own_moves(rows) == moves


@pytest.mark.parametrize("seed", range(12))
def test_one_string_is_realigned_exactly(seed):
    """No other place of the letters of any string alone is better after ``improve``, and nothing gets worse."""
    problem = drawn(seed)
    moves, state = random_game(problem, random.Random(seed))
    rows = problem.solution_of(problem.improve(moves))
    score = score_of(problem, rows)
    assert score >= problem.score(state)
    for k, string in enumerate(problem.strings):
        others = [row for other, row in enumerate(rows) if other != k]
        columns = [column for column in zip(*others, strict=True) if {*column} != {"-"}]
        assert score == best_row(problem, columns, string, k)


def best_row(problem, columns, string, k):
    """Return the best score of an alignment of a string with columns of the others."""

    @cache
    def best(column, letter):
        found = [0] if (column, letter) == (len(columns), len(string)) else []
        if column < len(columns):
            found.append(worth(columns[column], "-") + best(column + 1, letter))
        if letter < len(string):
            found.append(worth(("-",) * (len(problem.strings) - 1), string[letter]) + best(column, letter + 1))
        if column < len(columns) and letter < len(string):
            found.append(worth(columns[column], string[letter]) + best(column + 1, letter + 1))
        return max(found)

    def worth(others, letter):
        return score_of(problem, [[each] for each in (*others[:k], letter, *others[k:])])

    return best(0, 0)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_of_a_few_strings_is_found(seed):
    """The score of dynamic programming over all strings together."""
    problem = drawn(seed)
    result = nrpa.solve(problem, nrpa.GNRPA(level=1, iterations=20, improve=True), seed=1, playouts=200)
    assert result.score == best_score(problem) <= problem.bound()


def test_the_best_score_of_the_smallest_bundled_instance_is_right():
    """As it is listed."""
    problem = nrpa.Alignment.load("dna-3x12")
    assert best_score(problem.plain) == problem.best_known.value


def test_blosum62():
    """Some values as published, and its symmetry."""
    matrix = blosum62()
    assert (matrix == matrix.T).all()
    assert [matrix[LETTERS.index(one), LETTERS.index(other)] for one, other in ("WW", "AR", "IV", "ZE")] == [
        11,
        -1,
        3,
        4,
    ]


@pytest.mark.parametrize(
    ("solution", "fault"),
    [
        ("AC", "a solution is a list of rows, not str"),
        (["AC", 1], "row 2: expected a text, found 1"),
        (["AC", "AG"], "the rows without their gaps are not the strings"),
        (["AC-", "A-"], "the rows are not of one length, or a column has gaps alone"),
        (["AC-", "A--"], "the rows are not of one length, or a column has gaps alone"),
    ],
)
def test_faults(solution, fault):
    """Each in words."""
    assert nrpa.Alignment(["AC", "A"]).check(solution).faults == [fault]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ACGT\n>a\nAC\n", "file:1: expected a line '>NAME' before the letters, found 'ACGT'"),
        (">a\nACGT\n", "file: expected 2 to 50 strings, found 1"),
        (">a\nACGT\n>b\n", "file: string 2: expected a text of letters, found ''"),
        (">a\nAC-T\n>b\nA\n", "file: string 1: expected a text of letters, found 'AC-T'"),
        (">a\nACJT\n>b\nA\n", "found 'J'"),
        (">a\nAEU\n>b\nA\n", "found 'U'"),
        (f">a\n{'A' * 3000}\n>b\n{'C' * 3000}\n", "multiplied in pairs, sum up to 4,000,000 at most"),
    ],
)
def test_what_is_no_fasta_is_refused(tmp_path, monkeypatch, text, message):
    """In a sentence that names the file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text(text)
    with pytest.raises(nrpa.InputError, match="file") as error:
        nrpa.Alignment.load("file")
    assert message in str(error.value)


def test_the_drawing_marks_columns_of_one_letter():
    """With the names of the strings."""
    problem = nrpa.Alignment(["ACG", "AG"], ["one", "two"])
    assert problem.draw(["ACG", "A-G"]).split() == ["one", "ACG", "two", "A-G", "*", "*"]


def test_ambiguous_nucleotides():
    """Are letters like others where U or the option says that strings are of nucleotides; else proteins are told."""
    strings = ["ACGTTGCA", "ACGTRGCA"]
    assert nrpa.Alignment(strings, kind="nucleotides").check(strings).figures["score"] == 7 * 5 - 4
    assert nrpa.Alignment(strings, kind="proteins").check(strings).figures["score"] == 42
    assert nrpa.Alignment(["ACGU", "RCGU"], match=2).check(["ACGU", "RCGU"]).figures["score"] == 3 * 2 - 4
    assert nrpa.Alignment(["MKV", "MKV"]).check(["MKV", "MKV"]).figures["score"] == 2 * 0 + 5 + 5 + 4
    with pytest.raises(nrpa.InputError, match=r"R is an ambiguous nucleotide, or .* kind=nucleotides or kind=proteins"):
        nrpa.Alignment(strings)
    with pytest.raises(nrpa.InputError, match="found 'E'"):
        nrpa.Alignment(["ACE", "ACG"], kind="nucleotides")


def test_aligned_fasta_is_a_solution():
    """Dots are gaps, too; so is a row on each line."""
    for text in (">a\nAC-\nG\n>b one\na..g\n", "AC-G\nA--G\n"):
        assert nrpa.Alignment.parse_solution(text) == ["AC-G", "A--G"]
