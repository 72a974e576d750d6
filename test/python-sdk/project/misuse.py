"""Each of these lines is a mistake that mypy has to find: one that it does not find is an unused comment, and an error."""

from gateway_sdk import Gateway, v1_0
from gateway_sdk.v0_1.models import PayoutRecipientCreate
from gateway_sdk.webhooks import VerifiedEvent


def mistakes(current: Gateway, beta: v1_0.Gateway, event: VerifiedEvent, recipient: PayoutRecipientCreate) -> None:
    # The external_id is missing.
    current.deposits.create(amount_cents=1)  # type: ignore[call-arg]
    # A member of contract 1.0, and one of contract 0.1.
    current.deposits.create(amount=1, external_id="a")  # type: ignore[call-arg]
    beta.deposits.create(amount_cents=1, external_id="a")  # type: ignore[call-arg]
    # Amounts are integers in cents.
    current.deposits.create(amount_cents="1.00", external_id="a")  # type: ignore[arg-type]
    # No status of a deposit, and no kind of key.
    current.deposits.list(status="PAYED")  # type: ignore[arg-type]
    current.payouts.create(
        amount_cents=1,
        external_id="a",
        pix_key="a",
        pix_key_type="iban",  # type: ignore[arg-type]
        recipient=recipient,
    )
    # The holder's document is missing.
    incomplete: PayoutRecipientCreate = {"name": "Maria"}  # type: ignore[typeddict-item]
    deposit = current.deposits.get(incomplete["name"])
    # A value that is added to an enumeration of answers fits programs of today.
    if deposit.status == "SETTLED_TWICE":
        return
    # A member of contract 1.0, and a record that nothing changes.
    print(deposit.amount)  # type: ignore[attr-defined]
    deposit.status = "PAID"  # type: ignore[misc]
    # With its raw response too, a method takes its own arguments alone, and answers with its own record.
    current.with_raw_response(current.deposits.list(status="PAID").first, limit=1)  # type: ignore[call-arg]
    print(current.with_raw_response(current.deposits.get, "dep_1").data.amount)  # type: ignore[attr-defined]
    # Only a returned payout has it.
    if event.event == "deposit.paid":
        print(event.data.returned_cents)  # type: ignore[attr-defined]
    if event.event == "payout.returned":
        print(event.data.returned_cents)
