"""Files of every form that is read, drawn at random, with the right answers; and files that are spoilt by meaning.

The answers are found here by trying all solutions; nothing is shared with the readers or the problems.
"""

import math
from functools import cache
from itertools import combinations, pairwise, permutations, product
from typing import Any, NamedTuple

import RNA


class Drawn(NamedTuple):
    """A file: what it is, its text, and the right value of its best solution, None where there is no right reading.

    One that is not ``required`` may be refused.
    """

    what: str
    problem: str
    text: str
    right: Any
    required: bool = True
    options: dict[str, Any] = {}  # noqa: RUF012


def spoilt(drawn, what, text, right=None):
    """Return a file with another text, which may be refused, and must be if it has no right value."""
    return drawn._replace(what=f"{drawn.what}, {what}", text=text, right=right, required=False)


def lines_of(*rows):
    return "".join(f"{' '.join(map(str, row))}\n" for row in rows)


def shuffled(rng, rows):
    return [rows[k] for k in rng.permutation(len(rows))]


def number(rng, low, high):
    """Return a number with up to two decimals."""
    return round(float(rng.uniform(low, high)), int(rng.integers(0, 3)))


def euclidean(places, made=lambda distance: distance):
    return [[made(math.dist(one, other)) for other in places] for one in places]


ROUNDED = {
    "exact": lambda distance: distance,
    "down": math.floor,
    "nearest": lambda distance: math.floor(distance + 0.5),
    "tenths": lambda distance: math.floor(10 * distance) / 10,
}


# Tours with time windows: places, windows and service times.


def best_tour(distances, windows):
    """Return the least cost of a tour that misses no window."""
    best = math.inf
    for tour in permutations(range(1, len(windows))):
        time = cost = here = 0
        for city in (*tour, 0):
            cost += distances[here][city]
            time = max(time + distances[here][city], windows[city][0])
            if time > windows[city][1]:
                break
            here = city
        else:
            best = min(best, cost)
    return best


def windows_around(rng, distances):
    """Return windows that a random tour meets, most of them narrow."""
    order, windows, time = [0, *map(int, rng.permutation(range(1, len(distances)))), 0], {}, 0.0
    for here, city in pairwise(order):
        time += distances[here][city]
        slack = rng.uniform(1, 60, 2)
        windows[city] = round(max(0.0, time - slack[0]), 2), round(time + slack[1] + 0.01, 2)
    windows[0] = 0, round(time + 99)
    return [windows[city] for city in range(len(distances))]


def tours(rng):
    """Yield a tour in each form: table, matrix, TSPLIB."""
    places = [(number(rng, 0, 50), number(rng, 0, 50)) for _ in range(int(rng.integers(3, 6)))]
    n = len(places)
    service = [0, *(int(rng.integers(0, 9)) for _ in places[1:])]
    rule = str(rng.choice(list(ROUNDED)))
    plain = euclidean(places, ROUNDED[rule])
    distances = [[plain[i][j] + service[i] * (i != j) for j in range(n)] for i in range(n)]
    windows, first = windows_around(rng, distances), int(rng.integers(2))
    rows = [[first + k, *places[k], int(rng.integers(9)), *windows[k], service[k]] for k in range(n)]
    heading = ["", "!! drawn\n\nCUST NO. XCOORD. YCOORD. DEMAND READY DUE SERVICE\n", "drawn\n"][int(rng.integers(3))]
    table = Drawn("table", "tsptw", heading + lines_of(*rows), best_tour(distances, windows), True, {"rounding": rule})
    yield table
    yield from spoilt_tables(rng, table, heading, rows)
    matrix = [[number(rng, 1, 30) for _ in range(n)] for _ in range(n)]
    windows = windows_around(rng, matrix)
    right = best_tour(matrix, windows)
    yield Drawn("matrix", "tsptw", lines_of([n], *matrix, *windows), right)
    yield spoilt(table, "as a matrix, its last window gone", lines_of([n], *matrix, *windows[1:]))
    yield from tsplib_tours(rng, places)
    body = lines_of(*matrix)
    yield tsplib(
        rng, n, "EXPLICIT", {"EDGE_WEIGHT_FORMAT": "FULL_MATRIX"}, {"EDGE_WEIGHT_SECTION": body}, windows, right
    )


