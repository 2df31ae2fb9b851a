"""An API endpoint: its route, who may call it, its description in openapi.json, and its metrics."""

import asyncio
import hashlib
import hmac
import json
import math
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from kskak.archive.past_game import MEDIA_TYPE
from kskak.ledger.ledger_files import JsonObject, JsonValue
from server.api.frame.game_models import MOST_BYTES, ApiBody, ProblemDocument
from server.api.frame.problems import MEDIA_TYPE as PROBLEM_MEDIA_TYPE
from server.api.frame.problems import AnyKind, ApiProblem, ApiProblemKind, status_of, type_of
from server.store import groups as group_rows
from server.store.account.sign_in import TokenOwner, TokenScope
from server.store.mail.inbox import Backlog
from server.store.play.people import PersonRow
from server.store.play.requests import IdempotencyKey
from server.usecases.context import SIGNED_IN, STRANGER, Core, Limiter
from server.usecases.desks.readiness import ClockWatch, WriteProof
from server.usecases.play.open_pages import Hub

# Metrics for Prometheus: moves, refusals, requests, and how long mail has been waiting.

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Meters:
    """The counters and timers of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._accepted = Counter(
            "kskak_moves_accepted", "Dispatches entered in a ledger", ["channel"],
            registry=self.registry,
        )  # fmt: skip
        self._refused = Counter(
            "kskak_refusals", "Commands refused, by reason", ["channel", "reason"],
            registry=self.registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "kskak_request_seconds", "Duration of API requests", ["route", "status"],
            buckets=_SECONDS, registry=self.registry,
        )  # fmt: skip
        self._pending = self._gauge("pending", "Rows waiting in a queue")
        self._oldest = self._gauge("oldest_seconds", "Age of a queue's oldest waiting row")
        self._dead = self._gauge("dead", "Rows of a queue that an operator must look at")
        self._letters = Counter(
            "kskak_letters", "Letters handed to the next mail server, by its answer", ["outcome"],
            registry=self.registry,
        )  # fmt: skip
        self._facts: dict[str, Gauge] = {}

    def _gauge(self, name: str, what: str) -> Gauge:
        return Gauge(f"kskak_queue_{name}", what, ["queue"], registry=self.registry)

    def accepted(self, channel: str, count: int = 1) -> None:
        """Count dispatches entered in their ledgers through ``mail``, ``web`` or ``api``."""
        self._accepted.labels(channel).inc(count)

    def letter(self, outcome: str) -> None:
        """Count a letter that was ``sent``, is tried again ``later`` or was ``refused``."""
        self._letters.labels(outcome).inc()

    def note(self, name: str, what: str, value: float) -> None:
        """A figure as it is now, without labels; one that was never noted is not on the page."""
        if name not in self._facts:
            self._facts[name] = Gauge(f"kskak_{name}", what, registry=self.registry)
        self._facts[name].set(value)

    def refused(self, channel: str, reason: str) -> None:
        """Count a refused command."""
        self._refused.labels(channel, reason).inc()

    def observe(self, route: str, status: int, seconds: float) -> None:
        """Record the duration of an answered request."""
        self._seconds.labels(route, str(status)).observe(seconds)

    def page(self, queues: Iterable[Backlog], now_us: int) -> bytes:
        """The metrics in Prometheus's text format."""
        for queue in queues:
            self._pending.labels(queue.queue).set(queue.pending)
            self._oldest.labels(queue.queue).set(queue.oldest_seconds(now_us))
            self._dead.labels(queue.queue).set(queue.dead)
        return generate_latest(self.registry)


# The Idempotency-Key of a call. Not for where answers are kept (the store).

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
_KEY = re.compile(r"[\x21-\x7e]{1,128}")


def read_idempotency_key(
    request: web.Request, person_id: int, body: bytes
) -> IdempotencyKey | None:
    """The key of a call, None without one. Raises Problem for an invalid key.

    Surrounding quotes, as in structured headers, are ignored.
    """
    given = request.headers.get(HEADER)
    if given is None:
        return None
    if len(given) >= 2 and given[0] == given[-1] == '"':
        given = given[1:-1]
    if _KEY.fullmatch(given) is None:
        raise ApiProblem(ApiProblemKind.BAD_KEY)
    return IdempotencyKey.of(person_id, given, request.method, request.path, body)


