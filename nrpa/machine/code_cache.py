"""Machine code on disk, in the user's cache folder: neither a damaged file nor a full disk can end a search.

Fingerprints of code tell whether it still belongs to the source.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import hashlib
import logging
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import EllipsisType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from llvmlite import binding as llvm
from numba import config, types
from numba.core import serialize
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from platformdirs import user_cache_dir

from nrpa.base.byte_code import codes_in, hash_of_code
from nrpa.base.errors import InputError
from nrpa.base.installed import version_of
from nrpa.io.files import write_bytes

_LIBRARIES = ("numpy", "numba", "math", "builtins", "llvmlite")
_SCALARS = (bool, int, float, complex, str, bytes, range, slice, type(None), EllipsisType)
_MISSING = object()
logger = logging.getLogger("nrpa")
MOST_BYTES = 2**30
_ENDING = ".machine"
_DIGEST_SIZE = hashlib.sha256().digest_size
_FOLDERS = "nrpa-*-numba-*"
# What has a name in one process only: a class of a script, of a function or made by numba, or an address.
_ONLY_HERE = re.compile(r"__main__|<locals>|(0x|#)[0-9a-f]{6,}")


def fingerprint(functions: Iterable[Callable[..., Any]], sources: Iterable[Path] = ()) -> str:
    """Return a hash that changes when the code of functions, or of whole files, changes.

    Functions are followed through their globals and closures, by their byte code: an edited comment or docstring
    changes nothing, an edited helper in another module does. What numba's ``overload`` enters elsewhere is not found
    so; the files that do it belong to ``sources``.
    """
    parts = [_of_file(path) for path in sources] + [_of_function(function) for function in functions]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


@functools.cache
def _of_file(path: Path) -> str:
    code: Any = SourceFileLoader(path.stem, str(path)).get_code(path.stem)
    return hash_of_code(code)


@functools.cache
def _of_function(function: Callable[..., Any]) -> str:
    return _hash_of(_Described().value(function))


@functools.cache
def _code_of(function: FunctionType) -> tuple[str, list[str]]:
    """Return the hash of a function's byte code, and the names that it and the code inside it use, each once."""
    names = [name for code in codes_in(function.__code__) for name in code.co_names]
    return hash_of_code(function.__code__), [*dict.fromkeys(names)]


def _hash_of(described: Any) -> str:
    return hashlib.sha256(repr(described).encode()).hexdigest()


class _Described:
    """Values as what has the same text in every process, and another one wherever another result is possible."""

    def __init__(self) -> None:
        self._numbers: dict[int, tuple[int, Any]] = {}

    def _numbered(self, value: Any) -> tuple[int, bool]:
        """Return the number of a value, in the order in which they come, and whether it is new."""
        is_new = id(value) not in self._numbers
        return self._numbers.setdefault(id(value), (len(self._numbers), value))[0], is_new

    def value(self, value: Any) -> Any:
        """Return what stands for a value."""
        kind = type(value)
        attributes = getattr(value, "__dict__", {})
        function = attributes.get("_defn") or attributes.get("__wrapped__")
        if isinstance(value, FunctionType):
            found: Any = self._function(value)
        elif isinstance(value, type):
            found = self._class(value)
        elif isinstance(value, enum.Enum):
            found = self._class(kind), value.name
        elif isinstance(value, (np.ndarray, np.generic)):
            held = b"" if value.dtype.hasobject else value.tobytes()
            found = "array", repr(value.dtype), value.shape, value.strides, hashlib.sha256(held).digest()
        elif isinstance(value, tuple):
            found = self._class(kind), [*map(self.value, value)]
        elif isinstance(value, _SCALARS):
            base: Any = next(each for each in _SCALARS if isinstance(value, each))
            found = kind.__qualname__, base.__repr__(value)
        elif isinstance(value, (np.dtype, types.Type)):
            found = kind.__qualname__, repr(value)
        elif isinstance(function, FunctionType):
            found = self._compiled(value, function)
        else:
            named = value if hasattr(value, "__name__") else kind
            found = f"{getattr(named, '__module__', '')}.{named.__name__}"
        return found

    def _class(self, value: type) -> Any:
        name = f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', '')}"
        if not issubclass(value, enum.Enum):
            return name
        number, is_new = self._numbered(value)
        return name, number, [(each, self.value(value[each].value)) for each in value.__members__] if is_new else []

    def _compiled(self, value: Any, function: FunctionType) -> Any:
        """Return what stands for a function that numba compiles: with its types, if it takes no others."""
        settings = [sorted(getattr(value, each, {}).items()) for each in ("targetoptions", "locals")]
        signatures = [] if getattr(value, "_can_compile", True) else [*map(str, value.nopython_signatures)]
        return self.value((*map(tuple, settings), *signatures)), self._function(function)

    def _function(self, function: FunctionType) -> Any:
        number, is_new = self._numbered(function)
        name = f"{function.__module__}.{function.__name__}"
        if not is_new or is_of_library(function):
            return name, number
        code, names = _code_of(function)
        given = self.value((function.__defaults__, tuple(sorted((function.__kwdefaults__ or {}).items()))))
        cells = []
        for variable, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            with contextlib.suppress(ValueError):  # where it is empty
                cells.append((variable, self.value(cell.cell_contents)))
        return name, number, _hash_of((code, given, cells, self._named(function.__globals__, names, set())))

    def _named(self, scope: dict[str, Any], names: list[str], within: set[int]) -> list[Any]:
        """Return what a function may mean by names: globals, and attributes of modules at any depth."""
        found: list[Any] = []
        for name in names:
            value = scope.get(name, _MISSING)
            if isinstance(value, ModuleType) and value.__name__.split(".")[0] not in _LIBRARIES:
                found.append(name)
                if id(value) not in within:
                    within.add(id(value))
                    found.append(self._named({each: getattr(value, each, _MISSING) for each in names}, names, within))
            elif value is not _MISSING:
                found.append((name, self.value(value)))
        return found