def spoilt_tables(rng, table, heading, rows):
    """Yield a table with a letter or a comma in a number, a row twice, away, moved, or longer; a name before a row."""
    k, field = int(rng.integers(len(rows))), int(rng.integers(7))
    for bad in ("1O0", "0,5", "-", "x"):
        changed = [[*row] for row in rows]
        changed[k][field] = bad
        yield spoilt(table, f"{bad} in row {k}", heading + lines_of(*changed))
    yield spoilt(table, "a row twice", heading + lines_of(*rows, rows[k]))
    yield spoilt(table, "a row away", heading + lines_of(*rows[:1], *rows[2:]))
    yield spoilt(table, "two rows moved", heading + lines_of(rows[0], rows[2], rows[1], *rows[3:]), table.right)
    yield spoilt(table, "a long row", heading + lines_of(*rows[:k], [*rows[k], 7], *rows[k + 1 :]))
    yield spoilt(table, "a name", heading + lines_of(["depot", *rows[0]], *rows[1:]))


def tsplib(rng, n, kind, keys, sections, windows, right):
    """Return a TSPLIB file of a tour: keys in any case, sections and their rows in any order."""
    head = {"NAME": "drawn", "TYPE": "TSPTW", "DIMENSION": n, "EDGE_WEIGHT_TYPE": kind, **keys}
    case = [str, str.lower][int(rng.integers(2))]
    gap = [": ", " : "][int(rng.integers(2))]
    rows = shuffled(rng, [[k + 1, *window] for k, window in enumerate(windows)])
    sections = {**sections, "TIME_WINDOW_SECTION": lines_of(*rows), "DEPOT_SECTION": "1\n-1\n"}
    parts = [f"{case(name)}\n{sections[name]}" for name in shuffled(rng, list(sections))]
    text = "".join(f"{case(key)}{gap}{value}\n" for key, value in head.items()) + "".join(parts) + "EOF\n"
    return Drawn(f"TSPLIB {kind}", "tsptw", text, right)


def tsplib_tours(rng, places):
    """Yield the tour of places as TSPLIB has it, distances to the nearest, and spoilt ones."""
    distances = euclidean(places, ROUNDED["nearest"])
    windows = windows_around(rng, distances)
    nodes = lines_of(*shuffled(rng, [[k + 1, *place] for k, place in enumerate(places)]))
    whole = tsplib(
        rng, len(places), "EUC_2D", {}, {"NODE_COORD_SECTION": nodes}, windows, best_tour(distances, windows)
    )
    yield whole
    prizes = lines_of(["PRIZE_SECTION"], *([k + 1, 9] for k in range(len(places))))
    yield spoilt(whole, "with prizes", whole.text.replace("EOF\n", prizes + "EOF\n"))
    yield spoilt(whole, "with another type of edges", whole.text.replace("EUC_2D", "XRAY1"))
    lines = whole.text.splitlines(keepends=True)
    rows = [k for k, line in enumerate(lines) if len(line.split()) == 3 and line[0].isdigit()]
    k = int(rng.choice(rows))
    yield spoilt(whole, "a row away", "".join(lines[:k] + lines[k + 1 :]))
    yield spoilt(whole, "a row twice", "".join([*lines[:k], lines[k], *lines[k:]]))


# Vehicle routes.


