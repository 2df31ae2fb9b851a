"""A player's calls: his games, moves, draws, claims, cards, leave, and addresses (§ 6.2-6.3)."""

import base64
import binascii
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date
from zlib import crc32

from aiohttp import web

from kskak.archive.past_game import pgn
from kskak.board.notation import MoveUnread
from kskak.cases.case_events import CaseKind
from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal, unlawful_day
from kskak.game.game_events import GameSetBack
from kskak.ledger.ledger_files import JsonObject, JsonValue, clock_json, ledger_json
from kskak.play.game_state import GameState
from kskak.regulation.editions import Side
from kskak.statement.account import Account
from mail.game_letters.no_move_letters import dispute_text
from mail.grammar.read_text import read_lone_move
from server.api.frame import game_models as models
from server.api.frame import problems, serving
from server.api.frame.area import Area
from server.api.frame.endpoints import JSON, PGN, Call, Parameter, read_idempotency_key
from server.api.frame.problems import ApiProblem, ApiProblemKind, build_refusal_problem, unread_move
from server.store.account.sign_in import TokenScope
from server.store.engine.rows import dump_json
from server.store.mail.outages import OutageState
from server.store.play import games as game_rows
from server.store.play.games import GameRow, SeenPosition
from server.usecases.context import Core
from server.usecases.play import game_requests as requests
from server.usecases.play.game_views import (
    GameView,
    account_on,
    find_public_flag_day,
    game_view,
    my_games,
    restrict_view,
    view_pgn_facts,
    visible_games,
)
from server.usecases.postal import cards, scans
from server.usecases.postal.scans import MOST_BYTES, AddressTooLong, Scan, ScanFault, read_scan
from server.usecases.reflection import leave as leaves
from server.usecases.rights import rights

# GETs: the caller's games, one game, its ledger, its account, its PGN.

CACHE_HEADERS = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie"}
"""A copy may be kept but must be revalidated each time."""
PAGE = 100
"""Games per page by default."""
MOST = 500
"""The most games per page."""
_DIGITS = 18
"""The most digits of a game's number; the database's integers can hold that many."""
area = Area()
led = area.opened_by(TokenScope.LEAD)
_PAGES = (
    Parameter("all", "string", "`1`: every game you may see, by pages", allowed=("0", "1")),
    Parameter("limit", "integer", "With `all=1`: games on a page, 1 to 500; 100 if not said"),
    Parameter("after", "integer", "With `all=1`: the number of the last game you have"),
)
_ON = Parameter("on", "string", "The day to show the running account of", format="date")


@area.get("/games", "games", models.GameList, query=_PAGES)
async def games(call: Call) -> web.Response:
    """Your games, the most urgent first."""
    query, person = call.request.query, call.signed_in.person
    wanted = query.get("all", "0")
    if wanted not in ("0", "1"):
        raise models.bad_fields([("all", "not_allowed")])
    if wanted == "1":
        return await _all_games(call)
    if spare := sorted({"after", "limit"} & query.keys()):
        raise models.bad_fields([(name, "not_allowed") for name in spare])
    mine = await my_games(call.api.core, person.id)
    listed: list[JsonValue] = [
        models.item(one.game, person.id) | {"days_left": one.days_left} for one in mine
    ]
    return models.json_response({"games": listed, "next": None})


async def _all_games(call: Call) -> web.Response:
    """One page; ``next`` and the Link header point to the following one, if any."""
    person = call.signed_in.person
    after, most = _number(call, "after", 0), _number(call, "limit", PAGE)
    if not 1 <= most <= MOST:
        raise models.bad_fields([("limit", "not_allowed")])
    shown, is_more, inside = await visible_games(call.api.core, person, after, most)
    following = None
    if is_more:
        following = f"{call.request.path}?all=1&limit={most}&after={shown[-1].id}"
    listed: list[JsonValue] = [
        models.item(game, person.id)
        | ({} if game.id in inside else {"flag_on": find_public_flag_day(game)})
        for game in shown
    ]
    answer = models.json_response({"games": listed, "next": following})
    if following is not None:
        answer.headers["Link"] = f'<{following}>; rel="next"'
    return answer


def _number(call: Call, name: str, default: int) -> int:
    text = call.request.query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise models.bad_fields([(name, "not_allowed")])
    return int(text)


