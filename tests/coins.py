"""A user's file with a problem that reads no instances, and one that does."""

COINS = """
import nrpa

class Coins(nrpa.Problem):
    objective = nrpa.Objective("coins", sign=-1)
    def initial_state(self): return (7, 0)
    def legal_moves(self, state): return [coin for coin in (1, 3, 5) if coin <= state[0]]
    def play(self, state, move): return (state[0] - move, state[1] + 1)
    def score(self, state): return -state[1]
    def draw(self, solution): return f"coins of {solution}"
"""
PURSE = """
class Purse(Coins):
    @classmethod
    def from_source(cls, source): return cls()
"""
