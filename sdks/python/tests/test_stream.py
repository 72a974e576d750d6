from __future__ import annotations

import time
import unittest
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Any
from unittest import mock

import httpx2

from gateway_sdk import ApiError
from gateway_sdk._core.sse import SseParser, StreamItem
from gateway_sdk.errors import RateLimitedError, ValidationError

from .clients import BothClients, Client
from .server import Answer, refusal


def frame(event_id: str) -> str:
    return f'id: {event_id}\nevent: deposit.paid\ndata: {{"id":"{event_id}"}}\n\n'


def connection(*parts: str) -> Answer:
    """A connection that ends after these."""
    text = "".join(["retry: 1\n\n", *parts])
    return Answer(200, text=text, headers={"content-type": "text/event-stream; charset=utf-8"})


class Parsing(unittest.TestCase):
    def test_the_bytes_of_a_stream_are_read_wherever_they_are_cut_whatever_ends_its_lines(self) -> None:
        text = (
            ": hello\r\nretry: 7\r\n\r\nid: evt_1\rdata: {\"a\":\rdata: \"\u00e9\u20ac\U0001f600\"}\r\r"
            "id: evt_2\ndata:no space\n\nid: evt_3\ndata: half"
        )
        content = text.encode()
        whole = SseParser(None).read(content)
        data = '{"a":\n"\u00e9\u20ac\U0001f600"}'
        self.assertEqual(whole, [StreamItem(comment="hello"), StreamItem(data=data), StreamItem(data="no space")])
        parser = SseParser(None)
        pieces = [item for byte in content for item in parser.read(bytes([byte]))]
        self.assertEqual((pieces, parser.last_event_id, parser.retry), (whole, "evt_2", 0.007))


class Streams:
    class Cases(BothClients):
        def walk(self, do: Callable[[Client], Any], stop: str = "") -> list[str]:
            def walked(client: Client) -> list[str]:
                found = []
                for each in do(client):
                    found.append(each.id)
                    if each.id == stop:
                        break
                return found

            async def walked_async(client: Client) -> list[str]:
                found = []
                async with aclosing(do(client)) as events:
                    async for each in events:
                        found.append(each.id)
                        if each.id == stop:
                            break
                return found

            return list(self.call(walked_async if self.is_async else walked))

        def last_ids(self) -> list[str | None]:
            return [each.headers.get("last-event-id") for each in self.server.seen]

        def test_a_stream_goes_on_after_the_last_whole_event_by_one_connection_after_the_other(self) -> None:
            self.server.reply(
                connection("id: evt_0\n:\n\n"),
                connection(frame("evt_1"), frame("evt_2"), 'id: evt_3\ndata: {"id"'),
                refusal(503, "SERVICE_UNAVAILABLE"),
                "cut",
                connection(frame("evt_3")),
            )
            found = self.walk(lambda g: g.events.stream(event=["deposit.*"], data_id="dep_1"), stop="evt_3")
            self.assertEqual(found, ["evt_1", "evt_2", "evt_3"])
            self.assertEqual(self.last_ids(), [None, "evt_0", "evt_2", "evt_2", "evt_2"])
            self.assertEqual(self.sent()[0], "GET /v1/events/stream?event=deposit.%2A&data_id=dep_1")

        def test_a_stream_that_was_told_how_far_its_filter_has_looked_goes_on_there(self) -> None:
            places: list[str] = []
            looked = connection(frame("evt_1"), ":\n\nid: evt_7\n:\n\n:\n\n:\n\n")
            self.server.reply(looked, connection(frame("evt_8"), ":\n\n"))
            found = self.walk(lambda g: g.events.stream(after="evt_0", on_place=places.append), stop="evt_8")
            self.assertEqual((found, places), (["evt_1", "evt_8"], ["evt_7"]))
            self.assertEqual(self.last_ids(), ["evt_0", "evt_7"])

        def test_a_stream_that_does_not_follow_ends_where_it_has_caught_up(self) -> None:
            self.server.reply(connection(frame("evt_2")), connection(frame("evt_3"), ": caught up\n\n"))
            found = self.walk(lambda g: g.events.stream(after="evt_1", follow=False))
            self.assertEqual((found, self.last_ids()), (["evt_2", "evt_3"], ["evt_1", "evt_2"]))
            self.assertEqual(self.sent()[0], "GET /v1/events/stream?follow=false")

        def test_a_silent_connection_is_given_up_for_another_one(self) -> None:
            self.server.reply(replace(connection(frame("evt_1")), stalls=True), connection(frame("evt_2")))
            kind = "_async" if self.is_async else "_sync"
            started_at = time.monotonic()
            with mock.patch(f"gateway_sdk.{kind}.requester.SILENCE", 0.2):
                self.assertEqual(self.walk(lambda g: g.events.stream(), stop="evt_2"), ["evt_1", "evt_2"])
            self.assertEqual(self.last_ids(), [None, "evt_1"])
            # Sooner than an attempt of another call would be given up.
            self.assertLess(time.monotonic() - started_at, 20)

        def test_a_refusal_that_will_not_pass_ends_the_walk_and_so_does_what_the_first_connection_fails_with(self) -> None:
            self.server.reply(connection(frame("evt_1")), refusal(400, "VALIDATION_ERROR"))
            with self.assertRaises(ValidationError):
                self.walk(lambda g: g.events.stream())
            self.server.reply(refusal(429, "RATE_LIMITED", headers={"retry-after": "120"}))
            with self.assertRaises(RateLimitedError) as raised:
                self.walk(lambda g: g.events.stream())
            self.assertIsInstance(raised.exception, ApiError)

        def test_an_answer_ends_where_the_hook_on_response_raises_and_the_error_is_that_of_the_hook(self) -> None:
            ended: list[str] = []

            class Content(httpx2.SyncByteStream, httpx2.AsyncByteStream):
                def close(self) -> None:
                    ended.append("closed")

                async def aclose(self) -> None:
                    self.close()

            def answer(_request: httpx2.Request) -> httpx2.Response:
                return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=Content())

            fault = ValueError("the log of the shop is full")

            def on_response(_response: object) -> None:
                raise fault

            kind = httpx2.AsyncClient if self.is_async else httpx2.Client
            http_client = kind(transport=httpx2.MockTransport(answer))
            with self.assertRaises(ValueError) as raised:
                self.call(
                    lambda client: client.events.stream().__anext__() if self.is_async else next(client.events.stream()),
                    http_client=http_client,
                    on_response=on_response,
                )
            self.assertEqual((raised.exception, ended), (fault, ["closed"]))


class BySync(Streams.Cases):
    is_async = False


class ByAsync(Streams.Cases):
    is_async = True
