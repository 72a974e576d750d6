"""What the clients of all contracts have in common."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import ClassVar, Literal, ParamSpec, Self, TypeVar

import httpx2

from .._core.options import Options
from .._core.raw import RawResponse, answers_kept, raw_response_of
from .._core.settings import Environment, ReceivedResponse, SentRequest, option_or_variable, settings_of
from .requester import AsyncRequester
from .send import AsyncSender

P = ParamSpec("P")
T = TypeVar("T")


class AsyncGatewayBase:
    api_version: ClassVar[str]

    def __init__(
        self,
        *,
        base_url: str,
        public_key: str,
        secret_key: str,
        timeout: float = 30.0,
        deadline: float = 90.0,
        max_retries: int = 3,
        retry_delay: float = 0.5,
        app_info: str | None = None,
        on_request: Callable[[SentRequest], None] | None = None,
        on_response: Callable[[ReceivedResponse], None] | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        """Raises GatewayError that names the option which does not fit.

        base_url: where the gateway is: ``https://gateway.example``.
        secret_key: never shown by anything of this package.
        timeout: seconds of each attempt; a payout may take 25.
        deadline: seconds of all attempts of a call together.
        max_retries: how often a call is sent again at most.
        retry_delay: seconds before the first repetition at most, doubled with each further one up to 8.
        app_info: your program, in the ``User-Agent``: ``shop/1.4``.
        on_request, on_response: see each attempt, without credentials.
        http_client: your own pool of connections, with a proxy or certificates for instance; you close it.
        """
        settings = settings_of(
            base_url=base_url,
            public_key=public_key,
            secret_key=secret_key,
            contract=self.api_version,
            timeout=timeout,
            deadline=deadline,
            max_retries=max_retries,
            retry_delay=retry_delay,
            app_info=app_info,
            on_request=on_request,
            on_response=on_response,
        )
        self.base_url: str = settings.base_url
        self.environment: Environment = settings.environment
        """Of the key: test and live are isolated from each other."""
        http = httpx2.AsyncClient() if http_client is None else http_client
        self._owned = http if http_client is None else None
        self._requester = AsyncRequester(settings, AsyncSender(settings, http))
        self._bind(self._requester)

    @classmethod
    def from_env(
        cls,
        *,
        base_url: str | None = None,
        public_key: str | None = None,
        secret_key: str | None = None,
        timeout: float = 30.0,
        deadline: float = 90.0,
        max_retries: int = 3,
        retry_delay: float = 0.5,
        app_info: str | None = None,
        on_request: Callable[[SentRequest], None] | None = None,
        on_response: Callable[[ReceivedResponse], None] | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> Self:
        """By ``GATEWAY_BASE_URL``, ``GATEWAY_API_KEY`` and ``GATEWAY_API_SECRET``.

        Raises GatewayError that names what is missing.
        """
        return cls(
            base_url=option_or_variable("GATEWAY_BASE_URL", base_url),
            public_key=option_or_variable("GATEWAY_API_KEY", public_key),
            secret_key=option_or_variable("GATEWAY_API_SECRET", secret_key),
            timeout=timeout,
            deadline=deadline,
            max_retries=max_retries,
            retry_delay=retry_delay,
            app_info=app_info,
            on_request=on_request,
            on_response=on_response,
            http_client=http_client,
        )

    async def request(
        self,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"],
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        options: Options | None = None,
    ) -> object:
        """Any route, also one that is newer than this package; answers with its JSON.

        A POST is not sent again when its outcome is unknown, unless its body has an ``external_id``.
        """
        return await self._requester.request(method, path, query=query or {}, body=body, options=options)

    async def with_raw_response(
        self, method: Callable[P, Awaitable[T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> RawResponse[T]:
        """Calls a method, and answers with its result and the answer that it was read from.

        ``await gateway.with_raw_response(gateway.deposits.get, "dep_…")``. Of a method that calls several times, the
        last answer. Raises TypeError for one that calls when its result is walked: of a list, give ``first``.
        """
        with answers_kept() as answers:
            data = await method(*args, **kwargs)
        return raw_response_of(data, answers)

    async def aclose(self) -> None:
        """Closes the connections, unless the pool is your own."""
        if self._owned is not None:
            await self._owned.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r}, {self.environment}, contract {self.api_version})"

    def _bind(self, requester: AsyncRequester) -> None:
        """The attributes that have the methods."""
