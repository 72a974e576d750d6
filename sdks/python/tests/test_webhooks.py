from __future__ import annotations

import base64
import hashlib
import hmac
import unittest
from collections.abc import Mapping
from typing import Any

import standardwebhooks

from gateway_sdk import GatewayError, SignatureError, v1_0
from gateway_sdk.testing import TEST_SECRET, sample_event, signed_delivery
from gateway_sdk.v0_1.models import DepositPaidEvent, PayoutReturnedEvent
from gateway_sdk.v1_0 import webhooks as beta
from gateway_sdk.webhooks import EVENT_NAMES, UnknownEvent, verify_webhook

NOW = 1_767_348_277
EVENT = sample_event("deposit.paid")
OTHER_SECRET = f"whsec_{base64.b64encode(b'another secret of this webhook').decode()}"
DELIVERY = signed_delivery(secret=TEST_SECRET, event=EVENT, now=NOW)
OWN_HEADERS = ("x-gateway-signature", "x-gateway-timestamp")


def without(headers: Mapping[str, str], *names: str) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in names}


def reason_of(**change: Any) -> str:
    """Why a delivery is refused, or `verified`."""
    given: dict[str, Any] = {"body": DELIVERY.body, "headers": DELIVERY.headers, "secret": TEST_SECRET, "now": NOW}
    try:
        verify_webhook(**{**given, **change})
    except SignatureError as error:
        return error.reason
    return "verified"


