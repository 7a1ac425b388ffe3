"""Traffic engineering: shortest paths, the least load by trying all, the local search, SNDlib's form."""

import random
from collections import Counter
from itertools import islice, pairwise, product

import networkx
import pytest

import nrpa
from nrpa.problems.traffic.shortest_paths import shortest_paths

NETWORK = """?SNDlib native format; type: network; version: 1.0
# drawn
META (
  unit = MBITPERSEC
)
NODES (
  a ( 1.0 2.0 )
  b ( 1.0 2.5 )
  c ( 2.0 2.5 )
)
LINKS (
  ab ( a b ) 2.00 0.00 0.00 0.00 ( 40.00 1.00 )
  bc ( b c ) 0.00 0.00 0.00 0.00 ( 4.00 1.00 8.00 2.00 )
  ac ( a c ) 1.00 0.00 0.00 0.00 ( )
)
DEMANDS (
  one ( a b ) 1 3.00 UNLIMITED
  two ( c b ) 2 2.00 UNLIMITED
)
ADMISSIBLE_PATHS (
  one (
    P_0 ( ab )
  )
)
"""


def drawn(seed):
    """Return the links and the demands of a small network that is connected."""
    chance, nodes = random.Random(seed), "abcde"
    pairs = {(nodes[chance.randrange(k)], nodes[k]) for k in range(1, 5)} | {("a", "e"), ("b", "d")}
    links = [(*pair, chance.choice((1, 2.5, 4))) for pair in sorted(pairs)]
    return links, [(*chance.sample(nodes, 2), chance.choice((1, 1.5, 3))) for _ in range(4)]


def load_of(links, demands, paths, both):
    """Return the load of the most loaded link by its definition."""
    loads = Counter()
    for path, (_, _, amount) in zip(paths, demands, strict=True):
        for step in pairwise(path):
            loads[frozenset(step) if both else step] += amount
    capacities = {frozenset(link[:2]): link[2] for link in links}
    return max(load / capacities[frozenset(step)] for step, load in loads.items())


def least_load(links, demands, count, both):
    """Return the least load, by all choices of some of the shortest paths."""
    graph = networkx.Graph([link[:2] for link in links])
    ways = [[*islice(networkx.shortest_simple_paths(graph, a, b), count)] for a, b, _ in demands]
    return min(load_of(links, demands, paths, both) for paths in product(*ways))


@pytest.mark.parametrize("seed", range(5))
def test_the_shortest_paths_are_those_of_networkx(seed):
    """Their number and lengths; each is simple and on links."""
    graph = networkx.gnm_random_graph(7, 10, seed)
    near = {node: [*graph[node]] for node in graph if graph[node]}
    for start, end in product(graph, repeat=2):
        found = shortest_paths(near, start, end, 6)
        paths = networkx.shortest_simple_paths(graph, start, end) if networkx.has_path(graph, start, end) else []
        if start != end:
            assert [len(path) for path in found] == [len(path) for path in islice(paths, 6)]
        assert len({*found}) == len(found)
        for path in found:
            assert networkx.is_simple_path(graph, path)
            assert path[0] == start
            assert path[-1] == end


@pytest.mark.parametrize("capacity", ["each", "both"])
@pytest.mark.parametrize("seed", range(3))
def test_the_least_load_is_found(seed, capacity):
    """That of all choices, of paths enough that which come first does not matter; the check agrees."""
    links, demands = drawn(seed)
    problem = nrpa.Traffic(links, demands, paths=50, capacity=capacity).plain
    best = least_load(links, demands, 50, capacity == "both")
    result = nrpa.solve(problem, nrpa.GNRPA(level=1, iterations=30, improve=True), seed=1, playouts=600)
    assert (
        result.load
        == pytest.approx(best)
        == pytest.approx(load_of(links, demands, result.solution, capacity == "both"))
    )
    assert problem.bound() <= best
    assert problem.solution_of(problem.own_moves(result.solution)) == result.solution


@pytest.mark.parametrize("seed", range(5))
def test_the_local_search_makes_nothing_worse(seed):
    """And no demand on the most loaded link has a path that it would load less."""
    problem = nrpa.Traffic(*drawn(seed)).plain
    chance = random.Random(seed)
    moves = [(k, chance.randrange(count)) for k, count in enumerate(problem.counts.tolist())]
    better = problem.improve(moves)
    load = problem.check(problem.solution_of(better)).figures["load"]
    assert load <= problem.check(problem.solution_of(moves)).figures["load"]
    for k, count in enumerate(problem.counts.tolist()):
        others = [[*better[:k], (k, path), *better[k + 1 :]] for path in range(count)]
        assert all(problem.check(problem.solution_of(other)).figures["load"] >= load - 1e-12 for other in others)


