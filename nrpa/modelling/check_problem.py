"""Whether a problem keeps what the engine relies on. For people who write problems."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.values import is_finite
from nrpa.engine.answers import (
    checked_player,
    checked_rewards,
    checked_value,
    listed,
    require_different,
    require_hashable,
    score_said,
)
from nrpa.engine.game import Game
from nrpa.engine.guarded_game import GuardedGame
from nrpa.engine.kernels import KERNELS, NEVER, has_kernel, kernels_of
from nrpa.engine.status import LARGEST_SCORE, SCORES
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.check_states import confused_states, different_games, result_of, same_results, wrong_rest
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.problem import Problem
from nrpa.modelling.validate import incomplete_copy, validate

IMPROVE_SECONDS = 0.1


@dataclass
class Contract:
    """What ``check_problem`` has found.

    Attributes
    ----------
    problem : str
        The name of the problem's class.
    faults : list of str
        In words what is broken; empty if nothing is.
    games : int
        The games played.
    steps : int
        The steps of these games in all.
    doubts : list of str
        In words what is allowed, and seldom meant.
    """

    problem: str
    faults: list[str] = field(default_factory=list)
    games: int = 0
    steps: int = 0
    doubts: list[str] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        """Whether nothing is broken."""
        return not self.faults

    def summary(self) -> str:
        """Return what was found as text, a line for each fault and each doubt."""
        found = self.faults or [f"kept in {self.games} games of {self.steps} steps in all"]
        return "\n".join(f"{self.problem}: {each}" for each in [*found, *self.doubts])


class Broken(Exception):  # noqa: N818
    """A fault was found: its message is what is broken."""


def check_problem(problem: BaseProblem, *, seed: int = 0, games: int = 20, twin: Problem | None = None) -> Contract:
    """Play random games of a problem, and check what the engine relies on.

    Legal moves are the same when asked twice, and so are codes and biases; states do not change when their copies
    are played on; scores, or the rewards of a game's players, are finite; games end; a game can be played again;
    states of equal hash are played on alike; ``is_legal`` agrees with ``legal_moves``; the problem's own check
    agrees. Of a compiled problem also: the limits hold, no kernel goes out of the bounds of an array or writes to
    the instance (``improve`` is given each game for a tenth of a second), compiled kernels do what they do as plain
    Python, legal moves are found by their names, and games that meet, as the kernel ``rest`` says, go on alike.

    Parameters
    ----------
    problem : BaseProblem
        The problem, with a small instance.
    seed : int
        The seed of the random games.
    games : int
        How many games to play. The first fault ends the check.
    twin : Problem, optional
        The same instance of a compiled problem in plain Python. The games are played in both side by side: legal moves
        must be the same, and scores or rewards to 1e-9 of them. Moves are the same that build the same solution; where
        the two have other moves altogether, those at the same places in the lists.

    Returns
    -------
    Contract
        What was found.

    Raises
    ------
    InputError
        If ``problem`` is a class, or no problem, or ``twin`` is given and they are not a compiled problem and one in
        plain Python.

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
    if twin is not None and not (isinstance(problem, CompiledProblem) and isinstance(twin, Problem)):
        raise InputError(f"twin is {twin!r:.60}; expected an nrpa.Problem beside an nrpa.CompiledProblem")
    contract = Contract(type(problem).__name__)
    chance = random.Random(seed)
    played: list[list[Any]] = []
    try:
        validate(problem)
        for _ in range(games):
            moves, result = _game_of(problem, chance)
            played.append(moves)
            _doubt_score(contract, problem, result)
            contract.steps += len(played[-1])
            contract.games += 1
        if fault := next(filter(None, _faults_between(problem, twin, played)), ""):
            contract.faults.append(fault)
    except (Broken, ProblemError) as error:
        said = str(error).removeprefix(f"{contract.problem}: ").removeprefix(f"{contract.problem}.")
        contract.faults.append(said)
    return contract