# Authentication: a bearer token, or the web session with its CSRF header.

REMEMBERED = 3.0
"""Seconds; ASVS requires prompt revocation, performance requires no query per move."""
MOST_REMEMBERED = 50_000
LONGEST_TOKEN = 256
CSRF_HEADER = "X-CSRF-Token"
_SAFE = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated person. ``csrf`` only for sessions, which may all that he may, ``token``
    only for tokens; ``bucket`` is the rate-limit key."""

    person: PersonRow
    bucket: bytes
    csrf: str | None = None
    token: TokenOwner | None = None

    def check_scope(self, scope: TokenScope) -> None:
        """Raises ApiProblem for a token that does not open this."""
        if self.token is not None and scope not in self.token.terms.scopes:
            told = f'Bearer error="insufficient_scope", scope="{scope}"'
            values = {"scope": scope.value, "scopes": " ".join(self.token.terms.scopes)}
            raise ApiProblem(
                ApiProblemKind.SCOPE,
                {"scope": scope.value},
                values=values,
                headers={"WWW-Authenticate": told},
            )


CallerOfToken = Callable[[str], Awaitable[Caller | None]]
SessionOwner = Callable[[web.Request], Awaitable[Caller | None]]


def digest_of(token: str) -> bytes:
    """The part of a token that is stored."""
    return hashlib.sha256(token.encode()).digest()


@dataclass(slots=True)
class ApiAuthenticator:
    """Lets callers in. ``now`` is the event loop's monotonic time in seconds.

    ``token_owner`` looks up a token, ``session_owner`` a request's cookie; ``origin`` is the
    website's own; ``address`` gives a request's client address.
    """

    token_owner: CallerOfToken
    session_owner: SessionOwner
    origin: str
    address: Callable[[web.Request], str]
    _known: dict[bytes, tuple[float, Caller]] = field(default_factory=dict)
    _callers: Limiter = field(default_factory=lambda: Limiter(SIGNED_IN))
    _strangers: Limiter = field(default_factory=lambda: Limiter(STRANGER))

    async def let_in(self, request: web.Request, now: float) -> Caller:
        """The caller. Raises Problem: not signed in, a foreign page, or too many calls."""
        shown = request.headers.get("Authorization")
        if shown is None:
            caller = await self._by_session(request, now)
        else:
            caller = await self._by_token(shown, request, now)
        wait = self._callers.wait(caller.bucket, now)
        if wait > 0:
            raise too_many(wait)
        return caller

    def limits(self, caller: Caller, now: float) -> dict[str, str]:
        """How much a caller may ask before he must wait, for the head of every answer."""
        return self._callers.told(caller.bucket, now)

    async def _by_token(self, shown: str, request: web.Request, now: float) -> Caller:
        scheme, _, token = shown.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token.isascii() or not 0 < len(token) <= LONGEST_TOKEN:
            raise self._stranger(request, now)
        digest = digest_of(token)
        known = self._known.get(digest)
        if known is not None and now < known[0]:
            return known[1]
        self._known.pop(digest, None)
        self._check_stranger(request, now)
        caller = await self.token_owner(token)
        if caller is None:
            raise self._stranger(request, now)
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[digest] = (now + REMEMBERED, caller)
        return caller

    async def _by_session(self, request: web.Request, now: float) -> Caller:
        caller = await self.session_owner(request)
        if caller is None:
            raise self._stranger(request, now)
        if request.method not in _SAFE:
            self._check_page(request, caller)
        return caller

    def _check_page(self, request: web.Request, caller: Caller) -> None:
        """A change made with a session must come from our own page and carry its secret."""
        headers = request.headers
        given = headers.get(CSRF_HEADER, "")
        site = headers.get("Sec-Fetch-Site", "same-origin")
        origin = headers.get("Origin")
        if (
            not caller.csrf
            or not hmac.compare_digest(_bytes(given), _bytes(caller.csrf))
            or site != "same-origin"
            or (origin is not None and _origin(origin) != _origin(self.origin))
        ):
            raise ApiProblem(ApiProblemKind.FOREIGN_PAGE)

    def _check_stranger(self, request: web.Request, now: float) -> None:
        address = self.address(request)
        if self._strangers.is_empty(address, now):
            raise too_many(self._strangers.wait(address, now))

    def _stranger(self, request: web.Request, now: float) -> ApiProblem:
        """The problem for an unknown caller, counted against his address."""
        wait = self._strangers.wait(self.address(request), now)
        if wait > 0:
            return too_many(wait)
        return ApiProblem(ApiProblemKind.NOT_SIGNED_IN, headers={"WWW-Authenticate": "Bearer"})


def too_many(wait: float) -> ApiProblem:
    """The problem for a caller who must wait."""
    seconds = max(1, math.ceil(wait))
    return ApiProblem(
        ApiProblemKind.TOO_MANY, values={"seconds": seconds}, headers={"Retry-After": str(seconds)}
    )


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


# An API endpoint: its route, its handler and its description in openapi.json.

JSON = "application/json"
PGN = MEDIA_TYPE
PLAIN = "text/plain"
CSV = "text/csv"
NDJSON = "application/x-ndjson"
FORM = "application/x-www-form-urlencoded"


OURS = "/api/v1/"
LICHESS = ("/api/board/", "/api/bot/")
"""Where the calls begin that say what they know, and those of programs that send forms too."""


class Guard(Enum):
    """Who may call: anybody, or only authenticated callers."""

    OPEN = "open"
    SIGNED_IN = "signed_in"


@dataclass(slots=True)
class _ShutGames:
    """The games in which no program may move, known until an instant of the event loop."""

    games: frozenset[int] = frozenset()
    until: float = 0.0


@dataclass(frozen=True, slots=True)
class Api:
    """What the handlers work with."""

    core: Core
    doors: ApiAuthenticator
    meters: Meters
    proof: WriteProof = field(default_factory=WriteProof)
    clock_watch: ClockWatch = field(default_factory=ClockWatch)
    hub: Hub = field(default_factory=Hub)
    """Who listens to changes of games in this process."""
    _shut: _ShutGames = field(default_factory=_ShutGames)

    async def check_programs(self, call: "Call") -> None:
        """Raises ApiProblem for a program in a game whose leader lets none move (Kendelse 120).

        A player on the pages is none, nor is one at his chess program (Xfcc): he sends each move.
        """
        if call.signed_in.token is None:
            return
        now = asyncio.get_running_loop().time()
        if now >= self._shut.until:
            self._shut.games = await self.core.store.look(group_rows.games_without_programs)
            self._shut.until = now + REMEMBERED
        if call.game_id in self._shut.games:
            raise ApiProblem(ApiProblemKind.NO_PROGRAMS)

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
    def actor(self) -> tuple[Core, PersonRow]:
        """The server, and who asks it: what every use case begins with."""
        return self.api.core, self.signed_in.person

    @property
    def action(self) -> tuple[Core, PersonRow, int]:
        """The same, and what it is about."""
        return *self.actor, self.path_id

    @property
    def path_id(self) -> int:
        """The number in the path: a game's, case's, group's or office's."""
        return int(self.request.match_info["id"])

    async def body(self, most: int = MOST_BYTES) -> bytes:
        """The request's body. Raises Problem when it is larger than ``most`` or not JSON."""
        request = self.request
        if (request.content_length or 0) > most:
            raise ApiProblem(ApiProblemKind.TOO_LARGE, values={"limit": most})
        if most > MOST_BYTES:
            request = request.clone(client_max_size=most)
        try:
            raw = await request.read()
        except web.HTTPRequestEntityTooLarge:
            raise ApiProblem(ApiProblemKind.TOO_LARGE, values={"limit": most}) from None
        if len(raw) > most:
            raise ApiProblem(ApiProblemKind.TOO_LARGE, values={"limit": most})
        if raw and request.content_type == FORM and request.path.startswith(LICHESS):
            return json.dumps(dict(parse_qsl(raw.decode(errors="replace")))).encode()
        if raw and request.content_type != JSON:
            raise ApiProblem(ApiProblemKind.BAD_MEDIA_TYPE)
        return raw


