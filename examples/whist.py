"""Little whist, a game of cards that the other does not see, and two ways to search it."""

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


if __name__ == "__main__":
    players = nrpa.UCT(worlds="walks"), nrpa.UCT(trees=20)
    print(nrpa.match(Whist(), *players, playouts=400, games=200, workers=None).table())
