"""Entering postcards: the form, a preview of the outcome, recording (§ 6.2.1, § 6.3.2).

Two steps as for a move: nothing is recorded before it was shown. The picture is uploaded in the
second step. Not for what a card costs (kskak) or for receipts and e-mail (below).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256

from aiohttp import web

from kskak.board.shapes import numeric
from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import CardDates, DrawMade, Event, FaultySent, MoveSent, PlayerResigned
from kskak.play.events_in_force import find_arrival_day, find_void_entries
from kskak.regulation.editions import Regulation, Side
from server.store.cases import papers as paper_rows
from server.store.cases.papers import CardRow
from server.store.play import games as game_rows
from server.store.play.people import PersonRow
from server.store.play.requests import IdempotencyKey
from server.usecases.games.game_units import KeyReused
from server.usecases.play.game_requests import (
    NotYours,
    TextProblem,
    build_stored_answer,
    read_request_outcome,
)
from server.usecases.play.game_views import GameView, game_view
from server.usecases.postal.cards import (
    CardInput,
    CardKind,
    CardPreview,
    Recording,
    corrected_view,
    is_final,
    preview_card,
    record_card,
)
from server.usecases.postal.scans import ENDING, Scan, ScanFault, damaged_open, read_scan
from server.usecases.rights import rights
from server.web.frame.context import GAME, PageRoutes, SignInNeeded, core, get_words, viewer
from server.web.frame.forms import (
    PROBLEM_STATUS,
    Form,
    FormFault,
    TooLong,
    form_of,
    read_file,
    stands_on,
)
from server.web.frame.page_texts import CARD, PageWords, problem_text
from server.web.frame.pages import new_key, page
from server.web.play.player_actions import ask_once, why_not

routes = PageRoutes()

DATES = ("postmark", "receipt", "stated", "received", "arrived")
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Clerk:
    """Somebody with access to a postal game's cards: a party or one of its officials.

    ``enters``: whether he may enter cards; the Board only reads those of its cases (§ 6.4.3).
    """

    view: GameView
    person: PersonRow
    side: Side | None
    enters: bool
    is_official: bool = False
    is_final: bool = False
    """Nobody may object to the game's result any more (§ 6.4.5)."""


async def clerk_of(request: web.Request) -> Clerk:
    """The person entering cards for the game in the address; 403 for those who may only read."""
    clerk = await reader_of(request)
    if not clerk.enters:
        raise web.HTTPForbidden
    return clerk


async def reader_of(request: web.Request) -> Clerk:
    """A party or official with access to the postal game's file; else 404, sign-in or 403."""
    view = await game_view(core(request), int(request.match_info["game"]))
    if view is None or view.group.regulation != Regulation.POSTAL:
        raise web.HTTPNotFound
    person = viewer(request)
    if person is None:
        raise SignInNeeded(request.path)
    side = view.side_of(person.id)
    held = await rights(core(request), person)
    is_official = held.speaks_for(view.group.id)
    enters = side is not None or is_official
    if not (enters or held.may_watch(view.game.id, view.group.id)):
        raise web.HTTPForbidden
    final = await is_final(core(request), view.game)
    return Clerk(view, person, side, enters, is_official, final)


@dataclass(frozen=True, slots=True)
class CardForm:
    """The form's fields as typed."""

    fields: dict[str, str]

    @staticmethod
    def of(form: Form, of: str = "") -> "CardForm":
        """From a submitted form; ``of`` ends the fields' names where it holds several cards."""
        of_one = () if of else ("corrects", "game")
        names = ("kind", "by", "ply", "text", "note", "draw", "key", *DATES, *of_one)
        return CardForm({name: form.typed(f"{name}{of}") for name in names})

    @staticmethod
    def blank(view: GameView) -> "CardForm":
        """For a card of the side to move, with nothing on it yet."""
        state = view.account.state
        empty = dict.fromkeys(("text", "note", "draw", "key", "corrects", "game", *DATES), "")
        by = state.to_move or state.mover
        return CardForm(empty | {"kind": CardKind.MOVE.value, "by": by.value, "ply": view.stamp})

    def problem(self) -> str | None:
        """The first field with an invalid date or choice; None if all can be parsed.

        Raises TooLong when the text or note is too long.
        """
        for name in ("text", "note"):
            if len(self.fields[name]) > LONGEST:
                raise TooLong(name, len(self.fields[name]), LONGEST)
        for name in DATES:
            if self.fields[name] and _day(self.fields[name]) is None:
                return name
        if self.fields["kind"] not in set(CardKind):
            return "kind"
        return None if self.fields["by"] in set(Side) else "by"

    @property
    def corrects(self) -> int | None:
        """The number of the entry whose place this takes."""
        number = self.fields.get("corrects", "")
        return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None

    def entry(self, view: GameView | None, scan: Scan | None = None) -> CardInput:
        """The entered card. Raises ValueError for fields that ``problem`` would name.

        ``view``: the game as it is now; None: the card's position is found later.
        """
        got = self.fields
        days = {name: _day(got[name]) for name in DATES}
        return CardInput(
            kind=CardKind(got["kind"]),
            by=Side(got["by"]),
            ply=-1 if view is None else view.ply_of(got["ply"]),
            text=got["text"],
            offers_draw=bool(got["draw"]),
            note=got["note"],
            scan=scan,
            **days,
        )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@routes.get(f"{GAME}/card")
