"""Texts without secrets."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

_HIDDEN = "[secret]"


def redacted(text: str, secrets: Sequence[str]) -> str:
    """A text without the secrets, in any form in which an error of a network library may show them."""
    for secret in secrets:
        for form in (secret, quote(secret, safe=""), repr(secret)[1:-1]):
            text = text.replace(form, _HIDDEN)
    return text
