"""Goals and rules: replace a goal by others, these by others again, until all are in stock, as retrosynthesis does."""

# mypy: ignore-errors

from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError, faults_of
from nrpa.base.values import SeedLike, checked_seed, not_negative, shown, whole
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.common import fault_in_list, is_whole, whole_text
from nrpa.problems.lines import Located, located_lines

DEEPEST, MOST_COST = 100, 1e9
# What the bias takes off for each goal that a rule leaves open, and another one need not.
AVOIDED = 5.0


@compiled
class Goals(Problem):
    """Make a target from what is in stock, by rules that each replace a goal by others, at the least cost.

    A move is a rule, by its number from 0, for the first open goal. Parts that are in stock need none. A goal that no
    rule makes, or that lies as many rules below the target as the depth allows, stays open, and the next one is the
    first. A route costs what its rules cost, and for each goal that stays open 100 times the dearest of all rules. Its
    rules are the solution, each part of a rule with all that it needs before the next one. The code of a move is the
    rule with its depth. The bias is the cost negated: where costs are -log of probabilities, e^β is the probability. It
    is 5 less for each goal that a rule must leave open within the depth, where another rule need not.

    Parameters
    ----------
    target : str
        What is to be made.
    rules : list of (str, list of str, float)
        What each rule makes, from which parts, and its cost, not below 0.
    stock : list of str
        What is there.
    depth : int
        How many rules can lie one above the other, 1 to 100.

    References
    ----------
    M. H. S. Segler, M. Preuss and M. P. Waller, *Planning chemical syntheses with deep neural networks and symbolic
    AI*, Nature 555, 2018.

    M. Roucairol and T. Cazenave, *Comparing search algorithms on the retrosynthesis problem*, Molecular Informatics 43,
    2024.

    Examples
    --------
    >>> rules = [("cake", ["dough", "cream"], 2), ("dough", ["flour", "egg"], 1), ("cream", ["milk"], 3)]
    >>> problem = Goals("cake", rules, stock=["flour", "egg", "milk"], depth=2)
    >>> problem.check([0, 1, 2]).figures
    {'cost': 6.0, 'open': 0}
    """

    name = "goals"
    objective = Objective("cost", sign=-1, digits=3)
    forms = ("lines: target NAME, depth N, stock NAME …, rule COST NAME = NAME …",)

    def __init__(self, target: str, rules: Any, stock: Any, depth: int, **options: Any) -> None:
        super().__init__(**options)
        self.target, self.rules, self.in_stock = checked(target, rules, stock)
        self.depth = whole("depth", depth, most=DEEPEST)
        self.room = self.depth * max(len(parts) - 1 for _, parts, _ in self.rules) + 1
        names = sorted({self.target, *(name for made, parts, _ in self.rules for name in (made, *parts))})
        number = {name: k for k, name in enumerate(names)}
        self.first = number[self.target]
        self.stocked = np.array([name in self.in_stock for name in names])
        self.costs = np.array([cost for _, _, cost in self.rules], np.float64)
        self.parts = [[number[name] for name in reversed(parts)] for _, parts, _ in self.rules]
        self.ways = [[k for k, (made, _, _) in enumerate(self.rules) if made == name] for name in names]
        self.penalty = 100 * max(float(self.costs.max()), 1.0)
        self.left_open = self._left_open()

    def _left_open(self) -> np.ndarray:
        """Return how many goals more a rule leaves open than the best one of its goal must, float64[depth, rules]."""
        below = np.where(self.stocked, 0.0, 1.0)
        left = np.zeros((self.depth, len(self.parts)))
        for depth in reversed(range(self.depth)):
            left[depth] = [sum(below[part] for part in parts) for parts in self.parts]
            here = [min(left[depth, ways], default=1.0) for ways in self.ways]
            for ways, least in zip(self.ways, here, strict=True):
                left[depth, ways] -= least
            below = np.where(self.stocked, 0.0, here)
        return left

    def hints(self) -> Hints:
        return Hints(tempered=False)

    def initial_state(self) -> Any:
        """Return the open goals, the first last, each with its depth; their count, the cost, and how many failed."""
        goals = np.zeros((self.room, 2), np.int64)
        goals[0, 0] = self.first
        return goals, 1, 0.0, 0

    def legal_moves(self, state: Any) -> list[int]:
        goals, count = state[0], state[1]
        return [rule for rule in self.ways[goals[count - 1, 0]]] if count > 0 else []  # noqa: C416

    def play(self, state: Any, move: int) -> Any:
        goals, count, cost, failed = state
        after, below = goals.copy(), goals[count - 1, 1] + 1
        count -= 1
        for part in self.parts[move]:
            if not self.stocked[part]:
                after[count, 0], after[count, 1] = part, below
                count += 1
        while count > 0 and (after[count - 1, 1] == self.depth or len(self.ways[after[count - 1, 0]]) == 0):
            count -= 1
            failed += 1
        after[count:] = 0
        return after, count, cost + self.costs[move], failed

    def score(self, state: Any) -> float:
        return -(state[2] + self.penalty * state[3])  # type: ignore[no-any-return]

    def code(self, state: Any, move: int) -> Any:
        return move, state[0][state[1] - 1, 1]

    def bias(self, state: Any, move: int) -> float:
        depth = state[0][state[1] - 1, 1]
        return -self.costs[move] - AVOIDED * self.left_open[depth, move]  # type: ignore[no-any-return]

    def check(self, solution: Any) -> Verdict:
        most = len(self.rules) - 1
        fits = f"the number of a rule, 0 to {most}"
        fault = fault_in_list(
            solution, "a route is a list of rules", "step", fits, lambda rule: is_whole(rule, 0, most)
        )
        if fault:
            return Verdict({}, [fault])
        tree, fault = self._tree(solution)
        if fault:
            return Verdict({}, [fault])
        left = [name for _, name, how in tree if how == "open"]
        cost = float(sum(self.rules[rule][2] for rule in solution)) + self.penalty * len(left)
        faults = [f"{name} stays open" for name in left]
        return Verdict({"cost": cost, "open": len(left)}, faults, score=-cost, faults_counted=True)

    def _tree(self, solution: list[int]) -> tuple[list[tuple[int, str, str]], str | None]:
        """Return depth and name of each goal of a route with how it is made, and what is wrong with the route."""
        made_by, tree, left, rules = {made for made, _, _ in self.rules}, [], [(0, self.target)], [*solution]
        while left:
            depth, name = left.pop()
            if name in self.in_stock:
                tree.append((depth, name, "stock"))
            elif name not in made_by or depth == self.depth:
                tree.append((depth, name, "open"))
            elif not rules:
                return tree, f"there is no rule for {name}, which has some"
            else:
                made, parts, cost = self.rules[rules.pop(0)]
                if made != name:
                    return tree, f"step {len(solution) - len(rules)}: the rule makes {made}; expected one for {name}"
                tree.append((depth, name, f"{cost:g}"))
                left += [(depth + 1, part) for part in reversed(parts)]
        return tree, f"{len(rules)} rules are too many" if rules else None

    def draw(self, solution: Any) -> str:
        """Return the route as a tree: what is made, with the cost of its rule, and its parts under it."""
        return "\n".join(f"{'  ' * depth}{name} ({how})" for depth, name, how in self._tree(solution)[0])

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        """Return the goals and rules of a text."""
        found: dict[str, list[list[Located]]] = {"target": [], "depth": [], "stock": [], "rule": []}
        for line in located_lines(whole_text(source), source.label):
            word, *words = line.words()
            (found[word] if word in found else word.expected("target, depth, stock or rule")).append(words)
            if not words or (word in {"target", "depth"} and (len(words) > 1 or len(found[word]) > 1)):
                line.expected(f"{word}, once, and one word" if word in {"target", "depth"} else f"words after {word}")
        for word in ("target", "depth", "rule"):
            if not found[word]:
                raise InputError(f"{source.label}: has no line {word!r}")
        depth = found["depth"][0][0].whole(1, DEEPEST, f"a depth of 1 to {DEEPEST}")
        stock = [str(name) for words in found["stock"] for name in words]
        target, rules = found["target"][0][0], [_rule(words) for words in found["rule"]]
        with faults_of(target.where):
            return cls(str(target), rules, stock, depth, **options)

    @classmethod
    def drawn(cls, goals: int, ways: int, depth: int, seed: SeedLike = 1) -> Self:
        """Return a random rule book: a tenth of the goals is in stock, a sixth is made by no rule, others in some ways.

        A rule has one to three parts, each from the upper half of those below; its cost is -log of its probability.
        """
        random = np.random.default_rng(checked_seed(seed))
        goals, ways = whole("goals", goals, least=20), whole("ways", ways)
        rules = []
        for goal in range(goals // 10, goals):
            chances = random.dirichlet(np.ones(ways))
            for chance in chances if goal == goals - 1 or random.random() > 1 / 6 else []:
                parts = random.integers(goal // 2, goal, random.integers(1, 4))
                rules.append((f"g{goal}", [f"g{part}" for part in parts], round(float(-np.log(chance)), 3)))
        return cls(f"g{goals - 1}", rules, [f"g{goal}" for goal in range(goals // 10)], depth)


def _rule(words: list[Located]) -> tuple[str, list[str], float]:
    if len(words) < 4 or words[2] != "=":
        words[-1].expected("a rule: its cost, what it makes, = and its parts")
    cost = words[0].number()
    if not 0.0 <= cost <= MOST_COST:
        words[0].expected(f"a cost from 0 to {MOST_COST:g}")
    return str(words[1]), [str(word) for word in words[3:]], cost


def checked(target: Any, rules: Any, stock: Any) -> tuple[str, list[tuple[str, list[str], float]], list[str]]:
    """Return target, rules and stock; InputError if they are none."""
    try:
        own = [(made, [*parts], cost) for made, parts, cost in rules]
        in_stock = [*stock]
    except (TypeError, ValueError):
        what = "rules are a list of what is made, a list of parts, and a cost; stock is a list of names"
        raise InputError(what) from None
    for name in [target, *in_stock, *(name for made, parts, _ in own for name in (made, *parts))]:
        if not isinstance(name, str) or not name:
            raise InputError(f"a goal is a text, not {shown(name)}")
    if target in in_stock or target not in {made for made, _, _ in own}:
        what = "is in stock already" if target in in_stock else "is made by no rule"
        raise InputError(f"the target {shown(target)} {what}")
    if not all(parts for _, parts, _ in own):
        raise InputError("a rule has at least one part")
    costs = [not_negative("the cost of a rule", cost, most=MOST_COST) for _, _, cost in own]
    return target, [(made, parts, cost) for (made, parts, _), cost in zip(own, costs, strict=True)], in_stock
