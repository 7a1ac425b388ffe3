"""Random games, each played twice, in which all that is said of each state is looked at."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Mapping
from itertools import count, zip_longest
from typing import Any

import numpy as np

from nrpa.checking.contract import Subject
from nrpa.checking.games import STATE, copy_fault, defines, label, play_beside, playing, same_results, watched
from nrpa.engine.status import LARGEST_SCORE, SCORES
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.early_end import EarlyEnd
from nrpa.modelling.problem import Problem


def random_games(subject: Subject, _: int) -> Iterator[str]:
    """Play random games, each one twice, and look around at each step."""
    problem, contract = subject.problem, subject.contract
    movers = set[int]()
    for _ in range(subject.most_games):
        moves, views, result = yield from _played(problem, movers, subject.chance)
        yield _replay_fault(problem, moves, views, result)
        yield _check_fault(problem, moves, result)
        best, objective = max(result), problem.objective
        if problem.players > 1 and best > problem.largest_reward:
            limit = f"largest_reward = {problem.largest_reward:g}"
            yield f"a player got {best:g}, more than {limit}; set it to what no player can get more of"
        if problem.players == 1 and objective.sign < 0 < best and not contract.doubts:
            said = f"the score {best:g} is a {objective.name} of {objective.value(best):g}"
            contract.doubts.append(f"{said}; score returns the negative {objective.name}")
        subject.games.append(moves)
        subject.results.append(result)
        contract.steps += len(moves)
        contract.games += 1
    if movers and (idle := sorted({*range(problem.players)} - movers)):
        said = f"player gives {', '.join(map(str, sorted(movers)))} alone in {contract.games} games"
        contract.doubts.append(f"{said}; of {problem.players} players, {idle[0]} never moves")


def _played(
    problem: BaseProblem, movers: set[int], chance: random.Random
) -> Generator[str, None, tuple[list[int], list[dict[str, int]], list[float]]]:
    """Play a game, look around at each step, and yield what is wrong; enter who moves.

    Returns the moves, by step the hashes of what is said of the state, and the result.
    """
    game, early, has_names = watched(problem), EarlyEnd(problem), defines(problem, "is_legal", "find")
    most, moves, views = game.model.limits.steps, list[int](), list[dict[str, int]]()
    game.reset()
    for step in count(1):
        first, was_final = game.view(), not game.listed
        before = game.view()
        if name := _first_difference(first, before):
            is_end = was_final != (not game.listed)
            what = "a final state has legal moves when asked again" if is_end else f"two calls at step {step} differ"
            yield f"{name} is not deterministic: {what} ({first[name]!r:.60}, then {before[name]!r:.60})"
        views.append(_hashes(before))
        listed, legal = game.all_moves(), game.legal_moves()
        if left_out := {*legal} - {*listed}:
            move = problem.own_move(left_out.pop())
            yield f"{label(problem, 'all_moves')} leaves out {move!r:.60}, which legal_moves gives"
        if has_names:
            game.check_names()
        ended = early.rewards_at(game.hash() if early.is_told_by_keys else 0)
        if not legal or ended is not None:
            break
        if len(moves) == most:
            yield f"a game does not end within max_steps = {most}; if it does later, set max_steps higher"
        play_beside(game, chance)
        if name := _first_difference(before, game.view()):
            yield copy_fault(problem, name)
        movers.add(game.player())
        moves.append(chance.choice(legal))
        game.play(moves[-1])
    result = [*map(float, ended or ())] if legal else game.result()
    if not all(abs(number) <= LARGEST_SCORE for number in result):
        yield f"the kernel score returned {result[0]}; expected a number from {SCORES}"
    if not legal and defines(problem, "evaluate", "evaluate"):
        game.check_evaluated(moves)
    return moves, views, result


def _replay_fault(problem: BaseProblem, moves: list[int], views: list[dict[str, int]], result: list[float]) -> str:
    """Play a game once more, compiled where the problem is; return what is not as before, empty for nothing."""
    game, is_plain = playing(problem), isinstance(problem, Problem)
    game.reset()
    for step, (before, move) in enumerate(zip_longest(views, moves), start=1):
        if name := _first_difference(before, _hashes(game.view())):
            if is_plain:
                return f"a game cannot be replayed: at step {step}, {name} gives something else the second time"
            return f"compiled, {name} gives something else at step {step} than as plain Python"
        if move is not None:
            game.play(move)
    if game.legal_moves() or same_results(again := game.result(), result):
        return ""
    if is_plain:
        return f"a game replayed has another {_judge(problem)}: {result}, then {again}"
    return f"compiled, the kernel {_judge(problem)} gives {again}; as plain Python {result}"


def _check_fault(problem: BaseProblem, moves: list[int], result: list[float]) -> str:
    """Return what the problem's own check says that the game does not; empty for nothing."""
    verdict = problem.check(problem.solution(np.array(moves, np.int64)))
    if verdict.faults and not verdict.faults_counted:
        return f"check refuses a game that was played by the rules: {verdict.faults[0]}"
    checked = verdict.rewards if problem.players > 1 else () if verdict.score is None else (verdict.score,)
    if same_results([*(checked or ())], result) or (not checked and isinstance(problem, Problem)):
        return ""
    judge = label(problem, _judge(problem))
    return f"check says {checked} {verdict.faults} where {judge} says {result}"


def _judge(problem: BaseProblem) -> str:
    return "score" if problem.players == 1 else "rewards"


def _hashes(view: dict[str, Any]) -> dict[str, int]:
    """Return a view that can be kept, and compared with that of another game: without the text of the state."""
    return {name: hash(repr(said)) for name, said in view.items() if name != STATE}


def _first_difference(one: Mapping[str, Any], another: Mapping[str, Any]) -> str:
    """Return the first name of which something else is said in another view; empty for none."""
    return next((name for name, said in one.items() if said != another.get(name)), "")
