"""Puzzles: Sudoku and Latin squares, pancakes, tiles that slide."""

KIND = "puzzles"
PROBLEMS = {
    "latin": ("latin:LatinSquare", "Latin squares: no row or column holds a number twice"),
    "pancake": ("pancake:Pancakes", "pancakes: sort a stack by the fewest flips of its top"),
    "sliding": ("sliding:Sliding", "the sliding puzzle: bring tiles into order in the fewest moves"),
    "sudoku": ("sudoku:Sudoku", "Sudoku: fill a grid so that no row, column or box holds a number twice"),
}
