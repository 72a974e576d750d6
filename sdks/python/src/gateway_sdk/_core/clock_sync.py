"""How a synchronous client waits. An attempt is bounded by the time of each of its reads and by their sum."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

sleep = time.sleep


def within(_seconds: float) -> AbstractContextManager[None]:
    """What blocks cannot be ended from outside: the timeouts of the connection bound it."""
    return nullcontext()


Interrupted = BaseException
"""How work ends that is not waited for any more: by a signal, or the timeout of a server."""


def to_its_end(work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
    """Does the work: what blocks is not left."""
    work(*args, **kwargs)


def taken(take: Callable[[str], T], _give_back: Callable[[str, T], None], name: str) -> T:
    """What is taken. What an interruption ends within it is not known, and cannot be given back."""
    return take(name)
