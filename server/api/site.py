"""The table of all API endpoints, and adding them to an aiohttp application."""

import asyncio
import json
from collections.abc import Callable, Sequence
from functools import cache

from aiohttp import web

from kskak.game.game_commands import Reason
from server.api import play as game_calls
from server.api.archive import ARCHIVE
from server.api.cases.case_calls import CASES
from server.api.cup import CUPS
from server.api.entries import ENTRIES
from server.api.frame import game_models, health
from server.api.frame.endpoints import (
    JSON,
    PGN,
    PLAIN,
    Api,
    ApiAuthenticator,
    Call,
    Caller,
    Endpoint,
    Guard,
    Meters,
    Parameter,
    describe,
    digest_of,
)
from server.api.frame.problems import ApiProblemKind
from server.api.frame.serving import make_fallback_handler, make_handler
from server.api.groups import GROUPS
from server.api.league.league_calls import LEAGUE
from server.api.league.team_calls import TEAM_ENTRIES
from server.api.office import CONTROLLER
from server.api.rating import RATINGS
from server.api.register import REGISTER
from server.store.account import sign_in as access
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.context import Core
from server.usecases.games.writer import Batcher

# The table of all API endpoints: routed below, described by frame/endpoints.py.

PREFIX = "/api/v1"
_GAME = f"{PREFIX}/games/{{id}}"
_ON = Parameter("on", "string", "The day to show the running account of", format="date")
_ALL = Parameter("all", "string", "`1`: every game you may see, by pages", allowed=("0", "1"))
_PAGES = (
    Parameter("limit", "integer", "With `all=1`: games on a page, 1 to 500; 100 if not said"),
    Parameter("after", "integer", "With `all=1`: the number of the last game you have"),
)
_TEXT = (ApiProblemKind.NOT_UNDERSTOOD, ApiProblemKind.AMBIGUOUS, Reason.ILLEGAL)
_TURN = (
    Reason.STALE, Reason.NOT_YOUR_TURN, Reason.GAME_OVER, Reason.OVERSTEP_ASKS, Reason.NO_EMAIL,
    Reason.AT_REST,
)  # fmt: skip
_SERIES = (
    ApiProblemKind.CONTRADICTION,
    ApiProblemKind.WRONG_REPETITION,
    ApiProblemKind.WRONG_NUMBER,
    Reason.SERIES,
    Reason.SERIES_ILLEGAL,
)

