"""Lists."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Generic, TypeVar, cast

from .._core.answer import Received
from .._core.record import JsonObject, Record

R = TypeVar("R", bound=Record)


class AsyncPage(Generic[R]):
    """A page, and the way to the next."""

    __slots__ = ("_next", "data", "next_cursor")

    def __init__(
        self, data: Sequence[R], next_cursor: str | None, following: Callable[[], Awaitable[AsyncPage[R] | None]]
    ) -> None:
        self.data: Sequence[R] = data
        self.next_cursor: str | None = next_cursor
        self._next = following

    async def next(self) -> AsyncPage[R] | None:
        """The page after it, or None after the last."""
        return await self._next()


class AsyncPages(Generic[R]):
    """A list: iteration walks all of it, ``first`` reads its first page.

    Nothing is read before it is asked for, and breaking out of a walk sends no further call.
    """

    def __init__(
        self, read: Callable[[object], Awaitable[tuple[JsonObject, Received]]], item: type[R], first: object
    ) -> None:
        self._read = read
        self._item = item
        self._first = first

    async def first(self) -> AsyncPage[R]:
        """The first page alone."""
        return await self._page(self._first)

    async def __aiter__(self) -> AsyncIterator[R]:
        async for page in self.pages():
            for item in page.data:
                yield item

    async def pages(self) -> AsyncIterator[AsyncPage[R]]:
        """Page by page."""
        page: AsyncPage[R] | None = await self.first()
        while page is not None:
            yield page
            page = await page.next()

    async def to_list(self, *, maximum: int) -> list[R]:
        """At most so many records; a list has no end that memory would bear."""
        items: list[R] = []
        if maximum <= 0:
            return items
        async for item in self:
            items.append(item)
            if len(items) >= maximum:
                break
        return items

    async def _page(self, cursor: object) -> AsyncPage[R]:
        answer, received = await self._read(cursor)
        rows, next_cursor = answer.get("data"), answer.get("next_cursor")
        found = cast("list[object]", rows) if isinstance(rows, list) else []
        records = [cast("JsonObject", row) for row in found if isinstance(row, dict)]
        data = [self._item.from_dict(row, received.meta) for row in records]
        following = next_cursor if isinstance(next_cursor, str) else None

        async def next_page() -> AsyncPage[R] | None:
            # A cursor that comes again would make the walk endless.
            return None if following is None or following == cursor else await self._page(following)

        return AsyncPage(data, following, next_page)
