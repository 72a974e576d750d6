"""An HTTP server that answers as it is set up, and keeps what it was asked."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True)
class SeenRequest:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    status: int = 200
    json: Any = None
    text: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    stalls: bool = False
    """More is announced than ever comes."""


Reply: TypeAlias = Answer | Literal["reset", "hang", "cut", "drip"] | Callable[[SeenRequest], Answer]


def refusal(status: int, code: str, headers: Mapping[str, str] = {}, **more: object) -> Answer:
    """An answer of the gateway beyond 2xx."""
    error = {"code": code, "message": f"it is {code}", "details": [], "request_id": "req_1", **more}
    return Answer(status, {"error": error}, headers=headers)


class Server:
    def __init__(self) -> None:
        self.seen: list[SeenRequest] = []
        self._replies: Sequence[Reply] = ()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self) -> None:
                outer._handle(self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_one

            def log_message(self, *_arguments: object) -> None:
                pass

        class Listening(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def handle_error(self, *_arguments: object) -> None:
                pass

        self._server = Listening(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(0.05), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def reply(self, *replies: Reply) -> None:
        """For the requests to come, in their order; the last one for all others. Forgets what was asked before."""
        with self._lock:
            self.seen = []
            self._replies = replies

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        request = SeenRequest(handler.command, handler.path, headers, body)
        with self._lock:
            made = self._replies[min(len(self.seen), len(self._replies) - 1)]
            self.seen.append(request)
        if isinstance(made, str):
            handler.close_connection = True
            return self._spoil(handler, made)
        answer = made(request) if callable(made) else made
        text = json.dumps(answer.json) if answer.text is None and answer.json is not None else answer.text or ""
        handler.send_response(answer.status)
        for name, value in {"content-type": "application/json", **answer.headers}.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(text.encode()) + answer.stalls))
        handler.end_headers()
        handler.wfile.write(text.encode())
        if answer.stalls:
            self._closing.wait(30)

    def _spoil(self, handler: BaseHTTPRequestHandler, fault: str) -> None:
        if fault == "hang":
            self._closing.wait(30)
        elif fault == "reset":
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()
        else:
            handler.send_response(200)
            handler.send_header("content-type", "application/json")
            handler.send_header("content-length", "1000")
            handler.end_headers()
            handler.wfile.write(b'{"id":"dep_1",')
            while fault == "drip" and not self._closing.wait(0.02):
                handler.wfile.write(b" ")
                handler.wfile.flush()
