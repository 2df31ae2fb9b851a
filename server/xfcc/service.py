"""Xfcc over SOAP: who may call and how often, GetMyGames and MakeAMove, the WSDL; the help page.

Every answer is 200 or a fault, never a redirect, which programs do not follow. Wrong keys are
rate-limited by address, calls by person.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import chess
from aiohttp import web

from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import DrawClaimFailed, LeaveBooked, MoveSent
from kskak.ledger.stored_events import UnreadEntry
from kskak.play.events_in_force import in_force
from kskak.play.game_state import AccountLine, GameState, RecentPly
from kskak.regulation.editions import Ending, Result, Side
from kskak.statement.account import account
from kskak.values import whole_number
from mail.game_letters.no_move_letters import refusal_text
from mail.grammar.keyword_lines import ProblemKind
from mail.text.catalogue import Words
from server.store import groups as group_rows
from server.store.account import sign_in as access
from server.store.engine.connection import AGAIN_S, StoreUnavailable, UnknownGame
from server.store.engine.rows import DAY_US
from server.store.groups import GroupRow
from server.store.play import game_lists
from server.store.play import games as game_rows
from server.store.play import notes_and_messages as note_rows
from server.store.play import requests as request_rows
from server.store.play.game_lists import WholeGames
from server.store.play.games import EventRow, GameRow, read_events, set_backs_in
from server.store.play.notes_and_messages import MessageRow, QuietMessage
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.context import Core, Limiter, Rate
from server.usecases.games.game_units import hash_mail_text
from server.usecases.play import private_side
from server.usecases.play.game_requests import (
    FieldReader,
    GameRequest,
    GameRequestOutcome,
    NotYours,
    TextProblem,
    ask,
)
from server.usecases.play.game_views import GameSummaryView, summary

_log = logging.getLogger(__name__)

# SOAP 1.1 as chess programs speak it: reading a call, writing its answer.

NAMESPACE = "http://www.bennedik.com/webservices/XfccBasic"
MOST_BYTES = 64 * 1024
"""Maximum octets of a call; a move with its message needs a fraction."""
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_DOCTYPE = re.compile(r"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
_HARMLESS = str.maketrans('<>{}"', "()()'")
_HEAD = '<?xml version="1.0" encoding="utf-8"?>'
_ENVELOPE = (
    '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>{}</soap:Body></soap:Envelope>'
)


class SoapError(ValueError):
    """This cannot be read as a call."""


@dataclass(frozen=True, slots=True)
class SoapCall:
    """An operation's name and its fields."""

    operation: str
    fields: Mapping[str, str]

    def text(self, name: str) -> str:
        """A field, "" if it is missing or empty."""
        return self.fields.get(name, "").strip()

    def is_set(self, name: str) -> bool:
        """A boolean: Scid writes 1, others true."""
        return self.text(name).lower() in ("1", "true")

    def number(self, name: str) -> int | None:
        """A whole number of at most 18 digits, None for anything else."""
        return whole_number(self.text(name))


def read(raw: bytes) -> SoapCall:
    """What a body calls for. Raises Unreadable."""
    if len(raw) > MOST_BYTES:
        raise SoapError("too long")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")
    text = _DECLARATION.sub("", text.lstrip("\ufeff"))
    if _DOCTYPE.search(text):
        raise SoapError("document type")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise SoapError("no XML") from error
    body = next((one for one in root.iter() if _local(one) == "Body"), None)
    operation = None if body is None else next(iter(body), None)
    if operation is None:
        raise SoapError("no operation")
    fields: dict[str, str] = {}
    for one in operation.iter():
        if one is not operation and len(one) == 0 and (one.text or "").strip():
            fields.setdefault(_local(one), one.text or "")
    return SoapCall(_local(operation), fields)


def _local(element: ElementTree.Element) -> str:
    """A name without its namespace; comments have none."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _sent(body: str) -> bytes:
    return (_HEAD + _ENVELOPE.format(body)).encode()


def answer(operation: str, content: str) -> bytes:
    """An operation's answer; ``content`` is XML."""
    wrapped = f"<{operation}Result>{content}</{operation}Result>"
    return _sent(f'<{operation}Response xmlns="{NAMESPACE}">{wrapped}</{operation}Response>')


