from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gateway_sdk._generated.operations import OPERATIONS

from .clients import DEPOSIT, PAYOUT, BothClients
from .every_method import EVERY_METHOD
from .server import Answer

DESCRIPTIONS = Path(__file__).parents[3] / "docs/api"


def shown() -> dict[str, list[tuple[int, dict[str, Any]]]]:
    """What contract 0.1 shows of the answers of each success, of a creation as one that makes the record."""
    found: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    paths: dict[str, Any] = json.loads((DESCRIPTIONS / "openapi-0.1.json").read_text())["paths"]
    for operation in (each for methods in paths.values() for each in methods.values()):
        successes = [status for status in operation["responses"] if status.startswith("2")]
        for status in [each for each in successes if each != "200"] or successes:
            media = operation["responses"][status].get("content", {}).get("application/json", {})
            values = [each["value"] for each in media.get("examples", {}).values()]
            found.setdefault(operation["operationId"], []).extend((int(status), value) for value in values)
    return found


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

        def test_what_the_description_shows_of_each_answer_is_what_the_method_answers_with(self) -> None:
            count = 0
            for name, answers in shown().items():
                # A receipt is text, and JSON only while it is not there.
                for status, example in answers if name != "getTransactionReceipt" else []:
                    with self.subTest(operation=name):
                        self.server.reply(Answer(status, example))
                        read = self.call(EVERY_METHOD[name])
                        records = read.data if "next_cursor" in example else [read]
                        # Alone, where the answer is {"payout": …} for instance.
                        only = next(iter(example.values())) if len(example) == 1 else None
                        record = only if isinstance(only, dict) and "object" in only else example
                        expected = example["data"] if "next_cursor" in example else [record]
                        self.assertEqual([each.to_dict() for each in records], expected)
                        self.assertEqual([each.extra for each in records], [{}] * len(expected))
                        count += 1
            self.assertGreater(count, 60)

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
