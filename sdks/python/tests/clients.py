"""The same calls by both clients."""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, TypeAlias

from gateway_sdk import AsyncGateway, Gateway, v1_0

from .server import Server

SECRET_KEY = "sk_test_5eecret0f4rea1merchant"
"""A secret that no output may show."""

DEPOSIT = {"id": "dep_1", "object": "deposit", "external_id": "order-1", "status": "PENDING", "amount_cents": 1_990}
PAYOUT: dict[str, Any] = {
    "id": "pyt_1",
    "object": "payout",
    "external_id": "payout-1",
    "status": "PROCESSING",
    "amount_cents": 500,
    "pix_key": "maria@example.com",
    "pix_key_type": "email",
}
PAYOUT_PARAMS: dict[str, Any] = {
    "amount_cents": 500,
    "external_id": "payout-1",
    "pix_key": "maria@example.com",
    "pix_key_type": "email",
    "recipient": {"name": "Maria da Silva", "document": "52998224725"},
}

Client: TypeAlias = Any
"""Of both kinds: what is checked here is what calls do; their types are checked by mypy."""


class WithServer(unittest.TestCase):
    server: ClassVar[Server]

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()


class BothClients(WithServer):
    """Each test runs with the synchronous client and with the asynchronous one, as its subclass chooses."""

    is_async: ClassVar[bool]

    def call(self, do: Callable[[Client], Any], api_version: str = "0.1", **options: Any) -> Any:
        """What the call answers. The client hardly waits before it repeats one."""
        given: dict[str, Any] = {
            "base_url": self.server.url,
            "public_key": "pk_test_shop",
            "secret_key": SECRET_KEY,
            "retry_delay": 0.001,
            **options,
        }
        if not self.is_async:
            with (Gateway if api_version == "0.1" else v1_0.Gateway)(**given) as client:
                return do(client)

        async def run() -> Any:
            async with (AsyncGateway if api_version == "0.1" else v1_0.AsyncGateway)(**given) as client:
                answer = do(client)
                return await answer if isinstance(answer, Awaitable) else answer

        return asyncio.run(run())

    def error_of(self, do: Callable[[Client], Any], **options: Any) -> Any:
        """The error that it raises."""
        # Not by assertRaises, which takes the traceback away.
        try:
            self.call(do, **options)
        except Exception as error:
            return error
        self.fail("no error was raised")

    def sent(self) -> list[str]:
        return [f"{each.method} {each.path}" for each in self.server.seen]
