"""Whether and when a call is sent again, by what is known of its outcome."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Final, Literal, assert_never

from .._generated.operations import Repeat

RETRY_AFTER_MAX: Final = 60.0
"""``Retry-After`` beyond this many seconds is for the caller to decide: the call raises at once."""
BACKOFF_MAX: Final = 8.0
"""Seconds."""

Outcome = Literal["refused", "not_done", "unknown", "recorded"]
"""What is known of an attempt that has not succeeded.

``refused``: the gateway has changed nothing. ``not_done``: the same, and it may be sent again (429 and 503 of the gateway,
or no connection came about). ``unknown``: it may have been carried out (no answer, half an answer, a fault of a server).
``recorded``: it has been carried out, and its record decides (504 that names a payout).
"""

_NOTHING_CREATED: Final = frozenset({"RATE_LIMITED", "PROVIDER_UNAVAILABLE", "SERVICE_UNAVAILABLE"})
"""Codes by which the gateway itself says that nothing was created."""


def may_repeat(outcome: Outcome, repeat: Repeat) -> bool:
    """Whether the same call may be sent again."""
    match outcome:
        case "not_done":
            return True
        case "unknown":
            return repeat != "never"
        case "refused" | "recorded":
            return False
    assert_never(outcome)


def outcome_of(status: int, code: str, ids: Mapping[str, str]) -> Outcome:
    """What an answer with a status beyond 2xx says of the call."""
    if code in _NOTHING_CREATED:
        return "not_done"
    if "payout_id" in ids:
        return "recorded"
    # Without a code of the gateway a proxy has answered, after it passed the call on or before.
    return "unknown" if status >= 500 or status in (408, 429) else "refused"


def delay_of(attempt: int, first: float, retry_after: float | None) -> float:
    """How many seconds to wait before the next attempt: with full jitter, never shorter than the gateway asks."""
    backoff = random.random() * min(first * 2.0 ** (attempt - 1), BACKOFF_MAX)
    return backoff if retry_after is None else retry_after + min(backoff, 0.5)


def retry_after_of(header: str | None) -> float | None:
    """Seconds, from a number or a date (RFC 9110, section 10.2.3)."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    # Neither "nan" nor "inf" is a time.
    return max(0.0, seconds) if abs(seconds) < float("inf") else None
