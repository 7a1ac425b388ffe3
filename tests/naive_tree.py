"""Tree search in plain Python, written from the papers: dictionaries, no cleverness; the oracle of the compiled search.

It shares the random numbers with the engine, and nothing else. A problem has ``players``, ``initial()``,
``legal(state)``, ``play(state, move)``, ``player(state)``, ``code(state, move)``, ``rewards(state)``,
``value(state)``, ``prior(state, move)`` and ``key(state)``, which is None where nodes are told by the moves that lead
to them.
"""

import math

from sums import in_order

from nrpa.engine.random import random_state, uniform


class Edge:
    def __init__(self, move, code, prior):
        self.move, self.code, self.prior = move, code, prior
        self.n, self.sum, self.squares, self.best = 0, 0.0, 0.0, -math.inf
        self.child = None
        self.closed = False

    @property
    def mean(self):
        return self.sum / self.n


class Node:
    def __init__(self, key, mover):
        self.key, self.mover = key, mover
        self.visits, self.sum = 0, 0.0
        self.edges = None
        self.solved = None
        self.value = None
        self.amaf = {}


class NaiveTree:
    """One search; ``options`` are those of the solver, with ``kind``, the selection's name."""

    def __init__(self, problem, kind, seed, **options):
        self.problem = problem
        self.kind = kind
        self.o = {"c": 0.0, "d": 0.0, "ref": 0, "amaf_bias": 0.0, "mix": 0.0, "normalise": True, "halving": None}
        self.o.update({"cut": -1, "result_share": 1.0, "minimax": 0.0})
        self.o.update({"largest": 1.0 if problem.players > 1 else math.inf, "policy": "uniform", "most": math.inf})
        self.o.update(options)
        self.random = random_state(seed)
        self.nodes = {}
        self.playouts = []
        self.scores = []
        self.low, self.high = math.inf, -math.inf
        self.mast = {}
        self.g = {}
        self.trace = ([], -math.inf)
        self.halving = None
        self.root_key = self.key(problem.initial(), ())

    def key(self, state, path):
        key = self.problem.key(state)
        return path if key is None else key

    @property
    def proven(self):
        root = self.nodes.get(self.root_key)
        return root is not None and root.solved is not None

    def run(self, playouts):
        while len(self.scores) < playouts and not self.proven:
            self.walk()
        return self

    # Numbers -----------------------------------------------------------------------------------------------------

    def draw(self):
        return float(uniform(self.random))

    def pick(self, candidates):
        """Return one of several at random; no number is drawn for one alone."""
        if len(candidates) == 1:
            return candidates[0]
        return candidates[min(int(self.draw() * len(candidates)), len(candidates) - 1)]

    def drawn(self, weights):
        threshold = self.draw() * in_order(weights)
        running = 0.0
        for index, weight in enumerate(weights[:-1]):
            running += weight
            if running > threshold:
                return index
        return len(weights) - 1

    def scaled(self, score):
        if not self.o["normalise"]:
            return score
        return (score - self.low) / (self.high - self.low) if self.high > self.low else 0.0

    def worth(self, node, edge):
        mix, minimax = self.o["mix"], self.o["minimax"]
        mean = (1 - mix) * edge.mean + mix * edge.best if mix else edge.mean
        return (
            (1 - minimax) * mean + minimax * (edge.child.solved or edge.child.value)[node.mover]
            if minimax and edge.child
            else mean
        )

    # The walk ----------------------------------------------------------------------------------------------------

    def walk(self):  # noqa: PLR0915
        problem = self.problem
        state, steps, path, node = problem.initial(), [], [], self.nodes.get(self.root_key)
        reference = node
        leaf_key = self.root_key
        while node is not None:
            if node.solved is not None:
                self.close(path)
                return
            if node.edges is None:
                moves = problem.legal(state)
                priors = [problem.prior(state, move) for move in moves]
                node.edges = [
                    Edge(move, problem.code(state, move), prior / in_order(priors))
                    for move, prior in zip(moves, priors, strict=True)
                ]
            if node.visits > self.o["ref"]:
                reference = node
            if self.o["halving"] and not path:
                edge = self.next_arm(node)
            else:
                edge = self.select(node, reference, [e.code for _, e in path])
            path.append((node, edge))
            steps.append((edge.move, edge.code, node.mover))
            state = problem.play(state, edge.move)
            leaf_key = self.key(state, tuple(move for move, _, _ in steps))
            node = edge.child = self.nodes.get(leaf_key)
        before, cut, share, at_leaf = len(steps), self.o["cut"], self.o["result_share"], state
        trace, mover = [], problem.player(state) if problem.legal(state) else 0
        while (moves := problem.legal(state)) and len(steps) - before != cut:
            codes = [problem.code(state, move) for move in moves]
            m = self.choose(state, moves, codes)
            who = problem.player(state)
            trace.append((codes, m, who))
            steps.append((moves[m], codes[m], who))
            state = problem.play(state, moves[m])
        results = [float(reward) for reward in (problem.value(state) if moves else problem.rewards(state))]
        values = problem.value(at_leaf) if problem.legal(at_leaf) else results
        rewards = results
        if problem.legal(at_leaf):
            rewards = [(1 - share) * v + share * z for v, z in zip(values, results, strict=True)]
        if len(self.nodes) < self.o["most"]:
            leaf = self.nodes[leaf_key] = Node(leaf_key, mover)
            leaf.value = values
            if not problem.legal(at_leaf):
                leaf.solved = rewards
            if path:
                path[-1][1].child = leaf
        else:
            leaf = None
        self.low, self.high = min(self.low, *rewards), max(self.high, *rewards)
        self.learn(steps, [node for node, _ in path] + ([leaf] if leaf else []), rewards)
        self.back_up(path, leaf, rewards)
        self.scores.append(results[0])
        if self.o["policy"] == "adapt":
            self.adapt(trace, rewards)
        if self.o["halving"] and path and path[0][0].solved is None:
            self.pulled(path[0][0])

    def learn(self, steps, nodes, rewards):
        for depth, node in enumerate(nodes):
            seen = set()
            for _, code, who in reversed(steps[depth:]):
                if code not in seen:
                    seen.add(code)
                    n, total = node.amaf.get(code, (0, 0.0))
                    node.amaf[code] = (n + 1, total + rewards[who])
        self.playouts.append((frozenset(code for _, code, _ in steps), rewards))
        if self.o["policy"] == "mast":
            seen = set()
            for _, code, who in reversed(steps):
                if code not in seen:
                    seen.add(code)
                    n, total = self.mast.get(code, (0, 0.0))
                    self.mast[code] = (n + 1, total + rewards[who])
                    self.g[code] = math.exp(self.scaled((total + rewards[who]) / (n + 1)) / self.o["playout_tau"])

    def back_up(self, path, leaf, rewards):
        backed = list(rewards)
        if leaf:
            leaf.visits += 1
            leaf.sum += backed[leaf.mover]
        for node, edge in reversed(path):
            gained = backed[node.mover]
            edge.n += 1
            edge.sum += gained
            edge.squares += gained * gained
            edge.best = max(edge.best, gained)
            self.close_edge(node, edge)
            if self.problem.players > 1:
                solved = [e.child.solved for e in node.edges if e.closed]
                if node.solved is not None:
                    backed = list(node.solved)
                elif solved:
                    best = max(solved, key=lambda values: values[node.mover])
                    if best[node.mover] > backed[node.mover]:
                        backed = list(best)
            values = [e.child.solved or e.child.value for e in node.edges if e.child]
            node.value = max(values, key=lambda value: value[node.mover])
            node.visits += 1
            node.sum += backed[node.mover]

    def close(self, path):
        for node, edge in reversed(path):
            self.close_edge(node, edge)

    def close_edge(self, node, edge):
        if edge.child is None or edge.child.solved is None or node.solved is not None:
            return
        edge.closed = True
        solved = [e.child.solved for e in node.edges if e.closed]
        best = max(solved, key=lambda values: values[node.mover])
        if len(solved) == len(node.edges) or best[node.mover] >= self.o["largest"]:
            node.solved = list(best)

    # Selections --------------------------------------------------------------------------------------------------

    def select(self, node, reference, path):
        values = [self.value(node, edge, reference, path) for edge in node.edges]
        top = max(values)
        chosen = self.pick([edge for edge, value in zip(node.edges, values, strict=True) if value == top])
        if top == math.inf or ("epsilon" not in self.kind and "boltzmann" not in self.kind):
            return chosen
        if "boltzmann" in self.kind:
            tau = self.o["tau"]
            if self.kind == "decaying-boltzmann":
                tau /= max(1.0, math.log(node.visits))
            return node.edges[self.drawn([math.exp((value - top) / tau) for value in values])]
        epsilon = self.o["epsilon"]
        if self.kind == "decaying-epsilon":
            epsilon = min(1.0, epsilon * len(node.edges) / node.visits)
        if self.draw() >= epsilon:
            return chosen
        others = [edge for edge in node.edges if edge is not chosen and not edge.closed]
        if not others:
            return chosen
        return others[min(int(self.draw() * len(others)), len(others) - 1)]

    def value(self, node, edge, reference, path):  # noqa: PLR0911
        if edge.closed:
            return -math.inf
        n, log_n, o = edge.n, math.log(node.visits), self.o
        if self.kind in ("grave", "mcps"):
            return self.combined(node, edge, reference, path)
        if self.kind == "puct":
            q = self.worth(node, edge) if n else node.sum / node.visits
            return self.scaled(q) + o["c"] * edge.prior * math.sqrt(node.visits if o["grows"] else 1) / (1 + n)
        if n == 0:
            return o["urgency"] if o.get("urgency", 1e100) < 1e100 else math.inf
        q = self.scaled(self.worth(node, edge))
        if self.kind == "thompson":
            radius = math.sqrt(-2 * math.log(1 - self.draw()))
            return q + o["c"] * radius * math.cos(2 * math.pi * self.draw()) / math.sqrt(n + 1)
        if self.kind == "ucb1":
            return q + o["c"] * math.sqrt(log_n / n)
        scale = self.scaled(self.high) - self.scaled(self.low)
        low = self.low if o["normalise"] else 0.0
        factor = (scale / (self.high - self.low) if self.high > self.low else 0.0) if o["normalise"] else 1.0
        squares = (edge.squares - 2 * low * edge.sum + n * low * low) * factor * factor
        mean = (edge.mean - low) * factor
        if self.kind == "ucb1-tuned":
            variance = squares / n - mean * mean + math.sqrt(2 * log_n / n)
            return q + o["c"] * math.sqrt(log_n / n * max(0.0, min(0.25, variance)))
        if self.kind == "sp-mcts":
            spread = squares - n * mean * mean + o["d"]
            return q + o["c"] * math.sqrt(log_n / n) + math.sqrt(max(0.0, spread) / n)
        return q

    def combined(self, node, edge, reference, path):
        n, q = edge.n, self.worth(node, edge) if edge.n else 0.0
        n_amaf, sum_amaf = reference.amaf.get(edge.code, (0, 0.0))
        if self.kind == "grave":
            if n == 0 and n_amaf == 0:
                return math.inf
            if n_amaf == 0:
                return self.scaled(q)
            beta = n_amaf / (n_amaf + n + self.o["amaf_bias"] * n_amaf * n)
            return self.scaled((1 - beta) * q + beta * (sum_amaf / n_amaf))
        n_permuted, sum_permuted = self.permuted(node, edge.code, path)
        if n_amaf == 0:
            if n > 0:
                return self.scaled(q)
            return self.scaled(sum_permuted / n_permuted) if n_permuted else math.inf
        c1 = (n_amaf + n_permuted) / n_amaf
        # The three weighted means over their common denominator, so that equal worths are equal numbers.
        return self.scaled((c1 * n * q + sum_amaf + sum_permuted) / (c1 * n + n_amaf + n_permuted))

    def permuted(self, node, code, path):
        """Return n̂ and the sum of the rewards by the definition: all playouts that contain the code and the path's."""
        wanted = {*path, code}
        found = [rewards[node.mover] for codes, rewards in self.playouts if wanted <= codes]
        return len(found), in_order(found)

    # Sequential Halving ------------------------------------------------------------------------------------------

    def next_arm(self, root):
        if self.halving is None:
            self.begin_pass(root)
        while True:
            self.end_round(root)
            edge = self.halving["arms"][self.halving["place"]]
            if not edge.closed:
                return edge
            self.halving["place"] += 1
            self.halving["pulled"] = 0

    def begin_pass(self, root):
        self.halving = {"arms": list(root.edges), "passes": (self.halving or {}).get("passes", 0)}
        self.begin_round(root)

    def begin_round(self, root):
        k = len(root.edges)
        rounds = max(1, math.ceil(math.log2(k))) if k > 1 else 1
        budget = k * rounds if self.o["halving"] == "anytime" else self.o["budget"]
        share = max(1, budget // (len(self.halving["arms"]) * rounds))
        self.halving.update(place=0, pulled=0, pulls=share)

    def pulled(self, root):
        self.halving["pulled"] += 1
        if self.halving["pulled"] == self.halving["pulls"]:
            self.halving["place"] += 1
            self.halving["pulled"] = 0
            self.end_round(root)

    def end_round(self, root):
        h = self.halving
        if h["place"] < len(h["arms"]):
            return
        if len(h["arms"]) > 1:
            ranked = sorted(h["arms"], key=lambda edge: -self.arm_worth(root, edge))
            h["arms"] = ranked[: (len(ranked) + 1) // 2]
        if len(h["arms"]) > 1:
            self.begin_round(root)
            return
        h["survivor"] = h["arms"][0].move
        h["passes"] += 1
        survivor = h["survivor"]
        self.begin_pass(root)
        self.halving["survivor"] = survivor

    def arm_worth(self, root, edge):
        if edge.closed:
            return self.scaled(edge.child.solved[root.mover])
        if edge.n == 0:
            return -math.inf
        worth = self.scaled(edge.mean)
        n_amaf, sum_amaf = root.amaf.get(edge.code, (0, 0.0))
        if self.o["halving"] == "shuss" and n_amaf:
            worth += self.o["c_amaf"] * self.scaled(sum_amaf / n_amaf) / edge.n
        return worth

    # Playouts ----------------------------------------------------------------------------------------------------

    def choose(self, state, moves, codes):
        policy, n = self.o["policy"], len(moves)
        priors = [self.problem.prior(state, move) for move in moves]
        if policy == "uniform" or (policy == "greedy" and self.draw() < self.o["playout_epsilon"]):
            return min(int(self.draw() * n), n - 1)
        if policy == "greedy":
            return self.pick([m for m in range(n) if priors[m] == max(priors)])
        if policy == "bias":
            return self.drawn(priors)
        first = math.exp(1 / self.o["playout_tau"]) if policy == "mast" else 1.0
        return self.drawn([self.g.get(code, first) for code in codes])

    def adapt(self, trace, rewards):
        winner = 0
        if self.problem.players > 1:
            best = max(rewards)
            if rewards.count(best) > 1:
                return
            winner = rewards.index(best)
        else:
            if rewards[0] >= self.trace[1]:
                self.trace = (trace, rewards[0])
            trace = self.trace[0]
        changes = []
        for codes, m, who in trace:
            if who != winner:
                continue
            total = in_order(self.g.get(code, 1.0) for code in codes)
            for k, code in enumerate(codes):
                delta = (k == m) - self.g.get(code, 1.0) / total
                changes.append((code, math.exp(self.o["alpha"] * delta)))
        for code, factor in changes:
            self.g[code] = self.g.get(code, 1.0) * factor
