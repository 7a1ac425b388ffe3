"""Slices of a parallel search on any ``concurrent.futures.Executor``, and on processes of this machine.

A piece takes the memory of a search, and returns it with the improvements: a process that dies costs a piece, not the
search. A worker that has done its slice goes on ahead of the others, piece by piece, with what the next slices ask for.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from nrpa.base.errors import CRASH_HINT, InputError, LostWorkersError
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.arguments import submitted
from nrpa.search.engines import Slice
from nrpa.search.problem_pickle import packed, unpacked, unpickled_anew
from nrpa.search.processes import WorkerProcess
from nrpa.solvers.interface import Improvement

if TYPE_CHECKING:
    from nrpa.solvers.search import ResumableSearch

TRIES = 5
AHEAD_SECONDS = 2.0
PIECES_A_SLICE = 4


class Answer(NamedTuple):
    """What comes back of a piece: the search as bytes, its counts, what it found, how long, whether that is proven."""

    frozen: bytes
    counts: tuple[int, int]
    improvements: list[Improvement]
    seconds: float
    proven: bool


class Piece(NamedTuple):
    """What a worker was told to do, and what came of it: an answer, or the exception of the search."""

    todo: Slice
    result: Answer | Exception


class WorkerState:
    """What one worker has in hand: a search as bytes, and the pieces that it has done beyond it.

    - ``answer``: The search after all slices that were asked for; ``seconds``, how long the worker searched for it.
    - ``ahead``: The pieces done beyond it, each going on from the one before.
    - ``running``: The piece under way, which goes on from the last one.
    """

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self._first = answer.counts[0]
        self.ahead: list[Piece] = []
        self.running: tuple[Slice, Future[Any]] | None = None
        self.seconds = 0.0

    @property
    def tip(self) -> Answer | Exception:
        """What the next piece goes on from."""
        return self.ahead[-1].result if self.ahead else self.answer

    def playouts_of(self, piece: int) -> int:
        """Return how many playouts were done in a piece of ``ahead``, by its number."""
        before = self.ahead[piece - 1].result if piece else self.answer
        after = self.ahead[piece].result
        return after.counts[0] - before.counts[0] if isinstance(after, Answer) and isinstance(before, Answer) else 0

    def ended_early(self, piece: int) -> bool:
        """Return whether a piece of ``ahead`` reached one of its limits, an error or a proof, so that none follows."""
        todo, after = self.ahead[piece]
        if isinstance(after, Exception) or after.proven or self.playouts_of(piece) < todo.playouts:
            return True
        return any(found.score >= todo.score for found in after.improvements)

    def fitting(self, wanted: Slice) -> tuple[int, int, bool]:
        """Return how much of ``ahead`` begins a slice: pieces, playouts, and whether they are all of it."""
        pieces = playouts = 0
        for piece, (todo, _) in enumerate(self.ahead):
            if not _is_part_of(todo, wanted, playouts):
                break
            pieces, playouts = pieces + 1, playouts + self.playouts_of(piece)
            if self.ended_early(piece):
                return pieces, playouts, True
        return pieces, playouts, playouts == wanted.playouts

    def drop(self, pieces: int) -> None:
        """Forget what was done beyond so many pieces."""
        if self.running is not None:
            self.running[1].cancel()
        del self.ahead[pieces:]
        self.running = None

    def take(self, pieces: int) -> list[Improvement]:
        """Make so many pieces the search's own, and return what was found in them. Raises what the search raised."""
        taken = [_answer(piece.result) for piece in self.ahead[:pieces]]
        if taken:
            self.answer = taken[-1]
        del self.ahead[:pieces]
        self.seconds += sum(answer.seconds for answer in taken)
        return [improvement for answer in taken for improvement in answer.improvements]

    def ahead_for(self, wanted: Slice, pieces: int, piece_seconds: float) -> Slice | None:
        """Return what to do beyond the first pieces of ``ahead``, which make up a slice; None if that is enough."""
        answers = [piece.result for piece in self.ahead if isinstance(piece.result, Answer)]
        seconds = self.seconds + sum(answer.seconds for answer in answers)
        done = answers[-1].counts[0] if answers else self.answer.counts[0]
        is_over = bool(self.ahead) and self.ended_early(len(self.ahead) - 1)
        is_enough = sum(answer.seconds for answer in answers[pieces:]) > AHEAD_SECONDS
        if is_over or is_enough or not seconds or wanted.searches < sys.maxsize:
            return None
        playouts = max(1, int((done - self._first) / seconds * piece_seconds))
        return wanted._replace(playouts=playouts)


