from __future__ import annotations

import asyncio
import unittest
from typing import Any

from gateway_sdk.testing import TEST_SECRET, SignedDelivery, sample_event, signed_delivery
from gateway_sdk.v1_0 import webhooks as beta
from gateway_sdk.webhooks import AsyncWebhookHandler, Claim, NewClaim, WebhookHandler

EVENT = sample_event("deposit.paid")


class Claims:
    """Events in a memory of one process, as no shop should keep them. Its claims have no tokens."""

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


class ExpiringClaims:
    """As a table of a shop has them: a claim expires, and each has a token."""

    def __init__(self) -> None:
        self.rows: dict[str, tuple[str, int] | None] = {}
        self.now = 0
        self.count = 0

    def claim(self, event_id: str) -> Claim:
        if event_id in self.rows:
            found = self.rows[event_id]
            if found is None:
                return "done"
            if found[1] > self.now:
                return "busy"
        self.count += 1
        self.rows[event_id] = (f"claim {self.count}", self.now + 300)
        return NewClaim(f"claim {self.count}")

    def done(self, event_id: str) -> None:
        self.rows[event_id] = None

    def release(self, event_id: str, token: str) -> None:
        found = self.rows.get(event_id)
        if found is not None and found[0] == token:
            del self.rows[event_id]


