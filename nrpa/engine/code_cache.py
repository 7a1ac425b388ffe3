"""numba's cache of machine code on disk, which neither a damaged file nor a full disk can end a search with."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import serialize
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache

logger = logging.getLogger("nrpa")


class CheckedMachineCode(CompileResultCacheImpl):  # type: ignore[misc]
    """Machine code as bytes with their SHA-256: nothing of a file with a byte changed is ever run."""

    def reduce(self, cres: Any) -> tuple[bytes, bytes]:
        """Return the hash of the bytes, and the bytes."""
        data = serialize.dumps(super().reduce(cres))
        return hashlib.sha256(data).digest(), data

    def rebuild(self, target_context: Any, payload: tuple[bytes, bytes]) -> Any:
        """Return the machine code. Raises ValueError if the bytes do not have the hash."""
        digest, data = payload
        if hashlib.sha256(data).digest() != digest:
            raise ValueError("another SHA-256 than when it was written")
        return super().rebuild(target_context, pickle.loads(data))


class LastingCache(FunctionCache):  # type: ignore[misc]
    """The machine code of one function on disk.

    What cannot be loaded is removed and compiled anew; what cannot be kept is used without being kept.
    """

    _impl_class = CheckedMachineCode

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature, or None where there is none that can be loaded."""
        try:
            found = super().load_overload(sig, target_context)
            if found is not None and tuple(found.signature.args) != tuple(sig):
                raise ValueError("the machine code of other types")
            return found
        except Exception as error:
            # What a damaged file raises depends on where it is damaged.
            logger.info("machine code on disk is damaged (%s); compiling anew", type(error).__name__)
            self._remove()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for a signature, or warn that it cannot be kept."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self._remove()
            logger.warning("machine code cannot be kept in %s (%s)", self.cache_path, error.strerror)

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            for file in Path(self.cache_path).glob(f"{self._impl.filename_base}.*"):
                file.unlink()


def cache_of(function: Callable[..., Any]) -> Any:
    """Return the cache of a function.

    Parameters
    ----------
    function : callable
        The function, not compiled.

    Returns
    -------
    LastingCache or NullCache
        The latter, after a warning, where no folder for machine code can be written.
    """
    try:
        return LastingCache(function)
    except (RuntimeError, OSError) as error:
        logger.warning("machine code cannot be kept on disk (%s)", error)
        return NullCache()
