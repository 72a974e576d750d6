"""Sends calls until they have an answer, as far as their rule of repetition allows."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import httpx2

from .._core.answer import Received, refusal_of
from .._core.clock_async import sleep, within
from .._core.options import Options
from .._core.redact import redacted
from .._core.retry import RETRY_AFTER_MAX, Outcome, delay_of, may_repeat, outcome_of
from .._core.settings import ReceivedResponse, SentRequest, Settings
from .._errors import ApiError, GatewayConnectionError, GatewayError, GatewayTimeoutError
from .._generated.operations import Repeat

_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call, with its ids in its path and its query behind it."""

    method: str
    path: str
    repeat: Repeat
    body: bytes | None = None
    content_type: str = "application/json"
    accept: str = "application/json"


@dataclass(frozen=True)
class Failed:
    """An attempt without success."""

    error: GatewayError
    outcome: Outcome


@dataclass(frozen=True)
class Unread:
    """An answer of 2xx whose content waits to be read."""

    response: httpx2.Response
    attempts: int


class AsyncSender:
    """Sends calls by a pool of connections."""

    def __init__(self, settings: Settings, http: httpx2.AsyncClient) -> None:
        self._settings = settings
        self._http = http

    async def send(self, call: Call, options: Options) -> Received:
        """Each attempt sends the same bytes, so that an ``external_id`` is the same in all of them.

        Raises ApiError, GatewayConnectionError or GatewayTimeoutError.
        """
        result = await self._send(call, options, unread=False)
        assert isinstance(result, Received)
        return result

    async def stream(self, call: Call, options: Options, media_type: str = "") -> AsyncGenerator[bytes, None]:
        """The content of an answer of any length, as it comes.

        Raises GatewayTimeoutError when no more comes for as long as an attempt may take, and GatewayConnectionError when
        the connection is lost: an error of the library below would show the request, and the key in it.
        """
        result = await self._send(call, options, unread=True)
        assert isinstance(result, Unread)
        failure: GatewayError
        try:
            if not result.response.headers.get("content-type", "").startswith(media_type):
                message = f"the answer is no {media_type}: a proxy may have answered"
                raise GatewayConnectionError(message, sent=True, attempts=result.attempts)
            async for chunk in result.response.aiter_bytes():
                yield chunk
            return
        except GatewayError:
            raise
        except (httpx2.TimeoutException, TimeoutError):
            timeout = options.get("timeout", self._settings.timeout)
            failure = GatewayTimeoutError(f"no more of the answer within {timeout:.3f} s", attempts=result.attempts)
        except Exception as error:
            failure = self._lost(error, call, result.attempts, sent=True).error
        finally:
            await result.response.aclose()
        raise failure

    async def _send(self, call: Call, options: Options, *, unread: bool) -> Received | Unread:
        settings = self._settings
        deadline = time.monotonic() + settings.deadline
        max_retries = options.get("max_retries", settings.max_retries)
        attempt = 0
        while True:
            attempt += 1
            result = await self._send_once(call, options, attempt, deadline, unread)
            if not isinstance(result, Failed):
                return result
            error = result.error
            if attempt > max_retries or not may_repeat(result.outcome, call.repeat):
                raise error
            retry_after = error.retry_after if isinstance(error, ApiError) else None
            delay = delay_of(attempt, settings.retry_delay, retry_after)
            if (retry_after or 0) > RETRY_AFTER_MAX or time.monotonic() + delay >= deadline:
                raise error
            await sleep(delay)

    async def _send_once(
        self, call: Call, options: Options, attempt: int, deadline: float, unread: bool
    ) -> Received | Unread | Failed:
        settings = self._settings
        started_at = time.monotonic()
        timeout = min(options.get("timeout", settings.timeout), max(0.0, deadline - started_at))
        url = f"{settings.base_url}{call.path}"
        headers = _headers_of(call, options, settings)
        if settings.on_request is not None:
            settings.on_request(SentRequest(method=call.method, url=url, attempt=attempt, headers=headers))
        try:
            async with within(timeout):
                request = self._http.build_request(
                    call.method, url, headers=headers, content=call.body, timeout=timeout
                )
                response = await self._http.send(
                    request, auth=settings.credentials, follow_redirects=False, stream=True
                )
                leave = unread and response.is_success
                content = b"" if leave else await _read(response, started_at + timeout)
        except _NOT_SENT as error:
            return self._lost(error, call, attempt, sent=False)
        except (httpx2.TimeoutException, TimeoutError):
            message = f"no answer to {call.method} {call.path} within {timeout:.3f} s"
            return Failed(GatewayTimeoutError(message, attempts=attempt), "unknown")
        except Exception as error:
            # Whatever a transport raises: nothing is known of the outcome.
            return self._lost(error, call, attempt, sent=True)
        status = response.status_code
        received_headers = {name.lower(): value for name, value in response.headers.items()}
        if settings.on_response is not None:
            received = ReceivedResponse(
                method=call.method,
                url=url,
                attempt=attempt,
                headers=headers,
                status=status,
                request_id=received_headers.get("x-request-id"),
                seconds=time.monotonic() - started_at,
            )
            try:
                settings.on_response(received)
            except BaseException:
                # An error of the caller's own hook is raised as it is, and the answer is not read any more.
                await response.aclose()
                raise
        if leave:
            return Unread(response, attempt)
        if response.is_success:
            return Received(status=status, headers=received_headers, content=content, attempts=attempt)
        refusal = refusal_of(status, received_headers, content, attempt, settings.credentials.secrets())
        return Failed(refusal, outcome_of(refusal.status, refusal.code, refusal.ids))

    def _lost(self, error: Exception, call: Call, attempt: int, *, sent: bool) -> Failed:
        """Keeps the words of a library's error, but not the error: it may hold the request with its headers."""
        what = "the connection was lost" if sent else "no connection"
        shown = f"{call.method} {call.path}: {what} ({type(error).__name__}: {error})"
        message = redacted(shown, self._settings.credentials.secrets())
        failure = GatewayConnectionError(message, sent=sent, attempts=attempt)
        return Failed(failure, "unknown" if sent else "not_done")


def _headers_of(call: Call, options: Options, settings: Settings) -> dict[str, str]:
    added = {name.lower(): value for name, value in options.get("headers", {}).items()}
    headers = {**settings.headers, **added, "accept": call.accept}
    if call.body is not None:
        headers["content-type"] = call.content_type
    if "request_id" in options:
        headers["x-request-id"] = options["request_id"]
    return headers


async def _read(response: httpx2.Response, ends_at: float) -> bytes:
    """The content. An answer that comes in drops is given up too."""
    chunks: list[bytes] = []
    try:
        async for chunk in response.aiter_bytes():
            chunks.append(chunk)
            if time.monotonic() > ends_at:
                raise TimeoutError
    finally:
        await response.aclose()
    return b"".join(chunks)