def best_routes(distances, windows, service, demand, capacity, vehicles, longest):
    """Return the least distance of routes in time, for at most so many vehicles, each for at most so long a way."""
    costs = {}
    for count in range(1, len(demand)):
        for route in permutations(range(1, len(demand)), count):
            cost = way(distances, windows, service, route)
            if cost <= longest and sum(demand[k] for k in route) <= capacity:
                costs[frozenset(route)] = min(cost, costs.get(frozenset(route), math.inf))

    @cache
    def cover(left, vehicles):
        if not left:
            return 0.0
        routes = (route for route in costs if route <= left and min(left) in route)
        return min((costs[route] + cover(left - route, vehicles - 1) for route in routes if vehicles), default=math.inf)

    return cover(frozenset(range(1, len(demand))), vehicles)


def way(distances, windows, service, route):
    """Return the length of a route, infinite if it is not in time."""
    time = cost = here = 0
    for place in (*route, 0):
        cost += distances[here][place]
        time = max(time + service[here] + distances[here][place], windows[place][0])
        if time > windows[place][1]:
            return math.inf
        here = place
    return cost


class Fleet(NamedTuple):
    """An instance of vehicle routing."""

    places: list
    windows: list
    service: list
    demand: list
    capacity: float
    vehicles: int
    longest: float

    def best(self, **changes):
        """Return the least distance with some things changed."""
        fleet = self._replace(**changes)
        return best_routes(euclidean(fleet.places), *fleet[1:])


def fleets(rng):
    """Yield routes in Solomon's form and VRPLIB's, with limits and without, and spoilt ones."""
    n = int(rng.integers(3, 6))
    places = [(number(rng, 0, 30), number(rng, 0, 30)) for _ in range(n)]
    far = max(math.dist(places[0], place) for place in places)
    opens = [0, *(number(rng, 0, 40) for _ in places[1:])]
    closes = [1000, *(round(a + far + number(rng, 9, 60), 2) for a in opens[1:])]
    demand = [0, *(number(rng, 1, 9) for _ in places[1:])]
    windows, service = [*zip(opens, closes, strict=True)], [0, *[number(rng, 0, 9)] * (n - 1)]
    fleet = Fleet(places, windows, service, demand, 12.5, n, math.inf)
    least = next(k for k in range(1, n) if fleet.best(vehicles=k) < math.inf)
    yield solomon(rng, fleet._replace(vehicles=least))
    text = solomon(rng, fleet)
    yield text
    yield spoilt(text, "a letter", text.text.replace(" 12.5", " 12.5O"))
    yield from routes_of_vrplib(rng, fleet, least, round(2 * far + 0.01, 2))


def solomon(rng, fleet):
    """Return a file of Solomon's form; customers numbered from 0."""
    rows = [
        [k, *fleet.places[k], fleet.demand[k], *fleet.windows[k], fleet.service[k]] for k in range(len(fleet.places))
    ]
    text = f"drawn\n\nVEHICLE\nNUMBER CAPACITY\n{fleet.vehicles} {fleet.capacity}\n\nCUSTOMER\n"
    text += "CUST NO. XCOORD. YCOORD. DEMAND READY TIME DUE DATE SERVICE TIME\n\n" + lines_of(*rows)
    options = {"first": "distance", "returns": "free"}
    return Drawn(f"Solomon, {fleet.vehicles} vehicles", "vrptw", text, fleet.best(), True, options)


