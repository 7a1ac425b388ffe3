import pytest

import nrpa
from nrpa.io.source import Source
from nrpa.problems.binpacking import reader
from nrpa.problems.binpacking.reader import parse_binpacking

MANY = """# two instances
2
first
10 3 2
6 5 4
 second
100.0 2 1
49.5 50.5
"""
ONE = "3\n10\n6\n5  # the middle one\n4\n"
KINDS = "2\n10\n6 1\n4.5\t3  # thrice\n"


def parsed(text, member=""):
    """Parse the text of a file."""
    return parse_binpacking(Source(f"f:{member}" if member else "f", text, "", file="f", member=member))


def test_both_forms_give_the_same_instance():
    """An OR-Library instance and the same in BPPLIB's form are read alike; only the first says what is best."""
    many, one = parsed(MANY, "first"), parsed(ONE)
    assert many.capacity == one.capacity == 10
    assert many.sizes == one.sizes == [6, 5, 4]
    assert (many.best, one.best) == (2, None)


EXPECTED = f"expected {{0}} lines of two \\({reader.KINDS}\\), or {{0}} sizes, one a line \\({reader.SIZES}\\)"


@pytest.mark.parametrize("text", [KINDS, KINDS.replace("2\n10", "2 10"), "3 10\n6 1\n4.5 2\n4.5 1\n"])
def test_cutting_stock(text):
    """Each size is taken as often as it is demanded."""
    assert parsed(text).capacity == 10
    assert parsed(text).sizes == [6, 4.5, 4.5, 4.5]


@pytest.mark.parametrize("text", ["4\n10\n6 4.5 4.5\n4.5\n", "4 10 6 4.5\n4.5 4.5\n", "4\n10\n6 4.5 4.5 4.5\n"])
def test_sizes_in_longer_lines(text):
    """They are items, where a line holds more than two, or begins with the capacity."""
    assert parsed(text).sizes == [6, 4.5, 4.5, 4.5]


def test_an_instance_of_many_by_name(tmp_path):
    """FILE:NAME picks an instance, whose label says so, and its hash is that of the instance alone."""
    path = tmp_path / "many.txt"
    path.write_text(MANY)
    problem = nrpa.BinPacking.load(f"{path}:second")
    assert problem.label == f"{path}:second"
    assert problem.capacity == 100
    assert problem.sizes == [49.5, 50.5]
    assert problem.best_known.value == 1
    assert problem.sha256 != nrpa.BinPacking.load(f"{path}:first").sha256


def test_a_file_may_have_a_colon_in_its_name(tmp_path):
    """A path that exists is that file, whatever its name looks like."""
    (tmp_path / "a").write_text(MANY)
    (tmp_path / "a:first").write_text(ONE.replace("6", "7"))
    assert nrpa.BinPacking.load(str(tmp_path / "a:first")).sizes == [7, 5, 4]


