"""A problem in plain Python improves whole games itself."""

import itertools

import pytest

import nrpa


class Tour(nrpa.Problem):
    """Nine towns on a line, to be visited in order; ``improve`` exchanges two."""

    objective = nrpa.Objective("length", sign=-1)

    def __init__(self):
        self.asked = []

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [town for town in "ABCDEFGHI" if town not in state]

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return -self.length(state)

    def length(self, towns):
        return sum(abs(ord(a) - ord(b)) for a, b in zip("A" + "".join(towns), towns, strict=False))

    def improve(self, moves):
        self.asked.append(moves)
        better = list(moves)
        for i, j in itertools.product(range(len(moves)), repeat=2):
            other = list(better)
            other[i], other[j] = other[j], other[i]
            better = min(better, other, key=self.length)
        return better


def found(problem, playouts=20, **options):
    return nrpa.solve(problem, nrpa.GNRPA(level=2, iterations=10, **options), seed=1, playouts=playouts)


def test_playouts_that_beat_their_level_are_given_and_what_comes_back_counts():
    """Whole games in the author's own moves; the solution has the score that it is said to have."""
    problem = Tour()
    improved = found(problem, improve=True)
    assert problem.asked
    assert all(sorted(moves) == list("ABCDEFGHI") for moves in problem.asked)
    assert improved.score > found(Tour()).score
    assert problem.check(improved.solution).score == improved.score


@pytest.mark.parametrize(
    "answer",
    [lambda moves: moves[::-1][1:], lambda moves: moves * 2, lambda moves: ["A"] * 9, lambda moves: ["no such town"]],
)
def test_what_is_worse_or_not_legal_is_dropped(answer):
    """Shorter or longer games, moves twice, moves that are none: the search is that without improving."""

    class Broken(Tour):
        def improve(self, moves):
            return answer(moves)

    assert found(Broken(), improve=True).solution == found(Tour()).solution


def test_an_exception_in_it_is_raised_and_the_search_goes_on_where_it_was():
    """Called again, the search plays the same playout, and ends as one without the exception."""

    class Failing(Tour):
        fails = True

        def improve(self, moves):
            if self.fails and len(self.asked) == 1:
                raise RuntimeError("no time")
            return super().improve(moves)

    problem = Failing()
    search = nrpa.GNRPA(level=2, iterations=10, improve=True).start(problem, 1)
    with pytest.raises(RuntimeError, match="no time"):
        search.advance(20)
    problem.fails = False
    search.advance(20 - search.playouts)
    whole = nrpa.GNRPA(level=2, iterations=10, improve=True).start(Tour(), 1)
    whole.advance(20)
    assert search.moves.tolist() == whole.moves.tolist()
    assert search.memory.random.tolist() == whole.memory.random.tolist()


def test_a_move_that_is_not_hashable_is_named():
    """One sentence names the class and the method."""

    class Lists(Tour):
        def improve(self, moves):
            return [moves]

    with pytest.raises(nrpa.ProblemError, match=r"Lists\.improve gave .*not hashable"):
        found(Lists(), improve=True)


def test_auto_races_it_with_tempering():
    """A method of the author's is tried, and does not decide alone."""
    labels = [arm.label for arm in nrpa.Auto().arms(Tour())]
    assert labels == ["tempering by moves", "gnrpa, improved"]
    assert [arm.label for arm in nrpa.Auto(improve=False).arms(Tour())] == ["tempering by moves", "gnrpa"]
