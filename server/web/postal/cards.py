"""Entering postcards: one with a preview, or a row a card with its photo (§ 6.2.1, § 6.3.2).

Two steps as for a move: nothing is recorded before it was shown. At the desk of the officials of
postal games one press tries all rows, the next enters those that were tried as they stand; photos
wait for their card, seen by who put them in alone. Not for what a card costs (kskak).
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
    GameRequestOutcome,
    NotYours,
    TextProblem,
    build_stored_answer,
    read_request_outcome,
)
from server.usecases.play.game_views import GameView, game_view
from server.usecases.postal.cards import (
    CardCheck,
    CardInput,
    CardKind,
    Recording,
    corrected_view,
    is_final,
    postal_games,
    preview_card,
    record_card,
    try_all,
)
from server.usecases.postal.scans import ENDING, PICTURES, Scan, ScanFault, damaged_open, read_scan
from server.usecases.rights import Rights, rights
from server.web.cases.case_texts import load_case_words
from server.web.desks.desk_pages import require_rights
from server.web.frame.context import (
    GAME,
    PageRoutes,
    SignInNeeded,
    core,
    get_words,
    read_only_page,
    viewer,
)
from server.web.frame.forms import (
    PROBLEM_STATUS,
    Form,
    FormFault,
    TooLong,
    files_of,
    form_of,
    read_file,
    stands_on,
    too_long,
)
from server.web.frame.middleware import CARDS
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


async def clerk_of(request: web.Request, *, reads: bool = False) -> Clerk:
    """A party or official with access to the postal game's file; else 404, sign-in or 403.

    403 for those who may only read, unless that is all that is asked (``reads``).
    """
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
    if not (enters or (reads and held.may_watch(view.game.id, view.group.id))):
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
    clerk = await clerk_of(request, reads=True)
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
    who = clerk.person.id if clerk.enters else None
    mine = [one for one in cards if clerk.is_official or one.entered_by == who]
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
    by = Side(typed.fields["by"])
    return page(
        request,
        "postal/card_confirm.html",
        status=PROBLEM_STATUS if problem else 200,
        view=clerk.view,
        say=said.words,
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


@routes.post(f"{GAME}/card/record")
@stands_on(show)
async def record(request: web.Request) -> web.Response:
    """Record the previewed card. Submitted twice, it is recorded once."""
    clerk = await clerk_of(request)
    typed, data = CardForm.of(await form_of(request)), await read_file(request, "scan")
    scan = None if data is None else await read_scan(data)
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
    clerk = await clerk_of(request, reads=True)
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


ROWS, MOST_ROWS = 4, 12
"""Rows of an empty page; the most."""


@dataclass(frozen=True, slots=True)
class CardDeskLine:
    """A row: what is typed in it, its photo, and what became of it.

    ``wrong``: what can't be read or entered; ``mark``: what was tried, to be entered as it stands.
    """

    number: int
    game: str
    typed: CardForm
    photo: int | None = None
    tried: CardCheck | None = None
    wrong: str = ""
    mark: str = ""

    @property
    def is_blank(self) -> bool:
        typed = (self.game, self.typed.fields["text"], *(self.typed.fields[name] for name in DATES))
        return not any(typed)


async def _official(request: web.Request) -> tuple[PersonRow, Rights]:
    person, rights = await require_rights(request)
    if not (rights.is_kc or rights.led or rights.leads_all):
        raise web.HTTPNotFound
    return person, rights


@routes.get(CARDS)
@read_only_page
async def show_desk(request: web.Request) -> web.Response:
    """A row for each photo that waits, and some without."""
    person, _ = await _official(request)
    return await _page(request, _filled([], [*await _photos(request, person)]))


async def _photos(request: web.Request, person: PersonRow) -> dict[int, str]:
    """The types of the photos that wait, by their number."""
    async with core(request).store.read() as conn:
        return dict(await paper_rows.list_person_pictures(conn, person.id))


def _filled(
    rows: Sequence[CardDeskLine], photos: Sequence[int], fresh: Sequence[int] = ()
) -> list[CardDeskLine]:
    """The rows, with each photo that is in none of them in the next one without.

    A row in which something is typed is only given one put in for all rows in the same press
    (``fresh``): one that was seen in another row is another card's.
    """
    taken = {row.photo for row in rows}
    free = [number for number in photos if number not in taken]
    found = []
    for row in rows:
        fit = [number for number in free if row.is_blank or number in fresh]
        if row.photo is None and fit:
            free.remove(fit[0])
            row = replace(row, photo=fit[0])
        found.append(row)
    blank = CardForm.of(Form({"kind": CardKind.MOVE.value}))
    while len(found) < MOST_ROWS and (free or len(found) < ROWS):
        photo = free.pop(0) if free else None
        found.append(CardDeskLine(len(found) + 1, "", blank, photo))
    return found


async def _page(
    request: web.Request,
    rows: Sequence[CardDeskLine],
    entered: Sequence[CardCheck] = (),
    fault: str = "",
) -> web.Response:
    person, rights = await _official(request)
    types = await _photos(request, person)
    is_faulty = bool(fault) or any(row.wrong for row in rows)
    return page(
        request,
        "postal/cards_desk.html",
        status=PROBLEM_STATUS if is_faulty else 200,
        d=load_case_words(request),
        say=get_words(request).words,
        rights=rights,
        rows=rows,
        games=await postal_games(core(request), rights),
        kinds=tuple(kind.value for kind in CardKind if kind is not CardKind.NOTHING),
        pictures={number for number, kind in types.items() if kind in PICTURES},
        ready=sum(bool(row.mark) for row in rows),
        entered=entered,
        fault=fault,
        key=new_key(),
    )


@routes.post(CARDS)
async def enter_rows(request: web.Request) -> web.Response:
    """Keep the photos and try every row; or enter those that were tried and stand unchanged."""
    person, _ = await _official(request)
    form = await form_of(request)
    fresh: dict[int, str] = {}
    fault = await _keep_photos(request, person, form, fresh)
    photos = [*await _photos(request, person)]
    typed = _rows(form, photos, {name: number for number, name in fresh.items()})
    rows = await _tried(request, person, _filled(typed, photos, tuple(fresh)))
    if form.text("step", 10) != "enter" or fault:
        return await _page(request, rows, fault=fault)
    ready = [row for row in rows if row.mark and form.typed(f"mark-{row.number}") == row.mark]
    if not ready:
        return await _page(request, rows, fault=get_words(request).words("cards.desk.look_first"))
    entered = [row for row in ready if await _entered(request, person, row, form.text("key", 80))]
    numbers, photos_in = {row.number for row in entered}, {row.photo for row in entered}
    rest = [row for row in rows if row.number not in numbers and not row.is_blank]
    again = [CardDeskLine(n, row.game, row.typed, row.photo) for n, row in enumerate(rest, 1)]
    left = [number for number in photos if number not in photos_in]
    shown = await _tried(request, person, _filled(again, left))
    return await _page(request, shown, [row.tried for row in entered if row.tried])


def _rows(form: Form, photos: Sequence[int], chosen: Mapping[str, int]) -> list[CardDeskLine]:
    """The rows of the form, each with the photo chosen in it now or that still waits in it.

    ``chosen``: the photos just put in, by the name of their field.
    """
    found = []
    for n in range(1, MOST_ROWS + 1):
        if f"game-{n}" not in form.fields:
            break
        photo = chosen.get(f"file-{n}") or form.number(f"photo-{n}")
        typed = CardForm.of(form, f"-{n}")
        game = form.text(f"game-{n}", 200).partition(" ")[0]
        found.append(CardDeskLine(n, game, typed, photo if photo in photos else None))
    return found


async def _keep_photos(
    request: web.Request, person: PersonRow, form: Form, kept: dict[int, str]
) -> str:
    """Put the uploaded photos aside, remove the unwanted; what is wrong with one, or "".

    ``kept`` is filled with the number of each photo and the name of the field it was chosen in.
    """
    said, server = get_words(request).words, core(request)
    sent = [(name, data) for name, all_of in (await files_of(request)).items() for data in all_of]
    scans = [(name, await read_scan(data)) for name, data in sent]
    wrong = next((scan for _, scan in scans if isinstance(scan, ScanFault)), None)
    if wrong is not None:
        return said(f"cards.scan_fault.{wrong.value}")
    async with server.store.write() as conn:
        for n in range(1, MOST_ROWS + 1):
            if form.is_ticked(f"drop-{n}"):
                await paper_rows.remove(conn, person.id, form.number(f"photo-{n}") or 0)
        for name, scan in scans:
            assert isinstance(scan, Scan)
            kept_as = (scan.data, scan.media_type, server.now_us)
            number = await paper_rows.add_waiting_scan(conn, person.id, *kept_as)
            if number is None:
                return said("cards.desk.too_many", most=paper_rows.MOST)
            kept[number] = name
    return ""


async def _tried(
    request: web.Request, person: PersonRow, rows: Sequence[CardDeskLine]
) -> list[CardDeskLine]:
    """The rows with what the account makes of them; a row that can't be read stops no other."""
    said = get_words(request)
    read = [_read(request, row) for row in rows]
    asked = [(row.game, row.typed.entry(None)) for row in read if not (row.is_blank or row.wrong)]
    found = iter(await try_all(core(request), person, asked))
    return [row if row.is_blank or row.wrong else _judged(said, row, next(found)) for row in read]