@pytest.mark.parametrize(
    ("text", "member", "message"),
    [
        ("", "", "f: is empty"),
        (ONE, "first", "f: holds a single instance without a name; expected no ':first'"),
        (MANY, "", r"f: holds 2 instances \(first to second\); name one, as in f:first"),
        (MANY, "frist", "f: holds no instance 'frist'; did you mean first"),
        (ONE.replace("5 ", "15 "), "", "f:4: item 2 has size 15, larger than the capacity 10"),
        (ONE.replace("5 ", "0 "), "", "f:4: item 2 has size 0; expected a size above 0"),
        (ONE.replace("5 ", "-5 "), "", "f:4: item 2 has size -5; expected a size above 0"),
        (ONE.replace("5 ", "five "), "", "f:4: expected 3 sizes, found 1 before 'five'"),
        (ONE.replace("5 ", "nan "), "", "f:4: expected 3 sizes, found 1 before 'nan'"),
        (ONE.replace("3\n", "4\n"), "", "f:5: expected 4 sizes, found 3 before the end"),
        (ONE.replace("3\n", "2\n"), "", "f:5: expected the end of the file after 2 sizes, found '4'"),
        (ONE.replace("3\n", "0\n"), "", "f:1: expected the number of items, a whole number of at least 1, found '0'"),
        (ONE.replace("3\n", "2.5\n"), "", "f:1: expected the number of items"),
        (ONE.replace("10\n", "-10\n"), "", "f:2: expected a capacity above 0, found -10"),
        ("3\n", "", "f:1: ends where the capacity was expected"),
        (MANY.replace("10 3", "10 4"), "first", "f:6: expected 4 sizes, found 3 before 'second'"),
        (MANY.replace("10 3", "10 2"), "first", "f:6: expected the capacity, found 'second'"),
        (MANY.replace("second", "first"), "first", "f:6: a second instance is called 'first'"),
        (MANY.replace("\n2\n", "\n3\n"), "first", "f:8: ends where the name of an instance was expected"),
        (MANY + "7\n", "first", "f:9: expected the end of the file after 2 instances, found '7'"),
        ("hello\nworld\n", "", "f:1: is in none of the forms that are read"),
        (KINDS.replace("2\n", "3\n"), "", f"f:4: {EXPECTED.format(3)}; found 2 lines, of two numbers at most"),
        (KINDS.replace("2\n", "4\n"), "", f"f:4: {EXPECTED.format(4)}; found 2 lines, of two numbers at most"),
        (KINDS.replace("2\n", "1\n"), "", f"f:4: {EXPECTED.format(1)}; found 2 lines, of two numbers at most"),
        (KINDS.replace(" 1\n", "\n"), "", f"f:3: {EXPECTED.format(2)}; found 2 lines, of two numbers at most"),
        ("3\n10\n6 4\n4\n", "", f"f:4: {EXPECTED.format(3)}; found 2 lines, of two numbers at most"),
        (KINDS.replace("6 1", "1 6 1"), "", "f:3: expected the end of the file after 2 sizes, found '1'"),
        (KINDS.replace("6 1", "6 0"), "", "f:3: kind 1 has demand '0'; expected a whole number of at least 1, and"),
        (KINDS.replace("6 1", "6 1.5"), "", "f:3: kind 1 has demand '1.5'; expected a whole number of at least 1"),
        (KINDS.replace("6 1", "6 99998"), "", "f:4: kind 2 has demand '3'; expected .* of all kinds at most 100,000"),
        (
            KINDS.replace("6 1", "6 10000000000"),
            "",
            "f:3: kind 1 has demand '10000000000'; expected .* at most 100,000",
        ),
        (KINDS.replace("6 1", "11 1"), "", "f:3: kind 1 has size 11, larger than the capacity 10"),
        (KINDS.replace("6 1", "x 1"), "", "f:3: kind 1 has size 'x'; expected a number"),
        (KINDS, "x", "f: holds a single instance without a name; expected no ':x'"),
        (
            ONE.replace("5 ", "51e-320030\u0661 "),
            "",
            "f:4: item 2 has size '51e-320030\u0661'; expected a number from 1e-30",
        ),
        (ONE.replace("5 ", "1e-320030 "), "", "f:4: item 2 has size '1e-320030'; expected a number from 1e-30 to 1e30"),
        (ONE.replace("5 ", "1_0 "), "", "f:4: item 2 has size '1_0'; expected a number .* digits 0 to 9"),
        (
            ONE.replace("5 ", f"1.{'1' * 30} "),
            "",
            r"f:4: item 2 has size '1\.1+'; expected a number .* at most 28 digits",
        ),
        (ONE.replace("10\n", "1\u0660\n"), "", "f:2: the capacity is '1\u0660'; expected a number"),
        (ONE.replace("10\n", "1e400000\n"), "", "f:2: the capacity is '1e400000'; expected a number"),
        (ONE.replace("3\n", "\u0663\n"), "", "f:1: expected the number of items, .* found '\u0663'"),
        (ONE.replace("3\n", f"{'3' * 5000}\n"), "", "f:1: expected the number of items, .* found '333"),
    ],
)
def test_bad_input_names_file_line_and_what_was_expected(text, member, message):
    """Each kind of broken file gets its own sentence."""
    with pytest.raises(nrpa.InputError, match=message):
        parsed(text, member)