async def show(request: web.Request) -> web.Response:
    """The form, the cards entered so far, receipt and e-mail."""
    clerk = await reader_of(request)
    typed = CardForm.blank(clerk.view)
    asked = CardForm({"corrects": request.query.get("corrects", "")})
    if asked.corrects is not None:
        return await _show_wrong(request, clerk, typed, asked)
    notice = "cards.done" if request.query.get("done") else ""
    return await card_page(request, clerk, typed, notice=notice)


async def _show_wrong(
    request: web.Request, clerk: Clerk, empty: CardForm, asked: CardForm
) -> web.Response:
    """The form with what was entered from a card, to be put right (§ 6.2.4)."""
    seq = asked.corrects or 0
    card = await core(request).store.query(paper_rows.find_card, clerk.view.game.id, seq)
    made = _put_right(clerk, seq)
    if card is None or isinstance(made, Refusal):
        wrong = made if isinstance(made, Refusal) else Refusal(Reason.CARD_UNKNOWN)
        return await card_page(request, clerk, empty, get_words(request).refusal(wrong))
    fields = empty.fields | entered_fields(clerk.view.events, seq - 1) | {"note": card.note}
    fields |= {"corrects": str(seq), "ply": clerk.view.stamp_at(made.account.state.position.ply)}
    return await card_page(request, replace(clerk, view=made), CardForm(fields))


def _put_right(clerk: Clerk, seq: int) -> GameView | Refusal:
    """The game without the entry, as whoever asks may put it right; officials always."""
    author = None if clerk.is_official else clerk.side
    return corrected_view(clerk.view, seq, author, is_final=clerk.is_final)


def entered_fields(events: Sequence[Event], place: int) -> dict[str, str]:
    """What was entered from a card, as the form holds it."""
    event = events[place]
    days: dict[str, date | None] = {}
    fields = {"by": str(getattr(event, "by", ""))}
    match event:
        case MoveSent(plies=plies, sent=CardDates(postmark, receipt, stated), received=received):
            days = {"postmark": postmark, "receipt": receipt, "stated": stated}
            days |= {"received": received, "arrived": find_arrival_day(events, place)}
            fields |= {"kind": "move", "text": " ".join(numeric(move) for move in plies)}
            fields |= {"draw": "1" if event.offers_draw else ""}
        case FaultySent(fault=fault, on=on):
            days, kind = {"arrived": on}, fault.value.removesuffix("_in_post")
            fields |= {"kind": kind if kind in set(CardKind) else CardKind.ILLEGIBLE.value}
        case PlayerResigned(on=on) | DrawMade(on=on):
            kind = CardKind.RESIGNS if isinstance(event, PlayerResigned) else CardKind.DRAW
            days, fields = {"stated": on}, fields | {"kind": kind.value}
    return fields | {name: day.isoformat() for name, day in days.items() if day is not None}


async def card_page(
    request: web.Request, clerk: Clerk, typed: CardForm, problem: str = "", *, notice: str = ""
) -> web.Response:
    """The page, with what was typed kept in its fields."""
    async with core(request).store.read() as conn:
        cards = await paper_rows.list_game_cards(conn, clerk.view.game.id, has_pictures=False)
        waiting = await damaged_open(conn, core(request).now_us)
    state, view = clerk.view.account.state, clerk.view
    shown = len(view.rows)  # a view with a card put right has one event more
    return page(
        request,
        "postal/card.html",
        status=PROBLEM_STATUS if problem else 200,
        view=clerk.view,
        state=state,
        mine=clerk.side,
        enters=clerk.enters,
        say=get_words(request).words,
        got=typed.fields,
        kinds=tuple(
            kind.value
            for kind in CardKind
            if kind is not CardKind.NOTHING or typed.fields["corrects"]
        ),
        cards=cards,
        gone=find_void_entries(view.events[:shown]),
        fixable=set() if typed.fields["corrects"] else _fixable(clerk, cards),
        corrects=typed.fields["corrects"],
        damaged={card.seq for card in waiting if card.game.id == clerk.view.game.id},
        problem=problem,
        notice=notice,
        needs_receipt=state.to_move is not None and state.receipt is None,
    )


