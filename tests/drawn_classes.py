"""Classes of problems drawn at random, as text: methods made of numbers, containers and what Python does with them."""

import random

HEAD = '''"""A class that was drawn."""

import math

import numpy as np

import nrpa

LIMIT = 3


class Drawn(nrpa.Problem):
    """Numbers, containers and letters."""

    most = 5

    def __init__(self):
        self.ints = [3, 1, 4, 1, 5]
        self.weights = [0.1, 0.7, 1.115, 2.675]
        self.near = {2: 5, 0: -1, 3: 7}
        self.text, self.kind = "7a40", "a"
        self.bytes = np.array([200, 100, 7], np.uint8)
        self.prices = np.array([0.25, 1.5, 2.675])

    def initial_state(self):
        return (0, 0, 0.5, np.zeros(4, np.bool_))
'''
METHODS = """
    def legal_moves(self, state):
        return [m for m in range(4) if {}] if state[0] < 5 else []

    def play(self, state, move):
        used = state[3].copy()
        used[move] = {}
        return (state[0] + 1, {}, {}, used)

    def score(self, state):
        total = 0
        for m in self.ints:
            total += {}
        return total + {}

    def bias(self, state, move):
        return {}
"""


class Draw:
    """Draws expressions of whole numbers, decimals and truths; ``names`` are the whole numbers that they may use."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.names = ["state[0]", "state[1]"]

    def one_of(self, *makers):
        return self.chance.choice(makers)()

    def whole(self, depth):
        """Return an expression of a whole number."""
        if depth == 0:
            number = self.chance.choice([0, 1, 2, 3, 7, -1, -2, 64, 2**31, 10**18])
            return self.chance.choice([*self.names, *self.names, "len(self.ints)", "LIMIT", "self.most", f"({number})"])
        one, other, place = self.whole(depth - 1), self.whole(depth - 1), self.whole(0)
        sign = self.chance.choice(["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "**"])
        if sign == "**":  # plain Python would be at 3 ** 2**31 for hours
            other = f"({other} % 70)"
        return self.one_of(
            lambda: f"({one} {sign} {other})",
            lambda: f"({one} {sign} {other})",
            lambda: f"abs({one})",
            lambda: f"-{one}",
            lambda: f"~{one}",
            lambda: f"min({one}, {other})",
            lambda: f"self.ints[{place} % 5]",
            lambda: f"self.near.get({place}, {one})",
            lambda: f"self.near[{place} % 4]",
            lambda: f"int(self.text[{place} % 4])",
            lambda: f"int(self.bytes[{place} % 3])",
            lambda: f"(self.bytes[{place} % 3] + {one})",
            lambda: f"int({self.decimal(depth - 1)})",
            lambda: f"round({self.decimal(depth - 1)})",
            lambda: f"math.floor({self.decimal(depth - 1)})",
            lambda: f"sum([v * {one} for v in self.ints])",
            lambda: f"max([v for v in self.ints if v > {one}])",
            lambda: f"self.ints.count({one})",
            lambda: f"sorted(self.ints, key=lambda v: v % 2, reverse=True)[{place} % 5]",
            lambda: f"len(self.ints * ({place} % 3))",
            lambda: f"({one} if {self.truth(depth - 1)} else {other})",
            lambda: f"int({self.truth(depth - 1)})",
        )

    def decimal(self, depth):
        """Return an expression of a decimal number."""
        if depth == 0:
            return self.chance.choice(
                ["state[2]", "0.1", "2.5", "-1.125", "1e200", f"self.weights[{self.whole(0)} % 4]"]
            )
        one, other = self.decimal(depth - 1), self.decimal(depth - 1)
        sign = self.chance.choice(["+", "-", "*", "/", "//", "%", "**"])
        return self.one_of(
            lambda: f"({one} {sign} {other})",
            lambda: f"({one} {sign} {other})",
            lambda: f"({self.whole(depth - 1)} / {self.whole(depth - 1)})",
            lambda: f"2 ** -{self.whole(0)}",
            lambda: f"round({one}, 2)",
            lambda: f"math.sqrt({one})",
            lambda: f"math.exp({one})",
            lambda: f"math.log({one})",
            lambda: f"float({self.whole(depth - 1)})",
            lambda: f"abs({one})",
            lambda: f"max({one}, {other})",
            lambda: "sum(self.weights)",
            lambda: f"sum([w * {one} for w in self.weights])",
            lambda: f"({one} if {self.truth(depth - 1)} else {other})",
        )

    def truth(self, depth):
        """Return an expression of a truth."""
        one, other = (self.whole(max(depth - 1, 0)) for _ in range(2))
        sign = self.chance.choice(["<", "<=", "==", "!=", ">", ">="])
        return self.one_of(
            lambda: f"({one} {sign} {other})",
            lambda: f"({self.decimal(max(depth - 1, 0))} {sign} {self.decimal(0)})",
            lambda: f"({one} in self.ints)",
            lambda: f"({one} in self.near)",
            lambda: f"(self.text[{self.whole(0)} % 4] == 'a')",
            lambda: "(self.kind in ('a', 'b'))",
            lambda: f"any(v > {one} for v in self.ints)",
            lambda: f"(self.ints[:2] == [{one}, 1])",
            lambda: f"((self.ints[0], {one}) == (3, {other}))",
            lambda: f"(not {one})",
            lambda: f"bool({one})",
            lambda: f"({one} < 3 and {other} > 1)",
            lambda: f"({one} < 2 or {other} > 3)",
        )


def drawn(seed):
    """Return the text of a class."""
    draw = Draw(seed)
    draw.names = ["m", "state[0]", "state[1]"]
    of_m = [draw.truth(2), draw.whole(2)]
    draw.names = ["state[0]", "state[1]"]
    last = draw.decimal(2)
    draw.names = ["move", "state[0]", "state[1]"]
    parts = of_m[0], draw.truth(1), draw.whole(2), draw.decimal(2), of_m[1], last, draw.decimal(3)
    return HEAD + METHODS.format(*parts)
