"""Moves over HTTP: requests built before the clock runs, on connections that stay open.

Not for the servers (children.py).
"""

from collections.abc import Sequence
from time import perf_counter

from kskak.board.shapes import numeric
from tools.bench.fixture import Game, token_of
from tools.bench.load import Talker


def requests_of(games: Sequence[Game], plies: int) -> list[bytes]:
    """The moves of some games in turn: one ply in each game, then the next ply in each."""
    return [_request(game, ply) for ply in range(plies) for game in games]


def _request(game: Game, ply: int) -> bytes:
    body = b'{"text":"%s","ply":%d}' % (numeric(game.line.moves[ply]).encode(), ply)
    return (
        b"POST /api/v1/games/%d/moves HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s"
        % (game.id, token_of(game.mover(ply)).encode(), len(body), body)
    )


class HttpTalker(Talker):
    """One request at a time, for so many seconds or until nothing is left."""

    def __init__(self, requests: Sequence[bytes], seconds: float) -> None:
        super().__init__()
        self._requests = iter(requests)
        self._seconds, self._until = seconds, 0.0

    def start(self) -> None:
        """Send the first request; connecting took none of the time."""
        self._until = perf_counter() + self._seconds
        self._next()

    def whole(self, buffer: bytes) -> int:
        """Header, and as much body as the header says."""
        end = buffer.find(b"\r\n\r\n")
        if end < 0:
            return 0
        at = buffer.find(b"Content-Length: ", 0, end) + 16
        size = end + 4 + int(buffer[at : buffer.find(b"\r\n", at)])
        return size if len(buffer) >= size else 0

    def answered(self, answer: bytes) -> None:
        """Count it and send the next."""
        if answer.startswith(b"HTTP/1.1 200"):
            self.acknowledged += 1
        else:
            self.refuse(answer)
        self._next()

    def _next(self) -> None:
        request = None if perf_counter() >= self._until else next(self._requests, None)
        if request is None:
            self.finish()
        else:
            self.send(request)
