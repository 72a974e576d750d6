"""For the tests of merchants' programs: signed deliveries, samples of events, keys of test payouts."""

from __future__ import annotations

import copy
from typing import Final, Literal, TypedDict, cast

from ._core.signing import SignedDelivery, signed_delivery
from ._generated.events import EventName
from ._generated.samples import SAMPLES

__all__ = ["TEST_SECRET", "MagicKeys", "SampleEvent", "SignedDelivery", "sample_event", "signed_delivery"]

TEST_SECRET: Final = "whsec_YW4gZXhhbXBsZSB0aGF0IHNpZ25zIG5vIGRlbGl2ZXJ5"
"""A secret for tests, of the form of a webhook's."""


class SampleEvent(TypedDict):
    """An event to be signed, of which a test may change what it wants."""

    id: str
    event: str
    created_at: int
    environment: str
    data: dict[str, object]


def sample_event(name: EventName, api_version: Literal["0.1", "1.0"] = "0.1") -> SampleEvent:
    """The example of an event, as the API description has it."""
    return cast("SampleEvent", copy.deepcopy(SAMPLES[api_version][name]))


class MagicKeys:
    """E-mail keys of a test payout that decide what becomes of it."""

    REFUSE: Final = "refuse@sandbox.test"
    """REJECTED at once."""
    FAIL: Final = "fail@sandbox.test"
    """PROCESSING, then FAILED."""
    TIMEOUT: Final = "timeout@sandbox.test"
    """504, then PAID."""
    HOLD: Final = "hold@sandbox.test"
    """PROCESSING until ``gateway.test.payouts.settle``."""
    OWNER: Final = "owner@sandbox.test"
    """REJECTED with ``owner_mismatch`` where ``enforce_ownership`` is true."""
    APPROVE: Final = "approve@sandbox.test"
    """PENDING until it is approved."""