def _read(request: web.Request, row: CardDeskLine) -> CardDeskLine:
    """The row, with the first of its fields that can't be read."""
    fields = row.typed.fields | {"by": "white"}  # the side to move is found with the game
    typed = CardForm(fields | {"kind": fields["kind"] or CardKind.MOVE.value})
    if row.is_blank:
        return replace(row, typed=typed)
    try:
        name = typed.problem()
    except TooLong as error:
        return replace(row, typed=typed, wrong=too_long(request, error))
    labels = "field" if name == "arrived" else "desk"
    wrong = "" if name is None else field_fault(get_words(request), name, labels)
    return replace(row, typed=typed, wrong=wrong)


def _judged(said: PageWords, row: CardDeskLine, tried: CardCheck) -> CardDeskLine:
    """The row with its verdict, and the mark with which it may be entered."""
    if tried.view is None:
        return replace(row, wrong=said.words("cards.desk.no_game", game=row.game or "–"))
    state = tried.view.account.state
    if isinstance(tried.problem, TextProblem):
        return replace(row, tried=tried, wrong=problem_text(said, state, tried.problem, CARD))
    if isinstance(tried.problem, Refusal):
        return replace(row, tried=tried, wrong=said.refusal(tried.problem))
    facts = (row.game, sorted(row.typed.fields.items()), row.photo, tried.view.stamp)
    assert tried.made is not None
    shown = (tried.made.row, tried.made.charges, tried.used)
    mark = sha256(repr((facts, shown)).encode()).hexdigest()[:16]
    return replace(row, tried=tried, mark=mark)


