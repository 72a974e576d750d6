"""What came of a call, and how it is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from .._errors import ApiError, ErrorDetail, ExternalIdReusedError, GatewayConnectionError, RefusedAnswer
from .._generated.errors import ERROR_CLASSES
from .addresses import given
from .options import CreateOptions
from .record import JsonObject, Meta, Record
from .redact import redacted
from .retry import retry_after_of
from .reused import differing_members

if TYPE_CHECKING:
    from .._errors import ExistingRecord

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, kw_only=True)
class Received:
    """An answer of 2xx."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)
    attempts: int

    @property
    def meta(self) -> Meta:
        return Meta(
            created=self.status != 200,
            status=self.status,
            request_id=self.headers.get("x-request-id"),
            attempts=self.attempts,
            headers=self.headers,
            content=self.content,
        )


def json_of(received: Received) -> object:
    """Raises GatewayConnectionError for a success that is not JSON, which only a proxy before the gateway answers."""
    if received.content == b"":
        return None
    try:
        return json.loads(received.content)
    except ValueError:
        pass
    raise GatewayConnectionError(
        "the answer is not JSON: a proxy may have answered", sent=True, attempts=received.attempts
    )


def json_object_of(text: str) -> JsonObject:
    """The JSON object that an event of a stream has."""
    value = json.loads(text)
    if isinstance(value, Mapping):
        return cast("JsonObject", value)
    raise GatewayConnectionError("an event is no record: a proxy may have answered", sent=True, attempts=1)


def object_of(received: Received, unwrap: str | None = None) -> JsonObject:
    """The JSON object of an answer, or the one that its member ``unwrap`` holds."""
    value = json_of(received)
    if unwrap is not None and isinstance(value, Mapping):
        value = cast("JsonObject", value).get(unwrap)
    if isinstance(value, Mapping):
        return cast("JsonObject", value)
    message = "the answer is no record: a proxy may have answered"
    raise GatewayConnectionError(message, sent=True, attempts=received.attempts)


Read: TypeAlias = Callable[[Received], R]


def reading(record: type[R], unwrap: str | None = None) -> Read[R]:
    """Reads an answer as a record."""
    return lambda received: record.from_dict(object_of(received, unwrap), received.meta)


def creating(
    record: type[R], asked: JsonObject, options: CreateOptions | None, unwrap: str | None = None
) -> Read[R]:
    """Reads a creation by ``external_id``. Raises ExternalIdReusedError unless it is what was asked for."""

    def read(received: Received) -> R:
        made = reading(record, unwrap)(received)
        if not made.meta.created and not (options or {}).get("allow_reused", False):
            differing = differing_members(given(asked), made.to_dict())
            if differing:
                raise ExternalIdReusedError(
                    cast("ExistingRecord", made),
                    str(asked.get("external_id")),
                    differing,
                    status=made.meta.status,
                    request_id=made.meta.request_id,
                )
        return made

    return read


def text_of(received: Received) -> str:
    return received.content.decode("utf-8", "replace")


def bytes_of(received: Received) -> bytes:
    return received.content


def nothing_of(_received: Received) -> None:
    return None


def refusal_of(
    status: int, headers: Mapping[str, str], content: bytes, attempts: int, secrets: tuple[str, ...]
) -> ApiError:
    """The error of an answer beyond 2xx: of the class of its code, ApiError for a code that is newer than this package."""
    members = _error_members(redacted(content.decode("utf-8", "replace"), secrets))
    code, message, request_id = (members.get(name) for name in ("code", "message", "request_id"))
    known = {"code", "message", "details", "request_id"}
    answer = RefusedAnswer(
        status=status,
        code=code if isinstance(code, str) else f"HTTP_{status}",
        message=message if isinstance(message, str) else "the answer is not one of the gateway",
        details=_details_of(members.get("details")),
        request_id=request_id if isinstance(request_id, str) else headers.get("x-request-id"),
        headers={name: redacted(value, secrets) for name, value in headers.items()},
        attempts=attempts,
        retry_after=retry_after_of(headers.get("retry-after")),
        ids={name: value for name, value in members.items() if name not in known and isinstance(value, str)},
    )
    return ERROR_CLASSES.get(answer.code, ApiError)(answer)


def _error_members(text: str) -> JsonObject:
    try:
        parsed = json.loads(text)
    except ValueError:
        return {}
    error = cast("JsonObject", parsed).get("error") if isinstance(parsed, dict) else None
    return cast("JsonObject", error) if isinstance(error, dict) else {}


def _details_of(details: object) -> list[ErrorDetail]:
    found = cast("list[object]", details) if isinstance(details, list) else []
    rows = [cast("JsonObject", each) for each in found if isinstance(each, dict)]
    return [ErrorDetail(_text(row.get("path")), _text(row.get("message"))) for row in rows]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