def fault(said: str, *, is_ours: bool = False) -> bytes:
    """A fault; ``said`` begins with the word that programs look for."""
    code = "soap:Server" if is_ours else "soap:Client"
    content = f"<faultcode>{code}</faultcode><faultstring>{escape(said)}</faultstring><detail />"
    return _sent(f"<soap:Fault>{content}</soap:Fault>")


def element(name: str, value: str | int | bool) -> str:
    """A field of an answer."""
    if isinstance(value, bool):
        return f"<{name}>{'true' if value else 'false'}</{name}>"
    text = value if isinstance(value, str) else str(value)
    return f"<{name}>{escape(text)}</{name}>"


def plain(text: str) -> str:
    """Text that every program shows unchanged.

    On one line; without what Scid writes unescaped into PGN or ends a comment with; and nothing
    that looks like an entity, because Scid decodes entities twice.
    """
    shown = "".join(char if char.isprintable() else " " for char in text)
    shown = shown.translate(_HARMLESS)
    return re.sub(r"&(?=#?\w+;)", "& ", " ".join(shown.split()))


# The protocol's fixed vocabulary: the outcome of a move, how a game stands.


class XfccMoveResult(StrEnum):
    """The outcome of a MakeAMove; the protocol's own spelling."""

    SUCCESS = "Success"
    SERVER_ERROR = "ServerError"
    UNAVAILABLE = "FeatureUnavailable"
    AUTHENTICATION = "AuthenticationFailed"
    INVALID_GAME = "InvalidGameID"
    NOT_YOUR_GAME = "NotYourGame"
    NOT_YOUR_TURN = "NotYourTurn"
    INVALID_MOVE = "InvalidMove"
    INVALID_NUMBER = "InvalidMoveNumber"
    NO_OFFER = "NoDrawWasOffered"
    LOST_ON_TIME = "LostOnTime"
    AMBIGUOUS = "MoveIsAmbigous"


_REFUSED = {
    Reason.NOT_YOUR_TURN: XfccMoveResult.NOT_YOUR_TURN,
    Reason.STALE: XfccMoveResult.NOT_YOUR_TURN,
    Reason.AT_REST: XfccMoveResult.NOT_YOUR_TURN,
    Reason.ILLEGAL: XfccMoveResult.INVALID_MOVE,
    Reason.SERIES: XfccMoveResult.INVALID_MOVE,
    Reason.SERIES_ILLEGAL: XfccMoveResult.INVALID_MOVE,
    Reason.NO_OFFER: XfccMoveResult.NO_OFFER,
}
_UNREAD = {
    ProblemKind.AMBIGUOUS: XfccMoveResult.AMBIGUOUS,
    ProblemKind.UNSURE: XfccMoveResult.AMBIGUOUS,
    ProblemKind.DRAW_UNCLEAR: XfccMoveResult.AMBIGUOUS,
    ProblemKind.WRONG_NUMBER: XfccMoveResult.INVALID_NUMBER,
    ProblemKind.NOT_YOUR_TURN: XfccMoveResult.NOT_YOUR_TURN,
}
_PLAYED = {Result.WHITE_WINS: "WhiteWins", Result.BLACK_WINS: "BlackWins", Result.DRAW: "Draw"}
_RULED = {result: f"{word.removesuffix('s')}Adjudicated" for result, word in _PLAYED.items()}


def build_refusal(reason: Reason, state: GameState) -> XfccMoveResult:
    """A refusal under the rules, in the protocol's words."""
    if reason is Reason.GAME_OVER:
        on_time = state.overstep is not None and state.ended is not Ending.RULING
        return XfccMoveResult.LOST_ON_TIME if on_time else XfccMoveResult.NOT_YOUR_TURN
    return _REFUSED.get(reason, XfccMoveResult.UNAVAILABLE)


