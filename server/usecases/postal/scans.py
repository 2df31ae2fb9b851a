"""Pictures of cards and files for a case, damaged cards, postal addresses, and their letters."""

import asyncio
import hashlib
import io
import struct
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.game import game_events as ev
from kskak.game.game_events import FaultySent
from kskak.ledger.stored_events import load_events, unread_entries
from kskak.play.events_in_force import find_void_entries
from kskak.play.game_state import AccountCharge
from kskak.regulation.days import DAMAGED_DAYS, ONE_DAY, REPORT_DAYS, local_day
from kskak.regulation.editions import MoveFault, Regulation, Side
from kskak.statement.account import account
from mail.game_letters import card_letters as pl
from mail.game_letters.card_letters import (
    AddressChanged,
    CardCorrected,
    CardEntered,
    CardFaulty,
    DamagedDue,
)
from mail.game_letters.letter_parts import Letter
from mail.text.letter_facts import find_last_dispatch
from server.store.cases import papers as paper_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, from_us
from server.store.mail import due_work as due_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import AddressRow, PersonRow
from server.usecases.context import Core, poster_of
from server.usecases.games.outbox_letters import Poster
from server.usecases.letter_facts import GameFacts, NoLetter, Params, loads_game
from server.usecases.play.game_requests import GameRequestOutcome, NotYours
from server.usecases.play.game_views import GameView
from server.usecases.rights import Rights, rights_in


def send_by(arrived: date) -> date:
    """The last day to send a damaged card to the leader (§ 6.3.5)."""
    return arrived + DAMAGED_DAYS * ONE_DAY


def _index(found: GameFacts, params: Params) -> int:
    number = params.get("event")
    if not isinstance(number, int) or not 1 <= number <= len(found.events):
        raise NoLetter("event")
    return number - 1


def _who(params: Params) -> str:
    return str(params.get("entered_by", ""))


@loads_game(pl.CardEntered)
def _card(_: Core, found: GameFacts, params: Params) -> pl.CardEntered:
    event, facts = found.events[_index(found, params)], found.to_player
    match event:
        case ev.MoveSent(by=by, sent=sent, received=received):
            dispatch = find_last_dispatch(found.account, event)
            card = sent if isinstance(sent, ev.CardDates) else None
            return pl.CardEntered(*facts, by, _who(params), dispatch, card, received)
        case ev.PlayerResigned(by=by) | ev.DrawMade(by=by):
            return pl.CardEntered(*facts, by, _who(params))
    raise NoLetter("the event is no card")


def _charge(found: GameFacts, event: ev.FaultySent) -> AccountCharge | None:
    """What the faulty card cost, if anything (§ 6.3.5.1)."""
    last = found.account.charges[-1] if found.account.charges else None
    if last is None or (last.by, last.on, last.reason) != (event.by, event.on, event.fault.value):
        return None
    return last


@loads_game(pl.CardFaulty)
def _faulty(_: Core, found: GameFacts, params: Params) -> pl.CardFaulty:
    event = found.events[_index(found, params)]
    if not isinstance(event, ev.FaultySent):
        raise NoLetter("the event is no faulty card")
    return pl.CardFaulty(
        *found.to_reader,
        by=event.by,
        fault=event.fault,
        arrived=event.on,
        entered_by=_who(params),
        charge=_charge(found, event),
        send_by=send_by(event.on),
    )


@loads_game(pl.CardCorrected)
def _corrected(_: Core, found: GameFacts, params: Params) -> pl.CardCorrected:
    """What was void and what took its place; the account before it tells the wrong moves."""
    wrong = _index(found, params)
    back = next(
        place
        for place, event in enumerate(found.events)
        if place > wrong and isinstance(event, ev.GameSetBack)
    )
    was = found.events[wrong]
    old = account(found.account.terms, found.events[:back])
    new = found.events[back + 1 :]
    right = next((one for one in new if isinstance(one, ev.MoveSent)), None)
    card = right.sent if right is not None and isinstance(right.sent, ev.CardDates) else None
    return pl.CardCorrected(
        *found.to_player,
        entered_by=_who(params),
        was=find_last_dispatch(old, was) if isinstance(was, ev.MoveSent) else None,
        dispatch=find_last_dispatch(found.account, right) if right is not None else None,
        card=card,
        received=right.received if right is not None else None,
    )