async def view_of(call: Call) -> GameView:
    """The game in the path. Raises Problem when there is none that the caller may see."""
    view = await game_view(call.api.core, call.game_id)
    shown = None
    if view is not None:
        shown = await restrict_view(call.api.core, call.signed_in.person, view)
    if shown is None:
        raise ApiProblem(ApiProblemKind.NOT_FOUND)
    return shown


@area.get("/games/{id}", "game", models.GameDetail)
async def game(call: Call) -> web.Response:
    """A game as it stands today."""
    view = await view_of(call)
    row, shown = view.game, clock_json(view.account)
    value: JsonObject = models.write_game_state(row.id, row.seq, view.account.state) | {
        "name": row.name, "group": view.group.name, "tournament": view.group.tournament,
        "round": row.round, "regulation": row.regulation, "start": row.start,
        "white": row.white, "black": row.black, "tl": view.tl.name,
        "mine": row.side_of(call.signed_in.person.id), "outages": _outages(view),
        **{part: shown[part] for part in ("moves", "running", "overstep")},
    }  # fmt: skip
    return models.json_response(value)


def _outages(view: GameView) -> list[JsonValue]:
    return [
        {
            "standing": one.standing.value, "from": one.first.isoformat(),
            "to": None if one.standing is OutageState.LASTING else one.last.isoformat(),
            "by": one.by or None, "word": one.word or None,
        }
        for one in view.outages
    ]  # fmt: skip


@area.get("/games/{id}/ledger", "ledger", models.Ledger)
async def ledger(call: Call) -> web.Response:
    """What happened, as kskak-ledger/1."""
    view = await view_of(call)

    def made() -> str:
        hidden = view.is_for_strangers  # the type of leave
        return dump_json(ledger_json(view.game.terms, view.events, is_for_strangers=hidden))

    return _respond_cached(call, view, JSON, made)


@area.get("/games/{id}/clock", "clock", models.Clock, query=(_ON,))
async def clock(call: Call) -> web.Response:
    """The account, as kskak-clock/1."""
    on = query_day(call.request.query.get("on"))
    view = await view_of(call)
    if on is not None and unlawful_day(on, view.game.terms.start, view.today) is not None:
        raise models.bad_fields([("on", "day_outside")])

    def made() -> str:
        more: JsonObject = {"outages": _outages(view)} if view.outages else {}
        return dump_json(clock_json(_onquery_day(view, on)) | more)

    return _respond_cached(call, view, JSON, made)


@area.get("/games/{id}/pgn", "pgn", PGN)
async def game_pgn(call: Call) -> web.Response:
    """The game as PGN."""
    view = await view_of(call)
    facts = await view_pgn_facts(call.api.core, view)
    return _respond_cached(
        call, view, PGN, lambda: pgn(view.account, facts), "-{}-{}".format(*facts.ratings)
    )


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
        raise models.bad_fields([("on", "no_date")]) from None
    if day.isoformat() != text:
        raise models.bad_fields([("on", "no_date")])
    return day


def _respond_cached(
    call: Call, view: GameView, kind: str, made: Callable[[], str], more: str = ""
) -> web.Response:
    """An answer that depends on the ledger and outages alone; 304 if the caller already has it."""
    # A reserve's takeover of a game leaves no event in its ledger (§ 6.7.4.3).
    takeovers = f"-{len(view.board_players)}" if view.board_players else ""
    # An onlooker sees less of a running game, so his copy differs from the players'.
    seen = "-open" if view.is_onlooker else ""
    strangers = "-s" if view.is_for_strangers else ""
    away = f"-{crc32(repr(view.outages).encode()):x}" if view.outages else ""
    etag = f'"{view.game.id}-{view.game.seq}{takeovers}{seen}{strangers}{away}{more}"'
    headers = {**models.HEADERS, **CACHE_HEADERS, "ETag": etag}
    if models.has_version(call.request, etag):
        return web.Response(status=304, headers=headers)
    return web.Response(text=made(), content_type=kind, charset="utf-8", headers=headers)


# POSTs to a game: moves, draw, resign, claim. Each is one command, executed once.

