"""Receives webhooks, whatever the framework."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from .._core.receiving import Claim, WebhookAnswer, answer_to, refusal_of
from .._core.signatures import HeadersLike

E = TypeVar("E")


class AsyncSeenEvents(Protocol):
    """Remembers which events were handled: rows of your database, so that it holds for all your processes.

    Where what ``on`` does is in that database too, do without: insert the id in the transaction that does it.
    """

    async def claim(self, event_id: str) -> Claim:
        """Takes an event that no delivery has, or whose claim has expired: ``"new"``.

        ``"busy"`` while another delivery handles it, ``"done"`` when it is handled. A claim has to expire, later than
        ``on`` ever takes: a process that ends within ``on`` releases nothing.
        """
        ...

    async def done(self, event_id: str) -> None:
        """``on`` has returned: from now on the event is done, and no claim of it expires."""

    async def release(self, event_id: str) -> None:
        """``on`` has raised: the next delivery may claim it at once."""


@dataclass(frozen=True, kw_only=True)
class AsyncReceiver(Generic[E]):
    verify: Callable[[bytes, HeadersLike], tuple[str, E]]
    on: Callable[[E], Awaitable[object]]
    seen: AsyncSeenEvents | None
    on_error: Callable[[Exception], None] | None

    async def receive(self, body: bytes, headers: HeadersLike) -> WebhookAnswer:
        try:
            event_id, event = self.verify(body, headers)
        except Exception as error:
            self._report(error)
            return refusal_of(error)
        try:
            claimed = None if self.seen is None else answer_to(await self.seen.claim(event_id))
        except Exception as error:
            self._report(error)
            return _NOT_HANDLED
        if claimed is not None:
            return claimed
        try:
            await self.on(event)
        except Exception as error:
            self._report(error)
            await self._end(event_id, is_done=False)
            return _NOT_HANDLED
        await self._end(event_id, is_done=True)
        return WebhookAnswer(200, "handled")

    async def _end(self, event_id: str, *, is_done: bool) -> None:
        """Ends the claim. When this fails, the claim is left to expire.

        What ``on`` has done it has done: another delivery would only do it again.
        """
        try:
            if self.seen is None:
                return
            if is_done:
                await self.seen.done(event_id)
            else:
                await self.seen.release(event_id)
        except Exception as error:
            self._report(error)

    def _report(self, error: Exception) -> None:
        """What fails in reporting keeps no claim from its end, and no sender from an answer."""
        if self.on_error is not None:
            with suppress(Exception):
                self.on_error(error)


_NOT_HANDLED: Final = WebhookAnswer(500, "not handled")