async def _entered(request: web.Request, person: PersonRow, row: CardDeskLine, key: str) -> bool:
    """Enter a card as it was tried, with its photo; False when the game has moved on."""
    server, tried = core(request), row.tried
    assert tried is not None and tried.entry is not None and tried.view is not None
    async with server.store.read() as conn:
        kept = await paper_rows.find_waiting_scan(conn, person.id, row.photo) if row.photo else None
    scan = None if kept is None else Scan(kept.scan_type, bytes(kept.scan))
    once = IdempotencyKey.of(person.id, f"card-{key}-{row.number}", "POST", request.path, b"")
    entry, game = replace(tried.entry, scan=scan), tried.view.game
    asked = Recording(game.id, person, entry, idempotency=once, respond=build_stored_answer)
    try:
        answer = await record_card(server, asked, game)
    except (NotYours, KeyReused):
        return False
    if isinstance(answer, GameRequestOutcome) and (answer.refusal or answer.problem):
        return False
    if kept is not None:
        await server.store.change(paper_rows.remove, person.id, kept.id)
    return True


@routes.get(rf"{CARDS}/{{photo:\d{{1,18}}}}")
async def photo(request: web.Request) -> web.Response:
    """A photo that waits, for who put it in."""
    person, _ = await _official(request)
    kept = await core(request).store.query(
        paper_rows.find_waiting_scan, person.id, int(request.match_info["photo"])
    )
    if kept is None:
        raise web.HTTPNotFound
    how = "inline" if kept.scan_type in PICTURES else "attachment"
    return foreign_file(bytes(kept.scan), kept.scan_type, how, {"Cache-Control": "no-store"})
