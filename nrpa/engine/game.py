"""The kernels of a problem one at a time, for Python code that plays a game step by step."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.engine import kernels
from nrpa.engine.kernels import KERNELS, NEVER, NOTHING, NUMBER, OF_PROBLEMS, WHOLE, allocate_moves, kernels_of
from nrpa.engine.machine_code import machine_code, require_kernel, runnable
from nrpa.engine.model import Model, Needs
from nrpa.engine.playout import Position, unset
from nrpa.engine.status import (
    EXCEPTION,
    INTERRUPTED,
    LARGEST_SCORE,
    NO_BIAS,
    NO_SCORE,
    TOO_MANY_MOVES_AT_ONCE,
    failure,
    no_bias,
    require_codes,
)
from nrpa.machine.jit import made

_ACTIONS = {name: action for action, name in enumerate(OF_PROBLEMS)}
_VARIABLES = {
    "source": "state",
    "rewards": "gained",
    **dict.fromkeys(("sequence", "before"), "moves.move"),
    **dict.fromkeys(("first", "between", "last", "is_written"), "move"),
    "steps": "move",
    "place": "move",
    "name": "move",
}


def _driver() -> Callable[..., Any]:
    """Return a function that calls the kernel of a number and keeps what it returns in ``whole`` or ``number``."""
    lines = [
        "def drive(position, target, action, move, whole, number, gained):",
        "    instance, state, moves, _ = position",
    ]
    for action, kernel in enumerate(OF_PROBLEMS.values()):
        call = f"{kernel.name}({', '.join(_VARIABLES.get(p, p) for p in kernel.parameters)})"
        kept = {WHOLE: f"whole[0] = {call}", NUMBER: f"number[0] = {call}", NOTHING: call}[kernel.returns]
        lines += [f"    {'el' if action else ''}if action == {action}:", f"        {kept}"]
    generics = {name: getattr(kernels, name) for name in OF_PROBLEMS}
    return made("\n".join(lines) + "\n", "drive", {**generics, "__name__": __name__}, __file__)


drive = _driver()


class Game:
    """A game that the kernels of a problem play step by step, compiled or, if ``interpreted``, as plain Python.

    A kernel is compiled when it is called, or at once if it is one of those that the game ``uses``.
    """

    def __init__(self, model: Model, interpreted: bool = False, uses: Iterable[str] = ()) -> None:
        self.model = model
        self.position = Position(model.instance, model.new_state(), allocate_moves(model.limits.moves), unset())
        # The moves that were listed last, their codes, and e^β of each.
        self.listed: list[int] = []
        self.codes: list[int] = []
        self.exp_biases: list[float] = []
        # The names met in the game so far, and whether ``find`` has given each of them up.
        self._given_up: dict[int, bool] = {}
        self._whole = np.zeros(1, np.int64)
        self._number = np.zeros(1)
        self._gained = np.zeros(model.players)
        self._drive: Any = runnable(drive)
        if not interpreted:
            arguments = (self.state, 0, 0, self._whole, self._number, self._gained)
            self._drive = machine_code(drive, model, self.position, arguments, uses)

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.position.state

    @state.setter
    def state(self, state: Any) -> None:
        self.position = self.position._replace(state=state)

    def _call(self, kernel: str, move: int = 0, target: Any = None) -> None:
        self._run(kernel, move, self.state if target is None else target)
        self.model.raise_kept_error()

    def _run(self, kernel: str, move: int, target: Any) -> None:
        require_kernel(self._drive, kernel, self.model, self.position)
        self._drive(self.position, target, _ACTIONS[kernel], move, self._whole, self._number, self._gained)

    def reset(self) -> None:
        """Begin the game."""
        self._given_up = {}
        self._call("reset")

    def legal_moves(self) -> list[int]:
        """Return the legal moves.

        Raises ProblemError when there are more than the limits allow, or the kernel stops the search.
        """
        return self._list("legal_moves")

    def all_moves(self) -> list[int]:
        """Return the moves that a level of NMCS tries. Raises ProblemError as ``legal_moves`` does."""
        return self._list("all_moves")

    def find(self, wanted: Callable[[int], bool]) -> int | None:
        """Return the first ``wanted`` move, legal ones before others that a level of NMCS tries; None for none."""
        for listed in (self.legal_moves, self.all_moves):
            found = next((move for move in listed() if wanted(move)), None)
            if found is not None:
                return found
        return None

    def _list(self, kernel: str) -> list[int]:
        self._call(kernel)
        while self._whole[0] == TOO_MANY_MOVES_AT_ONCE and self.model.limits.grow:
            self.position = self.position._replace(moves=allocate_moves(2 * len(self.position.moves.move)))
            self._call(kernel)
        count, moves = int(self._whole[0]), self.position.moves
        if count == NO_BIAS:
            raise no_bias(self.model, moves)
        if count > len(moves.move):
            count = TOO_MANY_MOVES_AT_ONCE
        if count < 0 and count not in (TOO_MANY_MOVES_AT_ONCE, EXCEPTION, INTERRUPTED):
            what = f"the kernel {kernel} returned {count}; expected the number of moves"
            raise ProblemError(f"{self.model.name}: {what}")
        if count < 0:
            raise failure(count, self.model)
        self.listed = moves.move[:count].tolist()
        self.codes = moves.code[:count].tolist()
        self.exp_biases = moves.exp_bias[:count].tolist()
        return self.listed

    def names(self) -> list[int]:
        """Return the names of the legal moves, which were listed last."""
        return [self.name_at(index) for index in range(len(self.listed))]

    def name_at(self, index: int) -> int:
        """Return the name of one of the moves that were listed last."""
        self._call("name", index)
        return int(self._whole[0])

    def move_of(self, name: int) -> int:
        """Return what the kernel ``find`` gives for a name: a move, NOT_NOW or NEVER."""
        self._call("find", name)
        return int(self._whole[0])

    def misnamed(self) -> tuple[int, int, list[int]] | None:
        """Return the first name that ``find`` is wrong about, what it gives, and the legal moves of that name.

        The legal moves must have been listed last. It must find these by their names, none whose name it has given up
        before in this game (NEVER), and for names of moves that were legal before nothing but moves that
        ``legal_moves`` or ``all_moves`` lists.
        """
        named: dict[int, list[int]] = {}
        for name, move in zip(self.names(), self.listed, strict=True):
            named.setdefault(name, []).append(move)
        self._given_up = dict.fromkeys(named, False) | self._given_up
        listed = {*self.listed, *self.all_moves()}
        for name, is_given_up in sorted(self._given_up.items()):
            found, moves = self.move_of(name), named.get(name, [])
            if (moves and found not in moves) or (found >= 0 and (is_given_up or found not in listed)):
                return name, found, moves
            self._given_up[name] = is_given_up or found == NEVER
        return None

    def play(self, move: int) -> None:
        """Make a move."""
        self._call("play", move)

    def playout(
        self, choose: Callable[[list[int]], int], most: float = math.inf, seconds: float = math.inf
    ) -> list[int]:
        """Play from the beginning to the end, or so many moves or seconds, each chosen of the legal ones; return those.

        The first move is made in any case.
        """
        made: list[int] = []
        end = time.perf_counter() + seconds
        self.reset()
        while len(made) < most and (moves := self.legal_moves()) and not (made and time.perf_counter() > end):
            made.append(choose(moves))
            self.play(made[-1])
        return made

    def value(self, kernel: str) -> float:
        """Return what a kernel of instance and state returns."""
        self._call(kernel)
        return int(self._whole[0]) if OF_PROBLEMS[kernel].returns == WHOLE else float(self._number[0])

    def score(self) -> float:
        """Return the score of the final state."""
        return self.value("score")

    def player(self) -> int:
        """Return whose turn it is, 0 to players - 1."""
        return int(self.value("player"))

    def hash(self) -> int:
        """Return the hash of the state; 0 in a problem without one."""
        return int(self.value("hash"))

    def rewards(self) -> list[float]:
        """Return what each player gets in the final state."""
        self._call("rewards")
        return [float(reward) for reward in self._gained]

    def values(self) -> list[float]:
        """Return what each player can expect of a state that is not final, by the kernel ``value``."""
        self._call("value")
        return [float(reward) for reward in self._gained]

    def result(self) -> list[float]:
        """Return what the final state is worth: the rewards of a game's players, else the score."""
        return self.rewards() if self.model.players > 1 else [self.score()]

    def view(self) -> dict[str, Any]:
        """Return what the kernels say of the state, numbers to nine digits; the legal moves are those listed last.

        Of a kernel that lists moves: the moves, their codes and e^β. Of ``find``: what it gives for each legal move's
        name.
        """
        own, said = kernels_of(type(self.state)), dict[str, Any]()
        for name in own:
            if KERNELS[name].says_of_any_state or (name == "score" and "rest" in own):
                said[name] = rounded([self.value(name)])
        for name in filter(own.__contains__, ("all_moves", "legal_moves")):
            moves = getattr(self, name)()
            said[name] = moves, self.codes, rounded(self.exp_biases if self.model.bias_by_move else [])
        if "find" in own:
            said["find"] = {name: self.move_of(name) for name in self.names()}
        if self.listed and "value" in own:
            said["value"] = rounded(self.values())
        in_order = {"legal_moves": said["legal_moves"], **said}
        return {f"the kernel {name}": says for name, says in in_order.items()}

    def choices(self) -> list[int]:
        """Return how many moves each step of a game that is not played has; 0 where games are orders."""
        counts = []
        for place in range(self.model.limits.steps):
            self._call("choices", np.int64(place))  # type: ignore[arg-type]
            counts.append(int(self._whole[0]))
        return counts

    def evaluate(self, moves: np.ndarray) -> float:
        """Return the score of a sequence (int64[steps]) that is not played. Raises InputError where it is none."""
        if not is_sequence(moves.tolist(), self.choices()):
            what = "the sequence to start from is neither an order nor a choice for each place, nor a set"
            raise InputError(f"{self.model.name}: {what}")
        return self.evaluated(moves)

    def evaluated(self, moves: np.ndarray) -> float:
        """Return what the kernel ``evaluate`` gives for moves."""
        position = self.position
        self.position = position._replace(moves=position.moves._replace(move=moves))
        try:
            self._call("evaluate")
        finally:
            self.position = position
        return float(self._number[0])

    def swap(self) -> None:
        """Go on with a copy of the state; the state before is then in ``original``."""
        self.original = self.state
        copied = self.model.new_state()
        self._call("copy", target=copied)
        self.state = copied


