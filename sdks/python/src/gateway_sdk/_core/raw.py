"""Calls with the answers they were read from."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Generic, TypeVar

from .answer import Received
from .record import Meta

T = TypeVar("T")

_kept: ContextVar[list[Received] | None] = ContextVar("gateway_sdk_answers", default=None)
"""Of the task or thread that wants them: several may call at the same time."""


@dataclass(frozen=True, kw_only=True)
class RawResponse(Meta, Generic[T]):
    """What a method answers with, and the answer that it was read from."""

    data: T


@contextmanager
def answers_kept() -> Generator[Sequence[Received]]:
    """The answers of the calls within, in their order."""
    answers: list[Received] = []
    token = _kept.set(answers)
    try:
        yield answers
    finally:
        _kept.reset(token)


def keep(received: Received) -> None:
    """Hands an answer to the block of ``answers_kept`` that the call is in, if it is in one."""
    answers = _kept.get()
    if answers is not None:
        answers.append(received)


def raw_response_of(data: T, answers: Sequence[Received]) -> RawResponse[T]:
    """Raises TypeError where no answer was read: the method calls when its result is walked."""
    if not answers:
        raise TypeError("nothing was sent: give a method that calls at once, such as first of a list")
    meta = answers[-1].meta
    return RawResponse(
        data=data,
        created=meta.created,
        status=meta.status,
        request_id=meta.request_id,
        attempts=meta.attempts,
        headers=meta.headers,
        content=meta.content,
    )
