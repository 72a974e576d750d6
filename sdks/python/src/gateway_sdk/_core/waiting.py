"""How long a record is waited for."""

from __future__ import annotations

import time
from typing import Final

from .._errors import GatewayTimeoutError
from .options import WaitOptions

_WAIT: Final = 120.0
_FIRST_POLL: Final = 0.25
_LAST_POLL: Final = 5.0


class Waiting:
    """A wait that reads a record, less often the longer it takes."""

    def __init__(self, options: WaitOptions | None) -> None:
        self._wait = _WAIT if options is None else options.get("wait", _WAIT)
        self._until = time.monotonic() + self._wait
        self._polls = 0

    def next_interval(self, record_id: str, status: str, record: object) -> float:
        """Seconds until the next read. Raises GatewayTimeoutError with the record as it was last."""
        self._polls += 1
        interval = min(_FIRST_POLL * 1.5 ** (self._polls - 1), _LAST_POLL)
        if time.monotonic() + interval > self._until:
            message = f"{record_id} is still {status} after {self._wait} s: wait is how long to wait, until what for"
            raise GatewayTimeoutError(message, attempts=self._polls, record=record)
        return interval
