"""A solver of your own: iterated greedy, until your rule stands in its place.

A solver plays whole games, one at each call of ``playout``. Limits of time and playouts, Ctrl-C, seeds, the curve,
checkpoints and workers are not its concern. It works for all problems: moves are whole numbers.
"""

import math

import nrpa


class IteratedGreedy(nrpa.PythonSolver):
    """Iterated greedy: the current game is played again, but for a few moves; what is not worse takes its place."""

    # Options are keywords of the class and options of the command line; ``tried`` is what ``nrpa tune`` tries.
    part = nrpa.Option(0.05, "The part of the moves that are drawn anew.", most=1.0, tried=nrpa.Range(0.005, 0.5))
    # Whether moves are drawn by the problem's bias, if it has one; without this line, all moves are alike.
    uses_bias = True

    def playout(self, search):
        """Play one game to its end. The game is at its beginning."""
        game, random, memory = search.game, search.random, search.memory
        # What an earlier playout kept; at first the best game, which is empty unless the search has a warm start.
        order = memory.get("moves", search.moves.tolist())[:]
        while moves := game.legal_moves():
            wanted = next((move for move in order if move in moves), None)
            if wanted is None or random.random() < self.part:
                wanted = game.draw(random)
            game.play(wanted)
            if wanted in order:
                order.remove(wanted)
        # The memory is changed after the last move: a playout that is given up before it begins again.
        if game.score() >= memory.get("score", -math.inf):
            memory.update(moves=game.moves, score=game.score())