@loads_game(pl.DamagedDue)
def _damaged_due(_: Core, found: GameFacts, params: Params) -> pl.DamagedDue:
    event = found.events[_index(found, params)]
    if not isinstance(event, ev.FaultySent):
        raise NoLetter("the event is no damaged card")
    return pl.DamagedDue(*found.to_player, event.on, send_by(event.on))


@loads_game(pl.EmailWord)
def _email_word(_: Core, found: GameFacts, __: Params) -> pl.EmailWord:
    event = found.event_as(ev.EmailAnswered)
    return pl.EmailWord(*found.to_player, event.by, event.agrees, found.state.means.is_agreed)


@loads_game(pl.AddressChanged)
def _address(_: Core, found: GameFacts, params: Params) -> pl.AddressChanged:
    by, is_email = Side(str(params.get("by"))), params.get("is_email") is True
    return pl.AddressChanged(*found.to_reader, by, is_email)


@loads_game(pl.ResultAsked)
def _load_result_question(_: Core, found: GameFacts, params: Params) -> pl.ResultAsked:
    since = date.fromisoformat(str(params.get("since")))
    return pl.ResultAsked(*found.to_player, since, REPORT_DAYS)


def letters_of_correction(
    poster: Poster, answer: GameRequestOutcome, wrong: int, person: PersonRow
) -> tuple[NewOutbox, ...]:
    """To both players, whoever entered it: what was void, and what took its place."""
    at = (answer.seq, answer.state.position.ply)
    params: dict[str, object] = {"entered_by": person.name, "event": wrong}
    return tuple(poster.about_game(CardCorrected, answer.game, side, at, params) for side in Side)


def letters_of_card(
    poster: Poster, answer: GameRequestOutcome, author: Side | None, person: PersonRow
) -> tuple[NewOutbox, ...]:
    """The letters of an entered card. ``author`` None: an official entered it."""
    if not answer.events:
        return ()
    first = answer.events[0]
    at = (answer.seq, answer.state.position.ply)
    params: dict[str, object] = {"entered_by": person.name, "event": answer.game.seq + 1}

    def letter(kind: type[Letter], to: Side | None) -> NewOutbox:
        return poster.about_game(kind, answer.game, to, at, params)

    others = [side for side in Side if side is not author]
    match first:
        case ev.FaultySent(by=by, fault=fault):
            readers = list(others)
            if fault is MoveFault.DAMAGED_IN_POST and by.other not in readers:
                readers.append(by.other)  # he has to send it to the leader within 3 days
            letters = [letter(CardFaulty, side) for side in readers]
            tells_leader = fault is MoveFault.DAMAGED_IN_POST and author is not None
            return (*letters, *((letter(CardFaulty, None),) if tells_leader else ()))
        case ev.MoveSent() if answer.state.result is None:
            return tuple(letter(CardEntered, side) for side in others)
        case ev.PlayerResigned(by=by) | ev.DrawMade(by=by) if by is not author:
            return (letter(CardEntered, by),)  # the result goes to all; he may object
    return ()


# Pictures of cards, files for a case: what is accepted, by its first bytes, not by its name.

MOST_BYTES = 5 * 1024 * 1024
"""The largest picture accepted."""
MOST_PIXELS = 50_000_000
"""The most points in a picture: a telephone's finest has 48 million."""
_MAGIC = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"%PDF-": "application/pdf",
}
ENDING = {"image/png": "png", "image/jpeg": "jpg", "application/pdf": "pdf"}
"""A file's extension by its type."""
PAPER_ENDING = ENDING | {"text/plain": "txt", "application/json": "json", "message/rfc822": "eml"}
"""The same for any paper of a case."""
PICTURES = frozenset({"image/png", "image/jpeg"})
"""What a page shows as a picture."""


class ScanFault(StrEnum):
    """Why a picture is not accepted."""

    TOO_LARGE = "too_large"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Scan:
    """A picture of a card, or a file for a case."""

    media_type: str
    data: bytes

    @property
    def digest(self) -> bytes:
        """SHA-256 of the picture: kept when the picture is removed."""
        return hashlib.sha256(self.data).digest()


