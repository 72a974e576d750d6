"""How an asynchronous client waits, and bounds an attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

sleep = asyncio.sleep


def within(seconds: float) -> asyncio.Timeout:
    """Raises TimeoutError in what takes longer."""
    return asyncio.timeout(seconds)


Interrupted = asyncio.CancelledError
"""How work ends that is not waited for any more."""

_going_on: set[asyncio.Task[None]] = set()


async def to_its_end(work: Callable[P, Coroutine[object, object, None]], *args: P.args, **kwargs: P.kwargs) -> None:
    """Does the work whole, also where whoever waits for it is cancelled."""
    task = asyncio.create_task(work(*args, **kwargs))
    # The loop alone does not keep a task.
    _going_on.add(task)
    task.add_done_callback(_going_on.discard)
    await asyncio.shield(task)


async def taken(
    take: Callable[[str], Coroutine[object, object, T]],
    give_back: Callable[[str, T], Coroutine[object, object, None]],
    name: str,
) -> T:
    """What is taken. Where whoever waits for it is cancelled, it is taken all the same, and given back."""
    taking = asyncio.create_task(take(name))
    try:
        return await asyncio.shield(taking)
    except asyncio.CancelledError:
        await to_its_end(_given_back, taking, give_back, name)
        raise


async def _given_back(
    taking: asyncio.Task[T], give_back: Callable[[str, T], Coroutine[object, object, None]], name: str
) -> None:
    await give_back(name, await taking)
