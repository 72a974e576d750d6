from __future__ import annotations

import asyncio
import copy
import json
import logging
import os
import pickle
import traceback
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, urlsplit

import httpx2

from gateway_sdk import (
    ApiError,
    Gateway,
    GatewayConnectionError,
    GatewayError,
    GatewayTimeoutError,
    RateLimit,
    __version__,
)
from gateway_sdk._generated.operations import OPERATIONS
from gateway_sdk.errors import InsufficientFundsError, TestOnlyError, ValidationError

from .clients import DEPOSIT, PAYOUT_PARAMS, SECRET_KEY, BothClients, Client
from .every_method import EVERY_METHOD
from .server import Answer, Reply, SeenRequest, Server, refusal

PARAMS: dict[str, Any] = {"amount_cents": 1_990, "external_id": "order-1"}
IDS = [f"dep_{number}" for number in range(7, 0, -1)]


def page_of(request: SeenRequest) -> Answer:
    cursor = parse_qs(urlsplit(request.path).query).get("cursor", [""])[0]
    start = IDS.index(cursor) + 1 if cursor in IDS else 0
    data = [{"id": each} for each in IDS[start : start + 3]]
    return Answer(200, {"data": data, "next_cursor": data[-1]["id"] if start + 3 < len(IDS) else None})


