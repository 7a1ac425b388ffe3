"""What a diagnosis says of tiny problems that have one fault each."""

import json
import signal
import sys
import time
from dataclasses import replace
from functools import cache

import pytest
from tictactoe import TicTacToe
from user_problems import Bits

import nrpa
from nrpa.bench.compiled_speed import CompiledSpeed
from nrpa.bench.diagnose import HELP, REST, Usage, method_shares, random_games


@pytest.fixture(autouse=True)
def looks(monkeypatch):
    """Compile nothing; return the problems that would be."""
    found = []

    def compiled_speed(problem, *given):
        found.append(problem)
        return CompiledSpeed(1e9)

    monkeypatch.setattr("nrpa.bench.diagnose.compiled_speed", compiled_speed)
    return found


class Flat(Bits):
    """The score does not depend on the moves."""

    def score(self, state):
        return 7


class Rare(Bits):
    """One game in eight scores."""

    def score(self, state):
        return 5 if state[:3] == (1, 1, 1) else 0


class Penalty(Bits):
    """One game in eight is far below all others."""

    def score(self, state):
        return -1e9 if state[:3] == (1, 1, 1) else sum(state)


class NotNegated(Bits):
    """A cost that is returned as it is."""

    objective = nrpa.Objective("cost", sign=-1)

    def score(self, state):
        return 1 + sum(state)


class TooFine(Bits):
    """The code is all that was played before."""

    def legal_moves(self, state):
        return range(50) if len(state) < self.steps else ()

    def code(self, state, move):
        return (*state, move)


class TooCoarse(Bits):
    """The best sequence alternates, and the code says nothing of the step."""

    steps = 30

    def score(self, state):
        return sum(bit == step % 2 for step, bit in enumerate(state))

    def code(self, state, move):
        return move


class Long(Bits):
    """Enough bits that learning them takes more than luck."""

    steps = 40


class Misled(Long):
    """The bias is for the wrong bit."""

    def bias(self, state, move):
        return -3.0 * move


class Guided(Long):
    """The bias is for the right bit, and so strong that there is little to learn."""

    def bias(self, state, move):
        return 5.0 * move


class Bounded(Bits):
    """All solvers may end before their limit."""

    steps = 4

    def bound(self):
        return 4


@cache
def diagnosed(kind):
    """Return what is found of a problem, measured once."""
    return nrpa.diagnose(kind(), playouts=300, seed=1)


def said(found, *facts):
    """Return the one sentence that has all these facts."""
    sentences = [sentence for sentence in found.sentences if all(fact in sentence for fact in facts)]
    assert len(sentences) == 1, found.sentences
    return sentences[0]


@pytest.mark.parametrize(
    ("problem", "facts"),
    [
        (Bits, ("10 moves on average, 10 at most", "2 legal moves a step")),
        (Bits, ("different scores in 200 random games", "half of them 4 to 6")),
        (Flat, ("same score (7)", "may not depend on the moves")),
        (Rare, ("% of the random games have the same score (0)", "2 different scores")),
        (Penalty, ("of 200 random games", "-1e+09", "penalty")),
        (NotNegated, ("is a cost of -", "the sign")),
        (TooFine, ("too fine", "0% of the codes", "from game to game")),
        (TooCoarse, ("too coarse", "there are 2 for games of 30 moves")),
        (TooCoarse, ("Moves repeat, 2 different ones in a game of 30", "(container, stack)")),
        (Bits, ("There are 20 codes", "100% of the codes")),
        (Long, ("Learning beats random playouts after 300 playouts",)),
        (TooCoarse, ("Learning does not beat random", "more time", "change the code")),
        (Misled, ("The bias does harm", "--no-bias")),
        (
            Guided,
            ("Your bias does the work, which tempering does not use: after 300 playouts each, playouts that only",),
        ),
        (
            Flat,
            (
                "After 300 playouts a run all solvers find the same",
                "gnrpa 7, tempering 7, nmcs 7, random 7",
                "larger instance",
            ),
        ),
        (Flat, ("Learning and random playouts find the same", "larger instance")),
    ],
)
def test_each_fault_is_seen(problem, facts):
    """In one sentence, with what to do next where something may be wrong."""
    found = said(diagnosed(problem), *facts)
    assert "Next: " in found or problem is Bits


def test_a_sound_problem_is_not_blamed():
    """Nothing is said of faults that others have."""
    text = " ".join(diagnosed(Long).sentences)
    faults = ("Moves repeat", "too fine", "too coarse", "penalty", "negated", "same score", "bias", "does not", "idle")
    for fault in faults:
        assert fault not in text


def test_few_playouts_tell_nothing_about_learning():
    """What has hardly begun is not blamed on the code."""
    assert "more time" in said(nrpa.diagnose(Long(), playouts=5, seed=1), "hardly begun after 5 playouts")


