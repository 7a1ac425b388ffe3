"""Checks that a problem does what the engine relies on, for people who write problems."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nrpa.base.errors import InputError, ProblemError, place_of
from nrpa.base.values import SeedLike, agree, checked_seed, plain, shortened
from nrpa.engine.game import Game
from nrpa.engine.guarded_game import GuardedGame
from nrpa.engine.kernels import KERNELS, NEVER, has_kernel, kernels_of
from nrpa.engine.status import LARGEST_SCORE, SCORES
from nrpa.modelling import hash_order
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.bias import Bias, with_bias
from nrpa.modelling.check_game import faults_of_chance, reward_fault, turn_doubt
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.early_end import EarlyEnd
from nrpa.modelling.played import Played
from nrpa.modelling.problem import Problem
from nrpa.modelling.validate import hints_of, incomplete_copy, require_problem, validate
from nrpa.python.checks import (
    checked_decoding,
    checked_player,
    checked_rewards,
    checked_value,
    code_of,
    evaluated,
    exp_biases_of,
    hash_of,
    improved_game,
    require_different,
    require_hashable,
    score_of,
    score_said,
    tuple_of,
)
from nrpa.python.decoded_game import decoding_fault

IMPROVE_SECONDS = 0.1
MOST_COMPARISONS = 200
GAMES, CHANGES, MEETINGS = 8, 4, 3
CLOSE = 1e-9
LONGEST_LIST = 200


@dataclass
class Contract:
    """What ``check_problem`` has found.

    Attributes
    ----------
    problem : str
        The name of the problem's class.
    faults : list of str
        What is wrong, in words; empty if nothing is.
    games : int
        The games played.
    steps : int
        The steps of these games in all.
    doubts : list of str
        What is allowed, but seldom meant, in words.
    unchecked : list of str
        What could not be checked, in words.
    seed : int
        The seed of the games.
    """

    problem: str
    faults: list[str] = field(default_factory=list)
    games: int = 0
    steps: int = 0
    doubts: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    seed: int = 0

    @property
    def kept(self) -> bool:
        """Whether nothing is broken."""
        return not self.faults

    def summary(self) -> str:
        """Return what was found as text: a line for each fault, each doubt, and what could not be checked."""
        found = self.faults or [f"kept in {self.games} games of {self.steps} steps in all"]
        return "\n".join(f"{self.problem}: {each}" for each in [*found, *self.doubts, *self.unchecked])


class Broken(Exception):  # noqa: N818
    """A fault was found: its message is what is broken."""


def check_problem(
    problem: BaseProblem, *, seed: SeedLike = 0, games: int = 20, twin: Problem | None = None, bias: Bias | None = None
) -> Contract:
    """Play random games of a problem, and check what the engine relies on.

    - Legal moves, codes and biases are the same when asked twice. States do not change when their copies are played on.
    - Games end, and can be played again. Scores, or rewards, are finite. States of equal hash are played on alike.
    - In games: no player gets more than ``largest_reward``; ``deal`` and ``determinize`` give legal moves, the same for
      one seed, and ``determinize`` leads to the same player and legal moves. A player who never moves is a doubt.
    - ``is_legal`` and the problem's own check agree with the games. ``improve`` gives games that count.
      ``decode`` gives games that ``play`` and ``score`` confirm, by its rule.
    - In plain Python: a few games are the same in processes where strings have other hashes, and sets other orders.
    - Compiled: the limits hold. No kernel leaves the bounds of an array or writes to the instance (``improve`` has a
      tenth of a second for each game). Compiled kernels do the same as in plain Python. Legal moves are found by their
      names. Games that meet, by the kernel ``rest``, go on alike.
    - By ``nrpa.compiled``: the class in plain Python is checked, and its games have the same moves and scores compiled.

    Parameters
    ----------
    problem : BaseProblem
        The problem, with a small instance.
    seed : int or numpy.random.Generator
        The seed of the random games.
    games : int
        How many games to play. The first fault ends the check.
    twin : Problem, optional
        The same instance by another class in plain Python, written as plainly as can be. The games are played in both
        side by side: legal moves must be the same, and scores or rewards must agree to 1e-9. Two moves are the same if
        they build the same solution; if no moves do, those at the same index in the lists.
    bias : optional
        A bias as ``nrpa.solve`` takes it, which is checked as if it were the problem's own.

    Returns
    -------
    Contract
        What was found.

    Raises
    ------
    InputError
        If ``problem`` is no problem (a class is none), or ``twin`` is given and is not in plain Python.

    Examples
    --------
    >>> import nrpa
    >>> class Path(nrpa.Problem):
    ...     def initial_state(self):
    ...         return [0]
    ...
    ...     def legal_moves(self, state):
    ...         return [1, 2] if state[-1] < 9 else []
    ...
    ...     def play(self, state, move):
    ...         state.append(state[-1] + move)
    ...         return state
    ...
    ...     def score(self, state):
    ...         return -len(state)
    >>> nrpa.check_problem(Path()).faults
    ['play changes the state it is given, which other states share; return a new state, or define copy(state)']
    """
    if twin is not None and not isinstance(twin, Problem):
        raise InputError(f"twin is {twin!r:.60}; expected an nrpa.Problem")
    if bias is not None:
        require_problem(problem)
        problem = with_bias(problem, bias)
    # A class that is compiled as it stands is checked in plain Python; then its games are played compiled.
    compiled: Any = problem
    if hasattr(type(compiled), "plain_class"):
        problem = compiled.plain
    contract = Contract(type(problem).__name__, seed=checked_seed(seed))
    chance = random.Random(contract.seed)
    played: list[list[Any]] = []
    improved: list[str] = []
    try:
        validate(problem)
        hints_of(problem)
        for _ in range(games):
            game = _python_game if isinstance(problem, Problem) else _compiled_game
            moves, result = game(problem, chance)  # type: ignore[arg-type]
            played.append(moves)
            if fault := reward_fault(problem, result):
                raise Broken(fault)
            _doubt_score(contract, problem, result)
            if problem.can_improve:
                improved += _improved(problem, moves, result)
            contract.steps += len(played[-1])
            contract.games += 1
        _doubt_improve(contract, improved)
        if problem.players > 1 and (doubt := turn_doubt(problem, _numbered(problem, played))):
            contract.doubts.append(doubt)
        if fault := next(filter(None, _faults_between(problem, twin, compiled, played, chance)), ""):
            contract.faults.append(fault)
        elif isinstance(problem, Problem) and not isinstance(problem, Played):
            _look_elsewhere(contract, problem)
    except (Broken, ProblemError) as error:
        said = str(error).removeprefix(f"{contract.problem}: ").removeprefix(f"{contract.problem}.")
        contract.faults.append(said)
    return contract


def _look_elsewhere(contract: Contract, problem: Problem) -> None:
    """See whether first games are the same where strings have other hashes."""
    try:
        if fault := hash_order.difference(problem):
            contract.faults.append(fault)
    except hash_order.Unchecked as error:
        contract.unchecked.append(f"not checked: whether it is the same in other processes ({error})")


def _asked(problem: Problem, method: str, *arguments: Any) -> Any:
    """Return what a method of the author's returns, moves as a list."""
    call = getattr(problem, method)
    if method in ("legal_moves", "all_moves"):
        return _called(method, lambda: [*tuple_of(problem, call(*arguments))])
    return _called(method, call, *arguments)


