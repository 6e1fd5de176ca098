"""Where the work of a batch is done: here, or on a Dask cluster.

Rule: an engine is one method, and knows nothing of what it carries. Work may be done twice (a worker may be lost when
it was all but ready); what it writes is whole or not there, so nothing comes of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from .errors import BatchError

if TYPE_CHECKING:
    from distributed import Client

Item = TypeVar("Item")
Result = TypeVar("Result")

RETRIES: Final = 2  # of a piece of work that failed on a cluster
PATIENCE = 10.0  # seconds for a scheduler to answer


class Engine(Protocol):
    """`each` does `work` for every item and gives the results as they come, in any order.

    It raises what `work` raises, and whatever ends the engine itself. `near`: the work is done in this process, so
    that it can tell how far it is.
    """

    near: bool

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]: ...


class LocalEngine:
    """One after the other, in this process."""

    near = True

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        return map(work, items)


class DaskEngine:
    """On the cluster of a `distributed.Client`. Its workers see the same files and have jsonseam[batch] installed."""

    near = False

    def __init__(self, client: Client) -> None:
        self._client = client

    @classmethod
    def connect(cls, address: str) -> DaskEngine:
        """The cluster whose scheduler is at `address` (tcp://host:8786). Raises `BatchError`."""
        try:
            from distributed import Client
            from distributed.comm.addressing import parse_address, parse_host_port
        except ImportError as error:
            raise BatchError("distributed is not installed; run: pip install 'jsonseam[dask]'") from error
        try:
            parse_host_port(parse_address(address)[1])  # a client that cannot read it would wait for long in its end
            return cls(Client(address, timeout=PATIENCE, set_as_default=False))
        except (OSError, ValueError) as error:
            raise BatchError(f"no Dask scheduler answers at {address} ({error})") from error

    def close(self) -> None:
        self._client.close()

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        from distributed import as_completed

        futures: list[Any] = self._client.map(work, list(items), pure=False, retries=RETRIES)
        try:
            for _, result in as_completed(futures, loop=self._client.loop, with_results=True):
                yield result
        finally:
            self._client.cancel(futures)