def unread(kind: ProblemKind) -> XfccMoveResult:
    """A text that could not be read as a move, in the protocol's words."""
    return _UNREAD.get(kind, XfccMoveResult.INVALID_MOVE)


def write_result(state: GameState) -> str | None:
    """The game's result; None if both lost, which no program understands (§ 6.3.3.4)."""
    if state.result is None:
        return "AdjudicationPending" if state.rests else "Ongoing"
    words = _RULED if state.ended is Ending.RULING else _PLAYED
    return words.get(state.result)


# GetMyGames: a person's running games, and those that ended in the last two weeks.

LISTED_US = 14 * DAY_US
"""How long a finished game is still listed, so that programs keep its result."""
SITE = "K-skak"
_DAY_S = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class XfccGameList:
    """What a person's list is made of."""

    own: WholeGames
    groups: Mapping[int, GroupRow]
    notes: Mapping[int, str]
    reported_us: Mapping[int, int]
    """When the program was last told something about each game, as far as kept."""
    numbers: Mapping[int, int]
    """The numbers by which programs know the games."""


async def facts(core: Core, person: PersonRow) -> XfccGameList:
    """The list's facts from the database: as many queries for one game as for a thousand."""
    async with core.store.read() as conn:
        own = await game_lists.list_person_games(conn, person.id, core.now_us - LISTED_US)
        groups = await group_rows.by_ids(conn, {row.group_id for row in own.games})
        notes = await access.xfcc_notes_of(conn, person.id)
        reported_us = await access.list_xfcc_report_times(conn, person.id)
        numbers = await request_rows.read_game_numbers(conn, [row.id for row in own.games])
    new = {row.id for row in own.games} - numbers.keys()
    if new:
        async with core.store.write() as conn:
            await request_rows.assign_game_numbers(conn, new)
            numbers |= await request_rows.read_game_numbers(conn, new)
    return XfccGameList(own, groups, notes, reported_us, numbers)


async def mark_listed(core: Core, person: PersonRow, listed: XfccGameList) -> None:
    """Keep that the list showed games as they are since they were set back (FIDE 7.5)."""
    unknown = [
        row.id
        for row in listed.own.games
        if knows_not(listed.own.events[row.id], person.id, listed.reported_us.get(row.id, 0))
    ]
    if unknown:
        async with core.store.write() as conn:
            for game in unknown:
                await access.note(conn, person.id, game, "", core.now_us, keeps=True)


def knows_not(events: Sequence[EventRow], person_id: int, reported_us: int) -> bool:
    """Whether a person's program may not know yet that a game was set back.

    It knows if it was told anything since (``reported_us``), or if he has moved since.
    """
    backs = set_backs_in(events)
    if not backs or reported_us >= backs[-1].at_us:
        return False
    later = (row for row in events if row.seq > backs[-1].seq and row.actor_id == person_id)
    return not any(isinstance(row.event, MoveSent) for row in later)


def write_list(core: Core, person: PersonRow, listed: XfccGameList) -> str:
    """The list as XML. Goes through every game's ledger: not for the event loop."""
    words = Words.load(person.lang)
    out: list[str] = []
    for row in listed.own.games:
        result = write_result(row.state())
        if result is not None:
            shown = summary(row, person.id, core.today(row.zone))
            try:
                fields = "".join(_fields(core, shown, listed, result, words))
            except UnreadEntry:
                continue  # its page says why; the other games are shown
            out.append(f"<XfccGame>{fields}</XfccGame>")
    return "".join(out)