class Delivery(unittest.TestCase):
    def test_is_verified_as_the_gateway_signs_it_by_an_implementation_of_its_own(self) -> None:
        mac = hmac.new(TEST_SECRET.encode(), f"{NOW}.".encode() + DELIVERY.body, hashlib.sha256).hexdigest()
        self.assertEqual(DELIVERY.headers["x-gateway-signature"], f"sha256={mac}")
        event = verify_webhook(DELIVERY.body, DELIVERY.headers, TEST_SECRET, now=NOW)
        assert isinstance(event, DepositPaidEvent)
        self.assertEqual((event.id, event.attempt, event.data.id), (EVENT["id"], 1, EVENT["data"]["id"]))
        self.assertEqual(reason_of(body=DELIVERY.body.decode()), "verified")
        self.assertEqual(reason_of(headers={k.upper(): v for k, v in DELIVERY.headers.items()}), "verified")
        self.assertEqual(reason_of(headers={k.encode(): v.encode() for k, v in DELIVERY.headers.items()}), "verified")
        wsgi = {f"HTTP_{k.upper().replace('-', '_')}": v for k, v in DELIVERY.headers.items()}
        self.assertEqual(reason_of(headers=wsgi), "verified")

    def test_is_verified_by_standard_webhooks_where_the_gateways_own_headers_are_missing(self) -> None:
        self.assertEqual(reason_of(headers=without(DELIVERY.headers, *OWN_HEADERS)), "verified")
        vector: dict[str, Any] = {
            "headers": {
                "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
                "webhook-timestamp": "1614265330",
                "webhook-signature": "v1a,other v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            },
            "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "now": 1_614_265_330,
        }
        with self.assertRaisesRegex(GatewayError, "the signed body is no event"):
            verify_webhook('{"test": 2432232314}', **vector)
        self.assertEqual(reason_of(body='{"test": 2432232314} ', **vector), "mismatch")

    def test_is_taken_with_either_secret_while_a_rotation_lasts(self) -> None:
        following = signed_delivery(secret=OTHER_SECRET, event=EVENT, now=NOW)
        rotating = {**DELIVERY.headers, "x-gateway-signature-next": following.headers["x-gateway-signature"]}
        for secret in (TEST_SECRET, OTHER_SECRET, [OTHER_SECRET, TEST_SECRET]):
            self.assertEqual(reason_of(headers=rotating, secret=secret), "verified")
        self.assertEqual(reason_of(secret=OTHER_SECRET), "mismatch")

    def test_of_which_one_bit_is_another_is_refused_wherever_it_is(self) -> None:
        for bit in range(len(DELIVERY.body) * 8):
            flipped = bytearray(DELIVERY.body)
            flipped[bit >> 3] ^= 1 << (bit & 7)
            self.assertEqual(reason_of(body=bytes(flipped)), "mismatch")
        standard = without(DELIVERY.headers, *OWN_HEADERS)
        for headers, names in (
            (DELIVERY.headers, OWN_HEADERS),
            (standard, ("webhook-id", "webhook-timestamp", "webhook-signature")),
        ):
            for name in names:
                for bit in range(len(headers[name]) * 8):
                    text = bytearray(headers[name].encode())
                    text[bit >> 3] ^= 1 << (bit & 7)
                    changed = {**headers, name: text.decode("latin-1")}
                    self.assertIn(reason_of(headers=changed), ("mismatch", "malformed", "too_old", "too_new"))

    def test_is_taken_for_300_seconds_and_not_a_second_longer(self) -> None:
        ages = ((299, "verified"), (300, "verified"), (301, "too_old"), (-299, "verified"), (-301, "too_new"))
        for age, expected in ages:
            self.assertEqual(reason_of(now=NOW + age), expected)
            standard = without(DELIVERY.headers, *OWN_HEADERS)
            self.assertEqual(reason_of(now=NOW + age, headers=standard), expected)

    def test_that_is_old_is_refused_whatever_time_stands_beside_the_one_that_was_signed(self) -> None:
        later = NOW + 301
        standard = {**without(DELIVERY.headers, *OWN_HEADERS), "x-gateway-timestamp": str(later)}
        own = {**without(DELIVERY.headers, "webhook-signature"), "webhook-timestamp": str(later)}
        for headers in (standard, own):
            self.assertEqual(reason_of(now=later, headers=headers), "too_old")

    def test_without_a_whole_signature_is_refused_with_the_reason(self) -> None:
        time = str(NOW)
        cases: list[tuple[dict[str, str], str]] = [
            ({}, "missing"),
            ({"x-gateway-signature": "sha256=00"}, "missing"),
            ({"x-gateway-timestamp": time}, "missing"),
            ({"x-gateway-timestamp": time, "x-gateway-signature": "sha256=00"}, "malformed"),
            ({"x-gateway-timestamp": "now", "x-gateway-signature": "sha256=00"}, "malformed"),
            ({"webhook-id": "a", "webhook-timestamp": time, "webhook-signature": "v2,AA=="}, "malformed"),
            ({"webhook-id": "\udcff", "webhook-timestamp": time, "webhook-signature": "v1,\udcff"}, "mismatch"),
        ]
        for headers, reason in cases:
            with self.subTest(headers=headers):
                self.assertEqual(reason_of(headers=headers), reason)

    def test_that_a_parser_has_read_or_a_missing_secret_is_a_fault_of_the_receiver(self) -> None:
        with self.assertRaisesRegex(TypeError, "request.get_data"):
            reason_of(body=EVENT)
        # What begins as a secret and ends there is a key that everyone knows.
        for secret in ("", "whsec_", [], [TEST_SECRET, ""], None):
            with self.assertRaises(TypeError):
                reason_of(secret=secret)

    def test_keeps_the_id_that_was_signed_whatever_its_headers_are_changed_to(self) -> None:
        headers = {**DELIVERY.headers, "x-gateway-event-id": "evt_other", "webhook-id": "evt_other"}
        self.assertEqual(verify_webhook(DELIVERY.body, headers, TEST_SECRET, now=NOW).id, EVENT["id"])

    def test_of_an_event_that_is_newer_than_this_package_is_an_unknown_event_with_its_data(self) -> None:
        signed = signed_delivery(secret=TEST_SECRET, event={**EVENT, "event": "deposit.split"})
        event = verify_webhook(signed.body, signed.headers, TEST_SECRET)
        assert isinstance(event, UnknownEvent)
        self.assertEqual((event.event, event.name, event.id), ("unknown", "deposit.split", EVENT["id"]))
        self.assertEqual(event.data, EVENT["data"])

    def test_can_be_made_of_every_event_in_both_contracts_and_no_member_is_unknown(self) -> None:
        for name in EVENT_NAMES:
            for contract, verify in (("0.1", verify_webhook), ("1.0", beta.verify_webhook)):
                sample = sample_event(name, "0.1" if contract == "0.1" else "1.0")
                signed = signed_delivery(secret=TEST_SECRET, event=sample)
                event: Any = verify(signed.body, signed.headers, TEST_SECRET)
                self.assertEqual((event.event, event.id, event.extra), (name, sample["id"], {}))
                self.assertEqual(event.data.extra, {})
        self.assertIn("1.0", (v1_0.Gateway.api_version,))

    def test_is_matched_by_its_class(self) -> None:
        signed = signed_delivery(secret=TEST_SECRET, event=sample_event("payout.returned"))
        match verify_webhook(signed.body, signed.headers, TEST_SECRET):
            case PayoutReturnedEvent(data=payout):
                self.assertEqual((payout.returned_cents, payout.return_.amount_cents), (2_500, 2_500))
            case _:
                self.fail("no payout was returned")

    def test_is_decided_as_standardwebhooks_decides_on_every_mutation(self) -> None:
        signed = signed_delivery(secret=TEST_SECRET, event=EVENT)
        headers = without(signed.headers, *OWN_HEADERS)
        other = standardwebhooks.Webhook(TEST_SECRET)
        decided = {"verified": 0, "refused": 0}

        def compare(body: bytes, changed: dict[str, str]) -> None:
            try:
                other.verify(body, changed)
                expected = "verified"
            except Exception:
                expected = "refused"
            # They read a number and decode a signature, and so take another text for the same.
            signatures = changed["webhook-signature"].split(" ")
            if headers["webhook-signature"] not in signatures or not changed["webhook-timestamp"].isdecimal():
                expected = "refused"
            result = reason_of(body=body, headers=changed, now=None)
            self.assertEqual("verified" if result == "verified" else "refused", expected, (body, changed))
            decided[expected] += 1

        def mutations(text: bytes) -> list[bytes]:
            """Each byte changed, taken out and doubled, and something before and after."""
            changed = [text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :] for at in range(len(text))]
            shorter = [text[:at] + text[at + 1 :] for at in range(len(text))]
            longer = [text[: at + 1] + text[at:] for at in range(len(text))]
            return [text, *changed, *shorter, *longer, text + b" ", b"{" + text]

        for body in mutations(signed.body):
            compare(body, headers)
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
            for value in mutations(headers[name].encode()):
                compare(signed.body, {**headers, name: value.decode()})
        for signatures in (f"v1,AAAA {headers['webhook-signature']}", f"{headers['webhook-signature']} v2,AAAA", ""):
            compare(signed.body, {**headers, "webhook-signature": signatures})
        self.assertGreater(decided["verified"], 3)
        self.assertGreater(decided["refused"], 2_000)