def vrplib(rng, fleet, what, keys, sections):
    """Return a file of VRPLIB's form with further keys and sections."""
    count = len(fleet.places)
    head = {"NAME": "drawn", "TYPE": "VRPTW", "DIMENSION": count, "CAPACITY": fleet.capacity}
    head = {**head, "EDGE_WEIGHT_TYPE": "EUC_2D", **keys}
    columns = {"NODE_COORD_SECTION": fleet.places, "DEMAND_SECTION": [[d] for d in fleet.demand]}
    columns = {**columns, "TIME_WINDOW_SECTION": fleet.windows, "SERVICE_TIME_SECTION": [[s] for s in fleet.service]}
    if "SERVICE_TIME" in keys:
        del columns["SERVICE_TIME_SECTION"]
    parts = {
        name: lines_of(*shuffled(rng, [[k + 1, *row] for k, row in enumerate(rows)]))
        for name, rows in {**columns, **sections}.items()
    }
    parts["DEPOT_SECTION"] = "1\n-1\n"
    case = [str, str.lower][int(rng.integers(2))]
    listed = [f"{case(name)}\n{parts[name]}" for name in shuffled(rng, list(parts))]
    text = "".join(f"{case(key)} : {value}\n" for key, value in head.items()) + "".join(listed) + "EOF\n"
    return Drawn(f"VRPLIB {what}", "vrptw", text, fleet.best(), True, {"first": "distance", "returns": "free"})


def routes_of_vrplib(rng, fleet, least, longest):
    """Yield the routes of a fleet in VRPLIB's form."""
    count = len(fleet.places)
    whole = vrplib(rng, fleet, "", {}, {})
    yield whole
    yield vrplib(rng, fleet._replace(vehicles=least), "vehicles", {"VEHICLES": least}, {})
    without = fleet._replace(service=[0] * count, longest=longest)
    yield vrplib(rng, without, "longest", {"DISTANCE": longest, "SERVICE_TIME": 0}, {})
    same = fleet._replace(service=[0, *[3.5] * (count - 1)])
    yield vrplib(rng, same, "service in the head", {"SERVICE_TIME": 3.5}, {})
    for name in ("RELEASE_TIME_SECTION", "PRIZE_SECTION", "BACKHAUL_SECTION", "VEHICLES_RELOAD_DEPOT_SECTION"):
        yield vrplib(rng, fleet, name, {}, {name: [[5]] * count})._replace(right=None, required=False)
    for key, value in (("SCALE", 0.5), ("EDGE_WEIGHT_TYPE", "XRAY1"), ("DIMENSION", count + 1), ("COLOUR", 3)):
        yield vrplib(rng, fleet, f"{key} {value}", {key: value}, {})._replace(right=None, required=False)
    lines = whole.text.splitlines(keepends=True)
    k = int(rng.choice([k for k, line in enumerate(lines) if line[0].isdigit() and " " in line.strip()]))
    yield spoilt(whole, f"line {k} away", "".join(lines[:k] + lines[k + 1 :]))
    yield spoilt(whole, f"line {k} twice", "".join([*lines[:k], lines[k], *lines[k:]]))


# Bins.


def fewest_bins(sizes, capacity):
    """Return the fewest bins that hold the sizes."""

    def packed(k, rooms):
        if k == len(sizes):
            return True
        fitting = (j for j in range(len(rooms)) if rooms[j] >= sizes[k])
        return any(packed(k + 1, (*rooms[:j], rooms[j] - sizes[k], *rooms[j + 1 :])) for j in fitting)

    return next(bins for bins in range(1, len(sizes) + 1) if packed(0, (capacity,) * bins))


def bins(rng):
    """Yield bin packing in BPPLIB's, OR-Library's and cutting stock's form; sizes of up to two decimals."""
    parts = 10 ** int(rng.integers(0, 3))
    sizes = [int(size) for size in rng.integers(parts, 10 * parts, int(rng.integers(3, 7)))]
    texts, best = [f"{size / parts:g}" for size in sizes], fewest_bins(sizes, 10 * parts)
    plain = Drawn("BPPLIB", "binpacking", lines_of([len(sizes)], [10], *([text] for text in texts)), best)
    yield plain
    yield spoilt(plain, "a size away", lines_of([len(sizes)], [10], *([text] for text in texts[1:])))
    yield spoilt(plain, "a letter", plain.text.replace(texts[-1], f"{texts[-1]}O"))
    yield Drawn("OR-Library", "binpacking", lines_of([1], ["drawn"], [10, len(sizes), best], texts), best)
    kinds = [*dict.fromkeys(texts)]
    demand = [int(rng.integers(1, 3)) for _ in kinds]
    many = [sizes[texts.index(kind)] for kind, count in zip(kinds, demand, strict=True) for _ in range(count)]
    stock = [len(kinds)], [10], *zip(kinds, demand, strict=True)
    if len(many) <= 8:
        cut = Drawn("cutting stock", "binpacking", lines_of(*stock), fewest_bins(many, 10 * parts))
        yield cut
        yield spoilt(cut, "a demand of 1.5", lines_of(*stock[:-1], [kinds[-1], 1.5]))
        yield spoilt(cut, "a row away", lines_of(*stock[:-1]))


