"""How a synchronous client waits. An attempt is bounded by the time of each of its reads and by their sum."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import ParamSpec

P = ParamSpec("P")

sleep = time.sleep


def within(_seconds: float) -> AbstractContextManager[None]:
    """What blocks cannot be ended from outside: the timeouts of the connection bound it."""
    return nullcontext()


Interrupted = BaseException
"""How work ends that is not waited for any more: by a signal, or the timeout of a server."""


def to_its_end(work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
    """Does the work: what blocks is not left."""
    work(*args, **kwargs)
