import numpy as np
import pytest

import nrpa
from nrpa.problems.packing.layouts import faults_in_layout, overlap, picture
from nrpa.problems.packing.rectangles import RectanglePacking
from nrpa.problems.packing.strip import StripPacking


def test_overlaps_are_those_of_cells():
    """Two rows overlap if they have a cell in common."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        low, size = rng.integers(0, 5, (4, 2)), rng.integers(1, 4, (4, 2))
        pairs = [*zip(low, size, strict=True)]
        cells = [{(x, y) for x in range(a, a + w) for y in range(b, b + h)} for (a, b), (w, h) in pairs]
        meet = any(cells[j] & cells[k] for j in range(4) for k in range(j))
        assert (overlap(low, size) is not None) == meet


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([[1, 0, 0, 2, 3], [1, 2, 0, 2, 1]], None),
        ([[1, 0, 0, 2, 3], [2, 2, 0, 2, 1]], None),
        ([[1, 0, 0, 3, 2], [1, 2, 0, 2, 1]], "rows 1 and 2 overlap"),
        ([[1, 0, 0, 2, 3], [3, 2, 0, 2, 1]], "bins are not numbered 1, 2, 3, …"),
        ([[1, 0, 0, 2, 3], [1, 3, 0, 2, 1]], "row 2 is not within 4 x 3"),
        ([[1, 0, 0, 2, 3]], "1 x 2: expected 1, found 0"),
        ([[1, 0, 0, 2, 3], [1, 2, 0, 1, 1]], "1 x 1: expected 0, found 1"),
    ],
)
def test_layouts_with_a_fault(rows, fault):
    """Each fault is named; without turning, the same sides the other way are another rectangle."""
    faults = faults_in_layout(np.array(rows), [(2, 3), (2, 1)], True, 4, 3)
    assert faults[:1] == ([fault] if fault else [])
    assert faults_in_layout(np.array(rows), [(3, 2), (2, 1)], False, 4, 3)


def test_picture():
    """The top row is the first; a dot is where nothing lies."""
    assert picture([(0, 0, 2, 1), (2, 0, 1, 2)], 4, 2) == "..b.\naab."
    assert picture([(0, 0, 600, 100)], 1200, 100) == "\n".join(["a" * 30 + "." * 30] * 2)


TEXT = {StripPacking: "2\n4\n1 2 3\n2 2 1 3\n", RectanglePacking: "2\n4 3\n1 2 3\n2 2 1 3 3 2\n"}


@pytest.mark.parametrize("cls", TEXT)
def test_files(cls, tmp_path):
    """Rows of three columns, and of four and six, which have a demand."""
    path = tmp_path / "file"
    path.write_text(TEXT[cls])
    assert cls.load(path).plain.rectangles == [(2, 3), (2, 1), (2, 1), (2, 1)]


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (0, "3", "expected as many rows of rectangles as it says"),
        (0, "two", "expected how many rows"),
        (1, "4 3 1", "expected"),
        (1, "0", "expected"),
        (2, "1 2", "expected `number width height`"),
        (2, "7 2 3", "expected 1, the number of the row"),
        (3, "2 2 1.5", "expected a side"),
        (3, "2 9 9", "does not fit"),
        (3, "2 2 1 0", "expected a demand"),
    ],
)
@pytest.mark.parametrize("cls", TEXT)
def test_files_that_are_refused(cls, tmp_path, line, text, said):
    """The message says the file, and the line where there is one."""
    lines = TEXT[cls].splitlines()
    path = tmp_path / "file"
    path.write_text("\n".join([*lines[:line], text, *lines[line + 1 :]]))
    with pytest.raises(nrpa.InputError, match=said):
        cls.load(path)
