import random
import re
from typing import NamedTuple

import jobs_with_rest
import numpy as np
import pytest
from jobs_with_rest import DONE, LAST, jobs_with

import nrpa
from nrpa.engine.guarded_game import GuardedGame, OutOfBounds, guarded, run_smoke_test
from nrpa.engine.kernels import allocate_moves
from nrpa.engine.machine_code import diagnosed
from nrpa.engine.playout import Position, unset

"""What is checked of the names of moves, in the first games of a search; the other faults: ``test_smoke_test.py``."""


def find_nothing(instance, state, name):
    return nrpa.NOT_NOW


def find_another(instance, state, name):
    return jobs_with_rest.find(instance, state, name) + 1


def find_what_is_not_legal(instance, state, name):
    found = jobs_with_rest.find(instance, state, name)
    return name if found < 0 and state.sums[DONE] & instance.jobs[name] else found


def find_less(instance, state, name):
    return -3


def find_too_far(instance, state, name):
    return instance.before[name + len(instance.before)]


FAULTS = {
    find_nothing: r"the kernel find gave no move for the name \d+ of the legal move \d+",
    find_another: r"the kernel find gave the move (\d+) for the name \d+ of the legal move (?!\1)\d+",
    find_what_is_not_legal: r"the kernel find gave the move (\d+) for the name \1, which is not legal",
    find_less: "the kernel find gave -3; expected a move, -1 for none now, or -2 for none any more",
    find_too_far: r"the kernel find goes out of bounds of instance.before \(index 36, size 36\), .*_game.py",
}


@pytest.mark.parametrize("find", FAULTS)
def test_a_find_that_is_wrong_is_said_before_a_search_begins(find):
    """In one sentence that names the kernel."""
    message = FAULTS[find]
    find.__name__ = "find"
    with pytest.raises(nrpa.ProblemError, match=f"^Jobs: {message}") as caught:
        nrpa.RandomSampling().start(jobs_with(find), 1)
    assert "\n" not in str(caught.value)


def legal_moves(instance, state, moves):
    """Leave moves of odd kind out after such a move; they are legal again later."""
    count = 0
    for place in range(jobs_with_rest.legal_moves(instance, state, moves)):
        kind = moves.move[place] % len(instance.jobs)
        if not (state.sums[LAST] % 2 == 0 and state.sums[LAST] > 0 and kind % 2):
            moves.move[count], moves.code[count] = moves.move[place], kind
            count += 1
    return count


@pytest.mark.parametrize("given", [nrpa.NOT_NOW, nrpa.NEVER])
def test_a_name_that_is_given_up_is_not_found_again(given):
    """Not in the same game."""

    def find(instance, state, name):
        after_odd = state.sums[LAST] % 2 == 0 and state.sums[LAST] > 0
        return given if after_odd and name % 2 else jobs_with_rest.find(instance, state, name)

    game, said = GuardedGame(jobs_with(legal_moves, find).model), []
    for seed in range(10):
        chance = random.Random(seed)
        game.reset()
        try:
            while legal := game.legal_moves():
                game.check_names()
                game.play(chance.choice(legal))
        except nrpa.ProblemError as error:
            said.append(str(error))
    if given == nrpa.NOT_NOW:
        assert said == []
    else:
        assert len(said) > 5
        fault = r"Jobs: the kernel find gave up the name \d+ \(-2\), which a legal move has later"
        assert all(re.fullmatch(fault, text) for text in said)


def test_a_score_that_fails_in_mid_game_is_found_where_games_may_meet():
    """With the kernel ``rest`` it is asked of every state."""

    def score(instance, state):
        return np.float64(instance.hours[state.sums[DONE] % 2 * 99])

    with pytest.raises(nrpa.ProblemError, match=r"the kernel score goes out of bounds of instance.hours \(index 99"):
        nrpa.RandomSampling().start(jobs_with(score), 1)


def improve_beyond_the_state(instance, state, sequence, steps):
    state.sums[4] = 0
    return 1


def improve_beyond_the_sequence(instance, state, sequence, steps):
    sequence[24] = 0
    return 1


def improve_the_instance(instance, state, sequence, steps):
    instance.worth[0] = 1000
    return 1


def improve_all_of_the_instance(instance, state, sequence, steps):
    instance.worth.fill(1000)
    return 1


