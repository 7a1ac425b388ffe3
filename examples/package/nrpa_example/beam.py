"""A solver in plain Python."""

import nrpa


class Beam(nrpa.PythonSolver):
    """Beam search: random games rank the next moves of the beginnings that are kept."""

    name = "beam"
    width = nrpa.Option(8, "The beginnings that are kept at each step.", least=1, tried=(2, 4, 8, 16, 32))
    uses_bias = True

    def playout(self, search):
        game, memory = search.game, search.memory
        kept, tried = memory.get("kept", [[]]), memory.get("tried", [])
        # Each playout tries one more child: a beginning and its next move.
        beginning, place = memory.get("child", (0, 0))
        for move in kept[beginning]:
            game.play(move)
        moves = game.legal_moves()
        if moves:
            game.play(moves[place])
        child = list(game.moves)
        game.play_out(search.random)
        tried = [*tried, (game.score(), child)]
        beginning, place = (beginning, place + 1) if place + 1 < len(moves) else (beginning + 1, 0)
        if beginning == len(kept):  # a step of all is done
            best = sorted(tried, key=lambda pair: -pair[0])[: self.width]
            beginning, tried, kept = 0, [], [child for _, child in best] if moves else [[]]
        memory.update(kept=kept, tried=tried, child=(beginning, place))
