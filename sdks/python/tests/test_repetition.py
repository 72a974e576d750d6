from __future__ import annotations

import asyncio
import pickle
import socket
import time
from decimal import Decimal
from email.utils import formatdate
from functools import partial
from typing import Any

import httpx2

from gateway_sdk import (
    AsyncGateway,
    ExternalIdReusedError,
    GatewayConnectionError,
    GatewayTimeoutError,
)
from gateway_sdk.errors import InvalidStateError, ProviderTimeoutError, ServiceUnavailableError

from .clients import DEPOSIT, PAYOUT, PAYOUT_PARAMS, SECRET_KEY, BothClients, Client, WithServer
from .server import Answer, Reply, refusal

CREATED = Answer(201, {"payout": PAYOUT})
LOST_PAYOUT = refusal(504, "PROVIDER_TIMEOUT", payout_id="pyt_1")


def create(client: Client) -> Any:
    return client.payouts.create(**PAYOUT_PARAMS)


def create_of(params: dict[str, Any], client: Client) -> Any:
    return client.payouts.create(**params)


def pay_of(amount: dict[str, int], client: Client) -> Any:
    return client.test.deposits.pay("dep_1", **amount)


def register(client: Client) -> Any:
    return client.webhooks.create(name="shop", url="https://shop.example/hooks")


