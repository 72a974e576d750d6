"""What a shop does first: `journey.py <journey> <order>` prints what came of each step."""

import asyncio
import json
import sys
from contextlib import aclosing, closing
from typing import Any

from gateway_sdk import AsyncGateway, ExternalIdReusedError, Gateway, v1_0
from gateway_sdk.errors import InsufficientFundsError, ProviderTimeoutError
from gateway_sdk.testing import MagicKeys, sample_event, signed_delivery
from gateway_sdk.v0_1.models import PayoutRecipientCreate
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

        async def sell(number: int) -> str:
            deposit = await gateway.deposits.create(amount_cents=1_000, external_id=f"{order}-{number}")
            return (await gateway.test.deposits.pay(deposit.id)).status

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
        first = (await gateway.events.list(order="asc", limit=1).first()).data[0]
        streamed = {first.data_id}
        async with aclosing(gateway.events.stream(after=first.id, event=["deposit.*"])) as stream:
            async for each in stream:
                streamed.add(each.data_id)
                if len(streamed) == len(sold):
                    break
        balance = await gateway.balance.get()
        return {
            "sold": sold,
            "listed": len(listed),
            "payout": payout.status,
            "streamed": len(streamed),
            "available": balance.brl.available_cents,
            "csv": b"".join(csv).startswith(b"id,"),
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
    if name == "async":
        facts = asyncio.run(async_journey(order_id))
    else:
        facts = (journey if name == "sync" else beta_journey)(order_id)
    print(json.dumps(facts))