def _fields(
    core: Core, shown: GameSummaryView, listed: XfccGameList, result: str, words: Words
) -> Iterator[str]:
    row = shown.game
    group, events = listed.groups[row.group_id], listed.own.events[row.id]
    state = row.state()
    rules = state.terms.rules
    opponent = row.person_of(shown.side.other)
    said = find_last_message(
        events, listed.own.messages[row.id], listed.own.threads[row.id], opponent
    )
    yield element("id", listed.numbers[row.id])
    yield element("white", plain(row.white))
    yield element("black", plain(row.black))
    yield element("event", plain(f"{group.tournament} {group.name}"))
    yield element("site", SITE)
    yield element("myTurn", shown.is_my_move)
    yield element("hasWhite", shown.side is Side.WHITE)
    yield from _time("Player", shown.my_limit - shown.my_total)
    yield from _time("Opponent", shown.opponent_limit - shown.opponent_total)
    rows = account(row.terms, read_events(events), is_decided=True).rows
    yield element("moves", movetext(rows))
    yield element("drawOffered", shown.is_draw_offered)
    yield element("result", result)
    yield element("eventDate", f"{date.fromisoformat(row.start):%Y.%m.%d}")
    yield element("message", plain(said))
    yield element("serverInfo", plain(listed.notes.get(row.id) or _server_info(shown, words)))
    yield element("gameLink", core.url(f"/games/{row.id}"))
    yield element("round", str(row.round))
    control = rules.control_limit(rules.moves_per_control) * _DAY_S
    yield element("timeControl", f"{rules.moves_per_control}/{control}")
    yield element("variant", "chess")
    yield element("setup", row.fen is not None)
    yield element("fen", row.fen or "")


def _time(whose: str, left: int) -> Iterator[str]:
    """Days until the control; programs require all three fields, none below 0."""
    yield element(f"days{whose}", max(0, left))
    yield element(f"hours{whose}", 0)
    yield element(f"minutes{whose}", 0)


def movetext(rows: Sequence[AccountLine]) -> str:
    """``1.e4 e5 2.Nf3``; a game that begins with Black's move ``1...e5 2.Nf3``."""
    parts = []
    for index, row in enumerate(rows):
        if row.by is Side.WHITE:
            parts.append(f"{row.number}.{row.san}")
        else:
            parts.append(row.san if index else f"{row.number}...{row.san}")
    return " ".join(parts)


def find_last_message(
    events: Sequence[EventRow],
    messages: Sequence[MessageRow],
    thread: Sequence[QuietMessage],
    by: int,
) -> str:
    """What the opponent wrote with his last move and after it; "" when he wrote nothing."""
    stands = [(events[place], event) for place, event in in_force(read_events(events))]
    moved = [row for row, event in stands if row.actor_id == by and isinstance(event, MoveSent)]
    seq, at_us = (moved[-1].seq, moved[-1].at_us) if moved else (0, 0)
    counts = {row.seq for row, _ in stands if row.seq >= seq}
    with_it = [one for one in messages if one.author_id == by and one.seq in counts][-1:]
    after = [one for one in thread if one.author_id == by and one.at_us >= at_us]
    written: list[MessageRow | QuietMessage] = [*with_it, *after]
    return " / ".join(one.text for one in written if not one.hidden_us)


def _server_info(shown: GameSummaryView, words: Words) -> str:
    """What a program has no field for: leave, a series to answer, an overstep to respond to."""
    state = shown.game.state()
    if state.result is not None:
        return ""
    if shown.is_my_move and state.overstep is not None and state.overstep.by is shown.side.other:
        return words("xfcc.info.overstep")
    if shown.is_my_move and state.proposal:
        return words("xfcc.info.series")
    away = _on_leave(state, shown)
    if away is None:
        return ""
    key = "leave_own" if away.by is shown.side else "leave_opponent"
    named = state.terms.rules.cited
    return words(f"xfcc.info.{key}", day=words.day(away.until or away.last), **named)


def _on_leave(state: GameState, shown: GameSummaryView) -> LeaveBooked | None:
    """The leave that one of the players is on today, the reader's own first (§ 6.3.6)."""
    booked = (one.booked for one in state.bookings)
    leaves = [one for one in booked if isinstance(one, LeaveBooked)]
    today = [one for one in leaves if one.first <= shown.today <= (one.until or one.last)]
    return min(today, key=lambda one: one.by is not shown.side, default=None)


# MakeAMove: a move, resigning, a draw accepted or claimed, through the same use cases as the web.

