"""The hash of byte code."""

import cProfile
import dis
from inspect import CO_OPTIMIZED
from types import FunctionType

from numba import njit

from nrpa.base.byte_code import codes_in, hash_of_code


def code_of(text):
    """Return the code of a function's text."""
    return compile(text, "anywhere.py", "exec")


def test_comments_docstrings_and_places_change_nothing():
    """Another constant, or another name, does."""
    plain = hash_of_code(code_of("def f(x):\n    return x + 1\n"))
    assert hash_of_code(code_of("# above\n\ndef f(x):\n    '''Add.'''\n    return x + 1  # one\n")) == plain
    assert hash_of_code(code_of("def f(x):\n    return x + 2\n")) != plain
    assert hash_of_code(code_of("def f(y):\n    return y + 1\n")) != plain


def test_a_docstring_changes_nothing_as_python_314_keeps_it():
    """There a flag is set with it, and the other constants come one place later."""
    plain = next(each for each in codes_in(code_of("def f(x):\n    return g(x, 300, 4.5)\n")) if each.co_name == "f")
    read = {at for at, opcode in enumerate(plain.co_code[::2]) if opcode in dis.hasconst}
    later = bytearray(plain.co_code)
    for at in read:
        later[2 * at + 1] += 1
    flags = plain.co_flags | 0x4000000
    documented = plain.replace(co_consts=("Call.", *plain.co_consts), co_code=bytes(later), co_flags=flags)
    assert len(read) > 1
    assert hash_of_code(documented) == hash_of_code(plain)


def test_a_profiler_changes_nothing():
    """It clears a flag of a function that numba compiled, with Python 3.11."""
    profiled, other = (code_of("def f(x):\n    return x + 1\n").co_consts[0] for _ in range(2))
    before = hash_of_code(profiled)
    f = njit(FunctionType(profiled, {}))
    profiler = cProfile.Profile()
    profiler.runcall(lambda: f(2))
    assert hash_of_code(profiled) == before == hash_of_code(other.replace(co_flags=other.co_flags ^ CO_OPTIMIZED))


def test_code_inside_counts():
    """A function inside another one, at any depth."""
    code = code_of("def f():\n    def g():\n        return lambda: 3\n    return g\n")
    assert [each.co_name for each in codes_in(code)] == ["<module>", "f", "g", "<lambda>"]
    assert hash_of_code(code) != hash_of_code(
        code_of("def f():\n    def g():\n        return lambda: 4\n    return g\n")
    )
