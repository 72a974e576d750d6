"""How an asynchronous client waits, and bounds an attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import ParamSpec

P = ParamSpec("P")

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
