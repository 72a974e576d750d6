"""The gateway answers a used ``external_id`` with the record of then, whatever is asked for now.

A caller that goes on as if its own payment had been made would be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_COMPARED: Final = (
    ("amount_cents", "amount_cents"),
    ("amount", "amount"),
    # Of a conversion; an export has its days by the same names.
    ("amount", "from_amount"),
    ("from", "from"),
    ("to", "to"),
    ("quote_id", "quote_id"),
    # Of an export; a payout has a kind, too.
    ("kind", "kind"),
    ("format", "format"),
    # Of a refund.
    ("deposit_id", "deposit_id"),
    ("currency", "currency"),
    ("pix_key", "pix_key"),
    ("payout_key", "payout_key"),
)
"""What a repetition has to have in common with its record: by the body's name and the record's."""


def differing_members(asked: Mapping[str, object], record: Mapping[str, object]) -> list[str]:
    """The members in which the record is not what was asked for."""
    return [
        name
        for name, kept in _COMPARED
        if asked.get(name) is not None and record.get(kept) is not None and not _is_same(asked[name], record[kept])
    ]


def _is_same(asked: object, kept: object) -> bool:
    """Keys are written in several ways: with marks or without, in upper or lower case, a phone without its country."""
    if not isinstance(asked, str) or not isinstance(kept, str):
        return asked == kept
    given, known = _plain(asked), _plain(kept)
    is_phone = kept.startswith("+") and re.fullmatch(r"\d{10,}", given) is not None
    return given == known or (is_phone and known.endswith(given))


def _plain(key: str) -> str:
    return key.strip().lower() if "@" in key else re.sub(r"[\s./()+-]", "", key.lower())