def _kernel(name: str, call: Callable[..., Any], *arguments: Any) -> Any:
    return _called(f"the kernel {name}", call, *arguments)


def _called(what: str, call: Callable[..., Any], *arguments: Any) -> Any:
    """Return what the author's code returns; an exception there is a fault."""
    try:
        return call(*arguments)
    except ProblemError:
        raise
    except Exception as error:
        place = place_of(error)
        at = f" (at {place})" if place else ""
        raise Broken(f"{what} raised {type(error).__name__}: {error}{at}") from error


def _numbered(problem: BaseProblem, played: list[list[Any]]) -> list[list[int]]:
    """Return the moves of games as numbers."""
    if not isinstance(problem, Problem):
        return played
    return [problem.model.numbers_of(moves).tolist() for moves in played]


def _faults_between(
    problem: BaseProblem, twin: Problem | None, compiled: Any, played: list[list[Any]], chance: random.Random
) -> Iterator[str]:
    """Yield what is wrong between states of games that were played, beside the twin, or with what chance deals."""
    if problem.model.has_hash:
        one, another = (Game(problem.model, interpreted=isinstance(problem, Problem)) for _ in range(2))
        yield confused_states(one, another, _numbered(problem, played))
    yield from _called("deal or determinize", lambda: [*faults_of_chance(problem, chance)])
    if isinstance(problem, CompiledProblem) and has_kernel(type(problem.model.new_state()), "rest"):
        yield wrong_rest(Game(problem.model), played)
    if isinstance(problem, Problem) and type(problem).rest is not Problem.rest:
        yield _called("rest, or score before the end,", _wrong_rest_in_python, problem, played, chance)
    if twin is not None:
        type(twin).require_methods()
        yield _called("the twin", different_games, problem, twin, _numbered(problem, played))
    if compiled is not problem:
        games = [compiled.numbers_of(moves).tolist() for moves in played]
        found = _called("the compiled class", different_games, compiled, problem, games, compiled.numbers_of)
        yield found and f"compiled, {found.replace('the twin', 'plain Python')}"


