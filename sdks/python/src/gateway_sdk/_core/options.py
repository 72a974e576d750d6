"""What calls take, beside what the operation takes."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, Literal, TypedDict


class Options(TypedDict, total=False):
    """Options of a single call."""

    timeout: float
    """Of each attempt, in seconds."""
    max_retries: int
    headers: Mapping[str, str]
    """Sent beside those of the client; ``accept-language`` for instance."""
    request_id: str
    """Sent as ``X-Request-Id``, 1 to 64 of ``[A-Za-z0-9._-]``: the gateway's log has the call under it."""


class CreateOptions(Options, total=False):
    """Options of a creation by ``external_id``."""

    allow_reused: bool
    """Takes the record of a used ``external_id`` as an answer even where it is not what was asked for."""


class WaitOptions(Options, total=False):
    """Options of a wait for the end of a record. ``timeout`` is of each of its reads."""

    wait: float
    """How long to wait in all, in seconds; 120 unless it is given. After it comes a GatewayTimeoutError."""


class CreateAndWaitOptions(CreateOptions, total=False):
    """Options of a creation whose end is waited for."""

    wait: float
    """How long to wait in all, in seconds; 120 unless it is given. After it comes a GatewayTimeoutError."""


class _Unset(Enum):
    UNSET = "unset"

    def __repr__(self) -> str:
        return "UNSET"


Unset = Literal[_Unset.UNSET]
UNSET: Final = _Unset.UNSET
"""An argument that is left out of the call; ``None`` is sent as ``null``."""