async def read_scan(data: bytes) -> Scan | ScanFault:
    """A PNG, a JPEG or a PDF of at most ``MOST_BYTES``, by its first bytes.

    A picture is kept without what the camera wrote in it: place, time and device.
    """
    return await asyncio.to_thread(_read, data)


def _read(data: bytes) -> Scan | ScanFault:
    if len(data) > MOST_BYTES:
        return ScanFault.TOO_LARGE
    for magic, media_type in _MAGIC.items():
        if data.startswith(magic):
            return (
                _strip_picture(media_type, data)
                if media_type in PICTURES
                else Scan(media_type, data)
            )
    return ScanFault.UNKNOWN


def _strip_picture(media_type: str, data: bytes) -> Scan | ScanFault:
    """The picture alone, turned upright, as finely as it was; UNKNOWN if it can't be read."""
    from PIL import Image, ImageOps, JpegImagePlugin  # loaded with the first picture

    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as found:
            if found.width * found.height > MOST_PIXELS:
                return ScanFault.TOO_LARGE
            upright = ImageOps.exif_transpose(found)
            see_through = upright.info.get("transparency")
            upright.info = {} if see_through is None else {"transparency": see_through}
            if isinstance(found, JpegImagePlugin.JpegImageFile):
                sampling = JpegImagePlugin.get_sampling(found)
                upright.save(out, "JPEG", qtables=found.quantization, subsampling=sampling)
            else:
                upright.save(out, "PNG")
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, Image.DecompressionBombError):
        return ScanFault.UNKNOWN
    return Scan(media_type, out.getvalue())


# Cards damaged in the post: they go to the leader within 3 days, who says when one has arrived.

DAMAGED_CARD_SPAN_US = 60 * DAY_US
"""Older cards are no longer asked for."""


@dataclass(frozen=True, slots=True)
class DamagedCard:
    """A damaged card that the leader has not received; ``seq`` is its event's."""

    game: GameRow
    seq: int
    event: FaultySent
    send_by: date


def _name(game_id: int, seq: int) -> str:
    return f"damaged:{game_id}:{seq}"


async def damaged_open(conn: AsyncConnection, now_us: int) -> tuple[DamagedCard, ...]:
    """The damaged cards that are still on their way to the leader (§ 6.3.5)."""
    found: list[DamagedCard] = []
    for game_id, seq in await paper_rows.since(conn, now_us - DAMAGED_CARD_SPAN_US):
        if await due_rows.last(conn, _name(game_id, seq)) is not None:
            continue
        game = await game_rows.load(conn, game_id)
        texts = [row.body for row in await game_rows.history(conn, game_id)]
        events = () if unread_entries(texts) else load_events(texts)
        event = (
            events[seq - 1]
            if seq <= len(events) and seq - 1 not in find_void_entries(events)
            else None
        )
        is_damaged = isinstance(event, FaultySent) and event.fault is MoveFault.DAMAGED_IN_POST
        if game is not None and is_damaged and isinstance(event, FaultySent):
            found.append(DamagedCard(game, seq, event, send_by(event.on)))
    return tuple(found)


async def remind(core: Core) -> None:
    """Remind the recipient on the last day, once per card (§ 6.3.5)."""
    found = await core.store.query(damaged_open, core.now_us)
    now = from_us(core.now_us)
    due = [card for card in found if local_day(now, card.game.zone) >= card.send_by]
    if not due:
        return
    async with core.store.write() as conn:
        letters = []
        for card in due:
            if await due_rows.last(conn, _name(card.game.id, card.seq)) is not None:
                continue  # the leader has it meanwhile
            at, params = (card.seq, card.game.ply), {"event": card.seq}
            letters.append(
                poster_of(core).about_game(
                    DamagedDue, card.game, card.event.by.other, at, dict(params)
                )
            )
        await outbox_rows.enqueue(conn, letters)


async def leader_has(core: Core, person: PersonRow, game_id: int, seq: int) -> bool:
    """Record that the leader has the card; False if it was recorded before. Raises NotYours."""
    async with core.store.write() as conn:
        game = await game_rows.load(conn, game_id)
        if game is None:
            raise NotYours
        held = await rights_in(conn, person, core.now_us)
        if not held.speaks_for(game.group_id):
            raise NotYours
        today = local_day(from_us(core.now_us), game.zone).isoformat()
        return await due_rows.take(conn, _name(game_id, seq), today, core.now_us)


