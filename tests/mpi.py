"""Where the MPI of the extra is, for tests that start ``mpiexec``."""

import os
from importlib.metadata import PackageNotFoundError, files

import pytest


def mpiexec():
    """Return the path of ``mpiexec`` and the environment in which its library is found; skip where there is none."""
    try:
        found = {path.name: path.locate().resolve() for path in files("mpich") or ()}
    except PackageNotFoundError:
        pytest.skip("the extra mpi is not installed")
    library = next(path for name, path in found.items() if name.startswith("libmpi.so"))
    folders = [str(library.parent), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    return str(found["mpiexec"]), {**os.environ, "LD_LIBRARY_PATH": ":".join(folders)}
