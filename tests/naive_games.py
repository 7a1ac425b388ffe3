"""Games played by kernels and by rules in plain Python at once."""

import random

import pytest
from naive_rules import rules_of

from nrpa.engine.game import Game


def compare(problem, games, meaning, seed=0, value=None):
    """Play random games both ways; each step, moves, codes, player and hash agree, and in the end the rewards.

    ``meaning(rules, move)`` says what the code of a move means: equal codes, equal meaning. With ``value(rules)``, the
    values of states agree, too. Returns the lengths.
    """
    chance = random.Random(seed)
    game, lengths = Game(problem.model), []
    meanings, codes, hashes = {}, {}, {}
    for _ in range(games):
        game.reset()
        rules = rules_of(problem)
        steps = 0
        while True:
            listed = game.legal_moves()
            assert listed == rules.legal()
            if not listed:
                break
            assert game.player() == rules.player
            assert value is None or game.values() == pytest.approx(value(rules))
            assert hashes.setdefault(game.hash(), text := seen(rules)) == text
            for move, code in zip(listed, game.codes, strict=True):
                meant = meaning(rules, move)
                assert meanings.setdefault(code, meant) == meant
                assert codes.setdefault(meant, code) == code
                assert problem.codes is None or 0 <= code < problem.codes
            move = chance.choice(listed)
            game.play(move)
            rules.play(move)
            steps += 1
        assert game.rewards() == list(rules.rewards())
        lengths.append(steps)
    return lengths


def seen(rules):
    """Return all that can be seen of a position; where a unit without health was is not."""
    living = {place: unit for unit, place in enumerate(getattr(rules, "place", ())) if rules.points[unit]}
    return repr([sorted(living.items()), *(getattr(rules, name, None) for name in ("cells", "points", "player"))])
