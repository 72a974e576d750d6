"""How a receiver of webhooks answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .._errors import GatewayError, SignatureError
from .signatures import HOW_TO_GET_BYTES, secrets_of


@dataclass(frozen=True)
class NewClaim:
    """The event is this delivery's to handle. No other claim ever has this token."""

    token: str


Claim = NewClaim | Literal["new", "busy", "done"]
"""What a claim of an event finds.

``busy``: another delivery handles it, or did until its process ended; its claim has not expired. ``done``: it is handled.
``new`` is a NewClaim without a token, of a store that does not know one claim of an event from the next.
"""

BODY_MAX = 1_048_576
"""Bytes. No event of the gateway is larger."""


@dataclass(frozen=True)
class WebhookAnswer:
    """What to answer the gateway with."""

    status: int
    text: str


class BodyTooLarge(GatewayError):
    """No event of the gateway is so large."""


def check_size(body: object) -> None:
    """Raises BodyTooLarge for bytes that are no event of the gateway."""
    if isinstance(body, (bytes, bytearray)) and len(body) > BODY_MAX:
        raise BodyTooLarge("no event is so large")


def refusal_of(error: Exception) -> WebhookAnswer:
    """The answer to a delivery that is not verified."""
    if isinstance(error, SignatureError):
        return WebhookAnswer(401, f"signature: {error.reason}")
    if isinstance(error, BodyTooLarge):
        return WebhookAnswer(413, "the body is too large")
    if isinstance(error, GatewayError):
        return WebhookAnswer(400, "no event")
    return WebhookAnswer(500, f"the receiver is not set up: {HOW_TO_GET_BYTES}")


def answer_to(claim: object) -> WebhookAnswer | None:
    """The answer to a delivery that has no claim of its event.

    Raises TypeError for a claim of another kind, which would lose the event or handle it twice.
    """
    if claim == "done":
        return WebhookAnswer(200, "handled before")
    if claim == "busy":
        return WebhookAnswer(503, "another delivery of the event is being handled")
    if claim != "new" and not isinstance(claim, NewClaim):
        raise TypeError(f"claim has to answer NewClaim(token), 'new', 'busy' or 'done', and answered {claim!r}")
    return None


def check_receiver(secret: str | Sequence[str], seen: object) -> None:
    """Raises TypeError for what is no secret of a webhook, and for a ``seen`` without one of its three methods."""
    secrets_of(secret)
    if seen is not None:
        for name in ("claim", "done", "release"):
            if not callable(getattr(seen, name, None)):
                raise TypeError(f"seen has no method {name}(event_id)")
