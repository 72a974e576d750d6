"""Paths, queries and bodies of calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from math import isfinite
from typing import cast
from urllib.parse import quote
from uuid import uuid4

from .options import UNSET


def path_of(path: str, ids: Sequence[str], operation: str) -> str:
    """The path with its ids in it, written so that no id becomes another path.

    Raises TypeError that names the operation for an id that is missing.
    """
    waiting = iter(ids)

    def written(match: re.Match[str]) -> str:
        value = next(waiting, None)
        # An empty id would call the list instead of the record; two dots would climb to another path.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise TypeError(f"{operation} wants the {match[1]} of {path}: {value!r} is not an id")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", written, path)


def query_of(query: Mapping[str, object]) -> str:
    """``?`` and the query, or nothing. Without what is UNSET or None."""
    pairs = [f"{quote(name, safe='')}={quote(text, safe='')}" for name, text in _pairs(query)]
    return f"?{'&'.join(pairs)}" if pairs else ""


def body_of(body: Mapping[str, object] | None) -> bytes | None:
    """The bytes of a body, which every attempt of its call sends. Without what is UNSET.

    Raises TypeError that names the member which JSON cannot have, such as a Decimal.
    """
    if body is None:
        return None
    members = given(body)
    _check_json(members, "")
    return json.dumps(members, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def _check_json(value: object, path: str) -> None:
    if value is None or isinstance(value, (str, int, bool)):
        return
    if isinstance(value, float) and isfinite(value):
        return
    if isinstance(value, (Decimal, float)):
        raise TypeError(f"{path} is {value!r}: an amount is an int in the smallest unit, 10050 for 100.50")
    if isinstance(value, dict):
        for name, member in cast("Mapping[str, object]", value).items():
            _check_json(member, f"{path}.{name}" if path else name)
    elif isinstance(value, (list, tuple)):
        for index, member in enumerate(cast("Sequence[object]", value)):
            _check_json(member, f"{path}[{index}]")
    else:
        raise TypeError(f"{path} is a {type(value).__name__}, which JSON does not have")


def form_of(name: str, content: bytes) -> tuple[str, bytes]:
    """The media type and the bytes of a form with one file (RFC 7578), which every attempt of its call sends."""
    boundary = f"gateway-{uuid4()}"
    shown = re.sub(r'["\\\x00-\x1f\x7f]', "", name)
    before = (
        f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{shown}"\r\n'
        "content-type: application/octet-stream\r\n\r\n"
    )
    body = before.encode() + content + f"\r\n--{boundary}--\r\n".encode()
    return f"multipart/form-data; boundary={boundary}", body


def given(members: Mapping[str, object]) -> dict[str, object]:
    """The members that are not UNSET."""
    return {name: value for name, value in members.items() if value is not UNSET}


def given_or_nothing(members: Mapping[str, object]) -> dict[str, object] | None:
    """The body of a call that needs none."""
    return given(members) or None


def _pairs(query: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in given(query).items():
        for each in cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else [value]:
            if each is not None:
                yield name, _text(name, each)


def _text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, datetime):
        return str(value)
    if value.tzinfo is None:
        raise ValueError(f"{name} has no time zone: datetime.now(timezone.utc) has one")
    return value.isoformat()
