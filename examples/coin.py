"""A coin that nobody sees: why trees of what may be hidden can be wrong together (strategy fusion)."""

import nrpa

SAFE = 0.7


class Coin(nrpa.Problem):
    """The first player takes a safe reward, or goes on and then guesses a coin that was tossed and hidden.

    In each position that may be, the tree knows the coin, and so how to guess it: going on is worth 1 in all of them.
    The player who has to guess knows nothing: it is worth 1/2, less than what is safe.
    """

    players = 2

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        if not state:
            return ["heads", "tails"]
        return {1: ["safe", "on"], 2: [] if state[-1] == "safe" else ["call-heads", "call-tails"], 3: []}[len(state)]

    def play(self, state, move):
        return (*state, move)

    def rewards(self, state):
        gained = SAFE if state[-1] == "safe" else float(state[-1] == "call-" + state[0])
        return gained, 1 - gained

    def deal(self, random):
        return [["heads", "tails"][random.integers(2)]]

    def determinize(self, moves, random):
        return [*self.deal(random), *moves[1:]]
