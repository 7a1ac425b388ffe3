"""A problem on its way to another process, on this machine or elsewhere."""

from __future__ import annotations

import pickle
import sys
import threading
from functools import lru_cache
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry.user_file import file_of_module, import_file

cloudpickle = lazy("numba.cloudpickle")


def packed(problem: BaseProblem, elsewhere: bool = False) -> bytes:
    """Return a problem as bytes that ``unpacked`` takes in another process."""
    modules = {cls.__module__ for cls in type(problem).__mro__}
    by_value = "__main__" in modules and (elsewhere or not hasattr(sys.modules["__main__"], "__file__"))
    dumps: Any = cloudpickle.dumps if by_value else pickle.dumps
    try:
        content = dumps(problem)
    except Exception as error:
        raise InputError(f"{problem.name}: cannot be sent to worker processes ({error})") from None
    files = sorted(filter(None, map(file_of_module, modules)))
    return pickle.dumps((files, content))


def unpacked(parcel: bytes) -> BaseProblem:
    """Return the problem, made once in each thread: plain-Python problems number their moves as they go."""
    return _unpacked(parcel, threading.get_ident())


@lru_cache(maxsize=16)
def _unpacked(parcel: bytes, thread: int) -> BaseProblem:
    return unpickled_anew(parcel)


def unpickled_anew(parcel: bytes) -> BaseProblem:
    """Return what ``unpacked`` does, but another object each time."""
    files, content = pickle.loads(parcel)
    for file in files:
        import_file(file)
    problem: BaseProblem = pickle.loads(content)
    return problem
