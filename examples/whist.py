"""Little whist, a game of cards that the other does not see, and information-set UCT (ISMCTS) for games like it."""

import math

import numpy as np

import nrpa

RANKS, CARDS, HAND = 7, 14, 5


class Whist(nrpa.Problem):
    """Two suits of seven cards, five cards each; a trick goes to the higher card of the suit led. Suits are followed.

    The first ten moves are the deal, a card to each player in turn; four cards stay hidden from both. Who makes most of
    the five tricks wins.
    """

    players = 2

    def initial_state(self):
        return (), (), None, 0, (0, 0)  # the hands, the card led, whose turn it is, tricks

    def player(self, state):
        return state[3]

    def legal_moves(self, state):
        *hands, led, turn, _ = state
        if self._is_dealing(state):
            return [card for card in range(CARDS) if card not in hands[0] + hands[1]]
        following = [card for card in hands[turn] if led is not None and card // RANKS == led // RANKS]
        return following or list(hands[turn])

    def _is_dealing(self, state):
        *hands, led, _, tricks = state
        return led is None and sum(tricks) == 0 and len(hands[0] + hands[1]) < 2 * HAND

    def play(self, state, move):
        *hands, led, turn, tricks = state
        if self._is_dealing(state):
            hands[turn] = tuple(sorted((*hands[turn], move)))
            return *hands, None, 1 - turn, tricks
        hands[turn] = tuple(card for card in hands[turn] if card != move)
        if led is None:
            return *hands, move, 1 - turn, tricks
        winner = turn if move // RANKS == led // RANKS and move > led else 1 - turn
        return *hands, None, winner, tuple(n + (who == winner) for who, n in enumerate(tricks))

    def rewards(self, state):
        return [float(tricks > HAND / 2) for tricks in state[4]]

    def deal(self, random):
        return random.permutation(CARDS)[: 2 * HAND].tolist()

    def determinize(self, moves, random):
        """Return another deal in which the player to move has the same hand, and all that was played could be."""
        if len(moves) < 2 * HAND:
            raise nrpa.InputError(f"the first {2 * HAND} moves are the deal; expected all of them")
        dealt, played = list(moves[: 2 * HAND]), list(moves[2 * HAND :])
        me = self.player(self.after(moves))
        mine, shown = dealt[me::2], {*dealt[1 - me :: 2]} & {*played}
        others = [card for card in range(CARDS) if card not in {*mine, *shown}]
        while True:
            dealt[1 - me :: 2] = [*shown, *random.permutation(others)[: HAND - len(shown)].tolist()]
            drawn = [*dealt, *played]
            if self.after(drawn) is not None:
                return drawn

    def after(self, moves):
        """Return the state after some moves, None where one is not legal."""
        state = self.initial_state()
        for move in moves:
            if move not in self.legal_moves(state):
                return None
            state = self.play(state, move)
        return state


def ismcts(problem, moves, walks, random, c=0.4):
    """Return the move that information-set UCT chooses for the player to move.

    There is one tree, of the moves since the position, and every walk goes down it in another drawing of what is
    hidden: a node is what a player knows, whatever the drawing. N in UCB1 is how often the move could have been made.

    P. Cowling, E. Powley and D. Whitehouse, *Information Set Monte Carlo Tree Search*, 2012: SO-ISMCTS.
    """
    tree = {}
    for _ in range(walks):
        state, path, node = problem.initial_state(), [], ()
        for move in problem.determinize(moves, random):
            state = problem.play(state, move)
        while legal := problem.legal_moves(state):
            move = legal[random.integers(len(legal))]
            if node is not None:
                edges = tree.setdefault(node, {})
                for each in legal:
                    edges.setdefault(each, [0, 0.0, 0])[2] += 1
                untried = [each for each in legal if not edges[each][0]]
                if untried:
                    move = untried[random.integers(len(untried))]
                else:
                    move = max(legal, key=lambda each: bound(*edges[each], c))
                path.append((edges[move], problem.player(state)))
                node = None if untried else (*node, move)
            state = problem.play(state, move)
        gained = problem.rewards(state)
        for edge, player in path:
            edge[0] += 1
            edge[1] += gained[player]
    return max(tree[()], key=lambda each: tree[()][each][0])


def bound(n, total, available, c):
    """Return UCB1 of a move that was tried ``n`` times when it could have been tried ``available`` times."""
    return total / n + c * math.sqrt(math.log(available) / n)


def pimc(problem, moves, walks, random, trees=20):
    """Return the move of best mean over trees of drawings (perfect-information Monte Carlo)."""
    names = [str(move) for move in moves]
    choice = nrpa.choose(problem, nrpa.UCT(trees=trees), moves=names, playouts=walks, seed=int(random.integers(2**32)))
    return int(choice.move)


def points(first, second, games, walks):
    """Return the share of games that the first of two players wins; each deal is played twice, with seats changed."""
    problem, won = Whist(), 0
    for game in range(games):
        random = np.random.default_rng([1, game])
        moves = problem.deal(np.random.default_rng([0, game // 2]))
        state = problem.after(moves)
        while problem.legal_moves(state):
            chooser = (first, second)[(problem.player(state) + game) % 2]
            moves.append(chooser(problem, moves, walks, random))
            state = problem.play(state, moves[-1])
        won += problem.rewards(state)[game % 2]
    return won / games


if __name__ == "__main__":
    print(f"ISMCTS against PIMC, 400 walks a move, 200 games: {100 * points(ismcts, pimc, 200, 400):.1f} %")
