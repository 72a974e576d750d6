"""Receives webhooks, whatever the framework."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from .._core.receiving import WebhookAnswer, refusal_of
from .._core.signatures import HeadersLike

E = TypeVar("E")


class AsyncSeenEvents(Protocol):
    """Remembers which events were handled: a unique column in your database, so that it holds for all your processes."""

    async def claim(self, event_id: str) -> bool:
        """False when the event is handled, or being handled, already."""
        ...

    async def release(self, event_id: str) -> None:
        """Handling it has failed: the next delivery may."""


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
            if self.seen is not None and not await self.seen.claim(event_id):
                return WebhookAnswer(200, "handled before")
        except Exception as error:
            self._report(error)
            return _NOT_HANDLED
        try:
            await self.on(event)
            return WebhookAnswer(200, "handled")
        except Exception as error:
            self._report(error)
            await self._release(event_id)
            return _NOT_HANDLED

    async def _release(self, event_id: str) -> None:
        """When this fails too, the event stays claimed: only the merchant can know whether it was handled."""
        try:
            if self.seen is not None:
                await self.seen.release(event_id)
        except Exception as error:
            self._report(error)

    def _report(self, error: Exception) -> None:
        if self.on_error is not None:
            self.on_error(error)


_NOT_HANDLED: Final = WebhookAnswer(500, "not handled")