def _doubt_score(contract: Contract, problem: BaseProblem, result: list[float]) -> None:
    if problem.players == 1 and problem.objective.sign < 0 < result[0] and not contract.doubts:
        name, value = problem.objective.name, problem.objective.value(result[0])
        contract.doubts.append(f"the score {result[0]:g} is a {name} of {value:g}; score returns the negative {name}")


def _improved(problem: BaseProblem, moves: list[Any], result: list[float]) -> list[str]:
    """Let a problem improve a game; return why the changed one does not count, empty where it does."""
    numbers: list[int] | None
    if isinstance(problem, Problem):
        given = _called("improve", lambda: improved_game(problem, [*moves], []))
        if len(given) > problem.max_steps:
            what = f"improve returned a game of {len(given)} moves"
            raise Broken(f"{what}, more than max_steps = {problem.max_steps}; if it is one, set max_steps higher")
        numbers = problem.model.numbers_of(given).tolist() if given != moves else None
    else:
        numbers = _kernel("improve", GuardedGame(problem.model).improve, moves, IMPROVE_SECONDS)
    if numbers is None:
        return []
    game = Game(problem.model, interpreted=True)
    return [_called("the game that improve gave", _judged, game, numbers, result)]


def _judged(game: Game, wanted: list[int], before: list[float]) -> str:
    """Play a changed game; return why it does not count, empty where it does."""
    game.reset()
    for move in wanted:
        legal = game.legal_moves()
        if not legal:
            break
        if move not in legal:
            return "not legal"
        game.play(move)
    if game.legal_moves():
        return "not played to the end"
    return "worse" if result_of(game)[0] < before[0] else ""


def _doubt_improve(contract: Contract, improved: list[str]) -> None:
    dropped = Counter(filter(None, improved))
    if dropped:
        said = ", ".join(f"{number} {why}" for why, number in dropped.items())
        of = f"{dropped.total()} of {len(improved)} games that improve changed are dropped"
        contract.doubts.append(f"{of}, and the old ones count: {said}")


def _python_game(problem: Problem, chance: random.Random) -> tuple[list[Any], list[float]]:
    """Play one game twice, looking around at each step; return its moves, and its score or rewards."""
    moves: list[Any] = []
    given_up: dict[Any, bool] = {}
    state, early = _asked(problem, "initial_state"), EarlyEnd(problem)
    for _ in range(problem.max_steps + 1):
        legal = _legal(problem, state)
        _check_is_legal(problem, state, legal, given_up)
        ended = early.rewards_at(_asked(problem, "key", state) if early.is_told_by_keys else 0)
        if not legal:
            break
        if ended is not None:
            return moves, [*map(float, ended)]
        _look_around(problem, state, legal, chance)
        moves.append(chance.choice(legal))
        state = _asked(problem, "play", _asked(problem, "copy", state), moves[-1])
    else:
        limit = f"max_steps = {problem.max_steps}"
        raise Broken(f"a game does not end within {limit}; if it does later, set max_steps higher")
    if not moves:
        raise Broken("the initial state has no legal moves (legal_moves gave none)")
    result = _checked_result(problem, state)
    if _asked(problem, "legal_moves", state):
        raise Broken(f"{_judging(problem)} changes the state it is given: afterwards a final state has legal moves")
    again = _asked(problem, "initial_state")
    for step, move in enumerate(moves, start=1):
        if move not in _asked(problem, "legal_moves", again):
            raise Broken(f"a game cannot be replayed: at step {step}, {move!r} is not legal the second time")
        again = _asked(problem, "play", again, move)
    if (second := _checked_result(problem, again)) != result:
        raise Broken(f"a game replayed has another {_judging(problem)}: {result}, then {second}")
    verdict = problem.check(plain(_asked(problem, "solution_of", moves)))
    if verdict.faults and not verdict.faults_counted:
        raise Broken(f"check refuses a game that was played by the rules: {verdict.faults[0]}")
    if problem.is_evaluated:
        _called("evaluate", evaluated, problem, moves, state)
    if type(problem).decode is not Problem.decode:
        _check_decode(problem, moves, chance)
    return moves, result


