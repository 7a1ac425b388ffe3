"""The regret of the selections of a tree search at one node: ``python experiments/bandits.py`` writes its record.

A bandit has 20 arms that give 1 with probabilities drawn between 0.3 and 0.7. The regret is the mean reward that 1,000
draws lose beside 1,000 of the best arm.
"""

from pathlib import Path
from zlib import crc32

import numpy as np
from tables import append_row, read_rows, run

import nrpa

FILE = Path(__file__).parent / "results" / "bandits.csv"
COLUMNS = "selection", "figure", "seed", "regret"
ARMS, BETWEEN, MORE_MOVES, DRAWS, BANDITS = 20, (0.3, 0.7), 20, 1_000, 100
SELECTIONS = {
    "`ucb1`, C = 0.4": nrpa.UCT(c=0.4),
    "`ucb1-tuned`, C = 0.4": nrpa.UCT(selection="ucb1-tuned", c=0.4),
    "`thompson`, C = 0.4": nrpa.UCT(selection="thompson", c=0.4),
    "`thompson`, C = 0.2": nrpa.UCT(selection="thompson", c=0.2),
    "`epsilon-greedy`, ε = 0.1": nrpa.UCT(selection="epsilon-greedy", epsilon=0.1),
    "`decaying-epsilon`, ε = 0.1": nrpa.UCT(selection="decaying-epsilon", epsilon=0.1),
    "`boltzmann`, τ = 0.1": nrpa.UCT(selection="boltzmann", tau=0.1),
    "`decaying-boltzmann`, τ = 0.1": nrpa.UCT(selection="decaying-boltzmann", tau=0.1),
    "`decaying-boltzmann`, τ = 0.3": nrpa.UCT(selection="decaying-boltzmann", tau=0.3),
}


class Bandit(nrpa.Problem):
    """A game whose first move is the arm; those behind it tell one draw of the arm from another."""

    objective = nrpa.Objective("reward", sign=1)

    def __init__(self, seed):
        self.seed, self.draws = seed, np.zeros(ARMS)
        self.chances = np.random.default_rng(seed).uniform(*BETWEEN, ARMS)

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return range(2 if state else ARMS) if len(state) <= MORE_MOVES else []

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        self.draws[state[0]] += 1
        return float(crc32(repr((self.seed, state)).encode()) < self.chances[state[0]] * 2**32)


def regret(solver, seed):
    """Return what a search loses beside the best arm."""
    bandit = Bandit(seed)
    nrpa.solve(bandit, solver, seed=seed, playouts=DRAWS)
    return DRAWS * (bandit.chances.max() - np.average(bandit.chances, weights=bandit.draws))


def main():
    """Run what is missing in the record."""
    done = {(row["selection"], row["seed"]) for row in read_rows(FILE, COLUMNS)}
    for seed in range(1, BANDITS + 1):
        for name, solver in SELECTIONS.items():
            if (name, str(seed)) not in done:
                found = f"{regret(solver, seed):.2f}"
                append_row(FILE, dict(zip(COLUMNS, (name, "regret", seed, found), strict=True)))


if __name__ == "__main__":
    run(main)