def rounded(numbers: Iterable[float]) -> list[str]:
    """Return numbers as text of nine digits; whole numbers whole."""
    return [f"{number:.9g}" if isinstance(number, float) else str(number) for number in numbers]


def is_sequence(moves: list[int], counts: list[int]) -> bool:
    """Return whether moves are an order (``counts`` are 0), a set of so many (-count), or a choice of so many each."""
    if len(moves) != len(counts):
        return False
    if all(count <= 0 for count in counts) and len({*counts}) == 1:
        most = -counts[0] or len(moves)
        return len({*moves}) == len(moves) and all(0 <= move < most for move in moves)
    return all(0 <= move < count for move, count in zip(moves, counts, strict=True))


class Memo(NamedTuple):
    """A sequence as a playout records it (see ``nrpa.engine.recording``), in arrays of its own length."""

    moves: np.ndarray  # int64[steps]: the moves
    chosen: np.ndarray  # int64[steps]: the index of each move among the legal moves of its step
    offset: np.ndarray  # int64[steps + 1]: where the legal moves of each step begin
    code: np.ndarray  # int64[total]: the codes of the legal moves, step after step
    exp_bias: np.ndarray  # float64[total]: their e^β
    score: float


def memoized(model: Model, moves: np.ndarray, listed: bool = True) -> Memo:
    """Play a whole game (``moves``, int64[steps]) and return what a playout would have recorded of it.

    Without what was ``listed``, only the moves and the score; a sequence that is evaluated is then not played.
    """
    game = Game(model)
    chosen, offset, code, exp_bias = [], [0], [], []
    if not listed:
        game.state = model.new_state(Needs(codes=False, bias=False))
        if model.is_evaluated:
            return _of_score(model, moves, game.evaluate(moves))
    game.reset()
    for step, move in enumerate(moves.tolist(), start=1):
        if game.find(move.__eq__) is None:
            raise InputError(f"{model.name}: step {step} of the sequence to start from is not a legal move")
        if listed:
            require_codes(model, game.codes)
            chosen.append(game.listed.index(move))
            code += game.codes
            exp_bias += game.exp_biases
            offset.append(len(code))
        game.play(move)
    if game.legal_moves():
        raise InputError(f"{model.name}: the sequence to start from ends before the end")
    memo = _of_score(model, moves, game.score())
    if not listed:
        return memo
    chosen_array, offset_array, code_array = (np.array(values, np.int64) for values in (chosen, offset, code))
    return Memo(moves, chosen_array, offset_array, code_array, np.array(exp_bias), memo.score)


def played_to_end(model: Model, moves: np.ndarray) -> tuple[np.ndarray, float]:
    """Play moves (int64) until the game ends, whatever follows; return those played, and the score.

    Raises InputError where one is not legal, or the game goes on.
    """
    game, steps = Game(model), 0
    game.reset()
    while legal := game.legal_moves():
        move = int(moves[steps]) if steps < len(moves) else None
        if move is None or (move not in legal and game.find(move.__eq__) is None):
            raise InputError(f"{model.name}: the game of {steps} moves is not at its end")
        game.play(move)
        steps += 1
    return moves[:steps].copy(), _of_score(model, moves, game.score()).score


def _of_score(model: Model, moves: np.ndarray, score: float) -> Memo:
    """Return a game of a score, without what was listed."""
    if not abs(score) <= LARGEST_SCORE:
        raise failure(NO_SCORE, model)
    none = np.zeros(0, np.int64)
    return Memo(moves, none, np.zeros(1, np.int64), none, np.zeros(0), score)
