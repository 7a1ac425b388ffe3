"""Traffic engineering: demands are routed through a network so that no link is loaded more than need be."""

# mypy: ignore-errors

from collections import Counter
from itertools import pairwise
from typing import Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.options import Option
from nrpa.base.values import listed
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.objective import Objective, Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.common import fault_in_list, faultless, whole_text
from nrpa.problems.lines import located_lines
from nrpa.problems.traffic.shortest_paths import shortest_paths
from nrpa.problems.traffic.sndlib import FORM, checked_edges, is_path, read_network

BETA, MOST_WORK, WORK_IMPROVED = 4.0, 20_000_000, 1_000_000


@compiled
class Traffic(Problem):
    """Route the demands one after the other, the largest first, each whole over one of its shortest simple paths.

    The objective is the load of the most loaded link, as a part of its capacity. A solution is the list of the paths,
    each the list of its nodes, in the order of the demands. A move is (demand, path), both numbered from 0 in the order
    of routing and of length; it is its own code. β falls with the load of the most loaded link of the path.

    Parameters
    ----------
    links : list of (str, str, float)
        Two nodes and a capacity.
    demands : list of (str, str, float)
        From which node to which, and how much.

    References
    ----------
    C. Dang, C. Bazgan, T. Cazenave, M. Chopin and P.-H. Wuillemin, *Monte Carlo Search Algorithms for Network Traffic
    Engineering*, ECML PKDD 2021.
    """

    name = "traffic"
    objective = Objective("load", sign=-1, digits=6)
    forms = (FORM,)
    paths = Option(8, "From how many shortest paths, by the number of links, that of a demand is chosen.", most=100)
    capacity = Option(
        "each", "Whether a capacity is that of each direction of a link, or of both together.", ("each", "both")
    )

    def __init__(self, links, demands, **options):
        super().__init__(**options)
        links, demands, near = checked_edges(listed(links), "link"), checked_edges(listed(demands), "demand"), {}
        self.demands, self.arcs = demands, {}
        if len(links) * len(demands) * self.paths > MOST_WORK:
            raise InputError(f"expected demands times links times paths of at most {MOST_WORK:,}; found more")
        for k, (one, other, _) in enumerate(links):
            if one == other or (one, other) in self.arcs:
                raise InputError(f"link {k + 1}: expected two nodes that no link before it joins")
            self.arcs[one, other], self.arcs[other, one] = k, k + len(links) * (self.capacity == "each")
            near.setdefault(one, []).append(other)
            near.setdefault(other, []).append(one)
        self.capacities = np.array([float(link[2]) for link in links] * (1 + (self.capacity == "each")))
        self.order = sorted(range(len(demands)), key=lambda k: -demands[k][2])
        self.amounts = np.array([float(demands[k][2]) for k in self.order])
        self.ways = [shortest_paths(near, *demands[k][:2], self.paths) for k in self.order]
        for k, ways in zip(self.order, self.ways, strict=True):
            if not ways or len(ways[0]) == 1:
                raise InputError(f"demand {k + 1}: expected two nodes that a path joins")
        self.counts = np.array([len(ways) for ways in self.ways])
        self.hops = np.zeros((len(demands), max(self.counts)), np.int64)
        self.over = np.zeros((*self.hops.shape, max(len(way) for ways in self.ways for way in ways)), np.int64)
        for k, ways in enumerate(self.ways):
            for p, way in enumerate(ways):
                self.hops[k, p] = len(way) - 1
                self.over[k, p, : len(way) - 1] = [self.arcs[pair] for pair in pairwise(way)]
        self.mean = float(self.amounts @ self.hops[:, 0] / self.capacities.sum())

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        links, demands = read_network(whole_text(source), source.label)
        return cls(links, demands, **options)

    def bound(self):
        """Return the mean load, or that of the links around a node with what begins or ends there, if it is greater."""
        loads = [self.mean]
        for end in (0, 1):
            amounts, rooms = Counter(), Counter()
            for demand in self.demands:
                amounts[demand[end]] += demand[2]
            for step, arc in self.arcs.items():
                rooms[step[end]] += self.capacities[arc]
            loads += [amount / rooms[node] for node, amount in amounts.items()]
        return float(max(loads)) * (1 - 1e-9)

    def initial_state(self):
        return np.zeros(len(self.capacities)), 0

    def legal_moves(self, state):
        demand = state[1]
        return [(demand, path) for path in range(self.counts[demand])] if demand < len(self.counts) else []

    def is_legal(self, state, move):
        return move[0] == state[1]

    def play(self, state, move):
        loads = state[0].copy()
        self.carry(loads, *move, 1)
        return loads, state[1] + 1

    def carry(self, loads, demand, path, sign):
        for link in self.way(demand, path):
            loads[link] += sign * self.amounts[demand]

    def way(self, demand, path):
        return self.over[demand, path, : self.hops[demand, path]]

    def most_loaded(self, loads, demand, path):
        """Return the load of the most loaded link of a path, with the demand on it."""
        way = self.way(demand, path)
        return np.max((loads[way] + self.amounts[demand]) / self.capacities[way])

    def score(self, state):
        return -np.max(state[0] / self.capacities)

    def bias(self, state, move):
        return -BETA * self.most_loaded(state[0], *move) / self.mean

    def improve(self, moves):
        """Take demands off the most loaded link, each time the one, and over the path, that loads links least."""
        chosen, loads = [path for _, path in moves], np.zeros(len(self.capacities))
        for demand, path in moves:
            self.carry(loads, demand, path, 1)
        for _ in range(WORK_IMPROVED // self.over.size + 1):
            worst = np.argmax(loads / self.capacities)
            least, taken, over = loads[worst] / self.capacities[worst], -1, 0
            for demand, path in enumerate(chosen):
                if worst in self.way(demand, path):
                    self.carry(loads, demand, path, -1)
                    for other in range(self.counts[demand]):
                        load = self.most_loaded(loads, demand, other)
                        if load < least:
                            least, taken, over = load, demand, other
                    self.carry(loads, demand, path, 1)
            if taken < 0:
                break
            self.carry(loads, taken, chosen[taken], -1)
            self.carry(loads, taken, over, 1)
            chosen[taken] = over
        return [(demand, path) for demand, path in enumerate(chosen)]

    def solution_of(self, moves):
        paths = {self.order[demand]: [*self.ways[demand][path]] for demand, path in moves}
        return [paths[k] for k in range(len(paths))]

    def own_moves(self, solution):
        faultless(self, solution)
        for k, demand in enumerate(self.order):
            if tuple(solution[demand]) not in self.ways[k]:
                what = f"is none of the {len(self.ways[k])} shortest that the search may choose"
                raise InputError(f"traffic: path {demand + 1} {what}; more come with a larger option paths")
        return [(k, self.ways[k].index(tuple(solution[demand]))) for k, demand in enumerate(self.order)]

    def check(self, solution):
        fault = fault_in_list(solution, "a solution is a list of paths", "path", "a list of nodes", is_path)
        if fault or len(solution) != len(self.demands):
            return Verdict({}, [fault or f"expected {len(self.demands)} paths, found {len(solution)}"])
        loads = [0.0] * len(self.capacities)
        for number, (path, (one, other, amount)) in enumerate(zip(solution, self.demands, strict=True), 1):
            steps = [*pairwise(path)]
            if path[:1] != [one] or path[-1:] != [other] or not {*steps} <= {*self.arcs}:
                return Verdict({}, [f"path {number}: expected links that lead from {one} to {other}"])
            if len({*path}) < len(path):
                return Verdict({}, [f"path {number}: comes to a node twice; expected a path without rings"])
            for step in steps:
                loads[self.arcs[step]] += amount
        load = max(load / room for load, room in zip(loads, self.capacities.tolist(), strict=True))
        return Verdict({"load": load}, score=-load)

    @classmethod
    def parse_solution(cls, text: str) -> list[list[str]]:
        """Return the paths that a text holds: the nodes of one on each line."""
        return [list(map(str, line.words())) for line in located_lines(text)]

    def draw(self, solution):
        """Return the ten most loaded links, each with a bar."""
        names, loads = {arc: pair for pair, arc in reversed(self.arcs.items())}, np.zeros(len(self.capacities))
        for path, (_, _, amount) in zip(solution, self.demands, strict=True):
            loads[[self.arcs[step] for step in pairwise(path)]] += amount
        worst = np.argsort(-loads / self.capacities, kind="stable")[:10].tolist()
        rows = [(" ".join(names[arc]), loads[arc] / self.capacities[arc]) for arc in worst]
        return "\n".join(f"{name:32.32} {load:8.4f} {'#' * round(40 * load / rows[0][1])}" for name, load in rows)
