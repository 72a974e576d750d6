"""Records as the gateway answers with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar, Final, Literal, Self, TypeAlias, cast

JsonObject: TypeAlias = Mapping[str, object]
Json: TypeAlias = object
"""Of no type that is known."""

_WHOLE: Final = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    limit: int
    """The largest number of calls that the key can make at once."""
    remaining: int
    """How many it can still make at once."""
    reset: int
    """Seconds until it can make ``limit`` again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """How the call went that brought a record."""

    created: bool
    """False when the record was there already: the ``external_id`` was used before."""
    status: int
    """0 for a record that no call brought: that of a webhook."""
    request_id: str | None
    attempts: int
    """How often the call was sent."""
    headers: Mapping[str, str]
    """Of the answer, in lower case."""
    content: bytes = field(default=b"", repr=False)
    """The answer as it came; a webhook that was just made has its secret in it."""

    @property
    def rate_limit(self) -> RateLimit | None:
        """What the key can still ask; None where the answer says nothing of it."""
        limit, remaining, reset = (self.headers.get(f"ratelimit-{name}", "") for name in ("limit", "remaining", "reset"))
        # A proxy may have written them in another way.
        if not all(_WHOLE.fullmatch(value) for value in (limit, remaining, reset)):
            return None
        return RateLimit(limit=int(limit), remaining=int(remaining), reset=int(reset))


def _nothing() -> JsonObject:
    return {}


NO_CALL: Final = Meta(created=False, status=0, request_id=None, attempts=0, headers={})


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What every record has. Members and values that are newer than this package are kept, and never an error."""

    meta: Meta = field(default=NO_CALL, repr=False, compare=False)
    """How the call went that brought it."""
    extra: JsonObject = field(default_factory=_nothing, repr=False)
    """Members that are newer than this package."""
    _raw: JsonObject = field(default_factory=_nothing, repr=False, compare=False)

    _names: ClassVar[Mapping[str, str]] = {}
    """Names of members that Python's own words take."""
    _nested: ClassVar[Mapping[str, Callable[[object, Meta], object]]] = {}
    """How members are read that hold records."""

    @classmethod
    def from_dict(cls, data: JsonObject, meta: Meta = NO_CALL) -> Self:
        """Reads a record from JSON. A member that is missing is None."""
        known: dict[str, object] = {each.name: None for each in fields(cls) if each.name not in _OWN}
        extra: dict[str, object] = {}
        for name, value in data.items():
            member = cls._names.get(name, name)
            if member in known:
                read = cls._nested.get(member)
                known[member] = value if read is None else read(value, meta)
            else:
                extra[name] = value
        return cls(meta=meta, extra=extra, _raw=data, **known)

    @classmethod
    def member_names(cls) -> frozenset[str]:
        """The names of its members in JSON."""
        written = {python: name for name, python in cls._names.items()}
        return frozenset(written.get(each.name, each.name) for each in fields(cls) if each.name not in _OWN)

    def to_dict(self) -> JsonObject:
        """The JSON that it was read from, whole."""
        return self._raw


_OWN: Final = frozenset({"meta", "extra", "_raw"})


def one(record: type[Record]) -> Callable[[object, Meta], object]:
    """Reads a member that holds a record, or null."""
    return lambda value, meta: (
        record.from_dict(cast("JsonObject", value), meta) if isinstance(value, Mapping) else value
    )


def either(*records: type[Record]) -> Callable[[object, Meta], object]:
    """Reads a member that holds one of several records, or null: the one that has the most of its members."""

    def read(value: object, meta: Meta) -> object:
        if not isinstance(value, Mapping):
            return value
        members = cast("JsonObject", value)
        return max(records, key=lambda record: len(record.member_names() & members.keys())).from_dict(members, meta)

    return read


def many(record: type[Record]) -> Callable[[object, Meta], object]:
    """Reads a member that holds records."""
    read = one(record)
    return lambda value, meta: (
        [read(each, meta) for each in cast("list[object]", value)] if isinstance(value, list) else value
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRecord(Record):
    """What every verified event has besides."""

    delivery_id: str | None = field(default=None, compare=False)
    """Of this delivery. Not signed: for logs."""
    attempt: int | None = field(default=None, compare=False)
    """From 1 on. Not signed: for logs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownEvent(EventRecord):
    """An event that is newer than this package. Answer it with 200."""

    id: str
    event: Literal["unknown"]
    name: str
    """Its name."""
    created_at: int
    environment: str
    data: Json