# Postal addresses: whose is shown to whom, and a player changing his own.

LONGEST, MOST_LINES = 300, 6
"""Characters and lines of an address: what fits on a card."""


class AddressTooLong(ValueError):
    """An address that does not fit on a card."""


def tidy(text: str) -> str:
    """An address without empty lines and control characters. Raises AddressTooLong."""
    printed = "".join(c for c in text if c == "\n" or unicodedata.category(c)[0] != "C")
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    found = "\n".join(line for line in lines if line)
    if len(found) > LONGEST or found.count("\n") >= MOST_LINES:
        raise AddressTooLong
    return found


async def keep(core: Core, person: PersonRow, text: str) -> None:
    """Keep a person's own address; an empty one removes it. Raises AddressTooLong.

    Opponents and leaders of running postal games are told of a change at once (§ 6.8.5).
    """
    tidied = tidy(text)
    async with core.store.write() as conn:
        await keep_in(core, conn, person.id, tidied)


async def keep_in(core: Core, conn: AsyncConnection, person_id: int, tidied: str) -> None:
    """The same within a transaction, for a text from ``tidy``."""
    row = AddressRow(person_id, tidied, core.now_us)
    before = (await person_rows.postal_addresses_of(conn, [person_id])).get(person_id)
    if row.text == (before.text if before else ""):
        return
    await person_rows.keep_postal_address(conn, row)
    if row.text:
        played = await game_rows.list_person_games(conn, person_id, running=True)
        await outbox_rows.enqueue(conn, _letters(core, person_id, played))


async def without(conn: AsyncConnection, people: Iterable[PersonRow]) -> tuple[str, ...]:
    """The names of those who can't be sent cards, as no address is known (§ 6.5.2.1)."""
    asked = list(people)
    kept = await person_rows.postal_addresses_of(conn, [person.id for person in asked])
    return tuple(person.name for person in asked if person.id not in kept)


def _letters(core: Core, person_id: int, played: Iterable[GameRow]) -> list[NewOutbox]:
    """One letter to each opponent and to each leader."""
    poster, letters = poster_of(core), dict[int, NewOutbox]()
    for game in played:
        mine = game.side_of(person_id)
        if mine is None or game.regulation != Regulation.POSTAL:
            continue
        at, params = (game.seq, game.ply), {"by": mine.value}
        for side, reader in ((mine.other, game.person_of(mine.other)), (None, game.tl_id)):
            letter = poster.about_game(
                AddressChanged, game, side, at, dict(params), f"{core.now_us}"
            )
            letters.setdefault(reader, letter)
    return list(letters.values())


async def own(core: Core, person: PersonRow) -> str:
    """A person's own address; "" when there is none."""
    found = await core.store.query(person_rows.postal_addresses_of, [person.id])
    return found[person.id].text if found else ""


def readable(view: GameView, held: Rights | None) -> tuple[Side, ...]:
    """The players of a game whose addresses its reader may see, besides his own (§ 6.2.1)."""
    if held is None or view.game.regulation != Regulation.POSTAL:
        return ()
    mine = view.side_of(held.person_id)
    if mine is not None:
        return (mine.other,) if view.game.result is None else ()
    return tuple(Side) if held.speaks_for(view.group.id) else ()


async def list_visible_addresses(
    core: Core, view: GameView, held: Rights | None
) -> tuple[tuple[PersonRow, tuple[str, ...], date | None], ...]:
    """Players with their address lines (empty if unknown) and the days these were changed."""
    people = [view.player(side) for side in readable(view, held)]
    if not people:
        return ()
    found = await core.store.query(
        person_rows.postal_addresses_of, [person.id for person in people]
    )

    def day(row: AddressRow | None) -> date | None:
        return None if row is None else local_day(from_us(row.changed_us), view.game.zone)

    listed = ((person, found.get(person.id)) for person in people)
    return tuple(
        (person, tuple(row.text.split("\n")) if row else (), day(row)) for person, row in listed
    )