def _is_part_of(todo: Slice, wanted: Slice, done: int) -> bool:
    """Return whether a piece can be the next one of a slice of which so many playouts are done."""
    return todo.playouts <= wanted.playouts - done and todo[1:] == wanted[1:]


class Executors:
    """Slices handed to executors as bytes and taken back as bytes.

    Raises InputError if the problem cannot be pickled, or the executor takes no work.
    """

    slice_seconds = 0.25

    def __init__(self, problem: BaseProblem, searches: Sequence[Any], executor: Executor | None) -> None:
        self._model = problem.model
        self._problem = packed(problem, elsewhere=executor is not None)
        self._hands = [WorkerState(_begun(problem, search)) for search in searches]
        self._own = [WorkerProcess() for _ in searches] if executor is None else []
        self._executors: list[Any] = [*self._own] if executor is None else [executor] * len(searches)
        self._warm()

    @property
    def playouts(self) -> list[int]:
        """How many playouts each worker has done, of those asked for."""
        return [hand.answer.counts[0] for hand in self._hands]

    @property
    def finished(self) -> list[int]:
        """How many top-level searches each worker has done."""
        return [hand.answer.counts[1] for hand in self._hands]

    @property
    def proven(self) -> list[bool]:
        """Whether each worker has proved that nothing is better than its best."""
        return [hand.answer.proven for hand in self._hands]

    @property
    def seconds(self) -> list[float]:
        """How long each worker has searched, without the time that it waited for the others."""
        return [hand.seconds for hand in self._hands]

    def _warm(self) -> None:
        """Let every worker load its machine code."""
        nothing = Slice(0, 0, 0.0)
        futures = [self._submit(worker, nothing) for worker in range(len(self._hands))]
        for worker, hand in enumerate(self._hands):
            for _ in range(1, TRIES):
                if _error(futures[worker]) is not None:
                    futures[worker] = self._submit(worker, nothing)
            if not self._collected(worker):
                raise _lost(worker, futures[worker])
            hand.take(1)

    def run(self, slices: dict[int, Slice]) -> dict[int, list[Improvement]]:
        """Let each worker do its slice; a piece that was lost with its process is done again.

        Nothing has changed where this raises: what a worker raised, or LostWorkersError where a piece is lost again and
        again.
        """
        lost = dict.fromkeys(slices, 0)
        while left := [worker for worker, wanted in slices.items() if not self._has_done(worker, wanted)]:
            for worker in left:
                self._go_on(worker, slices[worker])
            if not any(lost.values()):
                for worker in slices.keys() - left:
                    self._go_ahead(worker, slices[worker])
            running = {
                hand.running[1]: worker for worker, hand in enumerate(self._hands) if worker in slices and hand.running
            }
            wait(running, return_when=FIRST_COMPLETED)
            for future, worker in running.items():
                if future.done() and not self._collected(worker):
                    lost[worker] += 1
                    if lost[worker] >= TRIES:
                        raise _lost(worker, future)
        pieces = {worker: self._hands[worker].fitting(wanted)[0] for worker, wanted in slices.items()}
        for worker, number in pieces.items():
            for piece in self._hands[worker].ahead[:number]:
                _answer(piece.result)
        return {worker: self._numbered(self._hands[worker].take(number)) for worker, number in pieces.items()}

    def _has_done(self, worker: int, wanted: Slice) -> bool:
        return self._hands[worker].fitting(wanted)[2]

    def _go_on(self, worker: int, wanted: Slice) -> None:
        """Give a worker what its slice lacks, unless it is at it."""
        hand = self._hands[worker]
        pieces, playouts, _ = hand.fitting(wanted)
        is_at_it = len(hand.ahead) == pieces and hand.running and _is_part_of(hand.running[0], wanted, playouts)
        if not is_at_it:
            hand.drop(pieces)
            self._submit(worker, wanted._replace(playouts=wanted.playouts - playouts))

    def _go_ahead(self, worker: int, wanted: Slice) -> None:
        """Let a worker that has done its slice, and has nothing to do, go on beyond it."""
        hand = self._hands[worker]
        if hand.running is None:
            todo = hand.ahead_for(wanted, hand.fitting(wanted)[0], self.slice_seconds / PIECES_A_SLICE)
            if todo is not None:
                self._submit(worker, todo)

    def _submit(self, worker: int, todo: Slice) -> Future[Any]:
        hand = self._hands[worker]
        frozen = _answer(hand.tip).frozen
        future = submitted(self._executors[worker], run_slice, self._problem, frozen, todo)
        hand.running = todo, future
        return future

    def _collected(self, worker: int) -> bool:
        """Take in the piece under way when it is done; return False if it was lost."""
        hand = self._hands[worker]
        if hand.running is None:
            return False
        todo, future = hand.running
        hand.running = None
        if _error(future) is not None:
            return False
        result = future.result()
        if not isinstance(result, Answer | Exception):
            what = f"a future of {type(self._executors[worker]).__name__} has the result {result!r:.60}"
            raise InputError(f"executor: {what}; expected what the function returns that was submitted")
        hand.ahead.append(Piece(todo, result))
        return True

    def _numbered(self, improvements: list[Improvement]) -> list[Improvement]:
        """Return improvements with the numbers that their moves have in this process."""
        return [found._replace(moves=self._model.numbers_of(found.moves)) for found in improvements]

    def searches(self) -> list[Any]:
        """Return the search of each worker, made of what it has in hand."""
        return [pickle.loads(hand.answer.frozen).thawed(unpickled_anew(self._problem)) for hand in self._hands]

    def snapshot(self) -> list[object]:
        """Return what each worker has in hand: it is never changed, only replaced."""
        return [hand.answer for hand in self._hands]

    def restore(self, worker: int, snapshot: Any) -> None:
        """Bring a worker back to where it was."""
        hand = self._hands[worker]
        hand.drop(0)
        hand.answer = snapshot

    def close(self) -> None:
        """End the processes that were made here; an executor that was given is left as it is."""
        for hand in self._hands:
            hand.drop(0)
        for process in self._own:
            process.end()