class Answers:
    class Cases(BothClients):
        def walk(self, do: Callable[[Client], Any], stop: str = "") -> list[str]:
            """The ids of a list, up to one."""

            def walked(client: Client) -> list[str]:
                found = []
                for each in do(client):
                    found.append(each.id)
                    if each.id == stop:
                        break
                return found

            async def walked_async(client: Client) -> list[str]:
                found = []
                async for each in do(client):
                    found.append(each.id)
                    if each.id == stop:
                        break
                return found

            return list(self.call(walked_async if self.is_async else walked))

        def test_a_call_carries_the_credentials_the_contract_the_program_and_what_the_caller_adds(self) -> None:
            self.server.reply(Answer(201, DEPOSIT))
            options = {"request_id": "mine-1", "headers": {"Accept-Language": "pt-BR"}}
            self.call(lambda client: client.deposits.create(**PARAMS, options=options), app_info="shop/1.4")
            (seen,) = self.server.seen
            self.assertEqual((seen.method, seen.path, json.loads(seen.body)), ("POST", "/v1/deposits", PARAMS))
            for name, value in {
                "x-api-key": "pk_test_shop",
                "x-api-secret": SECRET_KEY,
                "x-api-version": "0.1",
                "x-request-id": "mine-1",
                "accept-language": "pt-BR",
                "content-type": "application/json",
            }.items():
                self.assertEqual(seen.headers[name], value)
            self.assertRegex(
                seen.headers["user-agent"], rf"^gateway-python/{__version__} \(python 3\.[0-9.]+; \w+ \w+\) shop/1\.4$"
            )
            self.server.reply(Answer(201, {"id": "dep_1", "amount": 1}))
            self.call(lambda client: client.deposits.create(amount=1, external_id="a"), api_version="1.0")
            self.assertEqual(self.server.seen[0].headers["x-api-version"], "1.0")

        def test_a_call_leaves_out_what_is_not_given_and_sends_none_as_null(self) -> None:
            self.server.reply(Answer(200, {"id": "whk_1"}))
            self.call(lambda client: client.webhooks.update("whk_1", rate_limit_per_second=None))
            self.assertEqual(json.loads(self.server.seen[0].body), {"rate_limit_per_second": None})
            self.server.reply(Answer(200, DEPOSIT))
            self.call(lambda client: client.test.deposits.pay("dep_1"))
            self.assertEqual(self.server.seen[0].body, b"")

        def test_ids_and_queries_are_written_so_that_no_text_becomes_another_path(self) -> None:
            self.server.reply(Answer(200, DEPOSIT))
            self.call(lambda client: client.deposits.get("dep_1/../../v1/payouts?x=1"))
            self.assertEqual(self.server.seen[0].path, "/v1/deposits/dep_1%2F..%2F..%2Fv1%2Fpayouts%3Fx%3D1")
            for wrong in ("", ".", "..", None):
                error = str(self.error_of(lambda client: client.deposits.get(wrong)))
                self.assertIn("getDeposit wants the id of /v1/deposits/{id}", error)
            epoch = datetime.fromtimestamp(0, timezone.utc)
            self.server.reply(Answer(200, {"data": [], "next_cursor": None}))
            self.walk(lambda client: client.deposits.list(external_id="a&b=c", from_=epoch, to=1_767_348_277, limit=2))
            self.assertEqual(
                parse_qs(urlsplit(self.server.seen[0].path).query),
                {
                    "external_id": ["a&b=c"],
                    "from": ["1970-01-01T00:00:00+00:00"],
                    "to": ["1767348277"],
                    "limit": ["2"],
                },
            )
            naive = self.error_of(lambda client: client.balance.get(at=datetime(2026, 1, 1)))
            self.assertEqual(str(naive), "at has no time zone: datetime.now(timezone.utc) has one")

        def test_no_redirection_is_followed_since_credentials_go_to_one_address(self) -> None:
            other = Server()
            self.addCleanup(other.close)
            other.reply(Answer(200, {}))
            self.server.reply(Answer(302, headers={"location": f"{other.url}/"}))
            error = self.error_of(lambda client: client.balance.get())
            self.assertEqual((error.status, error.code, other.seen), (302, "HTTP_302", []))

        def test_members_and_values_that_are_newer_than_this_package_are_kept(self) -> None:
            newer = {**DEPOSIT, "status": "SETTLED_TWICE", "surprise": {"a": 1}, "payer": {"name": "Maria", "age": 7}}
            limits = {"ratelimit-limit": "200", "ratelimit-remaining": "199", "ratelimit-reset": "1"}
            self.server.reply(Answer(200, newer, headers={"x-request-id": "req_7", **limits}))
            deposit = self.call(lambda client: client.deposits.get("dep_1"))
            self.assertEqual((deposit.status, deposit.extra), ("SETTLED_TWICE", {"surprise": {"a": 1}}))
            self.assertEqual((deposit.payer.name, deposit.payer.extra), ("Maria", {"age": 7}))
            self.assertEqual((deposit.to_dict(), deposit.meta.request_id), (newer, "req_7"))
            self.assertEqual(json.loads(deposit.meta.content), newer)
            self.assertNotIn("surprise", repr(deposit.meta))
            self.assertEqual(deposit.meta.rate_limit, RateLimit(limit=200, remaining=199, reset=1))
            self.server.reply(Answer(200, newer))
            self.assertIsNone(self.call(lambda client: client.deposits.get("dep_1")).meta.rate_limit)

        def test_a_call_with_its_raw_response_has_what_the_method_answers_and_the_answer(self) -> None:
            picture = Answer(200, text="<svg/>", headers={"x-request-id": "req_8", "x-new": "1"})
            self.server.reply(refusal(503, "SERVICE_UNAVAILABLE"), picture)
            raw = self.call(lambda client: client.with_raw_response(client.deposits.qr_svg, "dep_1"))
            self.assertEqual((raw.data, raw.content, raw.status), ("<svg/>", b"<svg/>", 200))
            self.assertEqual((raw.attempts, raw.request_id, raw.headers["x-new"]), (2, "req_8", "1"))
            self.server.reply(Answer(200, DEPOSIT))
            again = self.call(lambda client: client.with_raw_response(client.deposits.create, **PARAMS))
            self.assertEqual((again.data.id, again.created), ("dep_1", False))
            self.server.reply(Answer(204))
            gone = self.call(lambda client: client.with_raw_response(client.webhooks.delete, "whk_1"))
            self.assertEqual((gone.data, gone.status), (None, 204))
            self.server.reply(page_of)
            page = self.call(lambda client: client.with_raw_response(client.deposits.list(limit=3).first))
            self.assertEqual((page.status, len(page.data.data)), (200, 3))
            other = self.call(lambda client: client.with_raw_response(client.request, "GET", "/v1/newer"))
            self.assertEqual(json.loads(other.content), other.data)

        def test_a_method_that_has_sent_nothing_has_no_raw_response(self) -> None:
            self.server.reply(page_of)
            error = self.error_of(lambda client: client.with_raw_response(client.deposits.list))
            self.assertIsInstance(error, TypeError)
            self.assertEqual(self.server.seen, [])

        def test_a_refusal_is_of_the_class_of_its_code_and_names_the_fields(self) -> None:
            details = [{"path": "payer.document", "message": "has wrong check digits"}]
            answer = {"code": "VALIDATION_ERROR", "message": "the body does not fit", "details": details}
            self.server.reply(Answer(400, {"error": {**answer, "request_id": "req_1"}}))
            error = self.error_of(lambda client: client.deposits.create(**PARAMS))
            self.assertIsInstance(error, ValidationError)
            self.assertEqual(
                str(error),
                "the body does not fit [payer.document: has wrong check digits] (400 VALIDATION_ERROR, request req_1)",
            )
            self.assertEqual([each.path for each in error.details], ["payer.document"])
            self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))
            self.server.reply(refusal(422, "INSUFFICIENT_FUNDS"))
            self.assertIsInstance(
                self.error_of(lambda client: client.payouts.create(**PAYOUT_PARAMS)), InsufficientFundsError
            )

        def test_a_refusal_in_any_other_form_is_an_api_error(self) -> None:
            for code in ("NEWER_THAN_THIS_PACKAGE", "__class__"):
                self.server.reply(refusal(418, code))
                error = self.error_of(lambda client: client.balance.get())
                self.assertEqual((type(error), error.code, error.status), (ApiError, code, 418))
            for text in ("", "<html>", "null", "[]", '{"error":"text"}', '{"error":{"details":[7,{"path":{}}]}}'):
                self.server.reply(Answer(400, text=text))
                error = self.error_of(lambda client: client.balance.get())
                self.assertEqual((type(error), error.code), (ApiError, "HTTP_400"))

        def test_a_success_that_is_no_json_record_is_not_taken_for_one(self) -> None:
            for text in ("<html>captive portal</html>", "[]", ""):
                self.server.reply(Answer(200, text=text))
                self.assertIsInstance(self.error_of(lambda client: client.balance.get()), GatewayConnectionError)

        def test_the_secret_key_is_in_nothing_that_a_client_an_error_a_hook_or_a_log_shows(self) -> None:
            outputs: list[object] = []
            logged: list[str] = []
            handler = logging.Handler()
            # What a server answers is the transport's to log, at DEBUG alone.
            handler.addFilter(lambda record: "receive_response_headers" not in record.getMessage())
            handler.emit = lambda record: logged.append(record.getMessage())  # type: ignore[method-assign]
            logging.getLogger().addHandler(handler)
            logging.getLogger().setLevel(logging.DEBUG)
            self.addCleanup(logging.getLogger().removeHandler, handler)
            self.addCleanup(logging.getLogger().setLevel, logging.WARNING)
            hooks = {"on_request": outputs.append, "on_response": outputs.append, "max_retries": 1}
            for reply in (
                refusal(401, "AUTH_INVALID", {"x-echo": SECRET_KEY}, message=f"{SECRET_KEY} is wrong"),
                "reset",
                "cut",
            ):
                self.server.reply(reply)
                error = self.error_of(lambda client: client.balance.get(), **hooks)
                outputs += [error, vars(error), traceback.format_exception(error)]
                frames = traceback.StackSummary.extract(
                    traceback.walk_tb(error.__traceback__), capture_locals=True
                )
                own = [frame.locals for frame in frames if "gateway_sdk" in frame.filename]
                self.assertGreater(len(own), 1)
                outputs += own
                self.assertIsNone(error.__cause__)
                self.assertIsNone(error.__context__)
            self.call(lambda client: outputs.extend([client, client._requester, client._requester._settings]))
            self.assertGreater(len(outputs), 8)
            for output in [*outputs, logged]:
                self.assertNotIn(SECRET_KEY, f"{output!r} {output}")

        def test_the_secret_key_is_not_in_the_error_of_a_network_library_that_shows_its_request(self) -> None:
            def broken(request: httpx2.Request) -> httpx2.Response:
                raise OSError(f"failed: {request.headers['x-api-secret']} {request.url}")

            kind = httpx2.AsyncClient if self.is_async else httpx2.Client
            http_client = kind(transport=httpx2.MockTransport(broken))
            error = self.error_of(lambda client: client.balance.get(), http_client=http_client, max_retries=0)
            self.assertIsInstance(error, GatewayConnectionError)
            self.assertIn("[secret]", str(error))
            self.assertNotIn(SECRET_KEY, "".join(traceback.format_exception(error)))

        def test_a_secret_of_an_answer_is_there_but_not_in_its_text(self) -> None:
            self.server.reply(Answer(201, {"id": "whk_1", "secret": "whsec_shown_once"}))
            webhook = self.call(lambda client: client.webhooks.create(name="a", url="https://shop.example"))
            self.assertEqual(webhook.secret, "whsec_shown_once")
            self.assertNotIn("whsec_shown_once", repr(webhook))

        def test_a_live_key_simulates_nothing_and_asks_no_server(self) -> None:
            self.server.reply(Answer(200, DEPOSIT))
            simulated = [name for name, each in OPERATIONS.items() if each.path.startswith("/v1/test/")]
            self.assertGreater(len(simulated), 5)
            for name in simulated:
                with self.subTest(operation=name):
                    self.assertIsInstance(self.error_of(EVERY_METHOD[name], public_key="pk_live_1"), TestOnlyError)
            self.assertEqual(self.server.seen, [])

        def test_a_list_is_walked_from_page_to_page_with_its_query_each_record_once(self) -> None:
            self.server.reply(page_of)
            self.assertEqual(self.walk(lambda client: client.deposits.list(status="PAID", limit=3)), IDS)
            queries = [parse_qs(urlsplit(each.path).query) for each in self.server.seen]
            self.assertEqual([each.get("cursor") for each in queries], [None, ["dep_5"], ["dep_2"]])
            self.assertTrue(all((each["status"], each["limit"]) == (["PAID"], ["3"]) for each in queries))

        def test_a_list_sends_nothing_before_it_is_read_and_nothing_after_a_break(self) -> None:
            self.server.reply(page_of)
            self.call(lambda client: client.deposits.list() and None)
            self.assertEqual(self.server.seen, [])
            first = self.call(lambda client: client.deposits.list().first())
            self.assertEqual((len(first.data), first.next_cursor, len(self.server.seen)), (3, "dep_5", 1))
            self.server.reply(page_of)
            self.walk(lambda client: client.deposits.list(), stop="dep_6")
            self.assertEqual(len(self.server.seen), 1)
            for maximum, count in ((4, 4), (0, 0)):
                items = self.call(lambda client: client.deposits.list().to_list(maximum=maximum))
                self.assertEqual(len(items), count)

        def test_a_list_ends_when_its_cursor_repeats_itself_and_repeats_a_page_that_was_lost(self) -> None:
            self.server.reply(Answer(200, {"data": [{"id": "dep_1"}], "next_cursor": "dep_1"}))
            self.assertEqual(self.walk(lambda client: client.deposits.list()), ["dep_1"] * 2)
            self.server.reply("cut", page_of, "reset", page_of)
            self.assertEqual(self.walk(lambda client: client.deposits.list()), IDS)

        def test_the_ledger_comes_as_csv_while_it_is_read_and_a_refusal_of_it_is_an_error(self) -> None:
            def whole(client: Client) -> bytes:
                return b"".join(client.transactions.csv(limit=1))

            async def whole_async(client: Client) -> bytes:
                return b"".join([chunk async for chunk in client.transactions.csv(limit=1)])

            read = whole_async if self.is_async else whole
            self.server.reply(refusal(503, "SERVICE_UNAVAILABLE"), Answer(200, text="id\r\n1\r\n"))
            self.assertEqual(self.call(read), b"id\r\n1\r\n")
            self.assertEqual(self.server.seen[0].headers["accept"], "text/csv")
            self.server.reply(refusal(400, "VALIDATION_ERROR"))
            self.assertIsInstance(self.error_of(read), ValidationError)

        def test_what_fails_within_the_csv_is_an_error_of_this_package_which_shows_no_secret(self) -> None:
            def whole(client: Client) -> bytes:
                return b"".join(client.transactions.csv())

            async def whole_async(client: Client) -> bytes:
                return b"".join([chunk async for chunk in client.transactions.csv()])

            read = whole_async if self.is_async else whole
            stalled = Answer(200, text="id\r\n", stalls=True)
            cases: list[tuple[Reply, type[GatewayError]]] = [
                ("cut", GatewayConnectionError),
                (stalled, GatewayTimeoutError),
            ]
            for reply, expected in cases:
                self.server.reply(reply)
                error = self.error_of(read, timeout=1.0)
                self.assertIsInstance(error, expected)
                self.assertEqual((error.attempts, error.__cause__, error.__context__), (1, None, None))
                shown = f"{vars(error)!r} {''.join(traceback.format_exception(error))}"
                self.assertNotIn(SECRET_KEY, shown)

        def test_an_option_that_does_not_fit_is_named_without_its_value(self) -> None:
            for option, value in (
                ("public_key", SECRET_KEY),
                ("base_url", f"https://user:{SECRET_KEY}@gateway.example"),
                ("secret_key", f"{SECRET_KEY}\n"),
                ("timeout", float("nan")),
                ("deadline", -1),
                ("max_retries", "3"),
            ):
                error = self.error_of(lambda client: None, **{option: value})
                self.assertIsInstance(error, GatewayError)
                self.assertIn(option, str(error))
                self.assertNotIn(SECRET_KEY, str(error))

        def test_what_is_wrong_with_an_address_or_a_key_is_in_the_error(self) -> None:
            for option, value, expected in (
                ("base_url", "https://gateway.example/v1/", "it has to be https://gateway.example"),
                ("secret_key", f"{SECRET_KEY}\n", "a space or line end around it"),
                ("secret_key", "sk test", "a space or a character within it"),
                ("secret_key", "", "it is no text"),
            ):
                error = self.error_of(lambda client: None, **{option: value})
                self.assertIsInstance(error, GatewayError)
                self.assertIn(expected, str(error))


