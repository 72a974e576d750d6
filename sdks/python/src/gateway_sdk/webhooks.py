"""Webhooks of contract 0.1: who signed them, what they say, and how to answer them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from ._async.receiver import AsyncReceiver, AsyncSeenEvents as AsyncSeenEvents
from ._core.receiving import (
    Claim as Claim,
    NewClaim as NewClaim,
    WebhookAnswer as WebhookAnswer,
    check_receiver,
    check_size,
)
from ._core.record import UnknownEvent as UnknownEvent
from ._core.signatures import HeadersLike as HeadersLike, verified
from ._errors import SignatureError as SignatureError
from ._generated.events import EVENT_NAMES as EVENT_NAMES, EventName as EventName
from ._sync.receiver import Receiver, SeenEvents as SeenEvents
from .v0_1.models import EVENT_CLASSES, VerifiedEvent as VerifiedEvent


def verify_webhook(
    body: bytes | str,
    headers: HeadersLike,
    secret: str | Sequence[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> VerifiedEvent:
    """The event of a delivery that the gateway has signed with one of the secrets. Compared in constant time.

    body: as it came, never what a parser made of it.
    secret: the ``whsec_…`` of the webhook; both while a rotation lasts.
    tolerance: how many seconds away from now the time of signing may be.
    now: Unix seconds, in place of the clock.

    Raises SignatureError with the reason (answer 401), GatewayError for a signed body that is no event (answer 400), and
    TypeError for a body that was parsed or without a secret.
    """
    signed = verified(body, headers, secret, tolerance, now)
    known = EVENT_CLASSES.get(signed.name)
    named = {} if known is not None else {"event": "unknown", "name": signed.name}
    event: VerifiedEvent = (known or UnknownEvent).from_dict({**signed.body, **named})
    return replace(event, delivery_id=signed.delivery_id, attempt=signed.attempt)


class WebhookHandler:
    """Receives webhooks in any framework: give it the bytes and the headers, and answer with what it answers.

    401 for a bad signature, 400 for a body that is no event, 200 for one that was handled, now or before, 503 while
    another delivery handles it, and 500 when ``on`` raises. After 500 and 503 the gateway delivers it again. ``seen`` is
    where you keep the ids.

    Raises TypeError when it is made without the ``whsec_…`` of the webhook.
    """

    def __init__(
        self,
        *,
        secret: str | Sequence[str],
        on: Callable[[VerifiedEvent], object],
        seen: SeenEvents | None = None,
        on_error: Callable[[Exception], None] | None = None,
        tolerance: float = 300.0,
    ) -> None:
        check_receiver(secret, seen)
        verify = _verifier(secret, tolerance)
        self._receiver = Receiver(verify=verify, on=on, seen=seen, on_error=on_error)

    def handle(self, body: bytes, headers: HeadersLike) -> WebhookAnswer:
        return self._receiver.receive(body, headers)


class AsyncWebhookHandler:
    """The same where ``on`` and ``seen`` are asynchronous."""

    def __init__(
        self,
        *,
        secret: str | Sequence[str],
        on: Callable[[VerifiedEvent], Awaitable[object]],
        seen: AsyncSeenEvents | None = None,
        on_error: Callable[[Exception], None] | None = None,
        tolerance: float = 300.0,
    ) -> None:
        check_receiver(secret, seen)
        verify = _verifier(secret, tolerance)
        self._receiver = AsyncReceiver(verify=verify, on=on, seen=seen, on_error=on_error)

    async def handle(self, body: bytes, headers: HeadersLike) -> WebhookAnswer:
        return await self._receiver.receive(body, headers)


def _verifier(secret: str | Sequence[str], tolerance: float) -> Callable[[bytes, HeadersLike], tuple[str, VerifiedEvent]]:
    def verify(body: bytes, headers: HeadersLike) -> tuple[str, VerifiedEvent]:
        check_size(body)
        event = verify_webhook(body, headers, secret, tolerance=tolerance)
        return event.id, event

    return verify
