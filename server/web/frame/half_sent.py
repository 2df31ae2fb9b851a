"""HTTP requests that are begun and not sent whole: ended after a while, with a line in the log.

Who opens many connections and dribbles heads or bodies would else hold them for ever. Not for
answers that take long: a stream's request is whole.
"""

import asyncio
import logging

from aiohttp import StreamReader, web

_log = logging.getLogger(__name__)

WHOLE_S = 30.0
"""Seconds from a connection's or a request's first octet until it is there whole, body and all: a
mebibyte over a slow phone takes less."""


class PatientHandler(web.RequestHandler):
    """aiohttp's connection; the time runs from its opening, and from each request's first octet."""

    __slots__ = ("_body", "_has_begun", "_peer", "_until_whole")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The time runs for the first request."""
        super().connection_made(transport)
        self._body: StreamReader | None = None
        self._has_begun = False
        self._peer = transport.get_extra_info("peername")
        self._until_whole: asyncio.TimerHandle | None = None
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Let the time run while what has come is a part of a request, and no longer."""
        requests, was_in_body = self._request_count, self._is_in_body()
        super().data_received(data)
        is_new = self._request_count > requests
        if not (data or is_new):
            return  # aiohttp itself, which has room again
        if is_new and self._messages:
            self._body = self._messages[-1][1]
        self._has_begun = self._is_in_body() or not (is_new or was_in_body)
        if not self._has_begun:
            self._wait_no_more()
        elif self._until_whole is None:
            self._wait()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Nothing more will come."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _is_in_body(self) -> bool:
        return self._body is not None and not self._body.is_eof()

    def _wait(self) -> None:
        self._until_whole = asyncio.get_running_loop().call_later(WHOLE_S, self._end)

    def _wait_no_more(self) -> None:
        if self._until_whole is not None:
            self._until_whole.cancel()
            self._until_whole = None

    def _end(self) -> None:
        if self._has_begun:
            _log.warning(
                "a request from %s was not sent whole in %.0f s: closed", self._peer, WHOLE_S
            )
        self.force_close()
