"""Follows a stream of events over as many connections as it takes."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from .._core.clock_async import sleep
from .._core.retry import delay_of
from .._core.sse import CAUGHT_UP, SseParser
from .._errors import ApiError, GatewayConnectionError, GatewayTimeoutError

_BACKOFF_MAX = 30.0


async def follow(
    open_after: Callable[[str | None], AsyncGenerator[bytes, None]],
    after: str | None,
    on_place: Callable[[str], object] | None = None,
) -> AsyncGenerator[str, None]:
    """The data of the events: each connection goes on after the last event of the one before.

    ``on_place`` hears how far the stream has looked where no event says it. It ends where the stream says that it has
    caught up. Raises ApiError for a refusal that will not pass, and whatever the first connection fails with.
    """
    parser = SseParser(after)
    place = after
    failures = 0
    opened = False
    while True:
        # Half an event that a cut connection brought is not continued by the next.
        parser = SseParser(parser.last_event_id, parser.retry)
        try:
            async with aclosing(open_after(parser.last_event_id)) as contents:
                async for content in contents:
                    opened = True
                    failures = 0
                    for item in parser.read(content):
                        is_new_place, place = item.last_event_id != place, item.last_event_id
                        if item.data is not None:
                            yield item.data
                        elif is_new_place and place is not None and on_place is not None:
                            on_place(place)
                        if item.comment == CAUGHT_UP:
                            return
        except (ApiError, GatewayConnectionError, GatewayTimeoutError) as error:
            if not opened or not _may_pass(error):
                raise
            failures += 1
            retry_after = error.retry_after if isinstance(error, ApiError) else None
            if failures > 1:
                await sleep(min(delay_of(failures, 1.0, retry_after), _BACKOFF_MAX))
        await sleep(parser.retry * (0.5 + random.random()))


def _may_pass(error: Exception) -> bool:
    """Whether what failed may succeed later, without anybody doing anything about it."""
    return not isinstance(error, ApiError) or error.status >= 500 or error.status in (408, 429)