Handler = Callable[[Call], Awaitable[web.StreamResponse]]


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
    body: type[ApiBody] | None = None
    is_body_optional: bool = False
    query: tuple[Parameter, ...] = ()
    scope: TokenScope = TokenScope.READ
    problems: tuple[AnyKind, ...] = field(default=())
    description: str = ""
    tag: str = "operation"
    about: str = "Is the server up and ready; its counters"
    """What the calls of its tag are about."""
    hides: bool = False
    """Answers 404 to callers who may not see what the call is about."""
    example: Any = None
    """Of an answer without a model: JSON, or text."""
    unready: type[BaseModel] | None = None
    """The model of a 503 that is a regular answer, not a problem."""

    @property
    def is_public(self) -> bool:
        """Whether pages of other sites may read it too: nobody has to sign in (CORS)."""
        return self.guard is Guard.OPEN and self.has_etag

    @property
    def has_etag(self) -> bool:
        """Whether an unchanged answer is 304: every reading, but streams and what monitors ask."""
        is_read = self.method == "GET" and self.path.startswith(("/api/", "/game/"))
        return is_read and self.answer != NDJSON


# openapi.json: OpenAPI 3.1, generated from the endpoint table and the models, with no hand-written
# text that could contradict the code. Not for routing.

VERSION = "3.1.0"
API_VERSION = "1.0"
"""The version of the API itself; it grows with every field or call added."""
_REF = "#/components/schemas/{model}"
SAMPLES = {"date": "2026-09-01", "date-time": "2026-09-01T10:00:00+00:00"}
"""What an example has for a string of a format."""
_ALWAYS = (ApiProblemKind.INTERNAL, ApiProblemKind.UNAVAILABLE)
_SIGNED_IN = (ApiProblemKind.NOT_SIGNED_IN, ApiProblemKind.TOO_MANY)
_CHANGING = (
    ApiProblemKind.BAD_JSON, ApiProblemKind.BAD_FIELDS, ApiProblemKind.BAD_KEY,
    ApiProblemKind.BAD_MEDIA_TYPE, ApiProblemKind.TOO_LARGE,
    ApiProblemKind.KEY_REUSED, ApiProblemKind.FOREIGN_PAGE,
)  # fmt: skip