def is_of_library(function: FunctionType) -> bool:
    """Return whether a function belongs to Python, NumPy or numba, whose code is followed no further."""
    return str(function.__module__).split(".")[0] in _LIBRARIES


def named_in(function: FunctionType) -> Iterator[Any]:
    """Yield what a function may mean by names: globals, attributes of modules that these are, and variables around."""
    _, names = _code_of(function)
    for name in names:
        value = function.__globals__.get(name)
        yield value
        if isinstance(value, ModuleType):
            yield from (getattr(value, attribute, None) for attribute in names)
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # where it is empty
            yield cell.cell_contents


def cache_folder() -> Path:
    """Return the folder of all machine code: ``NUMBA_CACHE_DIR`` where that is set, else the user's own for nrpa."""
    return Path(config.CACHE_DIR).absolute() if config.CACHE_DIR else Path(user_cache_dir("nrpa", appauthor=False))


def sizes_on_disk() -> dict[Path, int]:
    """Return the files of machine code, also of other versions, by age, the newest first, with their sizes in bytes."""
    found = []
    for pattern in (f"*{_ENDING}", ".nrpa-*"):
        for file in cache_folder().glob(f"{_FOLDERS}/{pattern}"):
            with contextlib.suppress(OSError):  # another process has removed it
                found.append((file.stat(), file))
    found.sort(key=lambda each: each[0].st_mtime, reverse=True)
    return {file: status.st_size for status, file in found}


def clear() -> None:
    """Remove all machine code, and the folders that are empty then. Raises OSError where a file cannot be removed."""
    for file in sizes_on_disk():
        file.unlink(missing_ok=True)
    for folder in cache_folder().glob(_FOLDERS):
        with contextlib.suppress(OSError):
            folder.rmdir()


