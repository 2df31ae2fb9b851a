"""GETs: the caller's games, one game, its ledger, its account, its PGN.

What a caller may not see is answered as not found. Not for computing anything: the account
and the views do that.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from zlib import crc32

from aiohttp import web

from kskak.archive.game_pgn import pgn
from kskak.game.lawful_days import unlawful_day
from kskak.ledger.ledger_out import JsonObject, JsonValue, clock_json, ledger_json
from kskak.statement.account import Account
from server.api.frame.body import bad_fields
from server.api.frame.endpoints import JSON, PGN, Call
from server.api.frame.json_answer import HEADERS, dumps, item, json_response, standing
from server.api.frame.problems import Kind, Problem
from server.store.mail.outages import Standing
from server.usecases.play.game_views import GameView, game_view, my_games
from server.usecases.play.transcripts import facts_of
from server.usecases.play.who_sees import account_on, flag_told, seen_view, visible_games

KEPT = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie"}
"""A copy may be kept but must be revalidated each time."""
PAGE = 100
"""Games per page by default."""
MOST = 500
"""The most games per page."""
_DIGITS = 18
"""The most digits of a game's number; the database's integers can hold that many."""


async def games(call: Call) -> web.Response:
    """GET /games: one's own, the most urgent first; with ``all=1`` a page of all visible ones."""
    query, person = call.request.query, call.signed_in.person
    wanted = query.get("all", "0")
    if wanted not in ("0", "1"):
        raise bad_fields([("all", "not_allowed")])
    if wanted == "1":
        return await _all_games(call)
    if spare := sorted({"after", "limit"} & query.keys()):
        raise bad_fields([(name, "not_allowed") for name in spare])
    mine = await my_games(call.api.core, person.id)
    listed: list[JsonValue] = [
        item(one.game, person.id) | {"days_left": one.days_left} for one in mine
    ]
    return json_response({"games": listed, "next": None})


async def _all_games(call: Call) -> web.Response:
    """One page; ``next`` and the Link header point to the following one, if any."""
    person = call.signed_in.person
    after, most = _number(call, "after", 0), _number(call, "limit", PAGE)
    if not 1 <= most <= MOST:
        raise bad_fields([("limit", "not_allowed")])
    page = await visible_games(call.api.core, person, after, most)
    following = None
    if page.more:
        last = page.games[-1].id
        following = f"{call.request.path}?all=1&limit={most}&after={last}"
    listed: list[JsonValue] = [
        item(game, person.id) | ({} if game.id in page.inside else {"flag_on": flag_told(game)})
        for game in page.games
    ]
    answer = json_response({"games": listed, "next": following})
    if following is not None:
        answer.headers["Link"] = f'<{following}>; rel="next"'
    return answer


def _number(call: Call, name: str, default: int) -> int:
    text = call.request.query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise bad_fields([(name, "not_allowed")])
    return int(text)


async def view_of(call: Call) -> GameView:
    """The game in the path. Raises Problem when there is none that the caller may see."""
    view = await game_view(call.api.core, call.game_id)
    shown = None
    if view is not None:
        shown = await seen_view(call.api.core, call.signed_in.person, view)
    if shown is None:
        raise Problem(Kind.NOT_FOUND)
    return shown


async def game(call: Call) -> web.Response:
    """GET /games/{id}: the game as it stands today, with all its moves."""
    view = await view_of(call)
    row, shown = view.game, clock_json(view.account)
    value: JsonObject = standing(row.id, row.seq, view.account.state) | {
        "name": row.name,
        "group": view.group.name,
        "tournament": view.group.tournament,
        "round": row.round,
        "regulation": row.regulation,
        "start": row.start,
        "white": row.white,
        "black": row.black,
        "tl": view.tl.name,
        "mine": row.side_of(call.signed_in.person.id),
        "moves": shown["moves"],
        "running": shown["running"],
        "overstep": shown["overstep"],
        "outages": _outages(view),
    }
    return json_response(value)


def _outages(view: GameView) -> list[JsonValue]:
    return [
        {
            "standing": one.standing.value,
            "from": one.first.isoformat(),
            "to": None if one.standing is Standing.LASTING else one.last.isoformat(),
            "by": one.by or None,
            "word": one.word or None,
        }
        for one in view.outages
    ]


async def ledger(call: Call) -> web.Response:
    """GET /games/{id}/ledger: kskak-ledger/1; strangers do not see the type of leave."""
    view = await view_of(call)

    def made() -> str:
        hidden = view.is_for_strangers
        return dumps(ledger_json(view.game.terms, view.events, is_for_strangers=hidden))

    return _kept(call, view, JSON, made)


async def clock(call: Call) -> web.Response:
    """GET /games/{id}/clock: kskak-clock/1, with ``on`` as of that day."""
    on = query_day(call.request.query.get("on"))
    view = await view_of(call)
    if on is not None and unlawful_day(on, view.game.terms.start, view.today) is not None:
        raise bad_fields([("on", "day_outside")])

    def made() -> str:
        more: JsonObject = {"outages": _outages(view)} if view.outages else {}
        return dumps(clock_json(_onquery_day(view, on)) | more)

    return _kept(call, view, JSON, made)


async def game_pgn(call: Call) -> web.Response:
    """GET /games/{id}/pgn."""
    view = await view_of(call)
    facts = facts_of(view.group.tournament, view.game, view.account, view.hands)
    return _kept(call, view, PGN, lambda: pgn(view.account, facts))


def _onquery_day(view: GameView, on: date | None) -> Account:
    """The account on a day; without a day it says nothing about the running days."""
    if on is None:
        seen = view.account
        return replace(seen, live=None, overstep=seen.state.overstep)
    return account_on(view, on)


def query_day(text: str | None) -> date | None:
    """The day in the query, None without one. Raises Problem if it is not an ISO date."""
    if text is None:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise bad_fields([("on", "no_date")]) from None
    if day.isoformat() != text:
        raise bad_fields([("on", "no_date")])
    return day


def _kept(call: Call, view: GameView, kind: str, made: Callable[[], str]) -> web.Response:
    """An answer that depends on the ledger and outages alone; 304 if the caller already has it."""
    # A reserve's takeover of a game leaves no event in its ledger (§ 6.7.4.3).
    hands = f"-{len(view.hands)}" if view.hands else ""
    # An onlooker sees less of a running game, so his copy differs from the players'.
    seen = "-open" if view.is_onlooker else ""
    told = "-s" if view.is_for_strangers else ""
    away = f"-{crc32(repr(view.outages).encode()):x}" if view.outages else ""
    etag = f'"{view.game.id}-{view.game.seq}{hands}{seen}{told}{away}"'
    headers = {**HEADERS, **KEPT, "ETag": etag}
    asked = call.request.headers.get("If-None-Match", "")
    if asked == "*" or etag in (one.strip().removeprefix("W/") for one in asked.split(",")):
        return web.Response(status=304, headers=headers)
    return web.Response(text=made(), content_type=kind, charset="utf-8", headers=headers)