def describe(endpoints: Iterable[Endpoint]) -> JsonObject:
    """The OpenAPI document for these endpoints."""
    listed = tuple(endpoints)
    schemas = _schemas(listed)
    paths: dict[str, JsonValue] = {}
    for endpoint in listed:
        at = paths.setdefault(endpoint.path, {})
        assert isinstance(at, dict)
        at[endpoint.method.lower()] = _operation(endpoint, schemas)
    return {
        "openapi": VERSION,
        "info": {"title": "kskak", "version": API_VERSION},
        "tags": [
            {"name": one.tag, "description": one.about}
            for one in {one.tag: one for one in reversed(listed)}.values()
        ],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "kskak",
                    "description": f"The website's sign-in; POSTs also need {CSRF_HEADER}. "
                    "Under https the cookie is named __Host-kskak.",
                },
            },
        },
    }


def _schemas(endpoints: tuple[Endpoint, ...]) -> dict[str, JsonValue]:
    """Schemas of answers as serialized and of bodies as validated."""
    wanted: dict[type[BaseModel], str] = {ProblemDocument: "serialization"}
    for endpoint in endpoints:
        if endpoint.body is not None:
            wanted[endpoint.body] = "validation"
        if not isinstance(endpoint.answer, str):
            wanted[endpoint.answer] = "serialization"
    reads = [model for model, mode in wanted.items() if mode == "validation"]
    writes = [model for model, mode in wanted.items() if mode == "serialization"]
    out: dict[str, JsonValue] = {}
    _, read = models_json_schema([(m, "validation") for m in reads], ref_template=_REF)
    _, written = models_json_schema([(m, "serialization") for m in writes], ref_template=_REF)
    for found in (read, written):
        out |= found["$defs"]
    return out