_TEXT = (ApiProblemKind.NOT_UNDERSTOOD, ApiProblemKind.AMBIGUOUS, Reason.ILLEGAL)
_TURN = (
    Reason.STALE, Reason.NOT_YOUR_TURN, Reason.GAME_OVER, Reason.OVERSTEP_ASKS, Reason.NO_EMAIL,
    Reason.AT_REST,
)  # fmt: skip
_SERIES = (
    ApiProblemKind.CONTRADICTION, ApiProblemKind.WRONG_REPETITION, ApiProblemKind.WRONG_NUMBER,
    Reason.SERIES, Reason.SERIES_ILLEGAL,
)  # fmt: skip


@area.act(
    "/games/{id}/moves", "moves", models.CommandDone, ApiProblemKind.NO_PROGRAMS, *_TEXT, *_TURN,
    *_SERIES, Reason.DATES, body=models.MovesBody,
)  # fmt: skip
async def moves(call: Call, raw: bytes, body: models.MovesBody) -> web.Response:
    """Send a move or a series."""
    await call.api.check_programs(call)
    text, today, lang = body.text, call.api.today(), call.signed_in.person.lang

    def build(state: GameState, side: Side) -> serving.Built:
        ply, offers = state.position.ply, body.draw_offer
        return requests.FieldReader(text, ply, offers, today, lang, takes_offer=True)(state, side)

    seen = SeenPosition(body.ply, body.seq)
    return await serving.ask_once(call, raw, build, body.message or "", seen=seen)


@area.act(
    "/games/{id}/draw", "draw", models.CommandDone, *_TEXT, *_TURN, Reason.NO_OFFER,
    Reason.DRAW_TOO_EARLY, body=models.DrawBody,
)  # fmt: skip
async def draw(call: Call, raw: bytes, body: models.DrawBody) -> web.Response:
    """Answer a draw offer, or claim a draw."""
    if body.intended is not None and body.action != "claim":
        raise models.bad_fields([("/intended", "not_allowed")])
    languages = requests.languages_of(call.signed_in.person.lang)

    def build(state: GameState, side: Side) -> serving.Built:
        if body.action != "claim":
            return cmd.AcceptDraw(side) if body.action == "accept" else cmd.DeclineDraw(side)
        if body.intended is None or state.to_move is not side:
            return cmd.ClaimDraw(side, state.position.ply)
        read = read_lone_move(state.board, body.intended, languages)
        if isinstance(read, MoveUnread):
            raise unread_move(read)
        return cmd.ClaimDraw(side, state.position.ply, read.move)

    return await serving.ask_once(call, raw, build)


@area.act(
    "/games/{id}/resign", "resign", models.CommandDone, Reason.GAME_OVER, Reason.AT_REST,
    body=models.ResignBody,
)  # fmt: skip
async def resign(call: Call, raw: bytes, _: models.ResignBody) -> web.Response:
    """Resign (§ 6.2.6)."""
    return await serving.ask_once(call, raw, lambda _, side: cmd.Resign(side))


@area.act(
    "/games/{id}/long-think", "long_think", models.CommandDone, Reason.NOT_YOUR_TURN,
    Reason.GAME_OVER, Reason.AT_REST, body=models.LongThinkBody,
)  # fmt: skip
async def long_think(call: Call, raw: bytes, _: models.LongThinkBody) -> web.Response:
    """Give notice that your move may take more than 14 days (§ 6.3.4)."""
    return await serving.ask_once(call, raw, lambda _, side: cmd.NotifyLongThink(side))


_OVERSTEP: dict[str, type[cmd.ClaimOverstep | cmd.WaiveOverstep | cmd.AdmitOverstep]] = {
    "claim": cmd.ClaimOverstep,
    "waive": cmd.WaiveOverstep,
    "admit": cmd.AdmitOverstep,
}


@area.act(
    "/games/{id}/claim", "claim", models.CommandDone, Reason.NO_OVERSTEP, Reason.OUTAGE_UNSETTLED,
    Reason.NO_CLAIM, Reason.GAME_OVER, Reason.AT_REST, body=models.ClaimBody,
)  # fmt: skip
async def claim(call: Call, raw: bytes, body: models.ClaimBody) -> web.Response:
    """Claim the opponent's overstep, play on without a claim, or admit one's own (§ 6.3.3.4)."""

    def build(_: GameState, side: Side) -> serving.Built:
        return _OVERSTEP[body.action](side)

    def way_on(answer: requests.GameRequestOutcome) -> JsonObject:
        is_claim = body.action == "claim" and not answer.state.rests
        refusal = answer.refusal
        is_claim &= refusal is None or refusal.reason is not Reason.OUTAGE_UNSETTLED
        return _raise_case(call, answer) if is_claim else {}

    return await serving.ask_once(call, raw, build, way_on=way_on)


