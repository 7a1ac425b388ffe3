"""Executors of other engines, made and closed: Dask's, and MPI's through mpi4py."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import Any, NamedTuple
from weakref import WeakSet

from nrpa.base.errors import InputError, NotInstalledError
from nrpa.base.lazy import lazy
from nrpa.base.values import shortened
from nrpa.search.interrupt import ignored_by_children, leave_to_parent

distributed = lazy("distributed")
comm = lazy("distributed.comm")
mpi = lazy("mpi4py.MPI")
futures = lazy("mpi4py.futures")

DASK_SECONDS = 10.0
WATCH_SECONDS = 0.5
LOCAL = "local"


class Cluster(NamedTuple):
    """An executor, how many tasks it runs at once, and what messages call it."""

    executor: Executor
    places: int
    title: str


class DaskExecutor(Executor):
    """Dask's executor, but work ends with ConnectionError when the scheduler is gone: Dask's own waits for ever."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)
        self._waiting: WeakSet[Future[Any]] = WeakSet()
        self._closed = threading.Event()
        threading.Thread(target=self._watch, name="nrpa-dask", daemon=True).start()

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        """Hand in a call. Raises RuntimeError if the connection is lost, or this executor is shut down."""
        if self._closed.is_set() or self._is_lost():
            raise RuntimeError("there is no connection to the scheduler of Dask")
        future: Future[Any] = self._executor.submit(function, *arguments, **keywords)
        self._waiting.add(future)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed.set()
        if cancel_futures:
            self._fail()

    def _is_lost(self) -> bool:
        return bool(self._client.status in ("closing", "closed"))

    def _watch(self) -> None:
        while not self._closed.wait(WATCH_SECONDS):
            if self._is_lost():
                self._fail()
                return

    def _fail(self) -> None:
        for future in list(self._waiting):
            with suppress(InvalidStateError):
                future.set_exception(ConnectionError("the scheduler of Dask is gone"))


@contextmanager
def dask_cluster(where: str, processes: int) -> Iterator[Cluster]:
    """Return an executor of Dask."""
    require_extra("distributed", "dask", "--dask")
    local: Any = None
    if where == LOCAL:
        local = _local_cluster(processes)
    try:
        client = _client(local.scheduler_address if local else where)
        try:
            with DaskExecutor(client) as executor:
                yield Cluster(executor, sum(client.nthreads().values()), f"Dask at {where}")
        finally:
            client.close(timeout=DASK_SECONDS)
    finally:
        if local is not None:
            local.close(timeout=DASK_SECONDS)


def _local_cluster(processes: int) -> Any:
    try:
        with ignored_by_children():
            return distributed.LocalCluster(
                n_workers=processes,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
    except (RuntimeError, OSError, TimeoutError) as error:
        raise InputError(f"no local cluster of Dask can be started ({_first_line(error)})") from None


def _client(address: str) -> Any:
    shown = shortened(address)
    try:
        comm.resolve_address(address)
        client = distributed.Client(address, timeout=DASK_SECONDS, set_as_default=False)
    except (OSError, TimeoutError):
        raise InputError(
            f"no scheduler of Dask answers at {shown} within {DASK_SECONDS:.0f} seconds; "
            "expected its address, such as tcp://10.0.0.1:8786, or local"
        ) from None
    except (ValueError, ImportError) as error:
        raise InputError(f"{shown}: is no address of a scheduler of Dask ({error})") from None
    try:
        client.wait_for_workers(1, timeout=DASK_SECONDS)
    except (OSError, TimeoutError):
        client.close(timeout=DASK_SECONDS)
        raise InputError(f"Dask at {shown} has no workers, also after {DASK_SECONDS:.0f} seconds") from None
    return client


@contextmanager
def mpi_cluster() -> Iterator[Cluster | None]:
    """Return an executor of the processes that ``mpiexec`` has started, in the first of them; all enter the context.

    The others get None, and work until the first one leaves.
    """
    require_extra("mpi4py", "mpi", "--mpi")
    try:
        everyone = mpi.COMM_WORLD
    except (ImportError, RuntimeError) as error:
        raise NotInstalledError(
            f"--mpi needs MPI, which cannot be loaded ({_first_line(error)}); pip install '.[mpi]'"
        ) from None
    if everyone.size == 1:
        raise InputError("--mpi needs at least two processes; expected mpiexec -n 3 nrpa ... --mpi")
    if everyone.rank > 0:
        leave_to_parent()
    with futures.MPICommExecutor(everyone, root=0) as executor:
        yield None if executor is None else Cluster(executor, everyone.size - 1, "MPI")


def require_extra(module: str, extra: str, needed_by: str) -> None:
    """Raise InputError unless an optional package is installed."""
    if module not in sys.modules and find_spec(module) is None:
        raise NotInstalledError(
            f"{needed_by} needs the package {module}, which is not installed; pip install '.[{extra}]'"
        )


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]
