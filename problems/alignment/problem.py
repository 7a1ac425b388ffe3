"""Multiple sequence alignment: put gaps into strings so that letters of one origin share a column."""

# mypy: ignore-errors

from itertools import combinations, product
from typing import Self

import numpy as np

from nrpa.base.options import Option
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.alignment.realigning import grid_of, moves_of_grid, realigned, rests_of
from nrpa.problems.alignment.strings import NUCLEIC, PROTEIN, checked_strings, compared, read_fasta
from nrpa.problems.common import checked_names, fault_in_list, faultless, whole_text

BETA, CELLS_IMPROVED = 0.5, 2_000_000


@compiled
class Alignment(Problem):
    """Build an alignment column by column: each string in turn puts its next letter, or waits.

    The score is the sum over all pairs of strings: what two letters in a column are worth, less ``gap`` for each letter
    beside a gap. A solution is the list of the rows. A move is (string, letter, 1 or 0), counted from 0: the letter is
    put, or waits; its code has the letter above it as well. β is what the pairs of strings lose at least.

    Parameters
    ----------
    strings : list of str
        2 to 50 strings of DNA or RNA (A, C, G, T, U, N; others such as R, if ``kind`` says so), which are compared
        by ``match`` and ``mismatch``, or of proteins, which are compared by BLOSUM62.
    names : list of str, optional
        Their names, for drawings.

    References
    ----------
    S. Edelkamp and Z. Tang, *Monte-Carlo Tree Search for the Multiple Sequence Alignment Problem*, SoCS 2015.

    H. Carrillo and D. Lipman, *The multiple sequence alignment problem in biology*, SIAM J. Appl. Math. 48, 1988: the
    bound, that all pairs are aligned best.
    """

    name = "alignment"
    objective = Objective("score", sign=1)
    forms = ("FASTA: for each string a line `>NAME`, and its letters on any number of lines",)
    gap = Option(6, "What a letter beside a gap costs.", least=0, most=1000)
    kind = Option("auto", "What the strings are of; auto: as their letters tell.", ("auto", NUCLEIC, PROTEIN))
    match = Option(5, "What two equal letters of DNA or RNA are worth.", least=0, most=1000)
    mismatch = Option(4, "What two different ones cost.", least=0, most=1000)
    columns = Option(0, "What a column of the same letter in all strings adds to the score.", least=0, most=10**6)

    def __init__(self, strings, names=(), **options):
        super().__init__(**options)
        self.strings = checked_strings(strings)
        self.names = checked_names("names", names, len(self.strings))
        self.known, self.worth = compared(self.strings, self.kind, self.match, self.mismatch)
        coded = [np.array([self.known.index(letter) for letter in string]) for string in self.strings]
        self.lengths = np.array([*map(len, coded)])
        self.letters = np.array([np.pad(each, (0, max(self.lengths) - len(each))) for each in coded])
        tables = [rests_of(one, other, self.worth, self.gap) for one, other in combinations(coded, 2)]
        self.rests, self.begin = np.concatenate(tables), np.zeros((len(coded), len(coded)), np.int64)
        self.begin[np.triu_indices(len(coded), 1)] = np.cumsum([0, *map(len, tables)])[:-1]
        self.most, self.max_steps = sum(int(table[0]) for table in tables), len(coded) * int(sum(self.lengths))

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        names, strings = read_fasta(whole_text(source), source.label)
        return cls(strings, names, **options)

    def bound(self):
        return self.most + self.columns * int(self.lengths.min())

    def hints(self):
        return Hints(tempered=False)

    def initial_state(self):
        return np.zeros(len(self.lengths), np.int64), np.zeros(len(self.lengths), np.int64), 0, self.most

    def legal_moves(self, state):
        at, put, string, _ = state
        if string == len(at):
            return []
        others = np.sum(put[:string]) + np.sum(at[string + 1 :] < self.lengths[string + 1 :])
        here = int(at[string])
        return [(string, here, 1), (string, here, 0)] if others > 0 else [(string, here, 1)]

    def play(self, state, move):
        at, put, string, score = state
        put = put.copy()
        put[string] = move[2]
        string = self.following(at, string + 1)
        if string == len(at):
            for other in range(len(at)):
                score += sum([self.gained(at, one, other, put[one], put[other]) for one in range(other)])
            letters = {self.letters[k, at[k]] if put[k] else -k - 1 for k in range(len(at))}
            score += self.columns * (len(letters) == 1)
            at, put = at + put, np.zeros(len(at), np.int64)
            string = self.following(at, 0)
        return at, put, string, score

    def following(self, at, string):
        while string < len(at) and at[string] == self.lengths[string]:
            string += 1
        return string

    def gained(self, at, one, other, puts, other_puts):
        """Return what two strings gain, at most 0, where they put their next letters or not, and go on best."""
        width = self.lengths[other] + 1
        here = self.begin[one, other] + at[one] * width + at[other]
        worth = self.rests[here + puts * width + other_puts] - self.rests[here]
        if puts and other_puts:
            return worth + self.worth[self.letters[one, at[one]], self.letters[other, at[other]]]
        return worth - self.gap * (puts + other_puts)

    def score(self, state):
        return state[3]

    def code(self, state, move):
        at, put, string, _ = state
        above = string - 1
        while above >= 0 and not put[above]:
            above -= 1
        return string, at[string], move[2], above, at[above] if above >= 0 else 0

    def bias(self, state, move):
        at, put, string, _ = state
        later = [other for other in range(string + 1, len(at)) if at[other] < self.lengths[other]]
        if not move[2] and not np.sum(put[:string]):  # then another puts its letter without these
            lost = [sum([self.gained(at, one, other, 0, 1) for one in range(string + 1)]) for other in later]
            return BETA * max(lost)
        gained = sum([self.gained(at, other, string, put[other], move[2]) for other in range(string)])
        for other in later if move[2] else later[:0]:
            gained += max(self.gained(at, string, other, 1, 0), self.gained(at, string, other, 1, 1))
        return BETA * gained

    def improve(self, moves):
        grid, work, kept, string = grid_of(moves, len(self.lengths)), 0, 0, 0
        while kept < len(grid) and work < CELLS_IMPROVED:
            better = realigned(grid, string, self.letters, self.worth, self.gap, self.columns)
            kept = kept + 1 if np.array_equal(better, grid) else 0
            work += grid.shape[1] * (self.lengths[string] + 20 * len(grid))
            grid, string = better, (string + 1) % len(grid)
        return moves_of_grid(grid, self.lengths)

    def solution_of(self, moves):
        pairs = zip(self.strings, grid_of(moves, len(self.strings)), strict=True)
        return ["".join([string[k] if k >= 0 else "-" for k in row]) for string, row in pairs]

    def own_moves(self, solution):
        faultless(self, solution)
        puts = np.array([[letter != "-" for letter in row] for row in solution])
        grid = np.where(puts, np.cumsum(puts, axis=1) - 1, -1)
        return [(string, int(letter), int(is_put)) for string, letter, is_put in moves_of_grid(grid, self.lengths)]

    def check(self, solution):
        fault = fault_in_list(
            solution, "a solution is a list of rows", "row", "a text", lambda row: isinstance(row, str)
        )
        if fault or [row.replace("-", "") for row in solution] != self.strings:
            return Verdict({}, [fault or "the rows without their gaps are not the strings"])
        columns = [*zip(*solution, strict=False)]
        if len({*map(len, solution)}) > 1 or ("-",) * len(solution) in columns:
            return Verdict({}, ["the rows are not of one length, or a column has gaps alone"])
        worth = dict(zip(product(self.known, repeat=2), self.worth.ravel().tolist(), strict=True))
        found = sum(
            worth[pair] if "-" not in pair else -self.gap * (pair != ("-", "-"))
            for column in columns
            for pair in combinations(column, 2)
        )
        alike = sum(len({*column}) == 1 for column in columns)
        score = found + self.columns * alike
        return Verdict({"score": score, "columns": alike, "width": len(columns)}, score=float(score))

    @classmethod
    def parse_solution(cls, text: str) -> list[str]:
        """Return the rows of an alignment: aligned FASTA, or a row on each line."""
        if text.lstrip().startswith(">"):
            return [row.upper().replace(".", "-") for row in read_fasta(text, "")[1]]
        return text.split()

    def draw(self, solution):
        marks = "".join("*" if len({*column}) == 1 else " " for column in zip(*solution, strict=True))
        names = [*(self.names or map(str, range(1, len(solution) + 1))), ""]
        rows = [*zip(names, [*solution, marks], strict=True)]
        parts = range(0, len(marks), 80)
        return "\n\n".join("\n".join(f"{name:10.10} {row[k : k + 80]}".rstrip() for name, row in rows) for k in parts)