def _fixable(clerk: Clerk, cards: Sequence[CardRow]) -> set[int]:
    """The cards that the reader may put right (§ 6.2.4)."""
    if not clerk.enters:
        return set()
    mine = [one for one in cards if clerk.is_official or one.entered_by == clerk.person.id]
    return {one.seq for one in mine if not isinstance(_put_right(clerk, one.seq), Refusal)}


@routes.post(f"{GAME}/card")
@stands_on(show)
async def preview(request: web.Request) -> web.Response:
    """Step 2: what the card would result in, or what is wrong with it."""
    clerk = await clerk_of(request)
    typed = CardForm.of(await form_of(request))
    wrong = typed.problem()
    if wrong is not None:
        raise FormFault(wrong, field_fault(get_words(request), wrong))
    return await _confirmation(request, clerk, typed)


def field_fault(said: PageWords, name: str, labels: str = "field") -> str:
    """What is wrong with a field that can't be read, by its label on the page."""
    if name not in DATES:
        return said.words("forms.stale")
    return said.words("cards.field_wrong", field=said.words(f"cards.{labels}.{name}"))


async def _confirmation(
    request: web.Request, clerk: Clerk, typed: CardForm, problem: str = ""
) -> web.Response:
    entry, said = typed.entry(clerk.view), get_words(request)
    if typed.corrects is not None:
        without = _put_right(clerk, typed.corrects)
        if isinstance(without, Refusal):
            return await card_page(request, clerk, typed, said.refusal(without))
        clerk = replace(clerk, view=without)
    there = await _right_game(request, clerk, typed)
    if there is not None:
        clerk, entry = there, replace(entry, ply=there.view.account.state.position.ply)
    made = preview_card(clerk.view, entry, clerk.side, said.lang)
    if isinstance(made, Refusal):
        return await card_page(request, clerk, typed, said.refusal(made))
    if isinstance(made, TextProblem):
        raise FormFault("text", problem_text(said, clerk.view.account.state, made, CARD))
    return _show_form(request, clerk, typed, made, problem)


async def _right_game(request: web.Request, clerk: Clerk, typed: CardForm) -> Clerk | None:
    """The game a wrong card belongs in, if another is named. Raises Fault if he may not enter."""
    name = typed.fields["game"].partition(" ")[0]
    if not name or name == clerk.view.game.name or typed.corrects is None:
        return None
    row = await core(request).store.query(game_rows.by_name, name)
    view = None if row is None else await game_view(core(request), row.id)
    held = await rights(core(request), clerk.person)
    if view is not None and view.group.regulation == Regulation.POSTAL:
        side, speaks = view.side_of(clerk.person.id), held.speaks_for(view.group.id)
        if side is not None or speaks:
            return Clerk(view, clerk.person, side, enters=True, is_official=speaks)
    raise FormFault("game", get_words(request).words("cards.no_game", game=name[:80]))


def _show_form(
    request: web.Request, clerk: Clerk, typed: CardForm, made: CardPreview, problem: str
) -> web.Response:
    by = Side(typed.fields["by"])
    return page(
        request,
        "postal/card_confirm.html",
        status=PROBLEM_STATUS if problem else 200,
        view=clerk.view,
        say=get_words(request).words,
        got=typed.fields,
        names=DATES,
        made=made,
        wrong_game=request.match_info["game"],
        total=made.after.clock(by).total,
        limit=made.after.limit_of(by),
        sender=clerk.view.player(by),
        day_of=_day,
        key=new_key(),
        problem=problem,
    )


async def _scan(request: web.Request) -> Scan | ScanFault | None:
    """The picture uploaded with the form; None if none was chosen."""
    data = await read_file(request, "scan")
    return None if data is None else await read_scan(data)