IMPROVES = {
    improve_beyond_the_state: r"the kernel improve goes out of bounds of state.sums \(index 4, size 4\), .*_game.py",
    improve_beyond_the_sequence: r"the kernel improve goes out of bounds of sequence \(index 24, size 24\), .*_game.py",
    improve_the_instance: r"the kernel improve writes to instance.worth, .*_game.py:\d+; no kernel",
    improve_all_of_the_instance: r"the kernel improve writes to an array of the instance, .*_game.py:\d+; no kernel",
}


@pytest.mark.parametrize("improve", IMPROVES)
def test_an_improve_that_is_wrong_is_said_before_a_search_begins(improve):
    """Also by ``check_problem``; in machine code it ended the process, or made a better instance of what was given."""
    message = IMPROVES[improve]
    improve.__name__ = "improve"
    problem = jobs_with(improve)
    with pytest.raises(nrpa.ProblemError, match=f"^Jobs: {message}"):
        run_smoke_test(problem.model, compiled=True)
    game = GuardedGame(problem.model)
    game.reset()
    with pytest.raises(nrpa.ProblemError, match=f"^Jobs: {message}"):
        game.improve([], 60)


def test_an_improve_that_takes_long_is_stopped():
    """As plain Python it may take a thousand times as long as in machine code."""

    def improve(instance, state, sequence, steps):
        while instance.hours[0] >= 0:
            sequence[0] = 1

    game = GuardedGame(jobs_with(improve).model)
    game.reset()
    game.improve([0], 0.01)
    assert game.legal_moves()


def test_a_kernel_cannot_be_compiled_to_write_to_the_instance():
    """A search would change what the check reads as well; the author's own arrays stay as writable as they were."""

    def play(instance, state, move):
        if state.sums[DONE] == -1:
            instance.worth[0] = 1000

    problem = jobs_with(play)
    instance, state = problem.model.instance, problem.new_state()
    assert (instance.worth.flags.writeable, problem.instance.worth.flags.writeable) == (False, True)
    error = diagnosed(Position(instance, state, allocate_moves(36), unset()))
    assert re.search("the kernel play does not compile.*readonly array", str(error))


def test_a_fault_at_the_end_of_a_game_is_found_before_machine_code_from_disk_runs():
    """The whole game is played, where it is short, and scored."""

    def score(instance, state):
        for kind in range(len(instance.jobs)):
            if jobs_with_rest.standing.py_func(instance, state, kind) == 0:
                return 0.0
        return np.float64(instance.hours[99])

    with pytest.raises(nrpa.ProblemError, match=r"the kernel score goes out of bounds of instance.hours"):
        run_smoke_test(jobs_with(score).model, compiled=True)


@pytest.mark.parametrize("count", [-7, -100])
def test_a_negative_number_of_moves_is_told_as_what_it_is(count):
    """It was the status of another failure."""

    def legal_moves(instance, state, moves):
        return count

    with pytest.raises(nrpa.ProblemError, match=f"^Jobs: the kernel legal_moves returned {count}; expected the number"):
        run_smoke_test(jobs_with(legal_moves).model, compiled=True)


"""Arrays that know their names."""


class Inner(NamedTuple):
    rows: np.ndarray


class Outer(NamedTuple):
    size: int
    inner: Inner
    near: np.ndarray


@pytest.fixture
def outer():
    return guarded(Outer(3, Inner(np.zeros((2, 3), np.uint8)), np.zeros(4)), "state")


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda outer: outer.near[4], r"state.near (index 4, size 4)"),
        (lambda outer: outer.near[np.int64(-5)], r"state.near (index -5, size 4)"),
        (lambda outer: outer.near.__setitem__(9, 1.0), r"state.near (index 9, size 4)"),
        (lambda outer: outer.inner.rows[2, 0], r"state.inner.rows (index (2, 0), shape (2, 3))"),
        (lambda outer: outer.inner.rows[1][3], r"state.inner.rows (index 3, size 3)"),
    ],
)
def test_an_index_out_of_bounds_names_the_array(outer, use, said):
    """Read or written, in a nested record, in a row of an array."""
    with pytest.raises(OutOfBounds) as caught:
        use(outer)
    assert str(caught.value) == said


def test_views_write_to_the_same_memory():
    """What a kernel does to a guarded array it does to the array."""
    array = np.zeros(3)
    guarded(array, "mine")[1] = 5.0
    assert array.tolist() == [0.0, 5.0, 0.0]


def test_narrow_elements_are_computed_with_as_compiled(outer):
    """A byte of 0 less 1 is -1, as numba has it, not 255."""
    assert outer.inner.rows[0, 0] - 1 == -1
    assert outer.inner.rows[0, 0] + 300 == 300
