"""How a receiver of webhooks answers."""

from __future__ import annotations

from dataclasses import dataclass

from .._errors import GatewayError, SignatureError

BODY_MAX = 1_048_576
"""Bytes. No event of the gateway is larger."""


@dataclass(frozen=True)
class WebhookAnswer:
    """What to answer the gateway with."""

    status: int
    text: str


class BodyTooLarge(GatewayError):
    """No event of the gateway is so large."""


def refusal_of(error: Exception) -> WebhookAnswer:
    """The answer to a delivery that is not verified."""
    if isinstance(error, SignatureError):
        return WebhookAnswer(401, f"signature: {error.reason}")
    if isinstance(error, BodyTooLarge):
        return WebhookAnswer(413, "the body is too large")
    if isinstance(error, GatewayError):
        return WebhookAnswer(400, "no event")
    # No secret, or a body that was parsed.
    return WebhookAnswer(500, "the receiver is not set up")
