"""The merchant's journey in contract 0.1 by the client of openapi-python-client."""

from generated_v0_1 import AuthenticatedClient
from generated_v0_1.api.deposits import create_deposit, create_refund, get_deposit, list_deposits
from generated_v0_1.api.payouts import create_payout
from generated_v0_1.api.test_mode import simulate_deposit_payment
from generated_v0_1.api.webhooks import create_webhook
from generated_v0_1.models import (
    Deposit,
    DepositCreate,
    DepositPage,
    Error,
    PayoutAnswer,
    PayoutCreate,
    PayoutRecipientCreate,
    RefundAnswer,
    RefundCreate,
    WebhookCreate,
    WebhookWithSecret,
)
from journey import Connection, expected, run


class Merchant:
    """Each call with the types that were generated for it."""

    def __init__(self, connection: Connection) -> None:
        self.client = AuthenticatedClient(
            base_url=connection.base_url, token=connection.basic, prefix="Basic", timeout=connection.timeout
        )

    def create_deposit(self, external_id: str) -> tuple[str, str]:
        body = DepositCreate(amount_cents=1_500, external_id=external_id)
        deposit = expected(Deposit, create_deposit.sync(client=self.client, body=body))
        return deposit.id, deposit.status

    def pay_deposit(self, deposit_id: str) -> str:
        return expected(Deposit, simulate_deposit_payment.sync(deposit_id, client=self.client)).status

    def read_deposit(self, deposit_id: str) -> str:
        return expected(Deposit, get_deposit.sync(deposit_id, client=self.client)).status

    def list_deposits(self) -> list[str]:
        page = expected(DepositPage, list_deposits.sync(client=self.client, limit=10))
        return [deposit.id for deposit in page.data]

    def refund_deposit(self, deposit_id: str, external_id: str) -> str:
        body = RefundCreate(amount_cents=100, external_id=external_id)
        return expected(RefundAnswer, create_refund.sync(deposit_id, client=self.client, body=body)).refund.status

    def send_payout(self, external_id: str, amount: int) -> str:
        body = PayoutCreate(
            amount_cents=amount,
            external_id=external_id,
            pix_key="maria@example.com",
            pix_key_type="email",
            recipient=PayoutRecipientCreate(name="Maria da Silva", document="529.982.247-25"),
        )
        answer = create_payout.sync(client=self.client, body=body)
        if isinstance(answer, Error):
            return answer.error.code
        return expected(PayoutAnswer, answer).payout.status

    def register_webhook(self, url: str) -> str:
        body = WebhookCreate(name="shop", url=url)
        return expected(WebhookWithSecret, create_webhook.sync(client=self.client, body=body)).secret


run(Merchant)