ACTIONS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST", f"{_GAME}/moves", "moves", game_calls.moves, "Send a move or a series",
        game_models.CommandDone, body=game_models.MovesBody, problems=(*_TEXT, *_TURN, *_SERIES,
        Reason.DATES),
    ),
    Endpoint(
        "POST", f"{_GAME}/draw", "draw", game_calls.draw, "Answer a draw offer, or claim a draw",
        game_models.CommandDone, body=game_models.DrawBody,
        problems=(*_TEXT, *_TURN, Reason.NO_OFFER, Reason.DRAW_TOO_EARLY),
    ),
    Endpoint(
        "POST", f"{_GAME}/resign", "resign", game_calls.resign, "Resign",
        game_models.CommandDone, body=game_models.ResignBody, is_body_optional=True,
        problems=(Reason.GAME_OVER, Reason.AT_REST),
    ),
    Endpoint(
        "POST", f"{_GAME}/claim", "claim", game_calls.claim,
        "Claim the opponent's overstep, play on without a claim, or admit one's own",
        game_models.CommandDone, body=game_models.ClaimBody, is_body_optional=True,
        problems=(
            Reason.NO_OVERSTEP, Reason.OUTAGE_UNSETTLED, Reason.NO_CLAIM, Reason.GAME_OVER,
            Reason.AT_REST,
        ),
    ),
    Endpoint(
        "POST", f"{_GAME}/long-think", "long_think", game_calls.long_think,
        "Give notice that your move may take more than 14 days",
        game_models.CommandDone, body=game_models.LongThinkBody, is_body_optional=True,
        problems=(Reason.NOT_YOUR_TURN, Reason.GAME_OVER, Reason.AT_REST),
    ),
    Endpoint(
        "POST", f"{PREFIX}/leave", "leave", game_calls.leave,
        "Book personal leave in all your games",
        game_models.LeaveBooked, body=game_models.LeaveBody,
        problems=(
            Reason.LEAVE_TOO_SOON, Reason.LEAVE_QUOTA, Reason.LEAVE_ORDER,
            Reason.LEAVE_TOO_LONG, ApiProblemKind.NO_GAMES,
        ),
    ),
    Endpoint(
        "POST", f"{PREFIX}/leave/shorten", "leave_shorten", game_calls.shorter,
        "Shorten your leave; your opponents keep the announced stop",
        game_models.LeaveBooked, body=game_models.ShortenBody,
        problems=(Reason.LEAVE_UNKNOWN, Reason.LEAVE_NOT_SHORTER),
    ),
    Endpoint(
        "POST", f"{PREFIX}/leave/special", "leave_special", game_calls.special,
        "Grant special leave to a player you lead", game_models.LeaveBooked,
        body=game_models.SpecialLeaveBody,
        problems=(
            Reason.SPECIAL_QUOTA, Reason.LEAVE_ORDER, Reason.LEAVE_TOO_LONG,
            Reason.LEAVE_TOO_SOON, ApiProblemKind.NOT_FOUND,
        ),
    ),
)  # fmt: skip
_CARD = (
    Reason.NOT_POSTAL, Reason.DAY_OUTSIDE, Reason.CARD_UNDATED, Reason.CARD_UNRECEIVED,
    Reason.CARD_FUTURE, Reason.CARD_DATES, Reason.CARD_LAWFUL, Reason.CARD_KNOWN,
    Reason.CARD_UNKNOWN, Reason.CARD_BINDS, Reason.CARD_ANSWERED, Reason.CARD_SENDER,
    Reason.CARD_FINAL,
)  # fmt: skip
POST_CARDS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST", f"{_GAME}/cards", "cards", game_calls.card, "Enter a post card of a postal game",
        game_models.CardDone, body=game_models.CardBody,
        problems=(*_TEXT, *_TURN, *_SERIES, *_CARD, Reason.NO_OFFER),
    ),
    Endpoint(
        "POST", f"{_GAME}/receipt", "receipt", game_calls.receipt, "Since when you have the card",
        game_models.CommandDone, body=game_models.ReceiptBody,
        problems=(*_CARD, *_TURN, Reason.RECEIPT_KNOWN),
    ),
    Endpoint(
        "POST", f"{_GAME}/email", "email", game_calls.email, "Agree to e-mail in a postal game",
        game_models.CommandDone, body=game_models.EmailBody, problems=(Reason.NOT_POSTAL,
        Reason.GAME_OVER),
    ),
)  # fmt: skip
ADDRESSES: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/address", "address", game_calls.own, "Your own postal address",
        game_models.OwnAddress,
    ),
    Endpoint(
        "PUT", f"{PREFIX}/address", "address_keep", game_calls.keep,
        "Another postal address; your opponents and leaders are told", game_models.OwnAddress,
        body=game_models.AddressBody,
    ),
    Endpoint(
        "GET", f"{_GAME}/addresses", "addresses", game_calls.get_game_addresses,
        "Where to post a card: a running postal game's addresses", game_models.AddressList,
    ),
)  # fmt: skip
READ_ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/games", "games", game_calls.games, "Your games, the most urgent first",
        game_models.GameList, query=(_ALL, *_PAGES),
    ),
    Endpoint("GET", _GAME, "game", game_calls.game, "A game as it stands today",
    game_models.GameDetail),
    Endpoint(
        "GET", f"{_GAME}/ledger", "ledger", game_calls.ledger, "What happened, as kskak-ledger/1",
        game_models.Ledger, has_etag=True,
    ),
    Endpoint(
        "GET", f"{_GAME}/clock", "clock", game_calls.clock, "The account, as kskak-clock/1",
        game_models.Clock, query=(_ON,), has_etag=True,
    ),
    Endpoint("GET", f"{_GAME}/pgn", "pgn", game_calls.game_pgn, "The game as PGN", PGN,
    has_etag=True),
)  # fmt: skip
OPERATION: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", "/healthz", "healthz", health.healthz, "Is the process up?",
        health.Health, guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", "/readyz", "readyz", health.readyz, "Can the server do its work?",
        health.Readiness, guard=Guard.OPEN, unready=health.Readiness,
    ),
    Endpoint(
        "GET", "/metrics", "metrics", health.metrics, "Counters for Prometheus",
        PLAIN, guard=Guard.OPEN,
    ),
)  # fmt: skip
ENDPOINTS: tuple[Endpoint, ...] = (
    *ACTIONS, *POST_CARDS, *ADDRESSES, *READ_ENDPOINTS, *GROUPS, *CASES, *ENTRIES,
    *CONTROLLER,
    *LEAGUE, *TEAM_ENTRIES, *REGISTER, *RATINGS, *CUPS, *ARCHIVE,
    *OPERATION,
)  # fmt: skip