def test_solvers_that_are_level_are_said_to_be():
    """Only a solver whose every run is worse than every run of the best one is behind."""
    found = diagnosed(Long)
    scores = {"gnrpa": [5.0, 6.0], "tempering": [9.0, 8.0], "nmcs": [8.0, 3.0], "random": [1.0, 1.0]}
    said(replace(found, scores=scores), "tempering and nmcs are level, gnrpa and random behind", "--solver auto")
    said(
        replace(found, scores={**scores, "nmcs": [7.0, 3.0]}), "tempering leads", "auto, which tries several, with temp"
    )
    assert said(
        replace(found, scores={**scores, "gnrpa": [8.0, 1.0], "random": [8.5, 0.0], "nmcs": [8.0]}), "no solver"
    )


def test_it_says_how_long_it_looked():
    """A run of a tenth of a second is not what a search of an hour finds: what leads is to be compared again."""
    found = replace(diagnosed(Long), clock="processor")
    for limit, words in (({"time": 0.4}, "0.4 s of processor time"), ({"playouts": 2000}, "2,000 playouts")):
        sentence = said(replace(found, limit=limit), f"After {words} a run")
        assert "for as long as you will search, which may end otherwise" in sentence


def test_what_takes_the_time_is_named_with_a_remedy():
    """The largest share decides; a tempering that lists all moves is told of is_legal."""
    found = diagnosed(Bits)
    for name, remedy in ((name, remedy) for name, remedy in HELP.items() if name != "play"):
        shares = {name: 0.75, "play": 0.245, "small": 0.005}
        sentence = said(replace(found, shares=shares), f"{name} 75%, play 24%.", "The time goes to")
        assert sentence.endswith(f"Next: {remedy}.")
    shares = {REST: 0.65, "score": 0.35}
    assert said(replace(found, shares=shares), "The time goes to").endswith(f"Next: {HELP['score']}.")
    tempered = replace(found, scores={"gnrpa": [1.0], "tempering": [2.0]}, shares={"play": 1.0})
    assert said(tempered, "define is_legal")
    for asked in ("is_legal", "evaluate"):
        assert "define is_legal" not in " ".join(replace(tempered, shares={"play": 0.9, asked: 0.1}).sentences)


def test_a_class_in_plain_python_is_compiled_once(looks):
    """Its sentence is the last, with the name of the leader."""
    problem = Bits()
    found = nrpa.diagnose(problem, playouts=30, seed=1)
    assert looks == [problem]
    assert found.sentences[-1] == found.compiled.sentence(found.leader, found.rates[found.leader])
    assert found.to_dict()["compiled"] == {"rate": 1e9, "why_not": ""}


def test_a_program_is_not_compiled(looks):
    """It is no class that could be."""
    assert nrpa.diagnose(nrpa.Program([sys.executable, "examples/paint_shop.py", "5"]), playouts=2).compiled is None
    assert looks == []


def test_a_compiled_problem_has_rates_and_no_shares(looks):
    """What it needs is in its kernels."""
    found = nrpa.diagnose(nrpa.Snake.load("5"), playouts=100)
    assert (found.shares, found.compiled, looks) == ({}, None, [])
    assert min(found.rates.values()) > 0
    assert said(found, "playouts a second", "kernels")


def test_shares_are_of_the_methods_that_the_author_wrote():
    """Together with the rest they are all; inherited defaults are not named, decorated methods are."""

    def kept(method):
        def call(*arguments):
            return method(*arguments)

        call.__wrapped__ = method
        return call

    class Decorated(Bits):
        play = kept(Bits.play)
        score = kept(Bits.score)

    problem = Decorated()
    shares = method_shares(problem, lambda: nrpa.solve(problem, nrpa.NMCS(), seed=1, playouts=50))
    assert set(shares) == {"initial_state", "legal_moves", "play", "score", REST}
    assert sum(shares.values()) == pytest.approx(1.0)
    assert shares["play"] != shares["score"]
    assert list(shares.values()) == sorted(shares.values(), reverse=True)


def test_random_games_are_counted():
    """By hand: every second step is forced, and its code, which always comes again, does not count."""

    class Forced(nrpa.Problem):
        def initial_state(self):
            return ()

        def legal_moves(self, state):
            return () if len(state) == 6 else range(1 if len(state) % 2 else 5000)

        def play(self, state, move):
            return (*state, move)

        def score(self, state):
            return state[0]

        def code(self, state, move):
            return "forced" if len(state) % 2 else (state, move)

    found = random_games(Forced(), seed=1, most=4, seconds=60.0)
    assert (found.lengths, found.moves, found.most_moves) == ([6] * 4, 2500.5, 5000)
    assert found.repeated == 0.0
    assert found.codes == 1 + 5000 + 2 * 4 * 5000
    assert random_games(Forced(), seed=1, most=4, seconds=1e-9).scores == found.scores[:2]


