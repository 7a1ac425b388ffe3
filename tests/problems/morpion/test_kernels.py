"""The kernels against naive rules."""

import random
from importlib import resources

import numpy as np
import pytest
from compiled_kernels import (
    compiled_copy,
    compiled_legal_moves,
    compiled_play,
    compiled_reset,
    compiled_score,
    moves_for,
)
from naive_morpion import NaiveGame

from nrpa import Morpion
from nrpa.engine.game import Game
from nrpa.engine.kernels import NEVER, NOT_NOW
from nrpa.problems.morpion.board import board_for
from nrpa.problems.morpion.kernels import CELL_BITS
from nrpa.problems.morpion.rules import Move

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


class NamedGame(Game):
    """A game as it is replayed, with the names of lines near its start."""

    def __init__(self, problem, dots):
        super().__init__(problem.hints().replayed.model)
        board, length = board_for(dots), int(problem.variant[0])
        self.problem = problem
        self.lines = {}
        naive = NaiveGame(problem.variant, dots)
        xs, ys = ([dot[k] for dot in dots] for k in (0, 1))
        for x in range(min(xs) - 2 * length, max(xs) + 2 * length):
            for y in range(min(ys) - 2 * length, max(ys) + 2 * length):
                for direction in "H", "V", "DP", "DN":
                    move = Move(x, y, direction, 0)
                    if within(problem, naive, [move]):
                        self.lines[board.number(move, length) >> CELL_BITS] = move
        self.reset()

    def assert_finds_what(self, naive):
        """Each line is found as a plain look at its dots says; return those that can never be drawn."""
        never = set()
        for name, first in self.lines.items():
            line, found = naive.line(first), self.move_of(name)
            missing = [k for k, dot in enumerate(line) if dot not in naive.dots]
            if not missing or naive.uses(line, first.direction) & naive.used:
                assert found == NEVER
                never.add(name)
            elif len(missing) > 1:
                assert found == NOT_NOW
            else:
                move = tuple(self.problem.solution(np.array([found]))[-1])
                assert move == (*line[missing[0]], first.direction, missing[0])
        return never


@pytest.mark.parametrize("variant", VARIANTS)
def test_lines_are_found(variant):
    """Lines that can be drawn, not now, and never, in games whose moves are not listed; what is never stays never."""
    generator, drawn = random.Random(6), 0
    problem = Morpion(variant)
    game = NamedGame(problem, problem.dots)
    for _ in range(1 if variant == "5T" else 2):
        game.reset()
        naive, never, step = NaiveGame(variant), set(), 0
        while legal := naive.legal_moves():
            if step % 8 == 0:
                before, never = never, game.assert_finds_what(naive)
                assert before <= never
            move = Move(*generator.choice(sorted(legal)))
            name = next(name for name, first in game.lines.items() if naive.line(first) == naive.line(move))
            assert name not in never
            game.play(game.move_of(name))
            naive.play(move)
            step += 1
        assert len(game.assert_finds_what(naive)) > len(never)
        assert game.score() == step
        drawn += step
    assert drawn > 20


def test_lines_are_found_on_a_large_board():
    """The same on a board of 64 cells a side, after moves that were played before."""
    generator = random.Random(7)
    dots = {(x, y) for x in range(14) for y in range(14) if generator.random() < 0.4}
    naive, prefix = NaiveGame("5T", dots), []
    for _ in range(8):
        prefix.append(generator.choice(sorted(naive.legal_moves())))
        naive.play(prefix[-1])
    problem = Morpion("5T", dots=dots, moves=prefix)
    assert problem.instance.side == 64
    game = NamedGame(problem, naive.dots)
    for played in range(20):
        if played % 6 == 0:
            game.assert_finds_what(naive)
        assert game.score() == len(prefix) + played
        move = generator.choice(sorted(within(problem, naive, naive.legal_moves())))
        found = [game.move_of(name) for name, first in game.lines.items() if naive.line(first) == naive.line(move)]
        game.play(found[0])
        naive.play(move)