CHANNEL = "xfcc"
LONGEST_MESSAGE, LONGEST_MOVE = 4000, 12
_MARKS = re.compile(r"\s*e\.?p\.?$|[+#!?]+$")
_SCIDS_OWN = ("- Draw -", "- Resign -")
"""What Scid appends to a message that it repeats."""


@dataclass(frozen=True, slots=True)
class XfccMoveRequest:
    """A call that names a game, as received."""

    game: int
    number: int | None
    move: str
    message: str
    resigns: bool
    accepts: bool
    claims: bool
    offers: bool

    @staticmethod
    def of(called: SoapCall) -> "XfccMoveRequest":
        """From the fields; a game id that is not a number becomes 0, which is no game."""
        return XfccMoveRequest(
            game=called.number("gameId") or 0,
            number=called.number("movecount"),
            move=_MARKS.sub("", called.text("myMove")[:LONGEST_MOVE]),
            message=called.text("myMessage")[:LONGEST_MESSAGE],
            resigns=called.is_set("resign"),
            accepts=called.is_set("acceptDraw"),
            claims=called.is_set("claimDraw"),
            offers=called.is_set("offerDraw"),
        )

    @property
    def is_message(self) -> bool:
        """Whether it asks for no action in the game."""
        return not (self.move or self.resigns or self.accepts or self.claims or self.offers)

    def repeats(self, ply: RecentPly) -> bool:
        """Whether the move and its number are those of a ply already played."""
        written = {_MARKS.sub("", ply.san), ply.move.uci()}
        return self.number == ply.number and self.move in written


class _Answered(Exception):
    """The protocol's answer to a call that leaves nothing for the rules to decide."""

    def __init__(self, made: XfccMoveResult) -> None:
        super().__init__(made.value)
        self.made = made


def _build_command(
    wish: XfccMoveRequest, core: Core, zone: str, state: GameState, side: Side
) -> cmd.Command | Refusal | TextProblem:
    """The command for the game as it stands once it is locked. Raises _Answered."""
    if wish.resigns:
        return cmd.Resign(side)
    if wish.accepts:
        return cmd.AcceptDraw(side)
    last = state.recent[-1] if state.recent else None
    if wish.claims and (not wish.move or (last is not None and wish.repeats(last))):
        return cmd.ClaimDraw(side, state.position.ply)
    if not wish.move:
        if wish.offers:
            return cmd.OfferDraw(side)
        raise _Answered(XfccMoveResult.UNAVAILABLE)
    return _build_move(wish, core.today(zone), state, side)


def _build_move(
    wish: XfccMoveRequest, today: date, state: GameState, side: Side
) -> cmd.Command | Refusal | TextProblem:
    """Programs write English letters whatever language their user speaks."""
    if any(ply.by is side and wish.repeats(ply) for ply in state.recent):
        raise _Answered(XfccMoveResult.SUCCESS)  # made before: answered as it was then
    if state.result is not None:
        return Refusal(Reason.GAME_OVER)
    if state.rests:
        return Refusal(Reason.AT_REST)
    if state.to_move is not side:
        return Refusal(Reason.NOT_YOUR_TURN)
    if wish.number != state.board.fullmove_number:
        raise _Answered(XfccMoveResult.INVALID_NUMBER)
    ply = state.position.ply
    read = FieldReader(wish.move, ply, wish.offers, today, "en", takes_offer=True)(state, side)
    if isinstance(read, TextProblem) or not wish.claims:
        return read
    (move,) = read.plies[-1:] or (chess.Move.null(),)
    return cmd.ClaimDraw(side, ply, move)


