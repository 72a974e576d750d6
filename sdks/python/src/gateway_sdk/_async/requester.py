"""Sends calls by the names of their operations."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from .._core.addresses import body_of, form_of, path_of, query_of
from .._core.answer import Received, json_object_of, json_of, object_of
from .._core.options import Options
from .._core.raw import keep
from .._core.record import JsonObject, Record
from .._core.settings import Settings
from .._core.sse import MEDIA_TYPE, SILENCE
from .._errors import ApiError, RefusedAnswer
from .._generated.errors import TestOnlyError
from .._generated.operations import OPERATIONS, OperationId, Repeat
from .follow import follow
from .pages import AsyncPages
from .send import AsyncSender, Call

T = TypeVar("T")
R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Recovery:
    """What stands for a refusal of a repeated call, whose first attempt may have been carried out."""

    read: OperationId | None = None
    """The record that is then in one of the states."""
    states: Sequence[str] = ()
    unwrap: str | None = None
    gone: bool = False
    """404 to a repetition: the first attempt has deleted it."""


class AsyncRequester:
    def __init__(self, settings: Settings, sender: AsyncSender) -> None:
        self._settings = settings
        self._sender = sender

    async def call(
        self,
        operation_id: OperationId,
        read: Callable[[Received], T],
        *,
        ids: Sequence[str] = (),
        query: Mapping[str, object] = {},
        body: Mapping[str, object] | None = None,
        file: tuple[str, bytes] | None = None,
        accept: str = "application/json",
        recovery: Recovery | None = None,
        repeat: Repeat | None = None,
        options: Options | None = None,
    ) -> T:
        """``repeat``: in place of the rule of the operation, where what is asked for makes another one of it."""
        call = self._call_of(operation_id, ids, query, body, accept)
        if repeat is not None:
            call = replace(call, repeat=repeat)
        if file is not None:
            content_type, content = form_of(*file)
            call = replace(call, body=content, content_type=content_type)
        try:
            received = await self._sender.send(call, options or {})
        except ApiError as error:
            if recovery is None or error.attempts < 2:
                raise
            recovered = await self._recovered(recovery, ids, error, options or {})
            if recovered is None:
                raise
            received = recovered
        keep(received)
        return read(received)

    def stream(
        self, operation_id: OperationId, query: Mapping[str, object], accept: str, options: Options | None
    ) -> AsyncIterator[bytes]:
        return self._sender.stream(self._call_of(operation_id, (), query, None, accept), options or {})

    async def follow(
        self,
        operation_id: OperationId,
        item: type[R],
        *,
        query: Mapping[str, object],
        after: object,
        on_place: Callable[[str], object] | None = None,
        options: Options | None = None,
    ) -> AsyncGenerator[R, None]:
        """The records of a stream of events, as they come."""
        given = options or {}
        call = self._call_of(operation_id, (), query, None, MEDIA_TYPE)

        def open_after(last_event_id: str | None) -> AsyncGenerator[bytes, None]:
            headers = dict(given.get("headers", {}))
            if last_event_id is not None:
                headers["last-event-id"] = last_event_id
            timed: Options = {**given, "timeout": SILENCE, "headers": headers}
            return self._sender.stream(call, timed, MEDIA_TYPE)

        beginning = after if isinstance(after, str) else None
        async with aclosing(follow(open_after, beginning, on_place)) as events:
            async for data in events:
                yield item.from_dict(json_object_of(data))

    def list(
        self,
        operation_id: OperationId,
        item: type[R],
        *,
        ids: Sequence[str] = (),
        query: Mapping[str, object] = {},
        options: Options | None = None,
    ) -> AsyncPages[R]:
        async def read(cursor: object) -> tuple[JsonObject, Received]:
            received = await self.call(
                operation_id, lambda answer: answer, ids=ids, query={**query, "cursor": cursor}, options=options
            )
            return object_of(received), received

        return AsyncPages(read, item, query.get("cursor"))

    async def request(
        self,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"],
        path: str,
        *,
        query: Mapping[str, object] = {},
        body: Mapping[str, object] | None = None,
        options: Options | None = None,
    ) -> object:
        is_repeatable = method != "POST" or (body is not None and "external_id" in body)
        repeat: Repeat = "same" if is_repeatable else "never"
        call = Call(method=method, path=f"{path}{query_of(query)}", repeat=repeat, body=body_of(body))
        received = await self._sender.send(call, options or {})
        keep(received)
        return json_of(received)

    def _call_of(
        self,
        operation_id: OperationId,
        ids: Sequence[str],
        query: Mapping[str, object],
        body: Mapping[str, object] | None,
        accept: str,
    ) -> Call:
        operation = OPERATIONS[operation_id]
        if operation.path.startswith("/v1/test/") and self._settings.environment == "live":
            message = "the key is live: nothing was sent"
            raise TestOnlyError(RefusedAnswer(status=403, code="TEST_ONLY", message=message))
        path = f"{path_of(operation.path, ids, operation_id)}{query_of(query)}"
        return Call(method=operation.method, path=path, repeat=operation.repeat, body=body_of(body), accept=accept)

    async def _recovered(
        self, recovery: Recovery, ids: Sequence[str], error: ApiError, options: Options
    ) -> Received | None:
        if recovery.gone and error.status == 404:
            return Received(status=204, headers=error.headers, content=b"", attempts=error.attempts)
        if recovery.read is None:
            return None
        received = await self._sender.send(self._call_of(recovery.read, ids, {}, None, "application/json"), options)
        record = object_of(received, recovery.unwrap)
        return replace(received, attempts=error.attempts) if record.get("status") in recovery.states else None