# Graphs.


def fewest_colours(nodes, edges):
    """Return the chromatic number."""
    return next(
        count
        for count in range(1, nodes + 1)
        if any(all(c[a] != c[b] for a, b in edges) for c in product(range(count), repeat=nodes))
    )


def graphs(rng):
    """Yield graphs as DIMACS, as lists of edges, and in Matrix Market's form."""
    nodes = int(rng.integers(3, 7))
    edges = [pair for pair in combinations(range(nodes), 2) if rng.random() < 0.6 or pair[1] == nodes - 1]
    best, count = fewest_colours(nodes, edges), len(edges)
    listed = [(a, b) if rng.random() < 0.5 else (b, a) for a, b in shuffled(rng, edges)]
    rows = [["e", a + 1, b + 1] for a, b in listed]
    for promised in (count, 2 * count, count + 3):
        yield Drawn(f"DIMACS {promised - count}", "coloring", lines_of(["p", "edge", nodes, promised], *rows), best)
    twice = [*rows, *(["e", b, a] for _, a, b in rows), ["e", 1, 1]]
    dimacs = Drawn("DIMACS twice, a loop", "coloring", lines_of(["p", "col", nodes, count], *twice), best)
    yield dimacs
    yield spoilt(dimacs, "a node too many", lines_of(["p", "edge", nodes, count], *rows, ["e", nodes + 1, 1]))
    yield spoilt(dimacs, "a decimal", lines_of(["p", "edge", nodes, count], *rows, ["e", 1, 2.5]))
    for base in (0, 1):
        plain = [[a + base, b + base] for a, b in listed]
        yield Drawn(f"edges from {base}", "coloring", lines_of(*plain), best)
        yield spoilt(dimacs, "a list with one name", lines_of(*plain, ["a", 1]))
    head = ["%%MatrixMarket", "matrix", "coordinate"]
    lower = [[max(a, b) + 1, min(a, b) + 1] for a, b in listed]
    pattern = lines_of([*head, "pattern", "symmetric"], ["% drawn"], [nodes, nodes, count], *lower)
    yield Drawn("Matrix Market", "coloring", pattern, best)
    weighted = [[*row, number(rng, 1, 5)] for row in lower]
    real = lines_of([*head, "real", "general"], [nodes, nodes, count], *weighted)
    yield Drawn("Matrix Market, real", "coloring", real, best)
    yield spoilt(dimacs, "not square", lines_of([*head, "pattern", "general"], [nodes, nodes + 1, count], *lower))
    yield spoilt(dimacs, "an edge away", lines_of([*head, "pattern", "general"], [nodes, nodes, count], *lower[1:]))


# SameGame.


@cache
def most_points(columns):
    """Return the most points of a board, columns from the bottom up."""
    if not columns:
        return 1000
    cells = {(x, y): colour for x, column in enumerate(columns) for y, colour in enumerate(column)}
    best = 0
    while cells:
        group = [next(iter(cells))]
        for x, y in group:
            near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            group += [c for c in near if cells.get(c) == cells[group[0]] and c not in group]
        for cell in group:
            del cells[cell]
        if len(group) > 1:
            left = (tuple(c for y, c in enumerate(column) if (x, y) not in group) for x, column in enumerate(columns))
            best = max(best, (len(group) - 2) ** 2 + most_points(tuple(filter(None, left))))
    return best


