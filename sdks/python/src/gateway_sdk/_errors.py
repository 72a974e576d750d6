"""Errors of this package. None of them shows the secret key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from .v0_1 import models as v0_1
    from .v1_0 import models as v1_0

    ExistingRecord: TypeAlias = (
        v0_1.Deposit
        | v0_1.Payout
        | v0_1.Refund
        | v0_1.Conversion
        | v0_1.Export
        | v1_0.Deposit
        | v1_0.Payout
        | v1_0.Refund
        | v1_0.Conversion
        | v1_0.Export
    )
    """A record that has an ``external_id``."""


class GatewayError(Exception):
    """Every error of this package."""


@dataclass(frozen=True)
class ErrorDetail:
    """A field that does not fit."""

    path: str
    """The member or parameter, as ``payer.document``."""
    message: str


def _no_texts() -> dict[str, str]:
    return {}


@dataclass(frozen=True)
class RefusedAnswer:
    """An answer that is no success, as it was read."""

    status: int
    code: str
    """``HTTP_<status>`` when the answer has none, which a gateway always has: a proxy before it answered."""
    message: str
    details: Sequence[ErrorDetail] = ()
    request_id: str | None = None
    headers: Mapping[str, str] = field(default_factory=_no_texts)
    """In lower case."""
    attempts: int = 0
    """How often the call was sent."""
    retry_after: float | None = None
    """From ``Retry-After``, in seconds."""
    ids: Mapping[str, str] = field(default_factory=_no_texts)
    """Further members of ``error``, such as ``payout_id``."""


class ApiError(GatewayError):
    """An answer that is no success. ``code`` says why, ``details`` names each field that does not fit."""

    def __init__(self, answer: RefusedAnswer) -> None:
        fields = "; ".join(f"{each.path}: {each.message}" for each in answer.details)
        request = "" if answer.request_id is None else f", request {answer.request_id}"
        shown = answer.message if fields in answer.message else f"{answer.message} [{fields}]"
        super().__init__(f"{shown} ({answer.status} {answer.code}{request})")
        self.answer = answer
        self.status: int = answer.status
        self.code: str = answer.code
        self.details: Sequence[ErrorDetail] = answer.details
        self.request_id: str | None = answer.request_id
        self.headers: Mapping[str, str] = answer.headers
        self.attempts: int = answer.attempts
        self.retry_after: float | None = answer.retry_after
        self.ids: Mapping[str, str] = answer.ids

    def __reduce__(self) -> tuple[type[ApiError], tuple[RefusedAnswer]]:
        return type(self), (self.answer,)


class UnknownOutcome(ApiError):
    """The gateway does not know the outcome yet. Never send it again under another ``external_id``: read the record."""

    @property
    def payout_id(self) -> str | None:
        """The payout whose state decides."""
        return self.ids.get("payout_id")

    @property
    def conversion_id(self) -> str | None:
        """The conversion that happens once, now or later."""
        return self.ids.get("conversion_id")

    @property
    def quote_id(self) -> str | None:
        """The quote that the conversion uses."""
        return self.ids.get("quote_id")


class GatewayConnectionError(GatewayError):
    """No answer came: no connection, or one that was lost.

    With ``sent`` the call may have been carried out: repeat it with the same ``external_id``, or read the record, before
    you do anything else.
    """

    def __init__(self, message: str, *, sent: bool, attempts: int) -> None:
        super().__init__(message)
        self.sent = sent
        """False when no connection came about, so that nothing can have happened."""
        self.attempts = attempts


class GatewayTimeoutError(GatewayError):
    """No answer within the time of an attempt, or no end within the time of a wait.

    The call may have been carried out.
    """

    def __init__(self, message: str, *, attempts: int, record: object = None) -> None:
        super().__init__(message)
        self.attempts = attempts
        self.record = record
        """Where a wait ended: the record as it was last."""


class ExternalIdReusedError(GatewayError):
    """The ``external_id`` was used before for something else.

    The answer is the record of then, and what was asked for now did not happen. A new ``external_id`` makes it happen;
    ``allow_reused`` takes the record of then as the answer.
    """

    code: Final = "EXTERNAL_ID_REUSED"

    def __init__(
        self,
        existing: ExistingRecord,
        external_id: str,
        differing: Sequence[str],
        *,
        status: int = 200,
        request_id: str | None = None,
    ) -> None:
        request = "" if request_id is None else f", request {request_id}"
        super().__init__(
            f"external_id {external_id!r} belongs to {existing.id}, which differs in {', '.join(differing)}: nothing was "
            'made. Send another external_id, or take that record by options={"allow_reused": True} '
            f"({status} EXTERNAL_ID_REUSED{request})"
        )
        self.existing = existing
        """The record that has the ``external_id``; ``object`` and its class say which."""
        self.differing = differing
        """The members in which it differs from what was asked for."""
        self.status = status
        """Of the answer that had the record: 200."""
        self.request_id = request_id
        self._external_id = external_id

    def __reduce__(self) -> tuple[object, ...]:
        rebuilt = partial(type(self), status=self.status, request_id=self.request_id)
        return rebuilt, (self.existing, self._external_id, self.differing)


SignatureFault = Literal["missing", "malformed", "too_old", "too_new", "mismatch"]


class SignatureError(GatewayError):
    """A webhook that the gateway has not signed with these secrets, or not now. Answer it with 401 and do nothing."""

    def __init__(self, reason: SignatureFault, message: str) -> None:
        super().__init__(message)
        self.reason = reason