def _asked(problem: Problem, method: str, *arguments: Any) -> Any:
    """Return what a method of the author's returns; an exception there is a fault."""
    try:
        found = getattr(problem, method)(*arguments)
        return [*listed(problem, found)] if method == "legal_moves" else found
    except ProblemError:
        raise
    except Exception as error:
        raise Broken(f"{method} raised {type(error).__name__}: {error}") from error


def _faults_between(problem: BaseProblem, twin: Problem | None, played: list[list[Any]]) -> Iterator[str]:
    """Yield what is wrong between states of games that were played, or beside the twin; empty for nothing."""
    if problem.model.has_hash:
        numbers = problem.model.moves if isinstance(problem, Problem) else None
        games = played if numbers is None else [[numbers[move] for move in moves] for moves in played]
        one, another = (Game(problem.model, interpreted=numbers is not None) for _ in range(2))
        yield confused_states(one, another, games)
    if not isinstance(problem, CompiledProblem):
        return
    if has_kernel(type(problem.model.new_state()), "rest"):
        yield wrong_rest(Game(problem.model), played)
    if twin is not None:
        try:
            type(twin).require_methods()
            yield different_games(problem, twin, played)
        except ProblemError:
            raise
        except Exception as error:
            raise Broken(f"the twin raised {type(error).__name__}: {error}") from error


def _doubt_score(contract: Contract, problem: BaseProblem, result: list[float]) -> None:
    """Note the first score that makes a cost negative."""
    if problem.players == 1 and problem.objective.sign < 0 < result[0] and not contract.doubts:
        name, value = problem.objective.name, problem.objective.value(result[0])
        contract.doubts.append(f"the score {result[0]:g} is a {name} of {value:g}; score returns a {name} negated")


def _game_of(problem: BaseProblem, chance: random.Random) -> tuple[list[Any], list[float]]:
    if isinstance(problem, Problem):
        return _python_game(problem, chance)
    if isinstance(problem, CompiledProblem):
        return _compiled_game(problem, chance)
    raise Broken("expected an instance of nrpa.Problem or nrpa.CompiledProblem")


def _python_game(problem: Problem, chance: random.Random) -> tuple[list[Any], list[float]]:
    """Play one game twice, looking around at each step; return its moves, and its score or rewards."""
    moves: list[Any] = []
    met: dict[Any, bool] = {}
    state = _asked(problem, "initial_state")
    for view in _python_steps(problem, state, problem.max_steps):
        state, legal = view
        _check_is_legal(problem, state, legal, met)
        if not legal:
            break
        _look_around(problem, state, legal, chance)
        moves.append(chance.choice(legal))
        view[0] = _asked(problem, "play", _asked(problem, "copy", state), moves[-1])
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
    verdict = problem.check(moves)
    if verdict.faults and not verdict.faults_counted:
        raise Broken(f"check refuses a game that was played by the rules: {verdict.faults[0]}")
    return moves, result


def _check_is_legal(problem: Problem, state: Any, legal: list[Any], met: dict[Any, bool]) -> None:
    """Ask ``is_legal`` for all moves of the game so far; ``met`` says of each whether NEVER was the answer."""
    if type(problem).is_legal is Problem.is_legal:
        return
    met.update({move: False for move in legal if move not in met})
    for move, was_never in met.items():
        answer = _asked(problem, "is_legal", state, move)
        is_never = answer == NEVER
        if (bool(answer) and not is_never) != (move in legal):
            raise Broken(f"is_legal says {answer!r:.60} for the move {move!r:.60}; legal_moves gives {legal!r:.60}")
        if was_never and not is_never:
            raise Broken(f"is_legal said NEVER for the move {move!r:.60}, and says {answer!r:.60} later in the game")
        met[move] = is_never


def _python_steps(problem: Problem, state: Any, limit: int) -> Iterator[list[Any]]:
    """Yield [state, its legal moves] for each step, and go on with the state that is put in its place."""
    for _ in range(limit + 1):
        view = [state, _legal(problem, state)]
        yield view
        state = view[0]
    raise Broken(f"a game does not end within max_steps = {limit}; if it does later, set max_steps higher")


