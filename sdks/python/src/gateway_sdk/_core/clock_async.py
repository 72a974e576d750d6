"""How an asynchronous client waits, and bounds an attempt."""

from __future__ import annotations

import asyncio

sleep = asyncio.sleep


def within(seconds: float) -> asyncio.Timeout:
    """Raises TimeoutError in what takes longer."""
    return asyncio.timeout(seconds)