class AsyncExpiringClaims:
    """The same over a connection: an end of a claim waits for ``connected``."""

    def __init__(self) -> None:
        self.table = ExpiringClaims()
        self.connected = asyncio.Event()
        self.connected.set()
        self.ending = asyncio.Event()
        self.ended = asyncio.Event()

    async def claim(self, event_id: str) -> Claim:
        return self.table.claim(event_id)

    async def done(self, event_id: str) -> None:
        self.ending.set()
        await self.connected.wait()
        self.table.done(event_id)
        self.ended.set()

    async def release(self, event_id: str, token: str) -> None:
        self.ending.set()
        await self.connected.wait()
        self.table.release(event_id, token)
        self.ended.set()


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
        self.assertIn("claim has to answer NewClaim(token), 'new', 'busy' or 'done', and answered True", str(errors[-1]))
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

    def check_overtaken(self, is_async: bool) -> None:
        event_id: str = EVENT["id"]
        signed = signed_delivery(secret=TEST_SECRET, event=EVENT)
        claims = ExpiringClaims()
        others: list[Claim] = []
        is_failing = True

        def on(event: Any) -> None:
            # While it runs, its claim expires, and a delivery in another process takes the event.
            claims.now += 300
            others.append(claims.claim(event_id))
            if is_failing:
                raise ValueError("the carrier is away")

        async def on_async(event: Any) -> None:
            on(event)

        def status() -> int:
            if not is_async:
                return WebhookHandler(secret=TEST_SECRET, on=on, seen=claims).handle(signed.body, signed.headers).status

            async def handle() -> int:
                seen = AsyncExpiringClaims()
                seen.table = claims
                handler = AsyncWebhookHandler(secret=TEST_SECRET, on=on_async, seen=seen)
                return (await handler.handle(signed.body, signed.headers)).status

            return asyncio.run(handle())

        self.assertEqual(status(), 500)
        # The other delivery goes on with the event.
        self.assertEqual((status(), claims.count), (503, 2))
        claims.rows.clear()
        is_failing = False
        self.assertEqual(status(), 200)
        # It was handled, whatever becomes of the other delivery.
        other = others[-1]
        assert isinstance(other, NewClaim)
        claims.release(event_id, other.token)
        self.assertEqual((status(), claims.count), (200, 4))

    def test_whose_claim_has_expired_ends_no_claim_but_its_own_and_keeps_what_it_has_handled(self) -> None:
        for is_async in (False, True):
            with self.subTest(is_async=is_async):
                self.check_overtaken(is_async)

    def test_that_is_cancelled_ends_its_claim_to_the_end_and_is_cancelled(self) -> None:
        signed = signed_delivery(secret=TEST_SECRET, event=EVENT)

        async def rows_after(is_handling: bool, is_repeated: bool) -> dict[str, Any]:
            seen = AsyncExpiringClaims()
            began = asyncio.Event()

            async def on(event: Any) -> None:
                began.set()
                if is_handling:
                    await asyncio.Event().wait()

            seen.connected.clear()
            handler = AsyncWebhookHandler(secret=TEST_SECRET, on=on, seen=seen)
            handling = asyncio.create_task(handler.handle(signed.body, signed.headers))
            await began.wait()
            if is_handling:
                handling.cancel()
            await seen.ending.wait()
            # Some servers cancel again and again until a request has ended.
            if is_repeated:
                handling.cancel()
            else:
                seen.connected.set()
            with self.assertRaises(asyncio.CancelledError):
                await handling
            seen.connected.set()
            await seen.ended.wait()
            return seen.table.rows

        async def bounded(is_handling: bool, is_repeated: bool) -> dict[str, Any]:
            async with asyncio.timeout(20):
                return await rows_after(is_handling, is_repeated)

        # Within `on` the event is free again; after it, the event is done.
        self.assertEqual(asyncio.run(bounded(True, False)), {})
        self.assertEqual(asyncio.run(bounded(True, True)), {})
        self.assertEqual(asyncio.run(bounded(False, True)), {EVENT["id"]: None})

    def test_that_is_cancelled_within_its_claim_frees_what_it_takes_and_nothing_of_another_delivery(self) -> None:
        event_id: str = EVENT["id"]
        signed = signed_delivery(secret=TEST_SECRET, event=EVENT)
        others: list[dict[str, Any]] = [{}, {event_id: ("of another", 300)}, {event_id: None}]

        class Slow(AsyncExpiringClaims):
            def __init__(self) -> None:
                super().__init__()
                self.claiming = asyncio.Event()
                self.is_away = False

            async def claim(self, event_id: str) -> Claim:
                self.claiming.set()
                await self.connected.wait()
                if self.is_away:
                    raise OSError("the database is away")
                return await super().claim(event_id)

        async def cancelled(rows: dict[str, Any], is_repeated: bool, is_away: bool = False) -> list[Exception]:
            seen = Slow()
            seen.table.rows = dict(rows)
            seen.is_away = is_away
            seen.connected.clear()
            handled: list[Any] = []
            errors: list[Exception] = []

            async def on(event: Any) -> None:
                handled.append(event)

            handler = AsyncWebhookHandler(secret=TEST_SECRET, on=on, seen=seen, on_error=errors.append)
            handling = asyncio.create_task(handler.handle(signed.body, signed.headers))
            async with asyncio.timeout(20):
                await seen.claiming.wait()
                handling.cancel()
                if is_repeated:
                    await asyncio.sleep(0)
                    handling.cancel()
                else:
                    seen.connected.set()
                with self.assertRaises(asyncio.CancelledError):
                    await handling
                seen.connected.set()
                if is_repeated and not rows:
                    await seen.ended.wait()
            claims = 0 if rows or is_away else 1
            self.assertEqual((seen.table.rows, seen.table.count, handled), (rows, claims, []))
            return errors

        for rows in others:
            for is_repeated in (False, True):
                with self.subTest(rows=rows, is_repeated=is_repeated):
                    self.assertEqual(asyncio.run(cancelled(rows, is_repeated)), [])
        self.assertRegex(str(asyncio.run(cancelled({}, False, is_away=True))), "the database is away")

    def test_whose_process_is_told_to_end_within_the_handling_frees_the_event(self) -> None:
        signed = signed_delivery(secret=TEST_SECRET, event=EVENT)
        claims = ExpiringClaims()

        def on(event: Any) -> None:
            raise SystemExit(1)

        with self.assertRaises(SystemExit):
            WebhookHandler(secret=TEST_SECRET, on=on, seen=claims).handle(signed.body, signed.headers)
        self.assertEqual((claims.rows, claims.count), ({}, 1))
