"""Expression discovery: find a short expression that fits given points."""

# mypy: ignore-errors

import math
from typing import Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.options import Option
from nrpa.base.values import listed, number_of, shortened
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.objective import Objective, Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.common import checked_names, fault_in_list, faultless, whole_text
from nrpa.problems.expression.polish import FUNCTIONS, is_point, symbols_of, text_of, tree_of, value_in_python, value_of
from nrpa.problems.lines import located_lines

LARGEST_ERROR, MOST_WORK, WORK_IMPROVED = 1e6, 10_000_000, 2_000_000


@compiled
class Expression(Problem):
    """Write an expression in Polish notation, symbol by symbol: each function before what it is applied to.

    The cost is the root of the mean squared error, as a part of the spread of y (its standard deviation), and ``cost``
    for each symbol. A solution is the list of the symbols: functions, names of variables, constants. A move is a
    symbol; its code, the symbol and its place.

    Parameters
    ----------
    points : list of list of float
        For each point the values of the variables, and last y.
    variables : list of str, optional
        Their names; x1, x2 and so on.

    References
    ----------
    T. Cazenave, *Nested Monte-Carlo Expression Discovery*, ECAI 2010.

    T. Cazenave, *Monte-Carlo Expression Discovery*, International Journal on Artificial Intelligence Tools 22, 2013.
    """

    name = "expression"
    objective = Objective("cost", sign=-1, digits=6)
    forms = ("CSV: a line for each point, with commas between numbers, y last; above them a line of names, or none",)
    length = Option(30, "The most symbols.", most=200)
    cost = Option(0.001, "What a symbol costs.", least=0.0, most=1.0)
    functions = Option("+ - * / sin cos exp log", f"Some of {' '.join(FUNCTIONS)}, with blanks between.")
    constants = Option("1 2", "Which numbers are symbols, with blanks between.")

    def __init__(self, points, variables=(), **options):
        super().__init__(**options)
        points = listed(points)
        fault = fault_in_list(points, "expected a list of points", "point", "a list of numbers", is_point)
        if fault or len({len(point) for point in points}) != 1:
            raise InputError(fault or "expected points of one length, one at least")
        if len(points) * self.length > MOST_WORK:
            raise InputError(f"expected points times symbols of at most {MOST_WORK:,}; found more")
        self.points, table = points, np.array(points, np.float64)
        self.y, self.spread = table[:, -1].copy(), float(table[:, -1].std()) or 1.0
        arguments = table.shape[1] - 1
        self.variables = checked_names("variables", variables, arguments) or [f"x{k + 1}" for k in range(arguments)]
        self.numbers = {text: number_of(text) for text in self.constants.split()}
        self.symbols, self.function = symbols_of(self.functions.split(), self.variables, self.numbers)
        self.arity = np.array([FUNCTIONS.get(symbol, 0) for symbol in self.symbols])
        self.terminals = np.array([*table[:, :-1].T, *(np.full(len(table), x) for x in self.numbers.values())])

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        rows = [
            [line.at(word.strip()) for word in line.split(",")]
            for line in located_lines(whole_text(source), source.label)
        ]
        names = rows.pop(0)[:-1] if rows and number_of(rows[0][-1]) is None else ()
        for row in rows:
            if len(row) != len(rows[0]):
                row[-1].expected(f"{len(rows[0])} numbers, as in the line before")
        points = [[word.number() for word in row] for row in rows]
        return cls(points, names, **options)

    def bound(self):
        return self.cost

    def initial_state(self):
        return np.zeros(self.length, np.int64), 0, 1

    def legal_moves(self, state):
        _, count, missing = state
        if missing == 0:
            return []
        return [symbol for symbol in range(len(self.arity)) if count + missing + self.arity[symbol] <= self.length]

    def play(self, state, move):
        symbols, count, missing = state[0].copy(), state[1], state[2]
        symbols[count] = move
        return symbols, count + 1, missing - 1 + self.arity[move]

    def code(self, state, move):
        return move, state[1]

    def score(self, state):
        return self.worth(state[0], state[1])

    def worth(self, symbols, count):
        """Return the negative cost of an expression."""
        stack, total = np.zeros(count + 1), 0.0
        for point in range(len(self.y)):
            top = -1
            for place in range(count - 1, -1, -1):
                symbol = symbols[place]
                if self.arity[symbol]:
                    value = value_of(self.function[symbol], stack[top], stack[top - 1])
                    top -= self.arity[symbol] - 1
                    stack[top] = value
                else:
                    top += 1
                    stack[top] = self.terminals[symbol - len(self.function), point]
            total += (stack[0] - self.y[point]) ** 2
        error = math.sqrt(total / len(self.y)) / self.spread if total < 1e100 else LARGEST_ERROR
        return -min(error, LARGEST_ERROR) - self.cost * count

    def improve(self, moves):
        """Replace symbols by others with as many arguments, one at a time, while it helps."""
        symbols, count, helps = np.array(moves), len(moves), True
        best, tries = self.worth(symbols, count), WORK_IMPROVED // (count * len(self.y))
        while helps and tries > 0:
            helps = False
            for place in range(count):
                for symbol in range(len(self.arity)):
                    kept, tries = symbols[place], tries - 1
                    if tries >= 0 and symbol != kept and self.arity[symbol] == self.arity[kept]:
                        symbols[place] = symbol
                        worth = self.worth(symbols, count)
                        if worth > best:
                            best, helps = worth, True
                        else:
                            symbols[place] = kept
        return list(symbols)

    def solution_of(self, moves):
        return [self.symbols[move] for move in moves]

    def own_moves(self, solution):
        faultless(self, solution)
        return [self.symbols.index(str(symbol)) for symbol in solution]

    def check(self, solution):
        what = f"one of {shortened(' '.join(self.symbols))}"
        fault = fault_in_list(solution, "a solution is a list of symbols", "symbol", what, self.is_symbol)
        tree = None if fault or len(solution) > self.length else tree_of([*map(str, solution)])
        if tree is None:
            return Verdict({}, [fault or f"expected one whole expression of at most {self.length} symbols"])
        total, faults = 0.0, []
        for number, (*given, y) in enumerate(self.points, 1):
            names = {**self.numbers, **dict(zip(self.variables, given, strict=True))}
            value = value_in_python(tree, names)
            if value is None:
                faults = faults or [f"point {number}: the expression has no value"]
            total = math.inf if value is None else total + (value - y) ** 2
        error = min(math.sqrt(total / len(self.points)) / self.spread, LARGEST_ERROR)
        cost = error + self.cost * len(solution)
        return Verdict({"cost": cost, "error": error, "symbols": len(solution)}, faults, -cost, faults_counted=True)

    def is_symbol(self, value):
        return isinstance(value, (str, int, float)) and str(value) in self.symbols

    def draw(self, solution):
        return text_of(tree_of([*map(str, solution)]))
