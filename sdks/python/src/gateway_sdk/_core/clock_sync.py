"""How a synchronous client waits. An attempt is bounded by the time of each of its reads and by their sum."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, nullcontext

sleep = time.sleep


def within(_seconds: float) -> AbstractContextManager[None]:
    """What blocks cannot be ended from outside: the timeouts of the connection bound it."""
    return nullcontext()