def _begun(problem: BaseProblem, search: Any) -> Answer:
    """Return a search as if it had come back from a worker."""
    try:
        frozen = pickle.dumps(search.frozen())
    except Exception as error:
        raise InputError(f"{problem.name}: its moves cannot be sent to worker processes ({error})") from None
    return Answer(frozen, (search.playouts, search.finished), [], 0.0, getattr(search, "proven", False))


def _answer(result: Answer | Exception) -> Answer:
    """Return the answer. Raises what the worker raised."""
    if isinstance(result, Exception):
        raise result
    return result


def _error(future: Future[Any]) -> BaseException | None:
    """Return what kept a future from its result, when it is done."""
    try:
        return future.exception()
    except CancelledError as error:
        return error


def _lost(worker: int, future: Future[Any]) -> LostWorkersError:
    error = _error(future)
    what = f"{type(error).__name__}: {error}"
    return LostWorkersError(f"the same slice of worker {worker + 1} was lost {TRIES} times ({what}); {CRASH_HINT}")


def run_slice(problem: bytes, frozen: bytes, todo: Slice) -> Answer | Exception:
    """Do one slice in this process; return the search as it is then and what it found, or the exception.

    Moves of improvements are given as what they are, not by their numbers in this process.
    """
    try:
        search = thawed(problem, frozen)
        begun = perf_counter()
        improvements = search.advance(*todo)
        seconds = perf_counter() - begun
        model = search.problem.model
        found = [improvement._replace(moves=model.things_of(improvement.moves)) for improvement in improvements]
        counts = search.playouts, search.finished
        return Answer(pickle.dumps(search.frozen()), counts, found, seconds, search.proven)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return RuntimeError(f"{type(error).__name__}: {error}")
        return error


_machine_code: dict[tuple[bytes, type], Any] = {}


def thawed(problem: bytes, frozen: bytes) -> ResumableSearch:
    """Return the search, with the machine code that an earlier slice of its kind has loaded in this process."""
    try:
        made, search = unpacked(problem), pickle.loads(frozen)
    except InputError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the problem or the solver cannot be made in a worker process ({what})") from None
    made_again: ResumableSearch = search.thawed(made)
    key = hashlib.sha256(problem).digest(), type(made_again)
    made_again.prepare(_machine_code.get(key))
    _machine_code[key] = made_again.machine_code
    return made_again
