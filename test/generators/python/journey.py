"""What a merchant does first, whatever the contract of the client."""

import base64
import json
import sys
from dataclasses import dataclass
from typing import Callable, Protocol, TypeVar

import httpx

T = TypeVar("T")


@dataclass(frozen=True)
class Connection:
    """Where the gateway is, and the key pair of a test account."""

    base_url: str
    public_key: str
    secret_key: str
    prefix: str

    @property
    def timeout(self) -> httpx.Timeout:
        return httpx.Timeout(60)

    @property
    def basic(self) -> str:
        return base64.b64encode(f"{self.public_key}:{self.secret_key}".encode()).decode()


class Client(Protocol):
    """The calls of a merchant; amounts are cents of a real."""

    def create_deposit(self, external_id: str) -> tuple[str, str]: ...
    def pay_deposit(self, deposit_id: str) -> str: ...
    def read_deposit(self, deposit_id: str) -> str: ...
    def list_deposits(self) -> list[str]: ...
    def refund_deposit(self, deposit_id: str, external_id: str) -> str: ...
    def send_payout(self, external_id: str, amount: int) -> str: ...
    def register_webhook(self, url: str) -> str: ...


def expected(kind: type[T], answer: object) -> T:
    """The answer, where a call was to succeed with one of that type."""
    assert isinstance(answer, kind), answer
    return answer


def run(connect: Callable[[Connection], Client]) -> None:
    """Does the journey with the connection that stands on standard input, and prints what came of each step."""
    connection = Connection(**json.load(sys.stdin))
    client = connect(connection)
    name = connection.prefix
    deposit_id, created = client.create_deposit(f"{name}-deposit")
    steps = {
        "created": created,
        "paid": client.pay_deposit(deposit_id),
        "read": client.read_deposit(deposit_id),
        "listed": deposit_id in client.list_deposits(),
        "refunded": client.refund_deposit(deposit_id, f"{name}-refund"),
        "sent": client.send_payout(f"{name}-payout", 100),
        "tooMuch": client.send_payout(f"{name}-too-much", 100_000_000),
        "secret": client.register_webhook("https://127.0.0.1:8443/hooks")[:6],
    }
    print(json.dumps(steps))
