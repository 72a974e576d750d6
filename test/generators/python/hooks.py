"""What schemathesis cannot know from a description: values of our formats, and rules between members and records."""

import base64
import itertools
import json
import os
import string
from typing import Any, Callable

import schemathesis
from hypothesis import strategies as st
from schemathesis.transport.serialization import Binary

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
ZONES = ["America/Sao_Paulo", "America/Mexico_City", "UTC"]
TIMES = ["1767348000", "2026-01-02", "2026-01-02T10:04:37Z"]

names = st.text(string.ascii_lowercase, min_size=1, max_size=20)
documents = st.sampled_from(["529.982.247-25", "52998224725", "11.222.333/0001-81", "11222333000181"])

schemathesis.openapi.format("uri", st.builds("https://shop.example/{}".format, names))
schemathesis.openapi.format("br-document", documents)
schemathesis.openapi.format("tax-document", documents)
schemathesis.openapi.format("time-or-date", st.sampled_from(TIMES))
schemathesis.openapi.format("time-zone", st.sampled_from(ZONES))
schemathesis.openapi.format("png", st.just(PNG))
# A file is what its bytes say, of which a schema says nothing. Bytes that a hook puts into a body count as what is to be refused.
schemathesis.openapi.format("binary", st.just(Binary(base64.b64decode(PNG))))

Members = dict[str, Any]

KNOWN: Members = json.loads(os.environ.get("KNOWN_RECORDS", "{}"))
"""Of the records that the caller has been given."""


def known_query(query: Members) -> None:
    """A cursor is the id of a record that the caller has received, a zone one that exists, a period not empty."""
    query.pop("cursor", None)
    if "zone" in query:
        query["zone"] = ZONES[0]
    for time in ("at", "from", "to"):
        if isinstance(query.get(time), str) and query[time] not in TIMES and not query[time].isdigit():
            query[time] = TIMES[1]


def key_of_its_type(body: Members) -> None:
    """The key of a payout fits its type, and type and document the currency: here an e-mail address, and reais."""
    name = "pix_key" if "pix_key" in body else "payout_key"
    body.update({name: "maria@example.com", f"{name}_type": "email"})
    if name == "payout_key":
        body.update({"currency": "BRL", "payment_method": "PIX"})
    body["recipient"] = {**body["recipient"], "document": "529.982.247-25"}


def charge_of_its_rail(body: Members) -> None:
    """A rail belongs to a currency, and a document to its country."""
    if "amount" in body:
        body.update({"currency": "BRL", "payment_method": "PIX"})


def whole_amount(body: Members) -> None:
    """No more than the record has left, which a schema does not know: without an amount it is the whole."""
    for member in ("amount", "amount_cents"):
        body.pop(member, None)


def worth_a_unit(body: Members) -> None:
    """An amount of which at least one unit of the other currency can be bought."""
    for member in ("amount", "target_amount"):
        if isinstance(body.get(member), (int, float)):
            body[member] = 10_000
    body.update({"from": "BRL", "to": "USDT"} if "from" in body and body["from"] is not None else {})


def window(body: Members) -> None:
    """A window ends after it begins."""
    body.pop("until", None)


def any_address(body: Members) -> None:
    """A list without the address of the caller would shut it out, and is refused."""
    body["entries"] = []


def from_anywhere(body: Members) -> None:
    """An allowlist is of addresses and ranges, of which no pattern is stated."""
    body["allowlist"] = []


def a_picture(body: Members) -> None:
    """A logo is a whole picture, of which a pattern sees the beginning."""
    if isinstance(body.get("logo"), str):
        body["logo"] = PNG


def without_files(body: Members) -> None:
    """Evidence names files that the account has stored, each once."""
    body.pop("files", None)


def own_keys(body: Members) -> None:
    """A key pair is one that was issued."""
    body.update({name: KNOWN[name] for name in ("clientId", "password")})


def charge_in_reais(body: Members) -> None:
    """An amount has two decimals at most, which a schema of floating numbers cannot say."""
    body["value"] = "19.90" if isinstance(body["value"], str) else 19.9


def payout_in_reais(body: Members) -> None:
    """As of a charge, and a key is one of the five kinds."""
    body.update({"pixKey": "maria@example.com", "payment": {"amount": 12.5}})


def known_account(body: Members) -> None:
    """Whose record it is."""
    body["account_id"] = KNOWN["accountId"]


def correction(body: Members) -> None:
    """A correction is of something."""
    known_account(body)
    body["amount_cents"] = 900


def finished_days(body: Members) -> None:
    """Days that are over, in a zone that exists, as the one format that every kind and currency comes in."""
    body.update({"from": "2026-01-01", "to": "2026-01-02", "format": "csv"})
    body.pop("camt_version", None)
    if body.get("timezone") is not None:
        body["timezone"] = ZONES[0]


def of_a_line_alone(body: Members) -> None:
    """What else belongs to a resolution follows from its action."""
    for member in ("with", "account_id", "amount_cents"):
        body.pop(member, None)
    body["action"] = "foreign"


