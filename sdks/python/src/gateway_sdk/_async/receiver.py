"""Receives webhooks, whatever the framework."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from .._core.clock_async import Interrupted, taken, to_its_end
from .._core.receiving import Claim, NewClaim, WebhookAnswer, answer_to, refusal_of
from .._core.signatures import HeadersLike

E = TypeVar("E")


class AsyncSeenEvents(Protocol):
    """Remembers which events were handled: rows of your database, so that it holds for all your processes.

    Where what ``on`` does is in that database too, do without: insert the id in the transaction that does it.
    """

    async def claim(self, event_id: str) -> Claim:
        """Takes an event that no delivery has, or whose claim has expired: ``NewClaim(token)``.

        ``"busy"`` while another delivery handles it, ``"done"`` when it is handled. A claim has to expire, later than
        ``on`` ever takes: a process that ends within ``on`` releases nothing, and what raises within the claim, after it
        was taken, is not released either.
        """
        ...

    async def done(self, event_id: str) -> None:
        """``on`` has returned: from now on the event is done, and no claim of it expires.

        It takes no token: what is handled is handled, also where the claim had expired and another delivery has one, or
        had one and released it.
        """

    async def release(self, event_id: str, token: str) -> None:
        """``on`` has raised, or was interrupted: the next delivery may claim it at once.

        It ends the claim of that token and no other: where this claim had expired and another delivery has the event,
        that one keeps it, and what is done stays done. After ``"new"`` it is called without a token.
        """


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
        # The sender may go within it: what it takes then has a token that no one else knows.
        claim = await taken(self._claim, self._release, event_id)
        if claim is None:
            return _NOT_HANDLED
        answer = answer_to(claim)
        if answer is not None:
            return answer
        try:
            await self.on(event)
        except Exception as error:
            self._report(error)
            await to_its_end(self._release, event_id, claim)
            return _NOT_HANDLED
        except Interrupted:
            # The sender has gone, or the process is to end: the next delivery need not wait for the claim to expire.
            await to_its_end(self._release, event_id, claim)
            raise
        await to_its_end(self._done, event_id)
        return WebhookAnswer(200, "handled")

    async def _claim(self, event_id: str) -> Claim | None:
        """Nothing when it fails: what it may have taken is left to expire."""
        try:
            claim: Claim = "new" if self.seen is None else await self.seen.claim(event_id)
            answer_to(claim)
            return claim
        except Exception as error:
            self._report(error)
            return None

    async def _done(self, event_id: str) -> None:
        """When this fails, the claim is left to expire.

        What ``on`` has done it has done: another delivery would only do it again.
        """
        try:
            if self.seen is not None:
                await self.seen.done(event_id)
        except Exception as error:
            self._report(error)

    async def _release(self, event_id: str, claim: Claim | None) -> None:
        """A claim that has the event. When this fails, it is left to expire."""
        token = (claim.token,) if isinstance(claim, NewClaim) else ()
        try:
            if self.seen is not None and (token or claim == "new"):
                await self.seen.release(event_id, *token)
        except Exception as error:
            self._report(error)

    def _report(self, error: Exception) -> None:
        """What fails in reporting keeps no claim from its end, and no sender from an answer."""
        if self.on_error is not None:
            with suppress(Exception):
                self.on_error(error)


_NOT_HANDLED: Final = WebhookAnswer(500, "not handled")
