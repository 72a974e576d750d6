"""How a client was set up, and its key."""

from __future__ import annotations

import math
import os
import platform
import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import httpx2

from .._errors import GatewayError
from .._version import __version__

Environment = Literal["test", "live"]


@dataclass(frozen=True, kw_only=True)
class SentRequest:
    """A call without what is secret, for logs."""

    method: str
    url: str
    attempt: int
    """From 1 on."""
    headers: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class ReceivedResponse(SentRequest):
    """An answer, for logs."""

    status: int
    request_id: str | None
    seconds: float


def _check_key(name: str, value: object) -> None:
    """Raises GatewayError that says why it is none, and never shows it."""
    if not isinstance(value, str) or value.strip() == "":
        raise GatewayError(f"{name} is not a key: it is no text")
    if value.strip() != value:
        raise GatewayError(f"{name} is not a key: it has a space or line end around it, as a file or variable may have")
    if re.fullmatch(r"[\x21-\x7e]+", value) is None:
        raise GatewayError(f"{name} is not a key: it has a space or a character within it that no key has")


class Credentials(httpx2.Auth):
    """Puts the key into a request as it leaves, so that nothing before shows it."""

    __slots__ = ("_public_key", "_secret_key")

    def __init__(self, public_key: str, secret_key: str) -> None:
        _check_key("public_key", public_key)
        _check_key("secret_key", secret_key)
        self._public_key = public_key
        self._secret_key = secret_key

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        request.headers["x-api-key"] = self._public_key
        request.headers["x-api-secret"] = self._secret_key
        yield request

    def secrets(self) -> tuple[str, ...]:
        return (self._secret_key,)

    def __repr__(self) -> str:
        return "Credentials([secret])"

    def __reduce__(self) -> str:
        raise TypeError("credentials are not written out")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What every call of a client has in common."""

    base_url: str
    environment: Environment
    credentials: Credentials = field(repr=False)
    headers: Mapping[str, str]
    timeout: float
    deadline: float
    max_retries: int
    retry_delay: float
    on_request: Callable[[SentRequest], None] | None
    on_response: Callable[[ReceivedResponse], None] | None


def settings_of(
    *,
    base_url: str,
    public_key: str,
    secret_key: str,
    contract: str,
    timeout: float,
    deadline: float,
    max_retries: int,
    retry_delay: float,
    app_info: str | None,
    on_request: Callable[[SentRequest], None] | None,
    on_response: Callable[[ReceivedResponse], None] | None,
) -> Settings:
    """Raises GatewayError that names the option which does not fit."""
    client = f"gateway-python/{__version__} ({_runtime()}){'' if app_info is None else f' {app_info}'}"
    if re.fullmatch(r"[\x20-\x7e]+", client) is None:
        raise GatewayError("app_info is not plain text")
    return Settings(
        base_url=_address_of(base_url),
        environment=_environment_of(public_key),
        credentials=Credentials(public_key, secret_key),
        headers={"x-api-version": contract, "user-agent": client},
        timeout=_from_zero("timeout", timeout),
        deadline=_from_zero("deadline", deadline),
        max_retries=int(_from_zero("max_retries", max_retries)),
        retry_delay=_from_zero("retry_delay", retry_delay),
        on_request=on_request,
        on_response=on_response,
    )


def option_or_variable(name: str, given: str | None) -> str:
    """What is given, or the variable of the process. Raises GatewayError that names the variable."""
    value = os.environ.get(name, "") if given is None else given
    if value == "":
        raise GatewayError(f"{name} is not set")
    return value


def _runtime() -> str:
    return f"python {platform.python_version()}; {platform.system().lower()} {platform.machine()}"


def _from_zero(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
        raise GatewayError(f"{name} is not a number from 0 on")
    return value


def _environment_of(public_key: object) -> Environment:
    match = re.match(r"(?:pk|ak)_(test|live)_", public_key) if isinstance(public_key, str) else None
    if match is None:
        raise GatewayError("public_key is not a public key: it begins with pk_test_ or pk_live_")
    return "live" if match[1] == "live" else "test"


def _address_of(base_url: object) -> str:
    if not isinstance(base_url, str) or re.fullmatch(r"https?://[^/?#@\s]+(?:/[^?#\s]*)?", base_url) is None:
        raise GatewayError("base_url is not an address such as https://gateway.example")
    address = base_url.rstrip("/")
    if address.endswith("/v1"):
        raise GatewayError(f"base_url ends in /v1, which the methods add: it has to be {address.removesuffix('/v1')}")
    return address
