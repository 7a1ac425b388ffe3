"""Multiple sequence alignment: put gaps into strings so that letters of one origin share a column."""

from itertools import combinations, product
from typing import Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.options import Option
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.blosum62 import LETTERS, blosum62
from nrpa.problems.common import fault_in_list, faultless, faults_of, whole_text
from nrpa.problems.lines import located_lines
from nrpa.problems.realigning import realigned, rests_of

NUCLEOTIDES = "ACGTUN"
MOST_STRINGS, MOST_CELLS, CELLS_IMPROVED = 50, 4_000_000, 2_000_000
BETA = 0.5


@compiled
class Alignment(Problem):
    """Build an alignment column by column: each string in turn puts its next letter, or waits.

    The score is the sum over all pairs of strings: what two letters in a column are worth, less ``gap`` for each letter
    beside a gap. A solution is the list of the rows. A move is (string, letter, 1 or 0), counted from 0: the letter is
    put, or waits. The code is the move, and the letter above it; β is what the pairs with the other strings lose if
    each is aligned as well as can be from there on.

    Parameters
    ----------
    strings : list of str
        Two to 50 strings of DNA or RNA (A, C, G, T, U, N), which are compared by ``match`` and ``mismatch``, or of
        proteins, which are compared by BLOSUM62.
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
    match = Option(5, "What two equal letters of DNA or RNA are worth.", least=0, most=1000)
    mismatch = Option(4, "What two different ones cost.", least=0, most=1000)
    columns = Option(0, "What a column of the same letter in all strings adds to the score.", least=0, most=10**6)

    def __init__(self, strings, names=(), **options):
        super().__init__(**options)
        fault = fault_in_list(
            strings,
            "expected a list of strings",
            "string",
            "a text of letters",
            lambda string: isinstance(string, str) and string,
        )
        if fault or not 2 <= len(strings) <= MOST_STRINGS:
            raise InputError(fault or f"expected 2 to {MOST_STRINGS} strings, found {len(strings)}")
        self.strings = [string.upper() for string in strings]
        self.names = [str(name) for name in names] or [str(number) for number in range(1, len(strings) + 1)]
        known, self.worth = LETTERS, blosum62()
        if set("".join(self.strings)) <= {*NUCLEOTIDES}:
            known, self.worth = NUCLEOTIDES, np.eye(6, dtype=np.int64) * (self.match + self.mismatch) - self.mismatch
        if odd := sorted(set("".join(self.strings)) - {*known}):
            raise InputError(f"expected the letters {known}, found {odd[0]!r}")
        lengths = [len(string) for string in strings]
        if sum((one + 1) * (other + 1) for one, other in combinations(lengths, 2)) > MOST_CELLS:
            raise InputError(f"expected strings whose lengths' products sum up to {MOST_CELLS:,}; found longer ones")
        self.lengths = np.array(lengths)
        self.known, self.beta = known, BETA
        coded = [np.array([known.index(letter) for letter in string]) for string in self.strings]
        self.letters = np.array([np.pad(each, (0, max(lengths) - len(each))) for each in coded])
        tables = [rests_of(one, other, self.worth, self.gap) for one, other in combinations(coded, 2)]
        self.rests = np.concatenate(tables)
        self.begin = np.zeros((len(coded), len(coded)), np.int64)
        self.begin[np.triu_indices(len(coded), 1)] = np.cumsum([0, *map(len, tables)])[:-1]
        self.most = sum(int(table[0]) for table in tables)
        self.max_steps = max(10_000, len(coded) * sum(lengths))

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        names, strings = [], []
        for line in located_lines(whole_text(source), source.label):
            if line.startswith(">"):
                names.append(line[1:].strip())
                strings.append("")
            elif names:
                strings[-1] += "".join(line.split())
            else:
                line.expected("a line '>NAME' before the letters")
        with faults_of(source.label):
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
        return [(string, at[string], 1), (string, at[string], 0)] if others > 0 else [(string, at[string], 1)]

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
            return self.beta * max(lost)
        gained = sum([self.gained(at, other, string, put[other], move[2]) for other in range(string)])
        for other in later if move[2] else later[:0]:
            gained += max(self.gained(at, string, other, 1, 0), self.gained(at, string, other, 1, 1))
        return self.beta * gained

    def improve(self, moves):
        grid, work, kept, string = self.grid_of(moves), 0, 0, 0
        while kept < len(grid) and work < CELLS_IMPROVED:
            better = realigned(grid, string, self.letters, self.worth, self.gap, self.columns)
            kept = kept + 1 if np.array_equal(better, grid) else 0
            work += grid.shape[1] * (self.lengths[string] + 20 * len(grid))
            grid, string = better, (string + 1) % len(grid)
        return self.moves_of_grid(grid)

    def grid_of(self, moves):
        """Return an alignment as an array of its rows: the places of letters in their strings, -1 for a gap."""
        grid, width, before = np.full((len(self.lengths), len(moves)), -1), 0, len(self.lengths)
        for string, letter, puts in moves:
            width += string <= before
            if puts:
                grid[string, width - 1] = letter
            before = string
        return grid[:, :width].copy()

    def moves_of_grid(self, grid):
        at, moves = np.zeros(len(grid), np.int64), []
        for column in range(grid.shape[1]):
            for string in range(len(grid)):
                if at[string] < self.lengths[string]:
                    puts = int(grid[string, column] >= 0)
                    moves.append((string, at[string], puts))
                    at[string] += puts
        return moves

    def solution_of(self, moves):
        pairs = zip(self.strings, self.grid_of(moves), strict=True)
        return ["".join([string[k] if k >= 0 else "-" for k in row]) for string, row in pairs]

    def own_moves(self, solution):
        faultless(self, solution)
        places = [np.cumsum([letter != "-" for letter in row]) for row in solution]
        is_put = np.array([[letter != "-" for letter in row] for row in solution])
        return [tuple(map(int, move)) for move in self.moves_of_grid(np.where(is_put, np.array(places) - 1, -1))]

    def check(self, solution):
        fault = fault_in_list(
            solution, "a solution is a list of rows", "row", "a text", lambda row: isinstance(row, str)
        )
        if fault or [row.replace("-", "") for row in solution] != self.strings:
            return Verdict({}, [fault or "the rows without their gaps are not the strings"])
        columns = [*zip(*solution, strict=False)]
        if len({len(row) for row in solution}) > 1 or ("-",) * len(solution) in columns:
            return Verdict({}, ["the rows are not of one length, or a column has gaps alone"])
        worth = dict(zip(product(self.known, repeat=2), self.worth.flat, strict=True))
        worth |= {(letter, "-"): -self.gap for letter in self.known} | {
            ("-", letter): -self.gap for letter in self.known
        }
        pairs = sum(worth.get(pair, 0) for column in columns for pair in combinations(column, 2))
        alike = sum(len(set(column)) == 1 for column in columns)
        figures = {"score": int(pairs) + self.columns * alike, "columns": alike, "width": len(columns)}
        return Verdict(figures, score=float(figures["score"]))

    def draw(self, solution):
        marks = "".join("*" if len(set(column)) == 1 else " " for column in zip(*solution, strict=True))
        rows = [*zip([*self.names, ""], [*solution, marks], strict=True)]
        parts = range(0, len(marks), 80)
        return "\n\n".join("\n".join(f"{name[:10]:10} {row[k : k + 80]}" for name, row in rows) for k in parts)
