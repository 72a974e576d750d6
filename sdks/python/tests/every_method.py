"""Every method of the client that calls an operation, by the operation's name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from gateway_sdk import GatewayConnectionError

from .clients import PAYOUT_PARAMS, Client


def opening(stream: Any) -> Any:
    """Opens a stream of events; what is answered here is none."""

    async def opened() -> None:
        with suppress(GatewayConnectionError):
            await anext(stream)

    if isinstance(stream, AsyncIterator):
        return opened()
    with suppress(GatewayConnectionError):
        next(stream)
    return None



EVERY_METHOD: dict[str, Callable[[Client], Any]] = {
    "createDeposit": lambda g: g.deposits.create(amount_cents=1, external_id="a"),
    "getDeposit": lambda g: g.deposits.get("one"),
    "listDeposits": lambda g: g.deposits.list().first(),
    "cancelDeposit": lambda g: g.deposits.cancel("one"),
    "getDepositQrSvg": lambda g: g.deposits.qr_svg("one"),
    "getDepositQrPng": lambda g: g.deposits.qr_png("one"),
    "createRefund": lambda g: g.deposits.refunds.create("one", external_id="a"),
    "listDepositRefunds": lambda g: g.deposits.refunds.list("one").first(),
    "getRefund": lambda g: g.refunds.get("one"),
    "listRefunds": lambda g: g.refunds.list().first(),
    "createPayout": lambda g: g.payouts.create(**PAYOUT_PARAMS),
    "getPayout": lambda g: g.payouts.get("one"),
    "listPayouts": lambda g: g.payouts.list().first(),
    "cancelPayout": lambda g: g.payouts.cancel("one"),
    "getBalance": lambda g: g.balance.get(),
    "getPendingBalance": lambda g: g.balance.pending(),
    "getTotals": lambda g: g.totals.get(),
    "listTransactions": lambda g: g.transactions.list().first(),
    "getTransactionReceipt": lambda g: g.transactions.receipt("one"),
    "getProofConsistency": lambda g: g.proof.consistency(from_=1),
    "listProofKeys": lambda g: g.proof.keys(),
    "getAdjustment": lambda g: g.adjustments.get("one"),
    "createExport": lambda g: g.exports.create(
        kind="statement", format="csv", currency="BRL", from_="2026-01-01", to="2026-01-31", external_id="a"
    ),
    "getExport": lambda g: g.exports.get("one"),
    "listExports": lambda g: g.exports.list().first(),
    "getDispute": lambda g: g.disputes.get("one"),
    "listDisputes": lambda g: g.disputes.list().first(),
    "submitDisputeEvidence": lambda g: g.disputes.submit_evidence("one", text="sent"),
    "createFile": lambda g: g.files.create(file=b"one", name="receipt.pdf"),
    "getFile": lambda g: g.files.get("one"),
    "getFileContent": lambda g: g.files.content("one"),
    "createQuote": lambda g: g.quotes.create(from_="BRL", to="USDT", amount=1),
    "getQuote": lambda g: g.quotes.get("one"),
    "createConversion": lambda g: g.conversions.create(quote_id="one", external_id="a"),
    "getConversion": lambda g: g.conversions.get("one"),
    "listConversions": lambda g: g.conversions.list().first(),
    "createWebhook": lambda g: g.webhooks.create(name="a", url="https://shop.example"),
    "getWebhook": lambda g: g.webhooks.get("one"),
    "listWebhooks": lambda g: g.webhooks.list().first(),
    "updateWebhook": lambda g: g.webhooks.update("one", status="paused"),
    "deleteWebhook": lambda g: g.webhooks.delete("one"),
    "rotateWebhookSecret": lambda g: g.webhooks.rotate_secret("one"),
    "testWebhook": lambda g: g.webhooks.test("one"),
    "recoverWebhookDeliveries": lambda g: g.webhooks.recover("one", since=1),
    "listWebhookDeliveries": lambda g: g.webhooks.deliveries.list("one").first(),
    "getWebhookDelivery": lambda g: g.webhooks.deliveries.get("one", "two"),
    "redeliverWebhookDelivery": lambda g: g.webhooks.deliveries.redeliver("one", "two"),
    "listDeliveries": lambda g: g.deliveries.list(data_id="one").first(),
    "getDelivery": lambda g: g.deliveries.get("one"),
    "redeliverDelivery": lambda g: g.deliveries.redeliver("one"),
    "listRequests": lambda g: g.requests.list().first(),
    "getRequest": lambda g: g.requests.get("one"),
    "listEvents": lambda g: g.events.list().first(),
    "getEvent": lambda g: g.events.get("one"),
    "listEventDeliveries": lambda g: g.events.deliveries("one").first(),
    "deliverEvent": lambda g: g.events.deliver("one", webhook_id="two"),
    "replayWebhookEvents": lambda g: g.webhooks.replay("one", since=0),
    "streamEvents": lambda g: opening(g.events.stream()),
    "getAccount": lambda g: g.account.get(),
    "createCallbackSecret": lambda g: g.account.create_callback_secret(),
    "getBranding": lambda g: g.account.branding(),
    "replaceBranding": lambda g: g.account.replace_branding(),
    "getIpAllowlist": lambda g: g.ip_allowlist.get(),
    "replaceIpAllowlist": lambda g: g.ip_allowlist.replace(entries=[]),
    "simulateDepositPayment": lambda g: g.test.deposits.pay("one"),
    "simulateDepositExpiry": lambda g: g.test.deposits.expire("one"),
    "simulateDispute": lambda g: g.test.deposits.dispute("one"),
    "simulateDisputeResult": lambda g: g.test.disputes.resolve("one", result="won"),
    "simulatePayoutResult": lambda g: g.test.payouts.settle("one", result="paid"),
    "simulatePayoutApproval": lambda g: g.test.payouts.approve("one"),
    "simulateWebhookFailure": lambda g: g.test.webhooks.fail("one", result="failing"),
    "releaseTestBalance": lambda g: g.test.balance.release(),
}
