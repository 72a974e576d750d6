"""Signs deliveries for the tests of a receiver."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from .record import JsonObject
from .signatures import gateway_signature, standard_signature


@dataclass(frozen=True)
class SignedDelivery:
    """A delivery as the gateway would send it."""

    body: bytes
    headers: Mapping[str, str] = field(repr=False)
    """In lower case."""


def signed_delivery(
    *, secret: str, event: JsonObject, now: int | None = None, attempt: int = 1
) -> SignedDelivery:
    """Signs an event in both schemes; ``now`` is the time of signing in Unix seconds."""
    body = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()
    timestamp = str(int(time.time()) if now is None else now)
    event_id = str(event["id"])
    headers = {
        "content-type": "application/json",
        "x-gateway-timestamp": timestamp,
        "x-gateway-signature": gateway_signature(secret, timestamp, body),
        "x-gateway-event-id": event_id,
        "x-gateway-delivery-id": f"dlv_{event_id[4:]}",
        "x-gateway-attempt": str(attempt),
        "webhook-id": event_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": standard_signature(secret, event_id, timestamp, body),
    }
    return SignedDelivery(body, headers)