def _raise_case(call: Call, answer: requests.GameRequestOutcome) -> JsonObject:
    """The case that a refused claim can become, ready to be posted (§ 6.4.1, Kendelse 107)."""
    game, side = answer.game, answer.game.side_of(call.signed_in.person.id)
    if side is None:
        return {}
    late = side.other
    name = game.white if late is Side.WHITE else game.black
    text = dispute_text(answer.state, late, name, serving.load_words(call))
    body: JsonObject = {"game": game.id, "kind": CaseKind.OVERSTEP.value, "text": text}
    about: list[JsonValue] = list(answer.state.terms.rules.paragraphs.overstep)
    way: JsonObject = {"href": "/api/v1/cases", "paragraphs": about}
    return {"raise_case": way | {"body": body}}


# POSTs to postal games: a card, its receipt, consent to e-mail (§ 6.2.1, § 6.3.2).

MOST_BODY = MOST_BYTES * 4 // 3 + 65_536
"""Octets of a body with a Base64-encoded picture."""


async def scan_of(text: str, pointer: str) -> Scan:
    """A Base64-encoded file. Raises Problem if it is invalid or of a type not accepted."""
    try:
        found = await read_scan(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        raise models.bad_fields([(pointer, "not_allowed")]) from None
    if isinstance(found, ScanFault):
        raise models.bad_fields([(pointer, "not_allowed")])
    return found


_TOLD = {"text", "postmark", "receipt", "stated", "received", "arrived", "note"}


async def _entry(body: models.CardBody, ply: int) -> cards.CardInput:
    scan = None if body.scan is None else await scan_of(body.scan, "/scan")
    told = body.model_dump(include=_TOLD)
    return cards.CardInput(
        kind=cards.CardKind(body.kind), by=Side(body.by), offers_draw=body.draw_offer, scan=scan,
        ply=ply if body.ply is None else body.ply, **told,
    )  # fmt: skip


_CARD = (
    Reason.NOT_POSTAL, Reason.DAY_OUTSIDE, Reason.CARD_UNDATED, Reason.CARD_UNRECEIVED,
    Reason.CARD_FUTURE, Reason.CARD_DATES, Reason.CARD_LAWFUL, Reason.CARD_KNOWN,
    Reason.CARD_UNKNOWN, Reason.CARD_BINDS, Reason.CARD_ANSWERED, Reason.CARD_SENDER,
    Reason.CARD_FINAL,
)  # fmt: skip


@area.act(
    "/games/{id}/cards", "cards", models.CardDone, *_TEXT, *_TURN, *_SERIES, *_CARD,
    Reason.NO_OFFER, body=models.CardBody, most=MOST_BODY,
)  # fmt: skip
async def card(call: Call, raw: bytes, body: models.CardBody) -> web.Response:
    """Enter a post card of a postal game."""
    person, core = call.signed_in.person, call.api.core
    async with core.store.read() as conn:
        game = await game_rows.load(conn, call.game_id)
        right = None if body.right_game is None else await game_rows.load(conn, body.right_game)
    if game is None or (right is None) is not (body.right_game is None):
        raise ApiProblem(ApiProblemKind.NOT_FOUND)
    entry, key = (
        await _ply_of(core, body, right or game),
        read_idempotency_key(call.request, person.id, raw),
    )
    if body.preview:
        return models.text_response(*await _preview_card(call, body, right or game, entry))

    def answered(answer: requests.GameRequestOutcome) -> tuple[int, str]:
        return _answer_card(call, answer, entry.by)

    kept = answered if key is not None else None
    asked = cards.Recording(
        call.game_id, person, entry, serving.CHANNEL, key, kept, body.corrects, right
    )
    return await serving.answer_outcome(cards.record_card(core, asked, game), answered)


async def _ply_of(core: Core, body: models.CardBody, game: GameRow) -> cards.CardInput:
    """The entry, for the position without the card that it corrects unless a ply is told."""
    wrong = body.corrects if body.right_game is None else None
    view = None if wrong is None else await game_view(core, game.id)
    without = (
        None
        if view is None or wrong is None
        else cards.corrected_view(view, wrong, None, is_final=False)
    )
    ply = without.account.state.position.ply if isinstance(without, GameView) else game.ply
    backs = await core.store.look(lambda conn: game_rows.set_backs(conn, [game.id]))
    is_gone = SeenPosition(body.ply, body.seq).is_gone(lambda: backs.get(game.id, ()))
    entry = await _entry(body, ply)
    return replace(entry, ply=-1) if is_gone and body.corrects is None else entry


async def _preview_card(
    call: Call, body: models.CardBody, game: GameRow, entry: cards.CardInput
) -> tuple[int, str]:
    """What a card comes to, as ``card`` would answer; nothing is written."""
    person, core = call.signed_in.person, call.api.core
    view, held = await game_view(core, game.id), await rights(core, person)
    side, speaks = game.side_of(person.id), held.speaks_for(game.group_id)
    if view is None or not (speaks or side is not None):
        raise ApiProblem(ApiProblemKind.NOT_FOUND)
    found: GameView | Refusal = view
    if body.corrects is not None and body.right_game is None:
        author, final = None if speaks else side, await cards.is_final(core, game)
        found = cards.corrected_view(view, body.corrects, author, is_final=final)
    made = (
        cards.preview_card(found, entry, side, person.lang)
        if isinstance(found, GameView)
        else found
    )
    state = found.account.state if isinstance(found, GameView) else view.account.state
    answer = requests.GameRequestOutcome(game, state, state, (), game.seq)
    match made:
        case Refusal():
            answer = replace(answer, refusal=made)
        case requests.TextProblem():
            answer = replace(answer, problem=made)
        case _:
            answer = replace(answer, state=made.after, events=made.events)
    return _answer_card(call, answer, entry.by)


def _answer_card(call: Call, answer: requests.GameRequestOutcome, by: Side) -> tuple[int, str]:
    """Status and body of an answer, including a refusal, with the number of the card's entry."""
    if serving.problem_of(answer) is not None:
        return serving.respond(call, answer, by)
    # A card that takes another's place comes after the entry that makes that one void.
    is_instead = bool(answer.events) and isinstance(answer.events[0], GameSetBack)
    number = answer.game.seq + 1 + is_instead
    return serving.DONE, dump_json(models.write_command_result(answer, by) | {"card": number})


@area.act(
    "/games/{id}/receipt", "receipt", models.CommandDone, *_CARD, *_TURN, Reason.RECEIPT_KNOWN,
    body=models.ReceiptBody,
)  # fmt: skip
async def receipt(call: Call, raw: bytes, body: models.ReceiptBody) -> web.Response:
    """Since when you have the card."""
    return await serving.ask_once(call, raw, lambda _, side: cmd.RecordReceipt(side, body.on))


@area.act(
    "/games/{id}/email", "email", models.CommandDone, Reason.NOT_POSTAL, Reason.GAME_OVER,
    body=models.EmailBody,
)  # fmt: skip
async def email(call: Call, raw: bytes, body: models.EmailBody) -> web.Response:
    """Agree to e-mail in a postal game."""
    return await serving.ask_once(call, raw, lambda _, side: cmd.AnswerEmail(side, body.agrees))


# POSTs about leave: book, shorten, and an official's special leave (§ 6.3.6, § 6.8.8).

Outcome = leaves.LeaveBookingOutcome | leaves.NotBooked
Days = tuple[date, date]


@area.act(
    "/leave", "leave", models.LeaveDone, Reason.LEAVE_TOO_SOON, Reason.LEAVE_QUOTA,
    Reason.LEAVE_ORDER, Reason.LEAVE_TOO_LONG, Reason.LEAVE_YEAR, ApiProblemKind.NO_GAMES,
    body=models.LeaveBody,
)  # fmt: skip
async def leave(call: Call, raw: bytes, body: models.LeaveBody) -> web.Response:
    """Book personal leave in all your games."""
    asked = _leave(call, call.signed_in.person.id, body, body.tournament)
    days = (body.first, body.last)
    return await _respond_once(call, raw, days, lambda: leaves.book(call.api.core, asked))


def _leave(
    call: Call,
    person_id: int,
    body: models.LeaveBody | models.SpecialLeaveBody,
    tournament: str | None,
) -> leaves.Leave:
    now = call.api.core.clock.now()
    reason = body.reason if isinstance(body, models.SpecialLeaveBody) else ""
    return leaves.Leave(person_id, body.first, body.last, serving.CHANNEL, now, tournament, reason)


@area.act(
    "/leave/shorten", "leave_shorten", models.LeaveDone, Reason.LEAVE_UNKNOWN,
    Reason.LEAVE_NOT_SHORTER, body=models.ShortenBody,
)  # fmt: skip
async def shorter(call: Call, raw: bytes, body: models.ShortenBody) -> web.Response:
    """Shorten your leave; your opponents keep the announced stop."""
    core, days = call.api.core, (body.first, body.last)
    asked = (call.signed_in.person.id, body.until, serving.CHANNEL, core.clock.now(), days)
    return await _respond_once(
        call, raw, (body.first, body.until), lambda: leaves.shorten(core, *asked)
    )


@led.act(
    "/leave/special", "leave_special", models.LeaveDone, Reason.SPECIAL_QUOTA, Reason.LEAVE_ORDER,
    Reason.LEAVE_TOO_LONG, Reason.LEAVE_TOO_SOON, Reason.LEAVE_YEAR, ApiProblemKind.NOT_FOUND,
    body=models.SpecialLeaveBody,
)  # fmt: skip
async def special(call: Call, raw: bytes, body: models.SpecialLeaveBody) -> web.Response:
    """Grant special leave to a player you lead."""
    official, asked = call.signed_in.person, _leave(call, body.player, body, body.tournament)
    days = (body.first, body.last)
    return await _respond_once(
        call, raw, days, lambda: leaves.grant(call.api.core, official, asked)
    )


async def _respond_once(
    call: Call, raw: bytes, days: Days, do: Callable[[], Awaitable[Outcome]]
) -> web.Response:
    """Book and answer in one transaction; a repeat with the same key gets the same answer."""

    async def answered() -> tuple[int, str]:
        try:
            return _answer(call, days, await do())
        except leaves.NotTheirs:
            raise ApiProblem(ApiProblemKind.NOT_FOUND) from None

    return await serving.answered_once(call, raw, answered)


def _answer(call: Call, days: Days, outcome: Outcome) -> tuple[int, str]:
    if isinstance(outcome, leaves.LeaveBookingOutcome):
        refused_in = [name for one in outcome.refused for name in one.groups]
        span: JsonObject = {"from": days[0].isoformat(), "to": days[1].isoformat()}
        span |= {"groups": list(outcome.groups), "games": outcome.games}
        return serving.DONE, dump_json(span | {"refused": list(refused_in)})
    if outcome.refusal is None:
        problem = ApiProblem(ApiProblemKind.NO_GAMES)
    else:
        problem = build_refusal_problem(outcome.refusal)
        problem.more["game"] = outcome.game
    call.api.meters.refused(serving.CHANNEL, problem.kind)
    return problems.status_of(problem.kind), dump_json(
        problems.document(problem, serving.load_words(call))
    )


# Postal addresses in the API: the caller's own, and a game's players' (§ 6.2.1, § 6.8.5).


@area.get("/address", "address", models.OwnAddress)
async def own(call: Call) -> object:
    """Your own postal address."""
    text = await scans.own(call.api.core, call.signed_in.person)
    return {"lines": text.splitlines()}


@area.act("/address", "address_keep", models.OwnAddress, body=models.AddressBody, method="PUT")
async def keep(call: Call, _: bytes, body: models.AddressBody) -> web.Response:
    """Another postal address; your opponents and leaders are told."""
    try:
        await scans.keep(call.api.core, call.signed_in.person, "\n".join(body.lines))
    except AddressTooLong:
        raise models.bad_fields([("/lines", "string_too_long")]) from None
    text = await scans.own(call.api.core, call.signed_in.person)
    return models.json_response({"lines": list(text.splitlines())})


@area.get("/games/{id}/addresses", "addresses", models.AddressList)
async def get_game_addresses(call: Call) -> object:
    """Where to post a card: a running postal game's addresses."""
    core, view = call.api.core, await view_of(call)
    if view.is_onlooker:
        raise ApiProblem(ApiProblemKind.NOT_FOUND)
    held = await rights(core, call.signed_in.person)
    found = await scans.list_visible_addresses(core, view, held)
    return {
        "addresses": [
            {"person": person.id, "name": person.name, "lines": lines, "since": day}
            for person, lines, day in found
        ]
    }


PLAY = tuple(area.calls)
