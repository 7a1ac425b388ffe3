"""Puzzles: Sudoku and Latin squares, pancakes, tiles that slide."""