def starts(variant):
    """Return the cross, a start with dots at random on either size of board, and the cross some moves later."""
    generator = random.Random(8)
    naive, prefix = NaiveGame(variant), []
    for _ in range(5):
        prefix.append(generator.choice(sorted(naive.legal_moves())))
        naive.play(prefix[-1])
    dots = [{(x, y) for x in range(n) for y in range(n) if generator.random() < 0.4} for n in (12, 14)]
    return [Morpion(variant), Morpion(variant, moves=prefix), *(Morpion(variant, dots=d) for d in dots)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_are_listed_at_any_time(variant):
    """In the order of a state that lists them at each step: at times, after copies, and back in an earlier state."""
    generator, returns = random.Random(9), 0
    for problem in starts(variant):
        other = problem.hints().replayed
        plain, game, kept = Game(problem.model), Game(other.model), other.new_state()
        played, returned, step = [], 0, 0
        plain.reset()
        game.reset()
        while plain.legal_moves() and step < 120:
            if generator.random() < 0.25:
                assert (game.legal_moves(), game.codes) == (plain.listed, plain.codes)
                assert [game.move_of(name) for name in game.names()] == game.listed
            if step == 12:
                compiled_copy(problem.instance, game.state, kept)
                back = list(played)
            if generator.random() < 0.1:
                game.swap()
            if step == 30 and returned < 3:
                compiled_copy(problem.instance, kept, game.state)
                played, step, returned = list(back), len(back), returned + 1
                plain.reset()
                for move in played:
                    plain.legal_moves()
                    plain.play(move)
                plain.legal_moves()
            move = generator.choice(plain.listed)
            plain.play(move)
            game.play(move)
            assert game.score() == plain.score()
            played.append(move)
            step += 1
        assert game.legal_moves() == plain.legal_moves()
        returns += returned
    assert returns > 3


def test_positions_are_known_by_their_lines():
    """Two states have the same rest exactly if the same lines are drawn; they have the same moves then."""
    problem, generator = Morpion("5T"), random.Random(10)
    game = Game(problem.hints().replayed.model)
    lines_of, rest_of, orders = {}, {}, 0
    for _ in range(12):
        names = []
        game.reset()
        while game.legal_moves():
            names.append(generator.choice(game.names()))
            game.play(game.move_of(names[-1]))
        for _ in range(10):
            waiting, drawn = list(names), frozenset()
            generator.shuffle(waiting)
            game.reset()
            while waiting:
                found = next((name for name in waiting if game.move_of(name) >= 0), None)
                if found is None:
                    break
                game.play(game.move_of(found))
                waiting.remove(found)
                drawn |= {found}
                rest, moves = game.value("rest"), frozenset(game.legal_moves())
                assert lines_of.setdefault(rest, drawn) == drawn
                assert rest_of.setdefault(drawn, (rest, moves)) == (rest, moves)
            orders += not waiting
    assert orders > 12
    assert len(lines_of) == len(rest_of)


@pytest.mark.parametrize("variant", ["5T", "4D"])
def test_names_are_lines(variant):
    """A line has one name, whichever of its dots is new."""
    problem, generator = Morpion(variant), random.Random(4)
    game = Game(problem.hints().replayed.model)
    rules = NaiveGame(variant)
    lines, positions = {}, {}
    for _ in range(40):
        game.reset()
        while moves := game.legal_moves():
            for move, name in zip(moves, game.names(), strict=True):
                coordinates = tuple(problem.solution(np.array([move]))[0])
                line = tuple(rules.line(coordinates))
                assert lines.setdefault(name, line) == line
                positions.setdefault(line, set()).add(coordinates[3])
            game.play(generator.choice(moves))
    assert len(set(lines.values())) == len(lines)
    assert max(map(len, positions.values())) > 1


def test_moves_are_dropped_twice_without_harm():
    """Asking for the legal moves again changes nothing."""
    game = KernelGame(Morpion("5D"))
    game.play(next(iter(game.legal_moves().values())))
    assert game.legal_moves() == game.legal_moves()