class OnDisk(NullCache):  # type: ignore[misc]
    """The machine code of one function on disk: a file for the types of its arguments and the processor.

    What cannot be loaded is compiled anew; what cannot be kept is used without being kept. The name, which is asked for
    once, holds a fingerprint of the code, so the file serves every installation of that code.

    - ``alone``: Whether only Python calls the function: then what numba links into other functions is left out, which
      is most of the file, and of the time to load it.
    - ``quiet``: Whether nothing is said where the machine code cannot be kept.
    """

    def __init__(self, name: Callable[[], str], alone: bool = False, quiet: bool = False) -> None:
        self._name = functools.cache(name)
        self.alone, self.quiet = alone, quiet

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(_versioned_folder())

    def is_there(self) -> bool:
        """Return whether there is machine code for any types."""
        return any(_versioned_folder().glob(f"{self._name()}-*{_ENDING}"))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature, or None where there is none that can be loaded.

        numba's own functions, which take longer to load than all of ours, are loaded only where it uses one of them.
        """
        if not _is_lasting(sig):
            return None
        try:
            file = self._file(sig, target_context.codegen())
            written = file.read_bytes()
        except (OSError, InputError, AttributeError):  # the last where numba has become another one
            return None
        try:
            data = written[_DIGEST_SIZE:]
            if hashlib.sha256(data).digest() != written[:_DIGEST_SIZE]:
                raise ValueError("another SHA-256 than when it was written")
            used, reduced = pickle.loads(data)
            if not all(map(llvm.address_of_symbol, used)):
                target_context.refresh()
            found = CompileResult._rebuild(target_context, *reduced)
            if tuple(found.signature.args) != tuple(sig):
                raise ValueError("the machine code of other types")
        except Exception as error:
            # What a damaged file raises depends on where it is damaged.
            logger.info("machine code on disk is damaged (%s); compiling anew", type(error).__name__)
            return None
        with contextlib.suppress(OSError):
            os.utime(file)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for a signature, or warn that it cannot be kept."""
        if not _is_lasting(sig):
            return
        try:
            if data.library.has_dynamic_globals or not all(each.can_cache for each in data.lifted):
                raise InputError("it holds the address of a large global array, or of what is no Python")
            file = self._file(sig, data.codegen)
            library, *others = data._reduce()
            kept = _unlinked(library) if self.alone else library
            written = serialize.dumps((_used(data.library), (kept, *others)))
            _write_code(file, hashlib.sha256(written).digest() + written)
            _remove_oldest()
        except Exception as error:
            if not self.quiet:
                _warn_once(error)

    def _file(self, sig: Any, codegen: Any) -> Path:
        """Return the file for a signature. Raises InputError where there is no folder for it."""
        if not _versioned_folder().is_absolute():
            raise InputError("the user has no home folder; NUMBA_CACHE_DIR can name another one")
        key = f"{_key(sig)} {codegen.magic_tuple()} {config.OPT} {config.BOUNDSCHECK}"
        return _versioned_folder() / f"{self._name()}-{hashlib.sha256(key.encode()).hexdigest()[:16]}{_ENDING}"


def _write_code(file: Path, data: bytes) -> None:
    """Write a file, and its folder. Raises InputError, which names the folder, where that cannot be."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(file, data)
    except (OSError, InputError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{cache_folder()}: {reason}; NUMBA_CACHE_DIR can name another folder") from None


def _versioned_folder() -> Path:
    return cache_folder() / _versions()


@functools.cache
def _versions() -> str:
    return f"nrpa-{version_of('nrpa')}-{sys.implementation.cache_tag}-numba-{numba.__version__}-numpy-{np.__version__}"


def _key(sig: Any) -> str:
    return ", ".join(map(described, sig))


def _is_lasting(sig: Any) -> bool:
    return isinstance(sig, tuple) and not _ONLY_HERE.search(_key(sig))


def described(kind: Any) -> str:
    """Return a type with the classes and the fields of its tuples, of which numba tells the names only."""
    if isinstance(kind, types.BaseNamedTuple):
        fields = (f"{name}: {described(each)}" for name, each in zip(kind.fields, kind, strict=True))
        return f"{kind.instance_class.__module__}.{kind.instance_class.__qualname__}({', '.join(fields)})"
    if isinstance(kind, types.BaseTuple):
        return f"({', '.join(map(described, kind))})"
    return str(kind)


def _used(library: Any) -> list[str]:
    """Return the names of the functions and variables that machine code uses and does not hold itself."""
    module = library._final_module
    declared = [each.name for each in (*module.functions, *module.global_variables) if each.is_declaration]
    return [name for name in declared if not name.startswith("llvm.")]


def _unlinked(library: tuple[str, str, Any]) -> tuple[str, str, Any]:
    """Return a library as numba writes it, its functions for other libraries by their names only."""
    name, kind, (machine_code, for_others) = library
    module = llvm.parse_bitcode(for_others)
    lines = [f'define void @"{each.name}"() {{ ret void }}' for each in module.functions if not each.is_declaration]
    lines += [f'@"{each.name}" = global i8 0' for each in module.global_variables if not each.is_declaration]
    return name, kind, (machine_code, llvm.parse_assembly("\n".join(lines)).as_bitcode())


@functools.cache
def _remove_oldest() -> None:
    """Remove, once a process, what was not used for the longest time, so that ``MOST_BYTES`` are left."""
    left = MOST_BYTES
    for file, size in sizes_on_disk().items():
        left -= size
        if left < 0:
            file.unlink(missing_ok=True)


_warned = False


def _warn_once(error: Exception) -> None:
    global _warned  # noqa: PLW0603
    if not _warned:
        logger.warning("machine code cannot be kept on disk (%s)", error)
    _warned = True
