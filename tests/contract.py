"""What the checks of bundled problems say of wrong solutions, and what problems are not made of."""

import numpy as np

import nrpa

# fmt: off
# By problem: a small instance, and solutions with all their faults and their scores.
FAULTS = {
    "binpacking": (lambda: nrpa.BinPacking(10, [6, 4, 4, 3]), [
        ([[6, 4, 4], [3]], ["bin 1 holds 14, more than 10"], -1.9875),
        ([[6, 4], [4, 3], []], ["bin 3 is empty"], -3.251667),
        ([[6, 4], [3]], ["1 item of size 4 is missing"], None),
        ([[6, 4], [4, 3], [3]], ["1 item of size 3 is too many"], None),
        ([[6, 4], [4, 2]], ["1 item of size 3 is missing", "1 item of size 2 is too many"], None),
        ([[6], [3]], ["2 items of size 4 are missing"], None),
        ([[6, "4"]], ["bin 1 holds '4', which is not a size"], None),
        ([[6, True]], ["bin 1 holds True, which is not a size"], None),
        ([6, 4], ["bin 1 is no list of sizes: 6", "bin 2 is no list of sizes: 4"], None),
        ({"a": 1}, ["a packing is a list of bins, not dict"], None),
        ([[6, float("nan")], [4, 4, 3]], ["1 item of size NaN is too many"], None),
    ]),
    "coloring": (lambda: nrpa.Coloring(3, [(0, 1), (1, 2)]), [
        ("121", ["a colouring is a list of the nodes' colours, not str"], None),
        ([1, 2], ["expected the colours of 3 nodes, found 2"], None),
        ([1, 2, 0], ["node 3: expected a colour, a whole number from 1, found 0"], None),
        ([1, 2, 2.0], ["node 3: expected a colour, a whole number from 1, found 2.0"], None),
        ([1, 2, True], ["node 3: expected a colour, a whole number from 1, found True"], None),
        ([1, 2, 2], ["nodes 2 and 3 are neighbours of one colour, 2"], -2.222222),
    ]),
    "coloring-given": (lambda: nrpa.Coloring(3, [(0, 1), (1, 2)], colors=2), [
        ([1, 2, 3], ["there are 3 colours; expected at most 2"], -0.0),
    ]),
    "expression": (lambda: nrpa.Expression([[0.5, 1.0], [-1.0, 2.0], [2.0, -0.5]]), [
        ("x1", ["a solution is a list of symbols, not str"], None),
        (["+", "x1"], ["expected one whole expression of at most 30 symbols"], None),
        (["x1", "x1"], ["expected one whole expression of at most 30 symbols"], None),
        ([], ["expected one whole expression of at most 30 symbols"], None),
        (["tan", "x1"], ["symbol 1: expected one of + - * / sin cos exp log x1 1 2, found 'tan'"], None),
    ]),
    "fold": (lambda: nrpa.Folding("GGGGAAAACCCCAGGCGAAAGCC"), [
        ("(((", ["the structure has 3 positions, the sequence 23"], None),
        (["("], ["a structure is a string of brackets and dots, not list"], None),
        ("(" + "." * 22, ["the '(' at position 1 is never closed"], None),
        ("." * 22 + ")", ["the ')' at position 23 closes nothing"], None),
        ("[...]" + "." * 18, ["expected one of .() at position 1, found '['", "expected one of .() at position 5, found ']'", "G at position 1 cannot pair with A at position 5"], None),
        ("(...)" + "." * 18, ["G at position 1 cannot pair with A at position 5"], None),
        ("...........(.)" + "." * 9, ["the hairpin loop between positions 12 and 14 has fewer than three bases"], None),
    ]),
    "morpion": (lambda: nrpa.Morpion("5T"), [
        ([[3, 0, "H", 0]], ["move 1 (3 0 H 0) is not legal: there is a dot at (3, 0) already"], 0.0),
        ([[1, 0, "H", 0]], ["move 1 (1 0 H 0) is not legal: its line has no dot at (2, 0)"], 0.0),
        ([[2, 0, "H", 5]], ["move 1 (2 0 H 5) is not legal: position 5 is not in a line of 5 dots, numbered from 0"], 0.0),
        ([[2, 0, "H", 0], [7, 0, "H", 4]], ["move 2 (7 0 H 4) is not legal: its line shares a segment at (3, 0) with an earlier one of the same direction"], 1.0),
        ([[2, 0, "W", 0]], ["move 1: the direction must be one of H, V, DP, DN, not 'W'"], None),
        ([[2.0, 0, "H", 0]], ["move 1: x, y and position must be whole numbers, found [2.0, 0, 'H', 0]"], None),
        ([[2, 0, "H"]], ["move 1: expected [x, y, direction, position], found [2, 0, 'H']"], None),
        ("2 0 H 0", ["a game is a list of moves, not str"], None),
    ]),
    "rna": (lambda: nrpa.InverseFolding("(((((......)))))"), [
        ("AAAA", ["the sequence has 4 bases, the target 16"], None),
        ("N" * 16, ["expected A, C, G or U at position 1, found 'N'"], None),
        (7, ["a design is a string of bases, not int"], None),
        ("A" * 16, ["A at position 1 and A at position 16 cannot pair, as the target wants", "A at position 2 and A at position 15 cannot pair, as the target wants", "A at position 3 and A at position 14 cannot pair, as the target wants", "A at position 4 and A at position 13 cannot pair, as the target wants", "A at position 5 and A at position 12 cannot pair, as the target wants", "it folds into another structure, 5 base pairs away: ................"], 0.040617),
    ]),
    "samegame": (lambda: nrpa.SameGame([[0, 0, 1], [0, 1, 1], [0, 1, 2]]), [
        ([[0, 0]], ["the game is not over: a group can be played at [0, 0]"], 4.0),
        ([[2, 0]], ["move 1 at [2, 0] is not legal: the cell has no neighbour of its colour"], None),
        ([[0, 0], [2, 2]], ["move 2 at [2, 2] is not legal: the cell is empty"], None),
        ([[-1, 0]], ["move 1 at [-1, 0] is not legal: the cell is empty"], None),
        ([[0, 0], 3], ["move 2: expected a cell [column, row], found 3"], None),
        ([[0, True]], ["move 1: expected a cell [column, row], found [0, True]"], None),
        ("0 0", ["a game is a list of cells [column, row], not str"], None),
    ]),
    "schur": (lambda: nrpa.WeakSchur(2), [
        ("12", ["a partition is a list of parts, not str"], None),
        ([1, 2], ["part 1: expected a list of whole numbers, found 1"], None),
        ([[1], [2.0]], ["part 2: expected whole numbers from 1 to 1,000,000, found 2.0"], None),
        ([[True]], ["part 1: expected whole numbers from 1 to 1,000,000, found True"], None),
        ([[0]], ["part 1: expected whole numbers from 1 to 1,000,000, found 0"], None),
        ([[1], [2], [3]], ["there are 3 parts; expected at most 2"], 3.0),
        ([[1, 2], [4]], ["expected the number 3 once, and every one from 1 to 3"], 2.0),
        ([[1, 2], [2, 3]], ["expected the number 3 once, and every one from 1 to 4"], 2.0),
        ([[1, 2, 4], [3, 5, 8], [6, 7]], ["there are 3 parts; expected at most 2", "part 2: 8 is the sum of 3 and 5"], 8.0),
    ]),
    "snake": (lambda: nrpa.Snake(3), [
        ("012", ["a path is a list of dimensions, not str"], None),
        ([0, 3], ["edge 2: expected a dimension, 0 to 2, found 3"], None),
        ([0, True], ["edge 2: expected a dimension, 0 to 2, found True"], None),
        ([0, 0], ["vertices 1 and 3 of the path are too near each other"], 2.0),
        ([0, 1, 0], ["vertices 1 and 4 of the path are too near each other"], 3.0),
        ([0] * 8, ["8 edges; a path has at most 7"], None),
    ]),
}
# By problem: its class, and arguments with the sentence that refuses them.
REFUSED = {
    "binpacking": (nrpa.BinPacking, [
        ((10, []), "there are no items; expected at least one size"),
        ((10, [3, 11]), "item 2 has size 11, larger than the capacity 10"),
        ((10, [3, 0]), "item 2 has size 0; expected a size above 0"),
        ((10, [-3]), "item 1 has size -3; expected a size above 0"),
        ((0, [1]), "the capacity must be above 0, not 0"),
        ((10, ["3"]), "the size of item 1 must be a number, not '3'"),
        ((10, [True]), "the size of item 1 must be a number, not True"),
        ((10, [float("nan")]), "the size of item 1 must be finite, not nan"),
        ((10, "33"), "sizes must be a list of numbers, not str"),
        ((10, 3), "sizes must be a list of numbers, not int"),
        ((1, [1 / 3]), "the capacity 1 with sizes of 16 decimals is too fine: scaled to whole numbers it must be at most 1,000,000,000,000"),
        ((10**13, [5]), "the capacity 10000000000000 with sizes of 0 decimals is too fine: scaled to whole numbers it must be at most 1,000,000,000,000"),
        ((10, np.ones(300_001)), "there are 300,001 items; expected at most 300,000, with which a search needs 1.5 GB"),
    ]),
    "coloring": (nrpa.Coloring, [
        ((1_000_001, []), "nodes must be at most 1000000, not 1000001"),
        ((0, []), "nodes must be a whole number of at least 1, not 0"),
        ((3, [(0, 3)]), "the edge (0, 3) names a node that is none; expected 0 to 2"),
        ((3, [(1, 1)]), "node 1 has an edge to itself; it cannot be coloured"),
        ((3, [(0, 1, 2)]), "edges must be pairs of nodes"),
        ((3, 5), "edges must be pairs of nodes"),
        ((3, [(0.5, 1)]), "edges must be pairs of whole numbers, not of float64"),
    ]),
    "expression": (nrpa.Expression, [
        ({"points": [[0.5, 1.0], [-1.0, 2.0]], "functions": "+ tan"}, "expected functions (+ - * / sin cos exp log sqrt), variables and constants, none twice; found 'tan'"),
        ({"points": [[0.5, 1.0], [-1.0, 2.0]], "variables": ["1"]}, "expected functions (+ - * / sin cos exp log sqrt), variables and constants, none twice; found '1'"),
        ({"points": [[0.5, 1.0], [-1.0, 2.0]], "constants": "one"}, "expected functions (+ - * / sin cos exp log sqrt), variables and constants, none twice; found 'one'"),
        ({"points": [[0.5, 1.0], [-1.0, 2.0]], "variables": ["a", "b"]}, "expected 1 variables, found 2"),
    ]),
    "morpion": (nrpa.Morpion, [
        ({"variant": "6T"}, "variant must be one of 5T, 5D, 4T, 4D, not '6T'"),
        ({"dots": []}, "the start position has no dot; expected at least one"),
        ({"dots": [(0, 0), (50, 0)]}, "the start position must fit into 39 rows and columns, not 1 and 51"),
        ({"moves": [(3, 0, "H", 0)]}, "move 1 (3 0 H 0) is not legal: there is a dot at (3, 0) already"),
        ({"moves": [(2, 0, "X", 0)]}, "move 1: the direction must be one of H, V, DP, DN, not 'X'"),
        ({"moves": [(2, 0)]}, "move 1: expected [x, y, direction, position], found (2, 0)"),
    ]),
    "rna": (nrpa.InverseFolding, [
        ({"target": "((...))", "constraints": "N"}, "constraints: expected a letter for each of 7 positions, found 1"),
        ({"target": "((...))", "constraints": "NNNJNNN"}, "constraints: expected a letter of IUPAC (A, C, G, U, R to N) at position 4, found 'J'"),
        ({"target": "((...))", "constraints": "NYNNNCN"}, "constraints: Y at position 2 and C at position 6 cannot pair, as the target wants"),
    ]),
    "samegame": (nrpa.SameGame, [
        (([[0, 1]],), "a board must be 2x2 to 254x254, not of shape (1, 2)"),
        (([[0.5, 1.0], [0.0, 1.0]],), "a board must be a matrix of whole numbers, not float64 of shape (2, 2)"),
        (([[0, 20], [0, 0]],), "a colour must be 0 to 19, or -1 for empty, not 20"),
        (([[-1, -1], [-1, -1]],), "every cell of the board is empty"),
        (([[0, 0], [0, -1]],), "the cells of a board must lie on each other and its columns side by side"),
    ]),
    "schur": (nrpa.WeakSchur, [
        ((0,), "parts must be a whole number of at least 1, not 0"),
        ((17,), "parts must be at most 16, not 17"),
        (("3",), "parts must be a whole number of at least 1, not '3'"),
    ]),
    "snake": (nrpa.Snake, [
        ((1,), "dimensions must be a whole number of at least 2, not 1"),
        ((15,), "dimensions must be at most 14, not 15"),
        ((4, "yes"), "coil must be True or False, not 'yes'"),
    ]),
}