def example(schema: Any, schemas: Mapping[str, Any]) -> Any:
    """A value with every field that a schema names, each of its kind."""
    if "$ref" in schema:
        return example(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if "anyOf" in schema:
        return example(next(one for one in schema["anyOf"] if one.get("type") != "null"), schemas)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "object":
            fields = schema.get("properties", {})
            return {name: example(one, schemas) for name, one in fields.items()}
        case "array":
            return [example(schema["items"], schemas)] * max(1, schema.get("minItems", 1))
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return True
        case "null":
            return None
    text = schema.get("title", "").lower().ljust(schema.get("minLength", 1), "x")
    return SAMPLES.get(schema.get("format", ""), text[: schema.get("maxLength")])


def _operation(endpoint: Endpoint, schemas: Mapping[str, Any]) -> JsonObject:
    out: JsonObject = {
        "operationId": endpoint.name,
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "parameters": list(_parameters(endpoint)),
        "responses": _responses(endpoint, schemas),
    }
    if endpoint.description:
        out["description"] = endpoint.description
    if endpoint.guard is Guard.SIGNED_IN:
        out["security"] = [{"token": [endpoint.scope.value]}, {"session": []}]
    if endpoint.body is not None:
        out["requestBody"] = {
            "required": not endpoint.is_body_optional,
            "content": {JSON: _of_model(endpoint.body, schemas)},
        }
    return out


def _parameters(endpoint: Endpoint) -> Iterator[JsonValue]:
    for name in re.findall(r"{(\w+)}", endpoint.path):
        kind = "integer" if name == "id" else "string"
        yield {"name": name, "in": "path", "required": True, "schema": {"type": kind}}
    for parameter in endpoint.query:
        yield _query(parameter)
    if endpoint.method == "POST":
        schema: JsonObject = {"type": "string", "minLength": 1, "maxLength": 128}
        text = "The same key and request again: the first answer, nothing done twice"
        yield {"name": HEADER, "in": "header", "schema": schema, "description": text}


def _query(parameter: Parameter) -> JsonObject:
    schema: JsonObject = {"type": parameter.type}
    if parameter.format is not None:
        schema["format"] = parameter.format
    if parameter.allowed:
        schema["enum"] = list(parameter.allowed)
    about = {"description": parameter.description}
    return {"name": parameter.name, "in": "query", "schema": schema, **about}


def _responses(endpoint: Endpoint, schemas: Mapping[str, Any]) -> JsonObject:
    answer = endpoint.answer
    content: JsonObject
    if isinstance(answer, str):
        kind = "array" if isinstance(endpoint.example, list) else "object"
        shown = {} if endpoint.example is None else {"example": endpoint.example}
        content = {answer: {"schema": {"type": kind if answer == JSON else "string"}, **shown}}
    else:
        content = {JSON: _of_model(answer, schemas if endpoint.body is None else None)}
    out: dict[str, JsonValue] = {"200": {"description": "Done", "content": content}}
    if endpoint.has_etag:
        out["304"] = {"description": "Nothing new since the ETag of If-None-Match"}
    by_status: dict[int, list[str]] = {}
    for kind in _kinds(endpoint):
        by_status.setdefault(status_of(kind), []).append(type_of(kind))
    for status, types in sorted(by_status.items()):
        problem: JsonObject = {PROBLEM_MEDIA_TYPE: {"schema": _ref(ProblemDocument)}}
        out[str(status)] = {"description": ", ".join(types), "content": problem}
    if endpoint.unready is not None:
        unready: JsonObject = {JSON: {"schema": _ref(endpoint.unready)}}
        out["503"] = {"description": "Not ready", "content": unready}
    return out


def _kinds(endpoint: Endpoint) -> tuple[AnyKind, ...]:
    kinds: tuple[AnyKind, ...] = (*endpoint.problems, *_ALWAYS)
    if endpoint.guard is Guard.SIGNED_IN:
        kinds += _SIGNED_IN
    if endpoint.path.startswith(OURS):
        kinds += (ApiProblemKind.UNKNOWN_QUERY,)
    if endpoint.scope is not TokenScope.READ:
        kinds += (ApiProblemKind.SCOPE,)
    if endpoint.query:
        kinds += (ApiProblemKind.BAD_FIELDS,)
    if "{" in endpoint.path or endpoint.hides:
        kinds += (ApiProblemKind.NOT_FOUND,)
    if "/games/{id}" in endpoint.path or "lichess" in endpoint.name:
        kinds += (ApiProblemKind.UNREAD_LEDGER,)
    if "/cases/{id}" in endpoint.path:
        kinds += (ApiProblemKind.UNREAD_CASE,)
    if endpoint.body is not None:
        kinds += _CHANGING
    return tuple(dict.fromkeys(kinds))


def _of_model(model: type[BaseModel], schemas: Mapping[str, Any] | None) -> JsonObject:
    """A body's or answer's content, with an example where ``schemas`` are given."""
    schema = _ref(model)
    return {"schema": schema} | ({"example": example(schema, schemas)} if schemas else {})


def _ref(model: type[BaseModel]) -> JsonObject:
    return {"$ref": _REF.format(model=model.__name__)}