def _legal(problem: Problem, state: Any) -> list[Any]:
    legal: list[Any] = _asked(problem, "legal_moves", state)
    again = _asked(problem, "legal_moves", state)
    if legal != again:
        end = "a final state has legal moves when asked again" if not legal else "two calls for one state differ"
        raise Broken(f"legal_moves is not deterministic: {end} ({legal!r:.60}, then {again!r:.60})")
    require_hashable(problem, "legal_moves", legal)
    require_different(problem, legal)
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
    codes = [_asked(problem, "code", state, move) for move in legal]
    require_hashable(problem, "code", codes)
    biases = [_asked(problem, "bias", state, move) for move in legal]
    player = checked_player(problem, _asked(problem, "player", state), problem.players)
    for move, bias in zip(legal, biases, strict=True):
        if not is_finite(bias):
            raise Broken(f"bias of the move {move!r} is {bias}")
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
    plain = GuardedGame(problem.model)
    moves, result = _game(plain, chance)
    if has_kernel(type(plain.state), "improve"):
        _kernel("improve", plain.improve, moves, IMPROVE_SECONDS)
    compiled = Game(problem.model)
    compiled.reset()
    replay = Game(problem.model, interpreted=True)
    replay.reset()
    for step, move in enumerate(moves, start=1):
        _require_same(compiled, replay, step)
        compiled.play(move)
        replay.play(move)
    _require_same(compiled, replay, len(moves) + 1)
    kernel = "score" if problem.players == 1 else "rewards"
    if not same_results(result_of(compiled), result):
        raise Broken(f"compiled, the kernel {kernel} gives {result_of(compiled)}; as plain Python {result}")
    verdict = problem.check(problem.solution(np.array(moves, np.int64)))
    checked = verdict.rewards if problem.players > 1 else () if verdict.score is None else (verdict.score,)
    if not same_results([*(checked or ())], result):
        raise Broken(f"check says {checked} {verdict.faults} where the kernel {kernel} says {result}")
    return moves, result


def _require_same(compiled: Game, plain: Game, step: int) -> None:
    if kernel := _differing(_view(compiled), _view(plain)):
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


def _differing(one: dict[str, Any], another: dict[str, Any]) -> str:
    """Return the name of the first kernel that says something else in another view; empty for none."""
    return next((name for name, said in one.items() if said != another[name]), "")


def _kernel(name: str, call: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return call(*arguments)
    except ProblemError:
        raise
    except Exception as error:
        raise Broken(f"the kernel {name} raised {type(error).__name__}: {error}") from error


def _game(game: GuardedGame, chance: random.Random) -> tuple[list[int], list[float]]:
    _kernel("reset", game.reset)
    moves: list[int] = []
    while True:
        view = _view(game)
        if kernel := _differing(view, _view(game)):
            raise Broken(f"the kernel {kernel} is not deterministic: two calls at step {len(moves) + 1} differ")
        legal = _kernel("legal_moves", game.legal_moves)
        if "all_moves" in view and not set(legal) <= set(view["all_moves"][0]):
            raise Broken("the kernel all_moves leaves out a move that legal_moves gives")
        if "find" in view:
            _kernel("find", game.check_names)
        if not legal:
            break
        _check_copy(game, view, chance)
        moves.append(chance.choice(legal))
        _kernel("play", game.play, moves[-1])
    result = _kernel("score" if game.model.players == 1 else "rewards", result_of, game)
    if not all(abs(each) <= LARGEST_SCORE for each in result):
        raise Broken(f"the kernel score returned {result[0]}; expected a number from {SCORES}")
    return moves, result


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
    if kernel := _differing(view, _view(game)):
        how = "the kernel copy" if has_kernel(type(copied), "copy") else "copying the arrays of the state"
        raise Broken(f"{how} is not complete: {kernel} says something else of a copy, after its original was played on")
    _kernel("legal_moves", game.legal_moves)
