"""An API endpoint: its route, its handler and its description in openapi.json.

One table (site/table.py) is both routed and described, so the two cannot diverge. Not for
answering (serving.py and the handlers).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date
from enum import Enum

from aiohttp import web
from pydantic import BaseModel

from kskak.archive.game_pgn import MEDIA_TYPE
from server.api.frame.body import MOST_BYTES, Body
from server.api.frame.doors import Caller, Doors
from server.api.frame.metrics import Meters
from server.api.frame.problems import AnyKind, Kind, Problem
from server.usecases.core.context import Core
from server.usecases.desks.readiness import ClockWatch, WriteProof

JSON = "application/json"
PGN = MEDIA_TYPE
PLAIN = "text/plain"
CSV = "text/csv"


class Guard(Enum):
    """Who may call: anybody, or only authenticated callers."""

    OPEN = "open"
    SIGNED_IN = "signed_in"


@dataclass(frozen=True, slots=True)
class Api:
    """What the handlers work with."""

    core: Core
    doors: Doors
    meters: Meters
    proof: WriteProof = field(default_factory=WriteProof)
    clock_watch: ClockWatch = field(default_factory=ClockWatch)

    def today(self) -> date:
        """The day in the server's own zone; a game's days follow its tournament's zone."""
        return self.core.today(self.core.settings.clock.zone)


@dataclass(slots=True)
class Call:
    """One request on its way through a handler."""

    api: Api
    request: web.Request
    caller: Caller | None = None

    @property
    def signed_in(self) -> Caller:
        assert self.caller is not None, "a guarded endpoint"
        return self.caller

    @property
    def game_id(self) -> int:
        return self.path_id

    @property
    def path_id(self) -> int:
        """The number in the path: a game's, case's, group's or office's."""
        return int(self.request.match_info["id"])

    async def body(self, most: int = MOST_BYTES) -> bytes:
        """The request's body. Raises Problem when it is larger than ``most`` or not JSON."""
        request = self.request
        if (request.content_length or 0) > most:
            raise Problem(Kind.TOO_LARGE, values={"limit": most})
        if most > MOST_BYTES:
            request = request.clone(client_max_size=most)
        try:
            raw = await request.read()
        except web.HTTPRequestEntityTooLarge:
            raise Problem(Kind.TOO_LARGE, values={"limit": most}) from None
        if len(raw) > most:
            raise Problem(Kind.TOO_LARGE, values={"limit": most})
        if raw and request.content_type != JSON:
            raise Problem(Kind.BAD_MEDIA_TYPE)
        return raw


Handler = Callable[[Call], Awaitable[web.Response]]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A query parameter, with its JSON schema."""

    name: str
    type: str
    description: str
    format: str | None = None
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method on a path. ``answer`` is a model, or a media type when it has no model."""

    method: str
    path: str
    name: str
    handler: Handler
    summary: str
    answer: type[BaseModel] | str
    guard: Guard = Guard.SIGNED_IN
    body: type[Body] | None = None
    is_body_optional: bool = False
    query: tuple[Parameter, ...] = ()
    has_etag: bool = False
    problems: tuple[AnyKind, ...] = field(default=())
    hides: bool = False
    """Answers 404 to callers who may not see what the call is about."""
    unready: type[BaseModel] | None = None
    """The model of a 503 that is a regular answer, not a problem."""
