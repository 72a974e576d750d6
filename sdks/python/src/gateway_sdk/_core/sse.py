"""Reads ``text/event-stream`` as it comes."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import Final

MEDIA_TYPE: Final = "text/event-stream"
SILENCE: Final = 45.0
"""A comment comes every 15 seconds: after three of them a connection is dead, after a sleep for instance."""
RETRY: Final = 2.0
"""Seconds before a reader comes again, unless the stream says otherwise."""
CAUGHT_UP: Final = "caught up"
"""The comment before the end of a stream that was to end there."""

# Of a carriage return at the end, the line feed may be yet to come.
_LINE_END: Final = re.compile(r"\r\n|\n|\r(?=.)", re.DOTALL)


@dataclass(frozen=True)
class StreamItem:
    """What a stream brings: the data of an event, or a comment."""

    data: str | None = None
    comment: str | None = None
    last_event_id: str | None = field(default=None, compare=False)
    """The place in the log that it names, or that was named before it."""


class SseParser:
    """An id counts from the empty line that ends its event: half an event has not been received."""

    def __init__(self, last_event_id: str | None, retry: float = RETRY) -> None:
        self.last_event_id = last_event_id
        self.retry = retry
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._id_of_event = last_event_id
        self._data: list[str] = []

    def read(self, content: bytes) -> list[StreamItem]:
        *lines, self._rest = _LINE_END.split(self._rest + self._decoder.decode(content))
        return [item for line in lines if (item := self._read_line(line)) is not None]

    def _read_line(self, line: str) -> StreamItem | None:
        if line == "":
            return self._end_event()
        name, _colon, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "":
            return StreamItem(comment=value, last_event_id=self.last_event_id)
        if name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id_of_event = value
        elif name == "retry" and value.isascii() and value.isdigit() and len(value) < 10:
            self.retry = int(value) / 1_000
        return None

    def _end_event(self) -> StreamItem | None:
        self.last_event_id = self._id_of_event
        data, self._data = self._data, []
        return StreamItem(data="\n".join(data), last_event_id=self.last_event_id) if data else None