async def make_a_move(core: Core, person: PersonRow, called: SoapCall) -> XfccMoveResult:
    """Do what a call asks for, and return the outcome."""
    wish = XfccMoveRequest.of(called)
    async with core.store.read() as conn:
        game_id = await request_rows.game_of(conn, wish.game)
        row = None if game_id is None else await game_rows.load(conn, game_id)
        if row is None:
            return XfccMoveResult.INVALID_GAME
        side = row.side_of(person.id)
        if side is None:
            return XfccMoveResult.NOT_YOUR_GAME
        events = await game_rows.history(conn, row.id)
        reported_us = (await access.list_xfcc_report_times(conn, person.id)).get(row.id, 0)
        messages = await note_rows.messages_of_game(conn, row.id)
        thread = await conn.run_sync(note_rows.thread_of_game, row.id)
    heard = find_last_message(events, messages, thread, row.person_of(side.other))
    message = "" if _is_echo(wish.message, heard) else wish.message
    if message and wish.is_message:
        return await _written(core, row, person, message)
    if knows_not(events, person.id, reported_us):
        await _warn_of_set_back(core, person, row)
        return XfccMoveResult.INVALID_NUMBER
    build = partial(_build_command, wish, core, row.zone)
    try:
        answer = await ask(core, GameRequest(row.id, person.id, CHANNEL, build, message))
    except _Answered as error:
        return error.made
    except (NotYours, UnknownGame):
        return XfccMoveResult.NOT_YOUR_GAME
    assert isinstance(answer, GameRequestOutcome), "no key was given"
    return await _record_result(core, person, answer)


async def _warn_of_set_back(core: Core, person: PersonRow, game: GameRow) -> None:
    """The move may be meant for the position before: told once, with the next list."""
    said = Words.load(person.lang)("xfcc.info.set_back")
    await core.store.change(access.note, person.id, game.id, said, core.now_us)


def _is_echo(message: str, heard: str) -> bool:
    """Programs send the last comment of the game, which may be the opponent's own message."""
    said = message
    for mark in _SCIDS_OWN:
        said = said.removesuffix(mark).strip()
    return " ".join(said.split()) == " ".join(heard.split())


async def _written(core: Core, game: GameRow, person: PersonRow, message: str) -> XfccMoveResult:
    """A message without a move goes into the game's thread; the same words once a day."""
    key = f"xfcc-{hash_mail_text(message, core.today(game.zone).isoformat())}"
    fault = await private_side.write(core, game, person.id, message, key)
    return XfccMoveResult.SUCCESS if fault is None else XfccMoveResult.UNAVAILABLE


async def _record_result(
    core: Core, person: PersonRow, answer: GameRequestOutcome
) -> XfccMoveResult:
    """The protocol's word; the reason is kept for the next list of games."""
    words, made, said = Words.load(person.lang), XfccMoveResult.SUCCESS, ""
    if answer.refusal is not None:
        made = build_refusal(answer.refusal.reason, answer.state)
        said = refusal_text(answer.refusal, words)
    elif answer.problem is not None:
        made = unread(answer.problem.problem.kind)
        is_doubtful = answer.problem.problem.kind is ProblemKind.AMBIGUOUS
        said = words("xfcc.info.ambiguous" if is_doubtful else "xfcc.info.no_move")
    elif any(isinstance(event, DrawClaimFailed) for event in answer.events):
        said = words("xfcc.info.claim_failed")
    await core.store.change(access.note, person.id, answer.game.id, said, core.now_us)
    return made