def of_a_line_to_come(body: Members) -> None:
    """A transfer has the line that shows it or what the line will say."""
    body.pop("line_id", None)
    body.update({"provider": "efi", "currency": "BRL", "reference": "E12345678202601021004abcdef12345"})


def a_mapping(body: Members) -> None:
    """A provider is one of the live ones, and columns, zone and pattern fit each other."""
    date = {"column": "Data", "format": "ISO", "zone": ZONES[0]}
    body.update({"provider": "efi", "mapping": {"date": date, "amount": {"column": "Valor", "decimal": "."}}})


def goes_on(body: Members) -> None:
    """The providers take what other calls create; what takes two operators is refused where it waits already."""
    body.pop("own_funds", None)
    body.update({"enabled": True, "weight": 100})


def a_letter(body: Members) -> None:
    """A dispute is of a payment that is named, was opened before now, and is answered after that."""
    body.pop("defense_due_at", None)
    body.update({"opened_at": TIMES[2], "e2e_id": "E12345678202601021004abcdef12345"})


CALLS = itertools.count(1)

BODIES: dict[str, Callable[[Members], None]] = {
    "createPayout": key_of_its_type,
    "createDeposit": charge_of_its_rail,
    "createRefund": whole_amount,
    "simulateDepositPayment": whole_amount,
    "simulateDispute": whole_amount,
    "simulatePayoutResult": whole_amount,
    "createQuote": worth_a_unit,
    "createConversion": worth_a_unit,
    "recoverWebhookDeliveries": window,
    "recoverAccountWebhook": window,
    "replayWebhookEvents": window,
    "submitDisputeEvidence": without_files,
    "replaceIpAllowlist": any_address,
    "replaceKeyAllowlist": any_address,
    "replaceBranding": a_picture,
    "createExport": finished_days,
    "createToken": own_keys,
    "createPix": charge_in_reais,
    "createPixPayout": payout_in_reais,
    "createAdjustment": correction,
    "createDispute": a_letter,
    "createExceptionResolution": of_a_line_alone,
    "createOwnTransfer": of_a_line_to_come,
    "createStatementMapping": a_mapping,
    "setConnectorIntegration": known_account,
    "issueServiceToken": from_anywhere,
    "updateProvider": goes_on,
    "updateEnvironmentProvider": goes_on,
}


@schemathesis.hook
def before_load_schema(context: schemathesis.HookContext, raw_schema: Members) -> None:
    """Who calls has a key of contract 1.0, which alone may leave out the header: so its answers are tried without it too."""
    for path in raw_schema["paths"].values():
        for operation in path.values():
            for parameter in operation["parameters"]:
                if parameter["name"] == "X-Api-Version" and "required" in parameter:
                    parameter["required"] = False


def to_be_refused(case: schemathesis.Case, nth: int) -> None:
    """What no schema says of requests that do not fit."""
    external_id = case.body.get("external_id") if isinstance(case.body, dict) else None
    if isinstance(external_id, str) and external_id.isascii() and external_id.isprintable() and 0 < len(external_id) < 40:
        # One that is taken is a repeat, which is answered with the record, whatever else the body says.
        case.body = {**case.body, "external_id": f"refused-{nth}"}
    if case.body is None and case.operation.definition.raw.get("requestBody", {}).get("required") is False:
        # Clients that have no body write null, and are understood: what is no body is another thing.
        case.body = []


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """A case that is to be accepted keeps the rules that no schema states; all others are sent as they are."""
    # Each call comes from an address of its own: one that sends many wrong keys is 429 before it is 401.
    nth = next(CALLS)
    case.headers = {**(case.headers or {}), "X-Forwarded-For": f"10.{nth >> 16 & 255}.{nth >> 8 & 255}.{nth & 255}"}
    operation = case.operation.definition.raw["operationId"]
    if case.meta is None or not case.meta.generation.mode.is_positive:
        to_be_refused(case, nth)
        return
    if case.query:
        known_query(case.query)
    if operation in ("getTotals", "getProviderTotals", "getBacklog", "getProviderCallTimes"):
        # By the hour a period is a month at most, and it ends after it begins: left out, it is the last days.
        case.query = {name: value for name, value in (case.query or {}).items() if name not in ("from", "to")}
    if operation in ("listDeliveries", "listRequests") and "accountId" in KNOWN:
        case.query = {**(case.query or {}), "account_id": KNOWN["accountId"]}
    if operation == "freezeAccount":
        # One that no other call needs.
        case.path_parameters = {"id": KNOWN["spareAccountId"]}
    if operation == "submitStatementFile":
        case.query = {"provider": "efi", "format": "ofx", "currency": "BRL"}
        case.body = b"<OFX><CURDEF>BRL</CURDEF><ACCTID>1</ACCTID></OFX>"
    rule = BODIES.get(operation)
    if rule is not None and isinstance(case.body, dict):
        # A copy, since cases that are to be refused may have the same members.
        case.body = {**case.body}
        rule(case.body)
