"""What a shop does first: `journey.py <journey> <order>` prints what came of each step."""

import asyncio
import json
import sys
from contextlib import aclosing, closing
from typing import Any

from gateway_sdk import AsyncGateway, ExternalIdReusedError, Gateway, v1_0
from gateway_sdk.errors import InsufficientFundsError, ProviderTimeoutError
from gateway_sdk.testing import MagicKeys, sample_event, signed_delivery
from gateway_sdk.v0_1.models import Deposit, Event, PayoutRecipientCreate
from gateway_sdk.webhooks import verify_webhook

Facts = dict[str, Any]
recipient: PayoutRecipientCreate = {"name": "Maria da Silva", "document": "529.982.247-25"}


def journey(order: str) -> Facts:
    """By contract 0.1."""
    with Gateway.from_env() as gateway:
        deposit = gateway.deposits.create(amount_cents=10_000, external_id=order)
        again = gateway.deposits.create(amount_cents=10_000, external_id=order)
        paid = gateway.test.deposits.pay(deposit.id)
        listed = [each.id for each in gateway.deposits.list(external_id=order, limit=1)]
        refund = gateway.deposits.refunds.create(deposit.id, external_id=f"refund-{order}", amount_cents=100)

        def pay_out(external_id: str, pix_key: str, amount_cents: int = 500) -> str:
            payout = gateway.payouts.create_and_wait(
                amount_cents=amount_cents,
                external_id=external_id,
                pix_key=pix_key,
                pix_key_type="email",
                recipient=recipient,
            )
            return payout.status

        sent = pay_out(f"payout-{order}", "maria@example.com")
        late = ""
        try:
            gateway.payouts.create(
                amount_cents=500,
                external_id=f"late-{order}",
                pix_key=MagicKeys.TIMEOUT,
                pix_key_type="email",
                recipient=recipient,
            )
        except ProviderTimeoutError as error:
            late = (error.payout_id or "")[:4]
        slow = pay_out(f"slow-{order}", MagicKeys.TIMEOUT)
        refused = reused = ""
        try:
            pay_out(f"huge-{order}", "maria@example.com", 99_000_000_000)
        except InsufficientFundsError as error:
            refused = error.code
        try:
            pay_out(f"payout-{order}", "maria@example.com", 600)
        except ExternalIdReusedError as error:
            reused = ",".join(error.differing)
        webhook = gateway.webhooks.create(name="shop", url="https://127.0.0.1:8443/hooks")
        signed = signed_delivery(secret=webhook.secret, event=sample_event("payout.returned"))
        event = verify_webhook(signed.body, signed.headers, webhook.secret)
        csv = b"".join(gateway.transactions.csv(limit=200))
        first = gateway.events.list(order="asc", limit=1).first().data[0]
        with closing(gateway.events.stream(after=first.id, event=["deposit.paid"])) as stream:
            streamed = next(stream)
        svg, png = gateway.deposits.qr_svg(deposit.id), gateway.deposits.qr_png(deposit.id)
        gateway.webhooks.delete(webhook.id)
        return {
            "created": [deposit.status, deposit.meta.created, again.meta.created, again.id == deposit.id],
            "paid": paid.status,
            "listed": len(listed),
            "refunded": refund.amount_cents,
            "payouts": [sent, slow],
            "late": late,
            "refused": refused,
            "reused": reused,
            "available": gateway.balance.get().brl.available_cents,
            "event": event.event,
            "streamed": [streamed.event, streamed.data_id == deposit.id],
            "csv": csv.startswith(b"id,"),
            "pictures": ["<svg" in svg, png[1:4].decode()],
        }


async def async_journey(order: str) -> Facts:
    """By contract 0.1, several orders at the same time."""
    async with AsyncGateway.from_env() as gateway:
        facts = await async_calls(gateway, order)
        first = (await gateway.events.list(order="asc", limit=1).first()).data[0]
        streamed = {first.data_id}
        async with aclosing(gateway.events.stream(after=first.id, event=["deposit.*"])) as stream:
            async for each in stream:
                streamed.add(each.data_id)
                if len(streamed) == len(facts["sold"]):
                    break
        return {**facts, "streamed": len(streamed)}