def test_a_network_is_read(tmp_path, caplog):
    """Capacities installed, or the largest module; routing units; a warning about paths that are not read."""
    (tmp_path / "network").write_text(NETWORK)
    problem = nrpa.Traffic.load(tmp_path / "network", capacity="both")
    assert problem.capacities.tolist() == [2, 8, 1]
    assert problem.demands == [("a", "b", 3.0), ("c", "b", 4.0)]
    assert problem.check([["a", "b"], ["c", "b"]]).figures == {"load": 1.5}
    assert "admissible paths are not read" in caplog.text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("NODES (", "KNOTS (", "network:6: expected 'NODES (', 'LINKS (' or 'DEMANDS (', found 'KNOTS ('"),
        ("ab ( a b ) 2.00", "ab ( a d ) 2.00", "network:12: expected a link between two nodes of NODES"),
        ("ac ( a c ) 1.00", "ac ( a c ) 0.00", "network:14: expected a link between two nodes of NODES"),
        ("ab ( a b ) 2.00", "ab ( a b )", "network:12: expected a row of LINKS"),
        ("8.00 2.00", "8.0O 2.00", "network:13: expected a number, found '8.0O'"),
        ("3.00 UNLIMITED", "3.00 2", "network:17: expected a demand between two nodes"),
        ("( a b ) 1 3.00", "( a b ) 1 -3.00", "network:17: expected a demand between two nodes"),
        ("  )\n)\n", "  )\n", "expected a section NODES that ends with ')'"),
        ("ac ( a c )", "ac ( b a )", "network: link 3: expected two nodes that no link before it joins"),
    ],
)
def test_what_is_no_network_is_refused(tmp_path, monkeypatch, old, new, message):
    """In a sentence that names the file, mostly the line, and what was expected."""
    monkeypatch.chdir(tmp_path)
    assert old in NETWORK
    (tmp_path / "network").write_text(NETWORK.replace(old, new))
    with pytest.raises(nrpa.InputError) as error:
        nrpa.Traffic.load("network")
    assert message in str(error.value)


@pytest.mark.parametrize("end", ["a", "c", "e"])
def test_a_demand_that_no_path_serves_is_refused(end):
    """By its number; so is one from a node to itself."""
    with pytest.raises(nrpa.InputError, match="demand 1: expected two nodes that a path joins"):
        nrpa.Traffic([("a", "b", 1), ("c", "d", 1)], [("a", end, 1)])


@pytest.mark.parametrize(
    ("solution", "fault"),
    [
        ("ab", "a solution is a list of paths, not str"),
        ([], "expected 1 paths, found 0"),
        ([["a", []]], "path 1: expected a list of nodes, found ['a', []]"),
        ([["a", "c", "b"]], "path 1: expected links that lead from a to b"),
        ([["b", "a"]], "path 1: expected links that lead from a to b"),
    ],
)
def test_faults(solution, fault):
    """Each in words."""
    assert nrpa.Traffic([("a", "b", 1)], [("a", "b", 1)]).check(solution).faults == [fault]


def test_a_path_with_a_ring_is_refused():
    """Though its links lead where they shall."""
    links = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]
    problem = nrpa.Traffic(links, [("a", "b", 1)]).plain
    assert problem.check([["a", "c", "b"]]).valid
    for path in (["a", "c", "a", "b"], ["a", "b", "c", "a", "b"], ["a", "b", "a", "b"]):
        assert problem.check([path]).faults == ["path 1: comes to a node twice; expected a path without rings"]


def test_a_path_that_the_search_does_not_choose():
    """Is valid, and no solution to start from."""
    problem = nrpa.Traffic([("a", "b", 1), ("b", "c", 1), ("c", "a", 1)], [("a", "b", 1)], paths=1)
    assert problem.check([["a", "c", "b"]]).valid
    with pytest.raises(nrpa.InputError, match="traffic: path 1 is none of the 1 shortest"):
        nrpa.start(problem, warm_start=[["a", "c", "b"]])


def test_paths_on_lines_are_a_solution():
    assert nrpa.Traffic.parse_solution("a c b\n\nb a  # one\n") == [["a", "c", "b"], ["b", "a"]]