class Repetition:
    class Cases(BothClients):
        def test_a_payout_is_sent_again_in_the_same_bytes_after_every_fault(self) -> None:
            faults: list[Reply] = [
                "reset",
                "cut",
                refusal(500, "INTERNAL_ERROR"),
                Answer(502, text="<html>Bad gateway</html>"),
                refusal(504, "PROVIDER_TIMEOUT"),
                refusal(503, "SERVICE_UNAVAILABLE"),
                refusal(429, "RATE_LIMITED"),
            ]
            for fault in faults:
                with self.subTest(fault=fault):
                    self.server.reply(fault, fault, CREATED)
                    payout = self.call(create)
                    self.assertEqual(payout.id, "pyt_1")
                    self.assertEqual((payout.meta.created, payout.meta.attempts, payout.meta.status), (True, 3, 201))
                    self.assertEqual(len({each.body for each in self.server.seen}), 1)
                    self.assertEqual(self.sent(), ["POST /v1/payouts"] * 3)

        def test_a_payout_that_a_lost_attempt_made_is_answered_as_it_is_and_is_no_reuse(self) -> None:
            self.server.reply("reset", Answer(200, {"payout": PAYOUT}))
            payout = self.call(create)
            self.assertEqual((payout.id, payout.meta.created, payout.meta.attempts), ("pyt_1", False, 2))

        def test_a_payout_whose_outcome_is_unknown_is_never_sent_again_and_the_error_names_it(self) -> None:
            self.server.reply(LOST_PAYOUT, CREATED)
            error = self.error_of(create)
            self.assertIsInstance(error, ProviderTimeoutError)
            self.assertEqual((error.payout_id, error.attempts, error.status), ("pyt_1", 1, 504))
            self.assertEqual(len(self.server.seen), 1)

        def test_a_payout_whose_outcome_is_unknown_is_read_until_its_end_after_one_post(self) -> None:
            end = Answer(200, {"payout": {**PAYOUT, "status": "PAID"}})
            self.server.reply(LOST_PAYOUT, Answer(200, {"payout": PAYOUT}), end)
            payout = self.call(lambda client: client.payouts.create_and_wait(**PAYOUT_PARAMS))
            self.assertEqual((payout.id, payout.status), ("pyt_1", "PAID"))
            self.assertEqual(self.sent(), ["POST /v1/payouts", *["GET /v1/payouts/pyt_1"] * 2])

        def test_a_payout_that_does_not_end_in_time_is_shown_as_it_was_last(self) -> None:
            self.server.reply(CREATED, Answer(200, {"payout": PAYOUT}))
            error = self.error_of(
                lambda client: client.payouts.create_and_wait(**PAYOUT_PARAMS, options={"wait": 0.001})
            )
            self.assertIsInstance(error, GatewayTimeoutError)
            self.assertEqual((error.record.id, error.record.status), ("pyt_1", "PROCESSING"))
            self.assertIn("is still PROCESSING after 0.001 s: wait is how long to wait, until what for", str(error))

        def test_a_payout_that_a_person_has_to_approve_is_answered_as_it_is_and_waited_for_by_who_asks_for_its_end(
            self,
        ) -> None:
            pending = {"payout": {**PAYOUT, "status": "PENDING", "pending_reason": "limit"}}
            self.server.reply(Answer(201, pending), Answer(200, pending))
            payout = self.call(lambda client: client.payouts.create_and_wait(**PAYOUT_PARAMS))
            self.assertEqual((payout.status, len(self.server.seen)), ("PENDING", 2))
            end = Answer(200, {"payout": {**PAYOUT, "status": "PAID"}})
            self.server.reply(Answer(201, pending), Answer(200, pending), end)
            paid = self.call(
                lambda client: client.payouts.create_and_wait(**PAYOUT_PARAMS, until=lambda each: each.status == "PAID")
            )
            self.assertEqual(paid.status, "PAID")

        def test_a_deposit_is_waited_for_until_its_end_or_as_the_caller_wants_it(self) -> None:
            answers = {
                status: Answer(200, {**DEPOSIT, "status": status})
                for status in ("PENDING", "PAID", "EXPIRED", "REFUNDED", "FAILED")
            }
            pending = answers.pop("PENDING")
            for status, end in answers.items():
                with self.subTest(status=status):
                    self.server.reply(pending, end, pending)
                    deposit = self.call(lambda client: client.deposits.wait_for("dep_1", options={"wait": 2.0}))
                    self.assertEqual((deposit.status, len(self.server.seen)), (status, 2))
            self.server.reply(answers["PAID"], answers["REFUNDED"])
            refunded = self.call(
                lambda client: client.deposits.wait_for("dep_1", until=lambda each: each.status == "REFUNDED")
            )
            self.assertEqual(refunded.status, "REFUNDED")
            self.server.reply(pending)
            error = self.error_of(lambda client: client.deposits.wait_for("dep_1", options={"wait": 0.001}))
            self.assertIsInstance(error, GatewayTimeoutError)
            self.assertEqual((error.record.id, error.record.status), ("dep_1", "PENDING"))

        def test_a_body_that_json_cannot_have_is_an_error_that_names_the_member_and_sends_nothing(self) -> None:
            self.server.reply(CREATED)
            for change, expected in (
                ({"amount_cents": Decimal("10.50")}, "amount_cents is Decimal('10.50'): an amount is an int"),
                ({"metadata": {"at": [object()]}}, "metadata.at[0] is a object, which JSON does not have"),
                ({"amount_cents": float("nan")}, "amount_cents is nan: an amount is an int"),
            ):
                params = {**PAYOUT_PARAMS, **change}
                error = self.error_of(partial(create_of, params))
                self.assertIsInstance(error, TypeError)
                self.assertIn(expected, str(error))
            self.assertEqual(self.server.seen, [])

        def test_a_payout_that_is_refused_is_not_sent_again(self) -> None:
            for status in (400, 401, 403, 404, 409, 413, 415, 422):
                with self.subTest(status=status):
                    self.server.reply(refusal(status, "REFUSED"))
                    error = self.error_of(create)
                    self.assertEqual((error.status, error.attempts, len(self.server.seen)), (status, 1, 1))

        def test_a_call_gives_up_after_the_repetitions_it_is_allowed_with_the_last_error(self) -> None:
            self.server.reply("reset")
            error = self.error_of(create)
            self.assertIsInstance(error, GatewayConnectionError)
            self.assertEqual((error.sent, error.attempts), (True, 4))
            once = self.error_of(lambda client: client.payouts.create(**PAYOUT_PARAMS, options={"max_retries": 0}))
            self.assertEqual((once.attempts, len(self.server.seen)), (1, 5))

        def test_a_call_without_an_answer_in_time_is_sent_again_and_all_attempts_end_with_the_deadline(self) -> None:
            for fault in ("hang", "drip"):
                with self.subTest(fault=fault):
                    self.server.reply(fault)
                    error = self.error_of(create, timeout=0.2, deadline=0.5, max_retries=100)
                    self.assertIsInstance(error, GatewayTimeoutError)
                    self.assertEqual(len({each.body for each in self.server.seen}), 1)
                    self.assertIn(len(self.server.seen), range(2, 5))

        def test_a_used_external_id_of_another_amount_is_an_error_with_the_record_that_has_it(self) -> None:
            self.server.reply(Answer(200, {"payout": {**PAYOUT, "amount_cents": 700}}))
            error = self.error_of(create)
            self.assertIsInstance(error, ExternalIdReusedError)
            self.assertEqual((error.existing.amount_cents, error.differing), (700, ["amount_cents"]))
            self.assertEqual((error.status, error.code), (200, "EXTERNAL_ID_REUSED"))
            self.assertRegex(str(error), "'payout-1' belongs to pyt_1, which differs in amount_cents: .*another external_id")
            self.assertRegex(str(error), r"allow_reused.*\(200 EXTERNAL_ID_REUSED\)$")
            self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))
            allowed = self.call(lambda client: client.payouts.create(**PAYOUT_PARAMS, options={"allow_reused": True}))
            self.assertEqual(allowed.amount_cents, 700)

        def test_a_used_external_id_is_an_error_whichever_member_of_its_record_is_another(self) -> None:
            days = {"kind": "statement", "format": "csv", "currency": "BRL", "from": "2026-01-01", "to": "2026-01-31"}
            payout = {"amount": 500, "payout_key": "maria@example.com"}
            cases: list[tuple[Any, dict[str, Any], str, dict[str, Any]]] = [
                (lambda g, a: g.deposits.create(**a), {"amount": 500, "currency": "BRL"}, "", {}),
                (
                    lambda g, a: g.payouts.create(payout_key_type="email", recipient=PAYOUT_PARAMS["recipient"], **a),
                    payout,
                    "payout",
                    {},
                ),
                (
                    lambda g, a: g.conversions.create(from_=a.pop("from"), **a),
                    {"from": "BRL", "to": "USDT", "amount": 500},
                    "conversion",
                    {"amount": "from_amount"},
                ),
                (lambda g, a: g.conversions.create(**a), {"quote_id": "qte_1"}, "conversion", {}),
                (lambda g, a: g.exports.create(from_=a.pop("from"), **a), days, "", {}),
            ]
            for ask, asked, wrapped, names in cases:
                for member in [*asked, None]:
                    kept = {names.get(name, name): value for name, value in asked.items()}
                    if member is not None:
                        kept[names.get(member, member)] = 700 if member == "amount" else "another"
                    record = {"id": "one", "external_id": "order-1", **kept}
                    self.server.reply(Answer(200, {wrapped: record} if wrapped else record))
                    do = partial(lambda ask, asked, client: ask(client, {"external_id": "order-1", **asked}), ask, asked)
                    with self.subTest(asked=asked, member=member):
                        if member is None:
                            self.assertEqual(self.call(do, api_version="1.0").id, "one")
                        else:
                            self.assertEqual(self.error_of(do, api_version="1.0").differing, [member])

        def test_a_used_external_id_of_another_key_is_an_error_and_its_own_in_another_spelling_is_none(self) -> None:
            for asked, kept, differing in (
                ("529.982.247-25", "52998224725", []),
                ("529.982.247-25", "12345678909", ["pix_key"]),
                ("(11) 98765-4321", "+5511987654321", []),
            ):
                with self.subTest(asked=asked, kept=kept):
                    self.server.reply(Answer(200, {"payout": {**PAYOUT, "pix_key": kept}}))
                    params = {**PAYOUT_PARAMS, "pix_key": asked}
                    if differing:
                        error = self.error_of(lambda client: client.payouts.create(**params))
                        self.assertEqual(error.differing, differing)
                    else:
                        self.assertEqual(self.call(lambda client: client.payouts.create(**params)).id, "pyt_1")

        def test_a_used_external_id_of_another_deposit_is_an_error_of_a_refund_and_what_is_left_out_is_none(self) -> None:
            self.server.reply(Answer(200, {"refund": {"id": "rfd_1", "deposit_id": "dep_2", "amount_cents": 100}}))
            error = self.error_of(lambda client: client.deposits.refunds.create("dep_1", external_id="refund-1"))
            self.assertEqual(error.differing, ["deposit_id"])
            refund = self.call(lambda client: client.deposits.refunds.create("dep_2", external_id="refund-1"))
            self.assertEqual(refund.id, "rfd_1")

        def test_a_call_that_would_make_a_second_record_is_not_sent_again_when_its_outcome_is_unknown(self) -> None:
            faults: list[Reply] = ["reset", "cut", refusal(500, "INTERNAL_ERROR"), Answer(503, text="a proxy")]
            for fault in faults:
                with self.subTest(fault=fault):
                    self.server.reply(fault)
                    self.assertEqual((self.error_of(register).attempts, len(self.server.seen)), (1, 1))

        def test_a_call_that_would_make_a_second_record_is_sent_again_when_the_gateway_has_made_nothing(self) -> None:
            self.server.reply(
                refusal(503, "SERVICE_UNAVAILABLE"), refusal(429, "RATE_LIMITED"), Answer(201, {"id": "whk_1"})
            )
            self.assertEqual((self.call(register).id, len(self.server.seen)), ("whk_1", 3))

        def test_a_call_without_a_connection_is_sent_again_and_the_error_says_that_nothing_was_sent(self) -> None:
            with socket.create_server(("127.0.0.1", 0)) as closed:
                url = f"http://127.0.0.1:{closed.getsockname()[1]}"
            error = self.error_of(register, base_url=url)
            self.assertIsInstance(error, GatewayConnectionError)
            self.assertEqual((error.sent, error.attempts), (False, 4))

        def test_any_route_is_repeated_by_its_external_id_or_not_at_all(self) -> None:
            self.server.reply("reset", Answer(200, {"ok": True}))
            self.assertEqual(self.error_of(lambda client: client.request("POST", "/v1/any", body={})).attempts, 1)
            self.server.reply("reset", Answer(200, {"ok": True}))
            body = {"external_id": "a"}
            self.assertEqual(self.call(lambda client: client.request("POST", "/v1/any", body=body)), {"ok": True})

        def test_an_error_of_a_hook_is_the_callers_as_it_is_and_repeats_nothing(self) -> None:
            fault = RuntimeError("the log of the shop is full")

            def failing(_: object) -> None:
                raise fault

            for hook, sent in (("on_request", 0), ("on_response", 1)):
                with self.subTest(hook=hook):
                    self.server.reply(CREATED)
                    self.assertIs(self.error_of(create, **{hook: failing}), fault)
                    self.assertEqual(len(self.server.seen), sent)

        def test_a_payment_of_test_mode_is_repeated_but_for_one_of_an_amount_which_would_be_a_second_transfer(self) -> None:
            paid = Answer(200, {**DEPOSIT, "status": "PAID"})
            self.server.reply("reset", paid)
            payment = self.call(lambda client: client.test.deposits.pay("dep_1", amount_cents=None))
            self.assertEqual((payment.status, len(self.server.seen)), ("PAID", 2))
            for contract, amount in (("0.1", {"amount_cents": 500}), ("1.0", {"amount": 500})):
                self.server.reply("reset", paid)
                pay = partial(pay_of, amount)
                error = self.error_of(pay, api_version=contract)
                self.assertEqual((error.sent, error.attempts, len(self.server.seen)), (True, 1, 1))

        def test_a_change_of_state_that_is_refused_when_repeated_is_answered_with_the_record_that_has_it(self) -> None:
            failed = Answer(200, {**DEPOSIT, "status": "FAILED"})
            self.server.reply("reset", refusal(409, "INVALID_STATE"), failed)
            deposit = self.call(lambda client: client.deposits.cancel("dep_1"))
            self.assertEqual((deposit.status, deposit.meta.attempts), ("FAILED", 2))
            self.server.reply("reset", refusal(409, "INVALID_STATE"), Answer(200, {**DEPOSIT, "status": "PAID"}))
            self.assertIsInstance(self.error_of(lambda client: client.deposits.cancel("dep_1")), InvalidStateError)
            self.server.reply(refusal(409, "INVALID_STATE"), failed)
            self.assertIsInstance(self.error_of(lambda client: client.deposits.cancel("dep_1")), InvalidStateError)
            self.assertEqual(len(self.server.seen), 1)
            rejected = Answer(200, {"payout": {**PAYOUT, "status": "REJECTED"}})
            self.server.reply("reset", refusal(409, "INVALID_STATE"), rejected)
            self.assertEqual(self.call(lambda client: client.payouts.cancel("pyt_1")).status, "REJECTED")

        def test_a_webhook_that_a_lost_attempt_deleted_is_deleted(self) -> None:
            self.server.reply("reset", refusal(404, "NOT_FOUND"))
            self.assertIsNone(self.call(lambda client: client.webhooks.delete("whk_1")))
            self.server.reply(refusal(404, "NOT_FOUND"))
            self.assertEqual(self.error_of(lambda client: client.webhooks.delete("whk_1")).status, 404)

        def test_retry_after_is_waited_for_up_to_a_minute_and_to_the_deadline(self) -> None:
            self.server.reply(refusal(503, "SERVICE_UNAVAILABLE", {"retry-after": "1"}), CREATED)
            started_at = time.monotonic()
            self.call(create)
            self.assertGreaterEqual(time.monotonic() - started_at, 1)
            for after in ("120", formatdate(time.time() + 3_600, usegmt=True)):
                self.server.reply(refusal(503, "SERVICE_UNAVAILABLE", {"retry-after": after}), CREATED)
                error = self.error_of(create, deadline=1e9)
                self.assertIsInstance(error, ServiceUnavailableError)
                self.assertGreater(error.retry_after, 60)
                self.assertEqual(len(self.server.seen), 1)
            self.server.reply(refusal(503, "SERVICE_UNAVAILABLE", {"retry-after": "2"}), CREATED)
            self.assertEqual(self.error_of(create, deadline=1.0).retry_after, 2)