async def calls(order: str) -> Facts:
    """What of it is answered at once."""
    async with AsyncGateway.from_env() as gateway:
        return await async_calls(gateway, order)


async def async_calls(gateway: AsyncGateway, order: str) -> Facts:
    async def sell(number: int) -> Deposit:
        deposit = await gateway.deposits.create(amount_cents=1_000, external_id=f"{order}-{number}")
        return await gateway.test.deposits.pay(deposit.id)

    sold = await asyncio.gather(*(sell(number) for number in range(5)))
    listed = [each.status async for each in gateway.deposits.list(status="PAID", limit=2)]
    payout = await gateway.payouts.create_and_wait(
        amount_cents=500,
        external_id=order,
        pix_key=MagicKeys.TIMEOUT,
        pix_key_type="email",
        recipient=recipient,
    )
    csv = [chunk async for chunk in gateway.transactions.csv(limit=200)]
    log = await event_log(gateway, [each.id for each in sold])
    balance = await gateway.balance.get()
    return {
        "sold": [each.status for each in sold],
        "listed": len(listed),
        "payout": payout.status,
        "available": balance.brl.available_cents,
        "csv": b"".join(csv).startswith(b"id,"),
        "log": log,
    }


async def event_log(gateway: AsyncGateway, deposit_ids: list[str]) -> Facts:
    """What the log has of payments, and what it sends of them to a webhook that is newer."""
    recorded: list[Event] = []
    while len(recorded) < len(deposit_ids):
        await asyncio.sleep(0.1)
        recorded = await gateway.events.list(event=["deposit.paid"]).to_list(maximum=len(deposit_ids))
    paid = await gateway.events.get(recorded[0].id)
    webhook = await gateway.webhooks.create(
        name="shop", url="https://127.0.0.1:8443/hooks", events=["deposit.pending", "deposit.paid"]
    )
    delivery = await gateway.events.deliver(paid.id, webhook_id=webhook.id)
    deliveries = await gateway.events.deliveries(paid.id).to_list(maximum=10)
    # Both events of each payment, but for the one that was delivered.
    replayed = [(await gateway.webhooks.replay(webhook.id, since=paid.created_at - 300)).count for _ in range(2)]
    await gateway.webhooks.delete(webhook.id)
    return {
        "read": paid.data_id in deposit_ids,
        "delivered": [delivery.event, delivery.id in [each.id for each in deliveries]],
        "replayed": replayed,
    }


def beta_journey(order: str) -> Facts:
    """By contract 1.0: a payment in pesos, and reais that become USDT."""
    with v1_0.Gateway.from_env() as gateway:
        spei = gateway.deposits.create(
            amount=20_000, currency="MXN", payment_method="SPEI", external_id=f"mxn-{order}"
        )
        paid = gateway.test.deposits.pay(spei.id)
        funds = gateway.deposits.create(amount=50_000, external_id=f"funds-{order}")
        gateway.test.deposits.pay(funds.id)
        quote = gateway.quotes.create(from_="BRL", to="USDT", amount=10_000)
        conversion = gateway.conversions.create(quote_id=quote.id, external_id=f"usdt-{order}")
        payout = gateway.payouts.create_and_wait(
            amount=5_000,
            currency="MXN",
            payout_key="002010077777777771",
            payout_key_type="clabe",
            external_id=f"spei-{order}",
            recipient={"name": "Maria", "document": "GODE561231GR8"},
        )
        return {
            "flow": spei.flow,
            "paid": paid.status,
            "received": paid.amount_received,
            "converted": conversion.status,
            "to": conversion.to,
            "payout": payout.status,
            "currency": payout.currency,
        }


if __name__ == "__main__":
    _, name, order_id = sys.argv
    if name in ("async", "calls"):
        facts = asyncio.run((async_journey if name == "async" else calls)(order_id))
    else:
        facts = (journey if name == "sync" else beta_journey)(order_id)
    print(json.dumps(facts))