def test_equal_playouts_are_those_of_solve():
    """Each run is the search of its seed; one that ended early, at a bound, does not count as one of few playouts."""
    found = nrpa.diagnose(Misled(), playouts=40, seed=5)
    solvers = {
        "gnrpa": nrpa.GNRPA(),
        "nrpa": nrpa.NRPA(),
        "tempering": nrpa.Tempering(),
        "nmcs": nrpa.NMCS(),
        "random": nrpa.RandomSampling(bias=True),
    }
    for name, solver in solvers.items():
        best = [nrpa.solve(Misled(), solver, seed=5 + run, playouts=40).score for run in range(4)]
        assert found.scores[name] == found.at_equal[name] == best
    proven = nrpa.diagnose(Bounded(), playouts=400, seed=1)
    assert (proven.equal_playouts, proven.at_equal) == (400, proven.scores)


def test_same_seed_same_diagnosis():
    """But for what depends on the machine: rates and shares."""
    one, other = (nrpa.diagnose(Bits(), playouts=30, seed=3) for _ in range(2))
    assert replace(one, rates={}, shares={}) == replace(other, rates={}, shares={})
    assert one.scores != nrpa.diagnose(Bits(), playouts=30, seed=4).scores


def test_seconds_limit_it_and_it_can_be_written():
    """All solvers search, and JSON holds figures and sentences."""
    found = nrpa.diagnose(Bits(), seconds=0.05)
    record = json.loads(json.dumps(found.to_dict()))
    assert record["sentences"] == found.sentences
    assert record["leader"] in record["scores"]
    assert record["games"]["most_moves"] == 2


class Shared(Bits):
    """States are not copied."""

    def initial_state(self):
        return []

    def play(self, state, move):
        state.append(move)
        return state


class Drifting(Bits):
    """Each score is above the one before."""

    scored = 0

    def score(self, state):
        self.scored += 1
        return self.scored


@pytest.mark.parametrize(
    ("problem", "fault"),
    [(Shared, "play changes the state it is given"), (Drifting, "score is not deterministic")],
)
def test_what_check_problem_finds_is_an_error(problem, fault):
    """In its words."""
    with pytest.raises(nrpa.ProblemError, match=fault):
        nrpa.diagnose(problem(), playouts=10)


def test_no_run_warns(caplog):
    """Of a score that looks like a cost each search warns; a sentence says it once, and later searches warn again."""
    nrpa.diagnose(NotNegated(), playouts=2)
    assert not caplog.records
    nrpa.solve(NotNegated(), nrpa.NMCS(), seed=1, playouts=2)
    assert len(caplog.records) == 1


def test_a_problem_that_waits_is_searched_by_the_clock_on_the_wall(looks):
    """The processor's would hardly go on, and machine code would wait, too."""

    class Waits(Bits):
        def score(self, state):
            time.sleep(0.05)
            return sum(state)

    found = nrpa.diagnose(Waits(), playouts=2)
    assert (found.games.waits, found.clock, looks) == (True, "wall", [])
    assert said(found, "processor is idle")


@pytest.mark.parametrize(
    ("wall", "processor", "given_up", "waits"),
    [(1.0, 0.05, 199, False), (1.0, 0.05, 200, True), (1.0, 0.5, 5000, False)],
    ids=["other programs have the processor", "it waits", "other threads have Python's lock"],
)
def test_a_busy_machine_is_not_taken_for_a_problem_that_waits(wall, processor, given_up, waits):
    """Who waits gives the processor up at least once a game, and hardly uses it."""
    before = Usage(10.0, 2.0, 7)
    assert Usage(10.0 + wall, 2.0 + processor, 7 + given_up).waits(before, games=200) == waits


def test_an_interrupt_ends_it_all():
    """Not only the run that it comes in."""

    class Interrupted(Bits):
        scored = 0

        def score(self, state):
            self.scored += 1
            if self.scored == 150:
                signal.raise_signal(signal.SIGINT)
            return sum(state)

    problem = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        nrpa.diagnose(problem, playouts=50)
    assert problem.scored < 250


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"seconds": 0}, "seconds must be"),
        ({"playouts": 1}, "playouts must be"),
        ({"seed": -1}, "seed must be"),
        ({"clock": "sun"}, "clock must be one of"),
    ],
)
def test_numbers_out_of_range_are_refused(arguments, fault):
    """One sentence names the argument."""
    with pytest.raises(nrpa.InputError, match=fault):
        nrpa.diagnose(Bits(), **arguments)


def test_games_of_several_players_are_refused():
    """Their solvers are others."""
    with pytest.raises(nrpa.InputError, match="for problems of one player"):
        nrpa.diagnose(TicTacToe())