def _check_decode(problem: Problem, moves: list[Any], chance: random.Random) -> None:
    """Let a problem decode a game, its moves in another order, and some of them; compare with ``play`` and ``score``.

    Where more can be played, fewer moves may be returned: the engine then goes on from there.
    """
    shuffled = chance.sample(moves, len(moves))
    for order in (moves, shuffled, shuffled[: len(moves) // 2]):
        made, score = answer = _called("decode", checked_decoding, problem, order)
        if _called("decode", checked_decoding, problem, order) != answer:
            raise Broken(f"decode is not deterministic: two calls for the order {_listing(order)} differ")
        if fault := _called("the game that decode gave", decoding_fault, problem, made, score):
            raise Broken(f"{fault} (the order was {_listing(order)})")
        expected = _called("play", Problem.decode, problem, order)[0]
        if not problem.own_decoder and made != (expected if score is not None else expected[: len(made)]):
            rule = "the first legal move of the order, again and again, gives"
            what = f"decode makes {_listing(made)} of the order {_listing(order)}; {rule} {_listing(expected)}"
            raise Broken(f"{what}; if the rule is another one, set own_decoder = True")


def _check_is_legal(problem: Problem, state: Any, legal: list[Any], given_up: dict[Any, bool]) -> None:
    """Ask ``is_legal`` for all moves of the game so far; ``given_up`` says of each whether NEVER was the answer."""
    if type(problem).is_legal is Problem.is_legal:
        return
    given_up.update({move: False for move in legal if move not in given_up})
    for move, was_never in given_up.items():
        answer = _asked(problem, "is_legal", state, move)
        is_never = answer == NEVER
        is_legal = bool(answer) and not is_never
        if is_legal != (move in legal) and (move in legal or move not in _asked(problem, "all_moves", state)):
            raise Broken(f"is_legal says {answer!r:.60} for the move {move!r:.60}; legal_moves gives {legal!r:.60}")
        if was_never and not is_never:
            raise Broken(f"is_legal said NEVER for the move {move!r:.60}, and says {answer!r:.60} later in the game")
        given_up[move] = is_never


def _legal(problem: Problem, state: Any) -> list[Any]:
    legal: list[Any] = _asked(problem, "legal_moves", state)
    again = _asked(problem, "legal_moves", state)
    if legal != again:
        end = "a final state has legal moves when asked again" if not legal else "two calls for one state differ"
        raise Broken(f"legal_moves is not deterministic: {end} ({legal!r:.60}, then {again!r:.60})")
    require_hashable(problem, "legal_moves", legal)
    if left_out := {*legal} - {*_asked(problem, "all_moves", state)}:
        raise Broken(f"all_moves leaves out {left_out.pop()!r:.60}, which legal_moves gives")
    require_different(problem, legal)
    problem.model.numbers_of(legal)
    return legal


def _look_around(problem: Problem, state: Any, legal: list[Any], chance: random.Random) -> None:
    """Play some moves in a copy, and see whether anything about ``state`` has changed."""
    before = _figures(problem, state, legal)
    if _figures(problem, state, legal) != before:
        raise Broken("code, bias or value is not deterministic: two calls for one state and move differ")
    beside = _asked(problem, "copy", state)
    for _ in range(3):
        moves = _asked(problem, "legal_moves", beside)
        if not moves:
            break
        beside = _asked(problem, "play", beside, chance.choice(moves))
    if _asked(problem, "legal_moves", state) != legal or _figures(problem, state, legal) != before:
        raise Broken(incomplete_copy(problem))


def _figures(problem: Problem, state: Any, legal: list[Any]) -> list[Any]:
    codes = [_called("code", code_of, problem, state, move) for move in legal]
    require_hashable(problem, "code", codes)
    biases = [_asked(problem, "bias", state, move) for move in legal]
    player = checked_player(problem, _asked(problem, "player", state), problem.players)
    exp_biases_of(problem, biases)
    value = None
    if problem.model.has_value:
        value = checked_value(problem, _asked(problem, "value", state), problem.players)
    return [codes, biases, player, value, repr(state) if not repr(state).startswith("<") else ""]


def _judging(problem: Problem) -> str:
    return "score" if problem.players == 1 else "rewards"


def _checked_result(problem: Problem, state: Any) -> list[float]:
    method = _judging(problem)
    said = [_asked(problem, method, state) for _ in range(2)]
    if problem.players == 1:
        results = [[score_said(problem, each)] for each in said]
    else:
        results = [[*checked_rewards(problem, each, problem.players)] for each in said]
    if results[0] != results[1]:
        raise Broken(f"{method} is not deterministic: {said[0]!r:.60}, then {said[1]!r:.60} for one state")
    return results[0]


def _compiled_game(problem: CompiledProblem, chance: random.Random) -> tuple[list[int], list[float]]:
    """Play one game with the kernels as plain Python and, in step, compiled; return its moves and its result.

    As plain Python first: there, what is out of bounds is an error.
    """
    moves, result, is_early = _guarded_game(GuardedGame(problem.model), chance, problem)
    compiled = Game(problem.model)
    compiled.reset()
    replay = Game(problem.model, interpreted=True)
    replay.reset()
    for step, move in enumerate(moves, start=1):
        _require_same_view(compiled, replay, step)
        compiled.play(move)
        replay.play(move)
    _require_same_view(compiled, replay, len(moves) + 1)
    kernel = "score" if problem.players == 1 else "rewards"
    if not is_early and not same_results(result_of(compiled), result):
        raise Broken(f"compiled, the kernel {kernel} gives {result_of(compiled)}; as plain Python {result}")
    verdict = problem.check(problem.solution(np.array(moves, np.int64)))
    checked = verdict.rewards if problem.players > 1 else () if verdict.score is None else (verdict.score,)
    if not same_results([*(checked or ())], result):
        raise Broken(f"check says {checked} {verdict.faults} where the kernel {kernel} says {result}")
    return moves, result


def _require_same_view(compiled: Game, plain: Game, step: int) -> None:
    if kernel := _first_difference(_view(compiled), _view(plain)):
        raise Broken(f"compiled, the kernel {kernel} gives something else at step {step} than as plain Python")


def _view(game: Game) -> dict[str, Any]:
    """Return what the kernels say of a state, by their names, numbers to nine digits.

    Of a kernel that lists moves: the moves, their codes and e^β. Of ``find``: what it gives for each legal move's name.
    """
    own = kernels_of(type(game.state))
    view: dict[str, Any] = {}
    for name in own:
        if KERNELS[name].says_of_any_state or (name == "score" and "rest" in own):
            value = _kernel(name, game.value, name)
            view[name] = f"{value:.9g}" if isinstance(value, float) else str(value)
    for name in filter(own.__contains__, ("legal_moves", "all_moves")):
        moves = _kernel(name, getattr(game, name))
        exp_biases = [f"{exp_bias:.9g}" for exp_bias in game.exp_biases] if game.model.bias_by_move else []
        view[name] = moves, game.codes, exp_biases
    if "value" in own and view["legal_moves"][0]:
        view["value"] = [f"{value:.9g}" for value in _kernel("value", game.values)]
    if "find" in own:
        _kernel("legal_moves", game.legal_moves)
        view["find"] = {name: _kernel("find", game.move_of, name) for name in _kernel("name", game.names)}
    return view


def _first_difference(one: dict[str, Any], another: dict[str, Any]) -> str:
    """Return the name of the first kernel that says something else in another view; empty for none."""
    return next((name for name, said in one.items() if said != another[name]), "")


def _guarded_game(
    game: GuardedGame, chance: random.Random, problem: CompiledProblem
) -> tuple[list[int], list[float], bool]:
    """Play a game; return its moves, its result, and whether it ended although moves were left."""
    _kernel("reset", game.reset)
    moves: list[int] = []
    early = EarlyEnd(problem)
    compiled = Game(problem.model) if early.is_told_by_keys else None
    while True:
        view = _view(game)
        if kernel := _first_difference(view, _view(game)):
            raise Broken(f"the kernel {kernel} is not deterministic: two calls at step {len(moves) + 1} differ")
        legal = _kernel("legal_moves", game.legal_moves)
        if "all_moves" in view and not set(legal) <= set(view["all_moves"][0]):
            raise Broken("the kernel all_moves leaves out a move that legal_moves gives")
        if "find" in view:
            _kernel("find", game.check_names)
        if compiled:
            follow(compiled, moves)
            compiled.legal_moves()
        ended = early.rewards_at(compiled.hash() if compiled else 0)
        if not legal:
            break
        if ended is not None:
            return moves, [*map(float, ended)], True
        _check_copy(game, view, chance)
        moves.append(chance.choice(legal))
        _kernel("play", game.play, moves[-1])
    result = _kernel("score" if game.model.players == 1 else "rewards", result_of, game)
    if not all(abs(each) <= LARGEST_SCORE for each in result):
        raise Broken(f"the kernel score returned {result[0]}; expected a number from {SCORES}")
    return moves, result, False


def _check_copy(game: GuardedGame, view: dict[str, Any], chance: random.Random) -> None:
    """Go on with a copy, play on in the original, and see whether the copy is still as the original was."""
    _kernel("copy", game.swap)
    steps, total = game.steps, game.total
    copied, game.state = game.state, game.original
    for _ in range(3):
        moves = _kernel("legal_moves", game.legal_moves)
        if not moves:
            break
        _kernel("play", game.play, chance.choice(moves))
    game.state, game.steps, game.total = copied, steps, total
    if kernel := _first_difference(view, _view(game)):
        how = "the kernel copy" if has_kernel(type(copied), "copy") else "copying the arrays of the state"
        raise Broken(f"{how} is not complete: {kernel} says something else of a copy, after its original was played on")
    _kernel("legal_moves", game.legal_moves)


def confused_states(game: Game, other: Game, games: Iterable[list[int]]) -> str:
    """Look for two states of equal hash that are not the same.

    Both are played on by the same random moves: at each step they must have the same legal moves, codes and player's
    turn, and at the end the same result. Returns a fault in words, empty for none, as ``wrong_rest`` does.
    """
    chance = random.Random(0)
    first: dict[int, list[int]] = {}
    comparisons = 0
    for moves in games:
        game.reset()
        for step in range(len(moves) + 1):
            before = moves[:step]
            earlier = first.setdefault(game.hash(), before)
            if earlier != before and comparisons < MOST_COMPARISONS:
                comparisons += 1
                difference = _hash_difference(game, other, earlier, before, chance)
                if difference:
                    return f"hash is equal for two states that differ: {difference} ({_lengths(earlier, before)})"
                follow(game, before)
            game.legal_moves()
            if step < len(moves):
                game.play(moves[step])
    return ""


def result_of(game: Game) -> list[float]:
    """Return what a final state is worth: the rewards of a game's players, else the score."""
    return game.rewards() if game.model.players > 1 else [game.score()]


def same_results(one: list[float], another: list[float]) -> bool:
    """Return whether two results agree, but for rounding."""
    return len(one) == len(another) and all(map(agree, one, another))


def _hash_difference(game: Game, other: Game, earlier: list[int], later: list[int], chance: random.Random) -> str:
    """Return in words how the states after two beginnings differ; empty if they do not."""
    follow(game, earlier)
    follow(other, later)
    while True:
        for each in (game, other):
            each.legal_moves()
        if sorted(zip(game.listed, game.codes, strict=True)) != sorted(zip(other.listed, other.codes, strict=True)):
            return "their legal moves, or codes, are not the same"
        if game.player() != other.player():
            return "it is not the same player's turn"
        if not game.listed:
            return "" if same_results(result_of(game), result_of(other)) else "they do not end with the same result"
        move = chance.choice(sorted(game.listed))
        game.play(move)
        other.play(move)


def wrong_rest(game: Game, games: list[list[int]]) -> str:
    """Look for two states of equal ``rest`` from which games do not go on alike.

    Games are changed by putting some moves elsewhere, and played again by the names of their moves. Where such a game
    meets the one that it came from, or one before, both are played on by the same moves, by names or by numbers: the
    same names must be legal, and the score must change by as much.
    """
    chance = random.Random(0)
    one, another = GuardedGame(game.model), GuardedGame(game.model)
    for moves in games[:GAMES]:
        first: dict[int, list[int]] = {}
        names = _move_names(game, moves)
        for wanted in [names, *(_changed(names, chance) for _ in range(CHANGES))]:
            meetings = _meetings(game, wanted, first, chance)
            for earlier, later in chance.sample(meetings, min(len(meetings), MEETINGS)):
                difference = _rest_difference(one, another, earlier, later, names, chance)
                if difference:
                    return f"rest is equal for two states that differ: {difference} ({_lengths(earlier, later)})"
    return ""


def _wrong_rest_in_python(problem: Problem, games: list[list[Any]], chance: random.Random) -> str:
    """Do so in plain Python, where changed games meet."""
    first: dict[int, tuple[list[Any], Any]] = {}
    for moves in games[:GAMES]:
        for wanted in [moves, *(_changed(moves, chance) for _ in range(CHANGES))]:
            state, made = problem.initial_state(), list[Any]()
            for move in Problem.decode(problem, wanted)[0]:
                state, made = problem.play(problem.copy(state), move), [*made, move]
                earlier, other = first.setdefault(hash_of(problem, problem.rest(state), "rest"), (made, state))
                if earlier != made and (difference := _difference_in_python(problem, other, state, chance)):
                    return f"rest is equal for two states that differ: {difference} ({_lengths(earlier, made)})"
    return ""


def _difference_in_python(problem: Problem, one: Any, other: Any, chance: random.Random) -> str:
    """Play on from two states by the same moves; return in words how that differs, empty if it does not."""
    won = score_of(problem, one) - score_of(problem, other)
    while True:
        legal, there = (tuple_of(problem, problem.legal_moves(state)) for state in (one, other))
        if {*legal} != {*there}:
            return f"legal_moves gives {_listing(legal)} in one, {_listing(there)} in the other"
        if not legal:
            break
        move = chance.choice(legal)
        one, other = (problem.play(problem.copy(state), move) for state in (one, other))
    more = score_of(problem, one) - score_of(problem, other) - won
    return f"to the end of the game the score changes by {more:g} more in one" if more else ""


def _move_names(game: Game, moves: list[int]) -> list[int]:
    names = []
    game.reset()
    for move in moves:
        names.append(dict(zip(game.legal_moves(), game.names(), strict=True))[move])
        game.play(move)
    return names


def _changed(names: list[int], chance: random.Random) -> list[int]:
    """Return the names, one to three of them moved elsewhere, and sometimes one left out."""
    changed = [*names]
    for _ in range(chance.randint(1, 3)):
        changed.insert(chance.randrange(len(names)), changed.pop(chance.randrange(len(names))))
    if chance.random() < 0.3:
        changed.pop(chance.randrange(len(names)))
    return changed


def _meetings(
    game: Game, wanted: list[int], first: dict[int, list[int]], chance: random.Random
) -> list[tuple[list[int], list[int]]]:
    """Play a game by the names that are ``wanted``; return where it meets others, as pairs of their moves and its own.

    ``first`` has, by ``rest``, the moves that led there first; this game enters its own.
    """
    moves: list[int] = []
    meetings = []
    wanted = [*wanted]
    game.reset()
    while True:
        earlier = first.setdefault(int(game.value("rest")), moves)
        if earlier != moves:
            meetings.append((earlier, moves))
        legal = game.legal_moves()
        if not legal:
            return meetings
        found = next((name for name in wanted if game.move_of(name) >= 0), None)
        if found is None:
            move = chance.choice(legal)
        else:
            move = game.move_of(found)
            wanted.remove(found)
        moves = [*moves, move]
        game.play(move)


def _rest_difference(
    one: GuardedGame,
    another: GuardedGame,
    earlier: list[int],
    later: list[int],
    names: list[int],
    chance: random.Random,
) -> str:
    """Return in words how two games go on differently by the same moves; empty if they do not."""
    follow(one, earlier)
    follow(another, later)
    won = one.score(), another.score()
    by_name = chance.random() < 0.5
    while True:
        legal = one.legal_moves()
        called = one.names()
        another.legal_moves()
        for name in sorted({*names, *called, *another.names()}):
            found = [min(game.move_of(name), 0) for game in (one, another)]
            if found[0] != found[1]:
                said = [("a move", "-1", "-2")[-status] for status in found]
                return f"for the name {name} the kernel find gives {said[0]} in one, {said[1]} in the other"
        if not legal or not another.listed:
            break
        move, name = chance.choice([*zip(legal, called, strict=True)])
        another.play(another.move_of(name) if by_name else move)
        one.play(move)
    gained = one.score() - won[0], another.score() - won[1]
    if all(map(math.isfinite, gained)) and gained[0] != gained[1]:
        return f"to the end of the game the score changes by {gained[0]:.17g} in one, {gained[1]:.17g} in the other"
    return ""


def follow(game: Game, path: list[int]) -> None:
    """Play a path from the beginning; a state is asked for all its moves before one of them is played."""
    game.reset()
    for move in path:
        game.all_moves()
        game.play(move)


def _lengths(*beginnings: list[int]) -> str:
    return " and ".join(f"after {len(moves)} moves" for moves in beginnings)


def different_games(
    problem: BaseProblem,
    twin: Problem,
    games: Iterable[list[int]],
    numbers_of: Callable[[Iterable[Any]], np.ndarray] | None = None,
) -> str:
    """Play the games in both side by side, and return the first difference in words.

    ``numbers_of`` gives the numbers of the twin's moves, in the same order. Without it, moves belong together that
    build the same solution, the first with the first where several do; where no first moves do, those at the same index
    in the lists.
    """
    game, by_index = Game(problem.model), False
    for number, moves in enumerate(games):
        game.reset()
        state: Any = twin.initial_state()
        things: list[Hashable] = []
        for step in range(len(moves) + 1):
            ours, theirs = game.legal_moves(), tuple_of(twin, twin.legal_moves(state))
            if numbers_of:
                built, built_there = ours, numbers_of(theirs).tolist()
            else:
                built = _built(problem, moves[:step], ours, lambda numbers: np.array(numbers, np.int64))
                built_there = _built(twin, things, theirs, twin.model.numbers_of)
                if number == step == 0:
                    by_index = not any(each in built_there for each in built)
                if by_index:
                    built, built_there = [*range(len(ours))], [*range(len(theirs))]
            is_same = built == built_there if numbers_of else sorted(built) == sorted(built_there)
            if not is_same:
                own = _listing([problem.own_move(move) for move in ours])
                return f"at step {step + 1} the legal moves are {own}, those of the twin {_listing(theirs)}"
            if twin.players > 1 and game.player() != twin.player(state):
                return f"at step {step + 1} it is player {game.player()}'s turn, in the twin {twin.player(state)}'s"
            if step < len(moves):
                things.append(theirs[built_there.index(built[ours.index(moves[step])])])
                state = twin.play(state, things[-1])
                game.play(moves[step])
        if theirs:
            continue  # the game ended early, and nobody asks for a result
        found, there = result_of(game), _result_there(twin, state)
        if not all(math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE) for a, b in zip(found, there, strict=True)):
            kernel = "rewards" if twin.players > 1 else "score"
            played = _listing([problem.own_move(move) for move in moves])
            return f"{kernel} is {_listing(found)}, that of the twin {_listing(there)}, after the moves {played}"
    return ""


def _built(
    problem: BaseProblem, before: list[Any], legal: Iterable[Any], numbers_of: Callable[[list[Any]], np.ndarray]
) -> list[Any]:
    """Return what each legal move builds after those before, as text, and how many built the same before it.

    The index of the move if nothing is built yet.
    """
    built: list[Any] = []
    earlier = Counter[str]()
    for index, move in enumerate(legal):
        try:
            solution = repr(plain(problem.solution(numbers_of([*before, move]))))
        except Exception:
            # A class may build whole games only.
            solution = f"{type(problem)} {index}"
        built.append((solution, earlier[solution]))
        earlier[solution] += 1
    return built


def _result_there(twin: Problem, state: Any) -> list[float]:
    if twin.players > 1:
        return [*checked_rewards(twin, twin.rewards(state), twin.players)]
    return [score_of(twin, state)]


def _listing(things: Iterable[Any]) -> str:
    return shortened(repr([*things]), LONGEST_LIST)