@routes.post(f"{GAME}/card/record")
@stands_on(show)
async def record(request: web.Request) -> web.Response:
    """Record the previewed card. Submitted twice, it is recorded once."""
    clerk = await clerk_of(request)
    typed, scan = CardForm.of(await form_of(request)), await _scan(request)
    if (wrong := typed.problem()) is not None:
        raise FormFault(wrong, field_fault(get_words(request), wrong))
    if isinstance(scan, ScanFault):
        fault = get_words(request).words(f"cards.scan_fault.{scan.value}")
        return await _confirmation(request, clerk, typed, fault)
    key = typed.fields["key"] or f"{clerk.view.game.seq}"
    kept = IdempotencyKey.of(clerk.person.id, f"card-{key}", request.method, request.path, b"")
    game, entry = clerk.view.game, typed.entry(clerk.view, scan)
    there = await _right_game(request, clerk, typed)
    if there is not None:
        entry = replace(entry, ply=there.view.account.state.position.ply)
    asked = Recording(
        game.id,
        clerk.person,
        entry,
        idempotency=kept,
        respond=build_stored_answer,
        corrects=typed.corrects,
        right_game=None if there is None else there.view.game,
    )
    try:
        answer = read_request_outcome(await record_card(core(request), asked, game))
    except NotYours as error:
        raise web.HTTPForbidden from error
    except KeyReused:
        answer = Refusal(Reason.STALE)
    if isinstance(answer, Refusal):
        return await card_page(request, clerk, typed, get_words(request).refusal(answer))
    if answer is not None and (answer.refusal or answer.problem):
        return await _confirmation(request, await clerk_of(request), typed)
    raise web.HTTPSeeOther(f"/games/{game.id}/card?done=1")


@routes.get(f"{GAME}/cards/{{seq:\\d{{1,9}}}}/scan")
async def scan(request: web.Request) -> web.Response:
    """A card's picture, for the parties and their officials."""
    clerk = await reader_of(request)
    game, seq = clerk.view.game, int(request.match_info["seq"])
    async with core(request).store.read() as conn:
        card: CardRow | None = await paper_rows.find_card(conn, game.id, seq)
    if card is None or card.scan is None or card.scan_type is None:
        raise web.HTTPNotFound
    # A foreign picture is shown inline but can't run scripts.
    how = "attachment" if card.scan_type == "application/pdf" else "inline"
    name = f"{game.name.replace('/', '-')}-{seq}.{ENDING[card.scan_type]}"
    named = name.encode("ascii", "replace").decode()
    return foreign_file(card.scan, card.scan_type, f'{how}; filename="{named}"')


def foreign_file(
    data: bytes, media_type: str, disposition: str, headers: Mapping[str, str] = {}
) -> web.Response:
    """What somebody uploaded, as it came, with ``headers`` besides."""
    own = {
        "Content-Disposition": disposition,
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return web.Response(body=data, content_type=media_type, headers={**own, **headers})


# Postal games apart from cards: reporting a receipt, agreeing to e-mail (§ 6.2.1).


async def _done(
    request: web.Request, clerk: Clerk, command: cmd.RecordReceipt | cmd.AnswerEmail
) -> web.Response:
    """Send the command to the game; show the page with the reason if it is refused."""
    # Of what is said too: whoever mistyped a day says another, and is heard.
    key = sha256(repr((command, clerk.view.game.seq)).encode()).hexdigest()[:32]
    answer = await ask_once(request, clerk.person, lambda _, __: command, key)
    refusal, _ = why_not(answer)
    if refusal is not None:
        blank = CardForm.blank(clerk.view)
        return await card_page(request, clerk, blank, get_words(request).refusal(refusal))
    raise web.HTTPSeeOther(f"/games/{clerk.view.game.id}/card?done=1")


def _side(clerk: Clerk) -> Side:
    if clerk.side is None:
        raise web.HTTPForbidden
    return clerk.side


@routes.post(f"{GAME}/receipt")
@stands_on(show)
async def receipt(request: web.Request) -> web.Response:
    """The player to move reports when he received the opponent's card (§ 6.3.1)."""
    clerk = await clerk_of(request)
    day = (await form_of(request)).day("on")
    if day is None:
        said = get_words(request).words
        raise FormFault("on", said("cards.field_wrong", field=said("cards.receipt_on")))
    return await _done(request, clerk, cmd.RecordReceipt(_side(clerk), day))


@routes.post(f"{GAME}/email")
async def email(request: web.Request) -> web.Response:
    """A player agrees or disagrees to moves by e-mail (§ 6.2.1)."""
    clerk = await clerk_of(request)
    agrees = (await form_of(request)).text("agrees", 3) == "yes"
    return await _done(request, clerk, cmd.AnswerEmail(_side(clerk), agrees))
