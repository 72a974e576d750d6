"""Signatures of webhooks: those of the gateway, and Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, cast

from .._errors import GatewayError, SignatureError
from .record import JsonObject

HOW_TO_GET_BYTES: Final = (
    "the body has to be the bytes as they came: request.get_data() in Flask, request.body in Django, "
    "await request.body() in FastAPI and Starlette, await request.read() in aiohttp"
)


class HeadersLike(Protocol):
    """Headers in any form: those of a framework, or a dict."""

    def items(self) -> object: ...


@dataclass(frozen=True, kw_only=True)
class Verified:
    """A signed body, and what its headers say of the delivery."""

    event_id: str
    name: str
    body: JsonObject
    delivery_id: str | None
    attempt: int | None


def verified(
    body: bytes | str,
    headers: HeadersLike,
    secret: str | Sequence[str],
    tolerance: float,
    now: float | None,
) -> Verified:
    """The event of a delivery that the gateway has signed with one of the secrets. Compared in constant time.

    Raises SignatureError with the reason, GatewayError for a signed body that is no event, and TypeError for a body that
    was parsed or without a secret.
    """
    secrets = secrets_of(secret)
    known = _lower_case(headers)
    data = _bytes_of(body, known.get("content-length", ""))
    own = [known[name] for name in ("x-gateway-signature", "x-gateway-signature-next") if name in known]
    listed = known.get("webhook-signature")
    if not own and listed is None:
        raise SignatureError("missing", "x-gateway-signature and webhook-signature are missing")
    # The time that the signature is over. One who repeats an old delivery can put any other time beside it.
    timestamp = known.get("x-gateway-timestamp" if own else "webhook-timestamp")
    signed_at = _time_of(timestamp, tolerance, time.time() if now is None else now)
    if own or listed is None:
        holds = _is_signed_by_gateway(data, own, signed_at, secrets)
    else:
        holds = _is_signed_by_standard(data, listed, known.get("webhook-id"), signed_at, secrets)
    if not holds:
        raise SignatureError("mismatch", "no signature is of this body, time and secret")
    return _event_of(data, known)


def gateway_signature(secret: str, timestamp: str, body: bytes) -> str:
    """``sha256=`` and the hex HMAC of ``{timestamp}.{body}`` under the bytes of the whole secret."""
    return f"sha256={hmac.digest(secret.encode(), _utf8(timestamp) + b'.' + body, 'sha256').hex()}"


def standard_signature(secret: str, event_id: str, timestamp: str, body: bytes) -> str:
    """``v1,`` and the base64 HMAC of ``{id}.{timestamp}.{body}`` under the decoded secret (Standard Webhooks)."""
    data = _utf8(f"{event_id}.{timestamp}.") + body
    return f"v1,{base64.b64encode(hmac.digest(_decoded(secret), data, 'sha256')).decode()}"


def _is_signed_by_gateway(body: bytes, signatures: Sequence[str], timestamp: str, secrets: Sequence[str]) -> bool:
    for signature in signatures:
        if re.fullmatch(r"sha256=[0-9a-f]{64}", signature) is None:
            raise SignatureError("malformed", "a signature is not sha256=<hex>")
    return _any_is_of([gateway_signature(secret, timestamp, body) for secret in secrets], signatures)


def _is_signed_by_standard(
    body: bytes, listed: str, event_id: str | None, timestamp: str, secrets: Sequence[str]
) -> bool:
    if event_id is None:
        raise SignatureError("missing", "webhook-id is missing")
    # Another version of the scheme may stand beside it.
    given = [each for each in listed.split(" ") if each.startswith("v1,")]
    if not given:
        raise SignatureError("malformed", "webhook-signature has no v1 signature")
    return _any_is_of([standard_signature(secret, event_id, timestamp, body) for secret in secrets], given)


def _any_is_of(expected: Sequence[str], given: Sequence[str]) -> bool:
    holds = False
    for each in expected:
        for signature in given:
            holds = hmac.compare_digest(_utf8(each), _utf8(signature)) or holds
    return holds


def _time_of(timestamp: str | None, tolerance: float, now: float) -> str:
    if timestamp is None:
        raise SignatureError("missing", "the time of signing is missing")
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None:
        raise SignatureError("malformed", "the time of signing is no Unix time")
    age = now - int(timestamp)
    if age > tolerance:
        raise SignatureError("too_old", f"it was signed {age:.0f} s ago")
    if -age > tolerance:
        raise SignatureError("too_new", f"it was signed {-age:.0f} s in the future")
    return timestamp


def _event_of(data: bytes, headers: Mapping[str, str]) -> Verified:
    try:
        body = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, dict):
        members = cast("dict[str, object]", body)
        # Of the two the body's id is signed: one who repeats a delivery can change the header.
        signed_id = members.get("id")
        in_headers = headers.get("webhook-id", headers.get("x-gateway-event-id"))
        event_id = signed_id if isinstance(signed_id, str) else in_headers
        name = members.get("event")
        if isinstance(name, str) and event_id is not None:
            attempt = headers.get("x-gateway-attempt", "")
            return Verified(
                event_id=event_id,
                name=name,
                body={**members, "id": event_id},
                delivery_id=headers.get("x-gateway-delivery-id"),
                attempt=int(attempt) if re.fullmatch(r"[1-9][0-9]{0,5}", attempt) else None,
            )
    raise GatewayError("the signed body is no event")


def _bytes_of(body: object, length: str) -> bytes:
    """length: ``content-length``; nothing left of a body that had bytes was read by a parser."""
    if isinstance(body, str):
        body = body.encode()
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError(f"{HOW_TO_GET_BYTES}; {type(body).__name__} is what a parser made of it")
    data = bytes(cast("bytes | bytearray | memoryview", body))
    if data == b"" and length.strip().lstrip("0") != "":
        raise TypeError(HOW_TO_GET_BYTES)
    return data


_SECRET_LENGTH_MIN: Final = 16


def secrets_of(secret: object) -> Sequence[str]:
    """One secret or several, as they are given. An empty secret would sign anything.

    Raises TypeError that says what is wrong, and never shows a secret.
    """
    several = cast("Sequence[object]", secret if isinstance(secret, (list, tuple)) else (secret,))
    secrets = [each for each in several if isinstance(each, str) and _fault_of(each) is None]
    if secrets and len(secrets) == len(several):
        return secrets
    fault = next((fault for each in several if (fault := _fault_of(each)) is not None), "is an empty list")
    raise TypeError(
        f"secret {fault}: it has to be the whsec_… of the webhook, which the answer that created the webhook has"
    )


def _fault_of(secret: object) -> str | None:
    if not isinstance(secret, str):
        return "is None" if secret is None else f"is no text ({type(secret).__name__})"
    if secret == "":
        return "is empty"
    if secret.strip() != secret:
        return "has a space or line end around it"
    if secret.startswith(("sk_", "pk_")):
        return "is a key of the API"
    is_one = secret.startswith("whsec_") and len(secret) >= _SECRET_LENGTH_MIN
    return None if is_one else "does not begin with whsec_"


def _lower_case(headers: HeadersLike) -> dict[str, str]:
    """Names in lower case, as texts; of a header that came twice, the first. WSGI's and ASGI's forms too."""
    found: dict[str, str] = {}
    for name, value in _pairs(headers):
        key = _text(name).lower().replace("_", "-").removeprefix("http-")
        several = cast("Sequence[object]", value if isinstance(value, (list, tuple)) else (value,))
        first = several[0] if several else None
        if isinstance(first, (str, bytes)):
            found.setdefault(key, _text(first))
    return found


def _pairs(headers: HeadersLike) -> list[tuple[object, object]]:
    pairs = headers.items()
    return list(cast("Iterable[tuple[object, object]]", pairs)) if hasattr(pairs, "__iter__") else []


def _text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _utf8(text: str) -> bytes:
    """A header may hold what is no text."""
    return text.encode("utf-8", "surrogatepass")


def _decoded(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        pass
    raise SignatureError("malformed", "a secret is not base64")
