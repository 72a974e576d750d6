"""Shops that know nothing but their own external_ids: `shops.py threads|tasks <first> <count>` prints the ids of their records."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from gateway_sdk import ApiError, AsyncGateway, Gateway, GatewayConnectionError, GatewayTimeoutError
from gateway_sdk.errors import InvalidStateError
from gateway_sdk.v0_1.models import Deposit, PayoutRecipientCreate

T = TypeVar("T")
AMOUNT, SENT, REFUNDED = 1_000, 300, 100
AT_ONCE = 12
recipient: PayoutRecipientCreate = {"name": "Maria da Silva", "document": "52998224725"}


def worth_another(error: Exception) -> bool:
    """A shop calls again until it has an answer; a refusal is one."""
    if isinstance(error, ApiError):
        return error.status >= 500 or error.status == 429
    return isinstance(error, (GatewayConnectionError, GatewayTimeoutError))


def persist(call: Callable[[], T]) -> T:
    for rest in range(50, -1, -1):
        try:
            return call()
        except Exception as error:
            if rest == 0 or not worth_another(error):
                raise
    raise AssertionError


async def persist_async(call: Callable[[], Awaitable[T]]) -> T:
    for rest in range(50, -1, -1):
        try:
            return await call()
        except Exception as error:
            if rest == 0 or not worth_another(error):
                raise
    raise AssertionError


def shop(gateway: Gateway, name: str) -> list[str]:
    def cancel(deposit_id: str) -> Deposit:
        try:
            return gateway.deposits.cancel(deposit_id)
        except InvalidStateError:
            # The network has doubled the first attempt, or the last call got no answer.
            return gateway.deposits.get(deposit_id)

    deposit = persist(lambda: gateway.deposits.create(amount_cents=AMOUNT, external_id=name))
    paid = persist(lambda: gateway.test.deposits.pay(deposit.id))
    payout = persist(
        lambda: gateway.payouts.create(
            amount_cents=SENT,
            external_id=name,
            pix_key="maria@example.com",
            pix_key_type="email",
            recipient=recipient,
        )
    )
    refund = persist(lambda: gateway.deposits.refunds.create(deposit.id, external_id=name, amount_cents=REFUNDED))
    dropped = persist(lambda: gateway.deposits.create(amount_cents=5, external_id=f"{name}-dropped"))
    canceled = persist(lambda: cancel(dropped.id))
    assert (paid.status, refund.amount_cents, canceled.status) == ("PAID", REFUNDED, "FAILED")
    return [deposit.id, payout.id, refund.id]


async def shop_async(gateway: AsyncGateway, name: str) -> list[str]:
    async def cancel(deposit_id: str) -> Deposit:
        try:
            return await gateway.deposits.cancel(deposit_id)
        except InvalidStateError:
            return await gateway.deposits.get(deposit_id)

    deposit = await persist_async(lambda: gateway.deposits.create(amount_cents=AMOUNT, external_id=name))
    paid = await persist_async(lambda: gateway.test.deposits.pay(deposit.id))
    payout = await persist_async(
        lambda: gateway.payouts.create(
            amount_cents=SENT,
            external_id=name,
            pix_key="maria@example.com",
            pix_key_type="email",
            recipient=recipient,
        )
    )
    refund = await persist_async(
        lambda: gateway.deposits.refunds.create(deposit.id, external_id=name, amount_cents=REFUNDED)
    )
    dropped = await persist_async(lambda: gateway.deposits.create(amount_cents=5, external_id=f"{name}-dropped"))
    canceled = await persist_async(lambda: cancel(dropped.id))
    assert (paid.status, refund.amount_cents, canceled.status) == ("PAID", REFUNDED, "FAILED")
    return [deposit.id, payout.id, refund.id]


def by_threads(names: list[str]) -> list[list[str]]:
    with Gateway.from_env(timeout=3, retry_delay=0.005) as gateway, ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(lambda name: shop(gateway, name), names))


async def by_tasks(names: list[str]) -> list[list[str]]:
    turns = asyncio.Semaphore(AT_ONCE)
    async with AsyncGateway.from_env(timeout=3, retry_delay=0.005) as gateway:

        async def one(name: str) -> list[str]:
            async with turns:
                return await shop_async(gateway, name)

        return list(await asyncio.gather(*(one(name) for name in names)))


if __name__ == "__main__":
    _, kind, first, count = sys.argv
    shops = [f"shop-{number}" for number in range(int(first), int(first) + int(count))]
    print(json.dumps(by_threads(shops) if kind == "threads" else asyncio.run(by_tasks(shops))))
