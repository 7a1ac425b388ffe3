import json
import pickle

import pytest

from nrpa.base.errors import InputError, LostWorkersError, one_line, place_of


@pytest.mark.parametrize("text", ["a\nb", "\x00" * 900, "\x1b[31mred", "\ud800", "(" * 5000, "\r\n\t\u2028", "plain é"])
def test_a_message_is_one_line_that_a_terminal_can_show(text):
    """Whatever it quotes; what is printable and short stays as it is."""
    shown = str(InputError(f"found {text!s}"))
    assert shown.isprintable()
    assert len(shown) <= 800
    assert shown.startswith("found ")
    assert one_line(shown) == shown
    assert (shown == f"found {text}") is (text == "plain é")


def test_errors_come_back_from_other_processes():
    """Pickled, with their class and message."""
    for kind in (InputError, LostWorkersError):
        again = pickle.loads(pickle.dumps(kind("a\nb")))
        assert (type(again), str(again)) == (kind, "a\\nb")


def test_the_place_of_an_error_is_in_no_library():
    """The last line outside of Python, packages and nrpa."""
    assert place_of(ValueError()) == ""
    line = test_the_place_of_an_error_is_in_no_library.__code__.co_firstlineno + 5
    with pytest.raises(ValueError, match="Expecting") as caught:
        json.loads("{")
    assert place_of(caught.value) == f"{__file__}:{line}"