def boards(rng):
    """Yield boards with blanks and without, with a heading, with empty cells; two boards; rows of other lengths."""
    height, width = map(int, rng.integers(2, 5, 2))
    full = sorted((int(rng.integers(1, height + 1)) for _ in range(width)), reverse=True)
    full[0] = height
    columns = tuple(tuple(int(c) for c in rng.integers(1, 4, high)) for high in full)
    best = most_points(columns)

    def drawn(sign, empty):
        return [
            [sign(columns[x][y]) if y < full[x] else empty for x in range(width)] for y in range(height - 1, -1, -1)
        ]

    numbers = Drawn("numbers", "samegame", lines_of(*drawn(str, "-1")), best)
    yield numbers
    yield Drawn("letters", "samegame", "".join("".join(row) + "\n" for row in drawn(lambda c: "xabc"[c], ".")), best)
    yield spoilt(numbers, "under its sizes", lines_of([height, width]) + numbers.text, best)
    yield spoilt(numbers, "twice", f"{numbers.text}\n{numbers.text}")
    yield spoilt(numbers, "with a decimal", numbers.text.replace("-1", "1.5").replace("1", "1.5", 1))
    yield spoilt(numbers, "under a heading", lines_of([height + 7, width]) + numbers.text)


# RNA.


def strands(rng):
    """Yield sequences and targets: plain, FASTA, dbn with an energy, several records of which one is named."""
    sequence = "".join(rng.choice([*"GGCCAU"], int(rng.integers(12, 18))))
    structure, energy = RNA.fold(sequence)
    energy = round(energy, 2)
    plain = Drawn("sequence", "fold", f"{sequence}\n", energy)
    yield plain
    yield plain._replace(what="FASTA", text=f"> one\n{sequence[:7]}\n{sequence[7:]}\n")
    dbn = plain._replace(what="dbn", text=f">one\n{sequence}\n{structure} ({energy:.2f})\n")
    yield dbn
    yield spoilt(dbn, "a dot too many", f">one\n{sequence}\n{structure}.\n")
    yield spoilt(dbn, "several", f">a\n{sequence}\n>b\n{sequence[::-1]}\n")
    yield spoilt(dbn, "a letter", f">one\n{sequence}N\n")
    target = str(rng.choice(["(((...)))", "((((....))))", "(((....)))"]))
    strand = "A" * len(target)
    yield Drawn("target", "rna", f"{target}\n", target)
    yield Drawn("dbn", "rna", f">x\n{strand}\n{target} (-1.20)\n", target)
    yield Drawn("dbn without an energy", "rna", f"{strand}\n{target}\n", target)
    yield spoilt(dbn._replace(problem="rna"), "a base too many", f">x\n{strand}A\n{target}\n")


# Numbers alone: the longest snakes and coils, and weak Schur numbers, all proven.


def numbers(rng):
    """Yield instances that are a number, written as a decimal too, beside another one, or with another word."""
    for problem, least, known in (("snake", 2, (2, 4, 7)), ("schur", 1, (2, 8, 23))):
        k = int(rng.integers(len(known)))
        plain = Drawn(problem, problem, f"# drawn\n{least + k}\n", known[k])
        yield plain
        for odd in (f"{least + k}.0", f"{least + k}.5", f"{least + k} 3", f"{least + k}\n3", f"loop {least + k}", "-2"):
            yield spoilt(plain, f"as {odd!r}", f"{odd}\n")
    yield Drawn("coil", "snake", "coil 4\n", 8)


KINDS = {
    "tsptw": tours,
    "vrptw": fleets,
    "binpacking": bins,
    "coloring": graphs,
    "samegame": boards,
    "rna": strands,
    "numbers": numbers,
}
