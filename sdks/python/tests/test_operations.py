from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gateway_sdk._generated.operations import OPERATIONS

from .clients import DEPOSIT, PAYOUT, BothClients
from .every_method import EVERY_METHOD
from .server import Answer

DESCRIPTIONS = Path(__file__).parents[3] / "docs/api"


def described() -> dict[str, tuple[str, str]]:
    """Method and path of each operation of both contracts."""
    found: dict[str, tuple[str, str]] = {}
    for contract in ("0.1", "1.0"):
        paths: dict[str, Any] = json.loads((DESCRIPTIONS / f"openapi-{contract}.json").read_text())["paths"]
        for path, methods in paths.items():
            for method, operation in methods.items():
                if isinstance(operation, dict) and "operationId" in operation:
                    found[operation["operationId"]] = (method.upper(), path)
    return found


class Operations:
    class Cases(BothClients):
        def test_every_operation_of_the_descriptions_has_a_method_that_calls_it_as_described(self) -> None:
            operations = described()
            # A new one: a line in scripts/generated/python-sdk/methods.ts, `npm run generate`, and a line in every_method.py.
            self.assertEqual(sorted(EVERY_METHOD), sorted(operations))
            json_answer = {**DEPOSIT, "data": [], "payout": PAYOUT, "refund": DEPOSIT, "conversion": DEPOSIT}
            for name, (method, path) in operations.items():
                with self.subTest(operation=name):
                    self.server.reply(Answer(201, json_answer))
                    self.call(EVERY_METHOD[name])
                    (seen,) = self.server.seen
                    called = path.replace("{id}", "one").replace("{deliveryId}", "two")
                    self.assertEqual((seen.method, seen.path.split("?")[0]), (method, called))

        def test_a_call_that_makes_something_is_repeated_by_its_external_id_or_not_at_all(self) -> None:
            for name, operation in OPERATIONS.items():
                if name.startswith("create"):
                    self.server.reply(Answer(201, {"id": "one", "payout": {}, "refund": {}, "conversion": {}}))
                    self.call(EVERY_METHOD[name])
                    has_external_id = b'"external_id"' in self.server.seen[0].body
                    self.assertEqual((name, operation.repeat), (name, "same" if has_external_id else "never"))


class BySync(Operations.Cases):
    is_async = False


class ByAsync(Operations.Cases):
    is_async = True