class BySync(Answers.Cases):
    is_async = False

    def test_a_client_is_made_of_the_environment_and_names_the_variable_that_is_missing(self) -> None:
        variables = {
            "GATEWAY_BASE_URL": "https://gateway.example/",
            "GATEWAY_API_KEY": "pk_live_1",
            "GATEWAY_API_SECRET": "s",
        }
        seen: list[object] = []
        with mock.patch.dict(os.environ, {**variables, "GATEWAY_BASE_URL": self.server.url}):
            self.server.reply(Answer(200, {"brl": {}}))
            with Gateway.from_env(on_request=seen.append, on_response=seen.append) as client:
                client.balance.get()
        self.assertEqual(len(seen), 2)
        with mock.patch.dict(os.environ, variables):
            with Gateway.from_env() as client:
                self.assertEqual((client.base_url, client.environment), ("https://gateway.example", "live"))
                with self.assertRaises(TypeError):
                    copy.deepcopy(client)
        for name in variables:
            with mock.patch.dict(os.environ, {**variables, name: ""}):
                with self.assertRaisesRegex(GatewayError, f"{name} is not set"):
                    Gateway.from_env()

    def test_a_pool_of_the_callers_own_stays_open(self) -> None:
        with httpx2.Client() as http_client:
            self.call(lambda client: None, http_client=http_client)
            self.assertFalse(http_client.is_closed)


class ByAsync(Answers.Cases):
    is_async = True

    def test_calls_at_the_same_time_have_each_its_own_raw_response(self) -> None:
        self.server.reply(lambda request: Answer(200, {**DEPOSIT, "id": request.path.rsplit("/")[-1]}))

        async def many(client: Client) -> list[Any]:
            ids = [f"dep_{number}" for number in range(20)]
            return list(
                await asyncio.gather(*(client.with_raw_response(client.deposits.get, each) for each in ids))
            )

        answers = self.call(many)
        self.assertEqual([raw.data.id for raw in answers], [f"dep_{number}" for number in range(20)])
        self.assertTrue(all(json.loads(raw.content)["id"] == raw.data.id for raw in answers))

    def test_calls_at_the_same_time_share_a_client(self) -> None:
        self.server.reply(Answer(200, DEPOSIT))

        async def many(client: Client) -> list[Any]:
            return list(await asyncio.gather(*(client.deposits.get(f"dep_{number}") for number in range(50))))

        self.assertEqual(len(self.call(many)), 50)
        self.assertEqual(len(self.server.seen), 50)
