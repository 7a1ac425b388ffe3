"""The kernels against naive rules."""

import random
from importlib import resources

import numpy as np
import pytest
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, compiled_score, moves_for
from naive_morpion import NaiveGame

from nrpa import Morpion
from nrpa.engine.game import Game

VARIANTS = ["5T", "5D", "4T", "4D"]
RECORDS = [
    "5T-178-rosin",
    "5T-170-bruneau",
    "5D-82-rosin",
    "4T-62-hyyro-poranen",
    "4T-56-demaine",
    "4D-35-hyyro-poranen",
    "4D-31-demaine",
]


class KernelGame:
    """A game on the kernels, its moves translated to coordinates."""

    def __init__(self, problem):
        self.problem = problem
        self.state = problem.new_state()
        self.moves = moves_for(problem)
        compiled_reset(problem.instance, self.state)

    def legal_moves(self):
        """Return the legal moves as {(x, y, direction, position): number}; no two may be the same."""
        count = compiled_legal_moves(self.problem.instance, self.state, self.moves)
        numbers = [int(number) for number in self.moves.move[:count]]
        played = len(self.problem.prefix)
        named = {tuple(self.problem.solution(np.array([number]))[played]): number for number in numbers}
        assert len(named) == count
        return named

    def play(self, number):
        compiled_play(self.problem.instance, self.state, number)

    @property
    def score(self):
        return compiled_score(self.problem.instance, self.state)


def record_moves(name):
    text = (resources.files("nrpa.instances") / name).read_text(encoding="utf-8")
    return [tuple(move) for move in Morpion.parse_solution(text)]


def within(problem, naive, moves):
    """Return the moves whose lines lie in the problem's area."""
    columns, rows = problem.area
    return {move for move in moves if all(x in columns and y in rows for x, y in naive.line(move))}


def play_random_game(problem, naive, generator, every=1, most=1000):
    """Play at random; every so many steps and at the end the kernels and the naive rules must agree.

    Return the number of moves, ``most`` at most.
    """
    game = KernelGame(problem)
    steps = 0
    while True:
        legal = game.legal_moves()
        if steps % every == 0 or not legal:
            assert set(legal) == within(problem, naive, naive.legal_moves())
        assert game.score == steps + len(problem.prefix)
        if not legal or steps == most:
            return steps
        move = generator.choice(sorted(legal))
        game.play(legal[move])
        naive.play(move)
        steps += 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games(variant):
    """In random games from the cross, each state has exactly the legal moves of the naive rules."""
    problem = Morpion(variant)
    generator = random.Random(1)
    lengths = [play_random_game(problem, NaiveGame(variant), generator) for _ in range(12)]
    assert len(set(lengths)) > 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_starts(variant):
    """Random games from random dots, on either size of board, agree with the naive rules."""
    generator = random.Random(2)
    for size, filled in [(7, 0.6), (12, 0.4), (14, 0.35)]:
        dots = {(x - 3, y + 5) for x in range(size) for y in range(size) if generator.random() < filled}
        problem = Morpion(variant, dots=dots)
        assert play_random_game(problem, NaiveGame(variant, dots), generator, most=50) > 0


def test_games_stay_in_the_area():
    """Where a game would go on for ever, the kernels stop exactly at the edge of the area."""
    problem = Morpion("4T", dots={(x, y) for x in range(8) for y in range(8)})
    naive = NaiveGame("4T", problem.dots)
    play_random_game(problem, naive, random.Random(5), every=40)
    columns, rows = problem.area
    assert naive.legal_moves()
    assert {min(columns), max(columns)} & {x for x, _ in naive.dots} or {min(rows), max(rows)} & {
        y for _, y in naive.dots
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_continuations(variant):
    """A start position with moves already played goes on as the naive rules say."""
    generator = random.Random(3)
    naive, prefix = NaiveGame(variant), []
    for _ in range(10):
        prefix.append(generator.choice(sorted(naive.legal_moves())))
        naive.play(prefix[-1])
    play_random_game(Morpion(variant, moves=prefix), naive, generator)


@pytest.mark.parametrize("name", RECORDS)
def test_records_replay(name):
    """Every published record replays on the kernels and on the naive rules, and no move is left at its end."""
    variant, length = name[:2], int(name.split("-")[1])
    moves, naive = record_moves(name), NaiveGame(variant)
    game = KernelGame(Morpion(variant))
    for move in moves:
        legal = game.legal_moves()
        assert set(legal) == naive.legal_moves()
        game.play(legal[move])
        naive.play(move)
    assert len(moves) == length == game.score
    assert game.legal_moves() == {}
    assert not naive.legal_moves()


def test_codes_name_line_and_dot():
    """Two moves have the same code exactly if they are the same move, and codes are within the policy."""
    problem = Morpion("5T")
    seen = {}
    generator = random.Random(4)
    for _ in range(10):
        game = KernelGame(problem)
        while legal := game.legal_moves():
            for k, number in enumerate(legal.values()):
                code = int(game.moves.code[k])
                assert 0 <= code < problem.codes
                assert seen.setdefault(code, number) == number
            game.play(generator.choice(list(legal.values())))
    assert len(set(seen.values())) == len(seen)


@pytest.mark.parametrize("variant", ["5T", "4D"])
def test_names_are_lines(variant):
    """A line has one name, whichever of its dots is new, and is found by it where it can be drawn."""
    problem, generator = Morpion(variant), random.Random(4)
    game = Game(problem.model)
    rules = NaiveGame(variant)
    lines, positions = {}, {}
    for _ in range(40):
        game.reset()
        while moves := game.legal_moves():
            legal = game.names()
            for k, (move, name) in enumerate(zip(moves, legal, strict=True)):
                coordinates = tuple(problem.solution(np.array([move]))[0])
                line = tuple(rules.line(coordinates))
                assert lines.setdefault(name, line) == line
                assert game.place_of(name) == k
                positions.setdefault(line, set()).add(coordinates[3])
            absent = generator.choice(list(lines))
            assert (game.place_of(absent) >= 0) == (absent in legal)
            game.play(generator.choice(moves))
    assert len(set(lines.values())) == len(lines)
    assert max(map(len, positions.values())) > 1


def test_moves_are_dropped_twice_without_harm():
    """Asking for the legal moves again changes nothing."""
    game = KernelGame(Morpion("5D"))
    game.play(next(iter(game.legal_moves().values())))
    assert game.legal_moves() == game.legal_moves()