class BySync(Repetition.Cases):
    is_async = False

    def test_an_interruption_from_the_keyboard_ends_a_call_and_sends_nothing_more(self) -> None:
        sent: list[str] = []

        def interrupted(request: httpx2.Request) -> httpx2.Response:
            sent.append(request.method)
            raise KeyboardInterrupt

        with httpx2.Client(transport=httpx2.MockTransport(interrupted)) as http_client:
            with self.assertRaises(KeyboardInterrupt):
                self.call(create, http_client=http_client)
        self.assertEqual(sent, ["POST"])


class ByAsync(Repetition.Cases):
    is_async = True


class Cancellation(WithServer):
    def test_a_cancelled_call_ends_at_once_in_flight_and_between_attempts_and_sends_nothing_more(self) -> None:
        later = refusal(503, "SERVICE_UNAVAILABLE", {"retry-after": "30"})

        async def cancelled(reply: Reply) -> float:
            self.server.reply(reply)
            async with AsyncGateway(
                base_url=self.server.url, public_key="pk_test_shop", secret_key=SECRET_KEY
            ) as client:
                task = asyncio.ensure_future(client.payouts.create(**PAYOUT_PARAMS))
                while not self.server.seen:
                    await asyncio.sleep(0.01)
                started_at = time.monotonic()
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                return time.monotonic() - started_at

        replies: list[Reply] = ["hang", later]
        for reply in replies:
            self.assertLess(asyncio.run(cancelled(reply)), 1)
            self.assertEqual(len(self.server.seen), 1)