PATH = "/xfcc/XfccBasic.asmx"
_PATTERN = r"/{xfcc:(?i:xfcc/xfccbasic\.asmx|xfccbasic\.asmx)}"
CALLS = Rate(burst=60, per_second=0.5)
"""A program fetches the whole list each time: 30 a minute, or a burst of a move in each game."""
WRONG_KEYS = Rate(burst=20, per_second=1 / 60)
"""Guessing 99 bits is hopeless; this keeps it cheap to refuse."""
_XML = "text/xml"
FAULT, UNAVAILABLE = 500, 503
Page = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Service:
    """The operations for one server. ``address`` tells where a call comes from."""

    core: Core
    address: Callable[[web.Request], str]
    help_page: Page
    _calls: Limiter = field(default_factory=lambda: Limiter(CALLS))
    _wrong: Limiter = field(default_factory=lambda: Limiter(WRONG_KEYS))

    async def get(self, request: web.Request) -> web.StreamResponse:
        """The WSDL if the query asks for it, else the help page."""
        if any(name.lower() == "wsdl" for name in request.query):
            return _xml(_wsdl().replace("@@URL@@", escape(self.core.url(PATH))).encode())
        return await self.help_page(request)

    async def post(self, request: web.Request) -> web.Response:
        """A call. A failure of ours is answered with the protocol's own word for it, and logged."""
        if self._is_unencrypted(request):
            return _fault("FeatureUnavailable: use https")
        try:
            called = await asyncio.to_thread(read, await _body(request))
        except SoapError as error:
            return _fault(f"FeatureUnavailable: {error}")
        try:
            return await self._answered(request, called)
        except StoreUnavailable as error:
            _log.warning("an Xfcc call must wait: %s", error)
            return _unavailable()
        except Exception:
            _log.exception("an Xfcc call failed: %s", called.operation[:40])
            return _fault(XfccMoveResult.SERVER_ERROR.value, is_ours=True)

    def _is_unencrypted(self, request: web.Request) -> bool:
        """Whether a proxy says the key was sent in the clear (answered, never redirected)."""
        is_secure = self.core.settings.web.site.startswith("https:")
        return is_secure and request.headers.get("X-Forwarded-Proto", "").lower() == "http"

    async def _answered(self, request: web.Request, called: SoapCall) -> web.Response:
        if called.operation not in ("GetMyGames", "MakeAMove"):
            return _fault("FeatureUnavailable: no such operation")
        person = await self._person(request, called)
        now = asyncio.get_running_loop().time()
        if called.operation == "MakeAMove":
            if person is None:
                made = XfccMoveResult.AUTHENTICATION
            elif self._calls.wait(str(person.id), now) > 0:
                made = XfccMoveResult.SERVER_ERROR
            else:
                made = await make_a_move(self.core, person, called)
            return _xml(answer(called.operation, made.value))
        if person is None:
            return _fault(XfccMoveResult.AUTHENTICATION.value)
        if self._calls.wait(str(person.id), now) > 0:
            return _fault(XfccMoveResult.SERVER_ERROR.value, is_ours=True)
        listed = await facts(self.core, person)
        games = await asyncio.to_thread(write_list, self.core, person, listed)
        await mark_listed(self.core, person, listed)
        return _xml(answer(called.operation, games))

    async def _person(self, request: web.Request, called: SoapCall) -> PersonRow | None:
        """Who calls; None for wrong keys, and for an address that has guessed too often."""
        where, now = self.address(request), asyncio.get_running_loop().time()
        if self._wrong.is_empty(where, now):
            return None
        user, key = called.text("username"), called.text("password")
        person = await signin.xfcc_owner(self.core, user, key)
        if person is None:
            self._wrong.wait(where, now)
        return person


async def _body(request: web.Request) -> bytes:
    """The octets of a call, read no further than its maximum length. Raises Unreadable."""
    raw = bytearray()
    async for chunk in request.content.iter_any():
        raw += chunk
        if len(raw) > MOST_BYTES:
            raise SoapError("too long")
    return bytes(raw)


def _xml(body: bytes, status: int = 200) -> web.Response:
    return web.Response(body=body, status=status, content_type=_XML, charset="utf-8")


def _fault(said: str, *, is_ours: bool = False) -> web.Response:
    return _xml(fault(said, is_ours=is_ours), FAULT)


def _unavailable() -> web.Response:
    """The protocol's word for a fault of ours, and when to try again."""
    response = _xml(fault(XfccMoveResult.SERVER_ERROR.value, is_ours=True), UNAVAILABLE)
    response.headers["Retry-After"] = str(AGAIN_S)
    return response


@cache
def _wsdl() -> str:
    return Path(__file__).with_name("templates").joinpath("service.wsdl").read_text("utf-8")


def add_xfcc(
    app: web.Application, core: Core, *, address: Callable[[web.Request], str], help_page: Page
) -> None:
    """Add the service to an application; ``help_page`` answers people who open its address."""
    service = Service(core, address, help_page)
    app.router.add_get(_PATTERN, service.get)
    app.router.add_post(_PATTERN, service.post)