# Adds the API to an aiohttp application: all endpoints, openapi.json, and a catch-all.

TOGETHER = 256
"""How many tokens are looked up in one statement at most."""


def add_api(
    app: web.Application,
    core: Core,
    meters: Meters,
    *,
    cookie: str,
    address: Callable[[web.Request], str],
) -> Api:
    """Add the API to an application.

    ``cookie`` is the name of the web session's cookie, ``address`` gives a request's client.
    """
    api = Api(core, _doors(core, cookie, address), meters)
    endpoints = (*ENDPOINTS, _description())
    for endpoint in endpoints:
        path = endpoint.path.replace("{id}", r"{id:\d{1,18}}")
        app.router.add_route(endpoint.method, path, make_handler(endpoint, api), name=endpoint.name)
    app.router.add_route("*", PREFIX + "/{tail:.*}", make_fallback_handler(endpoints, api))
    return api


@cache
def _description() -> Endpoint:
    """openapi.json, which also describes itself; the same for every application in a process."""

    @cache
    def body() -> bytes:
        return json.dumps(describe((*ENDPOINTS, endpoint))).encode()

    async def handler(call: Call) -> web.Response:
        # A fifth of a second when first asked for: neither every start nor other requests wait.
        text = await asyncio.to_thread(body)
        return web.Response(body=text, content_type=JSON, headers={"Cache-Control": "max-age=300"})

    endpoint = Endpoint(
        "GET", f"{PREFIX}/openapi.json", "openapi", handler, "This description", JSON,
        guard=Guard.OPEN,
    )  # fmt: skip
    return endpoint


def _doors(core: Core, cookie: str, address: Callable[[web.Request], str]) -> ApiAuthenticator:
    async def owners(digests: Sequence[bytes]) -> list[PersonRow | None]:
        found = await core.store.look(lambda conn: access.owners_of_tokens(conn, digests))
        return [found.get(digest) for digest in digests]

    asked: Batcher[bytes, PersonRow | None] = Batcher(owners, TOGETHER)

    async def by_token(token: str) -> Caller | None:
        digest = digest_of(token)
        person = await asked.submit(digest)
        if person is None:
            return None
        core.token_days.note(digest, core.today(core.settings.clock.zone).isoformat())
        return Caller(person, digest)

    async def by_session(request: web.Request) -> Caller | None:
        secret = request.cookies.get(cookie)
        if not secret or not secret.isascii():
            return None
        visitor = await signin.visitor(core, secret)
        if visitor is None:
            return None
        session = visitor.session
        return Caller(visitor.person, session.digest, session.csrf)

    return ApiAuthenticator(by_token, by_session, core.settings.web.site, address)
