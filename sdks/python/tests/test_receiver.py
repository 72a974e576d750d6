from __future__ import annotations

import asyncio
import unittest
from typing import Any

from gateway_sdk.testing import TEST_SECRET, SignedDelivery, sample_event, signed_delivery
from gateway_sdk.v1_0 import webhooks as beta
from gateway_sdk.webhooks import AsyncWebhookHandler, Claim, WebhookHandler

EVENT = sample_event("deposit.paid")


class Claims:
    """Events in a memory of one process, as no shop should keep them."""

    def __init__(self) -> None:
        self.claims: dict[str, Claim] = {}
        self.is_away = False
        self.is_away_after_claim = False

    def claim(self, event_id: str) -> Claim:
        if self.is_away:
            raise OSError("the database is away")
        found = self.claims.get(event_id)
        if found is None:
            self.claims[event_id] = "busy"
        return found or "new"

    def done(self, event_id: str) -> None:
        if self.is_away_after_claim:
            raise OSError("the database is away")
        self.claims[event_id] = "done"

    def release(self, event_id: str) -> None:
        self.claims.pop(event_id, None)


class AsyncClaims(Claims):
    async def claim(self, event_id: str) -> Claim:  # type: ignore[override]
        return super().claim(event_id)

    async def done(self, event_id: str) -> None:  # type: ignore[override]
        super().done(event_id)

    async def release(self, event_id: str) -> None:  # type: ignore[override]
        super().release(event_id)


class Receiver(unittest.TestCase):
    def check(self, is_async: bool) -> None:
        handled: list[str] = []
        errors: list[Exception] = []
        failing = [True]

        def on(event: Any) -> None:
            if failing[0]:
                raise ValueError("the shop is away")
            handled.append(event.id)

        async def on_async(event: Any) -> None:
            on(event)

        claims: Any = AsyncClaims() if is_async else Claims()
        given: dict[str, Any] = {"secret": TEST_SECRET, "seen": claims, "on_error": errors.append}
        by_async = AsyncWebhookHandler(on=on_async, **given)
        by_sync = WebhookHandler(on=on, **given)

        def status(body: bytes, signed: SignedDelivery) -> int:
            if is_async:
                return asyncio.run(by_async.handle(body, signed.headers)).status
            return by_sync.handle(body, signed.headers).status

        signed = signed_delivery(secret=TEST_SECRET, event=EVENT)
        self.assertEqual(status(signed.body, signed), 500)
        failing[0] = False
        self.assertEqual([status(signed.body, signed) for _ in range(3)], [200, 200, 200])
        self.assertEqual(handled, [EVENT["id"]])
        self.assertEqual(status(signed.body + b" ", signed), 401)
        self.assertEqual(status(b"x" * 1_100_000, signed), 413)
        no_event = signed_delivery(secret=TEST_SECRET, event={"id": "evt_1"})
        self.assertEqual(status(no_event.body, no_event), 400)
        claims.is_away = True
        self.assertEqual(status(signed.body, signed), 500)
        self.assertEqual(len(errors), 5)
        # A process that ended within its handling has left its claim: the gateway sends the event again until it expires.
        claims.is_away = False
        claims.claims[EVENT["id"]] = "busy"
        self.assertEqual((status(signed.body, signed), len(handled)), (503, 1))
        del claims.claims[EVENT["id"]]
        self.assertEqual((status(signed.body, signed), len(handled)), (200, 2))
        self.assertEqual(claims.claims[EVENT["id"]], "done")
        # What was handled is not delivered again where its claim cannot be ended.
        del claims.claims[EVENT["id"]]
        claims.is_away_after_claim = True
        self.assertEqual((status(signed.body, signed), len(errors)), (200, 6))
        claims.claims[EVENT["id"]] = True
        self.assertEqual((status(signed.body, signed), len(errors)), (500, 7))
        self.assertIn("claim has to answer 'new', 'busy' or 'done', and answered True", str(errors[-1]))
        # A claim ends also where what has failed cannot be reported.
        del claims.claims[EVENT["id"]]
        failing[0] = True
        given["on_error"] = lambda error: 1 / 0
        by_async, by_sync = AsyncWebhookHandler(on=on_async, **given), WebhookHandler(on=on, **given)
        self.assertEqual((status(signed.body, signed), claims.claims), (500, {}))

    def test_handles_an_event_once_again_after_a_failure_and_refuses_what_is_not_signed(self) -> None:
        for is_async in (False, True):
            with self.subTest(is_async=is_async):
                self.check(is_async)

    def test_is_not_made_without_the_secret_of_a_webhook_and_says_which_it_needs(self) -> None:
        wrong: list[tuple[Any, str]] = [
            (None, "is None"),
            ("", "is empty"),
            ([], "is an empty list"),
            ("sk_test_5eecret0f4rea1merchant", "is a key of the API"),
            (f"{TEST_SECRET}\n", "has a space or line end around it"),
            ("a text that is long enough", "does not begin with whsec_"),
        ]
        for make in (WebhookHandler, AsyncWebhookHandler, beta.WebhookHandler):
            for secret, fault in wrong:
                with self.subTest(fault=fault), self.assertRaisesRegex(TypeError, f"secret {fault}: .* whsec_"):
                    make(secret=secret, on=lambda event: None)  # type: ignore[arg-type, return-value]

    def test_is_not_made_with_a_seen_that_cannot_end_a_claim(self) -> None:
        class Old:
            def claim(self, event_id: str) -> Claim:
                return "new"

            def release(self, event_id: str) -> None:
                pass

        with self.assertRaisesRegex(TypeError, "seen has no method done"):
            WebhookHandler(secret=TEST_SECRET, on=lambda event: None, seen=Old())  # type: ignore[arg-type]

    def test_behind_a_parser_says_that_it_needs_the_bytes(self) -> None:
        handler = WebhookHandler(secret=TEST_SECRET, on=lambda event: None)
        signed = signed_delivery(secret=TEST_SECRET, event=EVENT)
        length = {"content-length": str(len(signed.body))}
        parsed: list[Any] = [EVENT, None, b""]
        for body in parsed:
            answer = handler.handle(body, {**signed.headers, **length})
            self.assertEqual(answer.status, 500)
            self.assertIn("request.get_data()", answer.text)
