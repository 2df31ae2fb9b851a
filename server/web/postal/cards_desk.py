"""A row a card: photo in, dates read off it, next; the server says what it makes of each.

For the officials of postal games (§ 6.2.1, § 6.3.2). One press tries all rows, the next enters
those that were tried as they stand. Photos wait for their card, seen by who put them in alone. Not
for one card entered by a player (cards.py) nor for what a card comes to (postal/cards.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from aiohttp import web

from kskak.game.game_commands import Refusal
from server.store.cases import papers as paper_rows
from server.store.play.people import PersonRow
from server.store.play.requests import IdempotencyKey
from server.usecases.games.game_units import KeyReused
from server.usecases.play.game_requests import (
    GameRequestOutcome,
    NotYours,
    TextProblem,
    build_stored_answer,
)
from server.usecases.postal.cards import (
    CardCheck,
    CardKind,
    Recording,
    postal_games,
    record_card,
    try_all,
)
from server.usecases.postal.scans import PICTURES, Scan, ScanFault, read_scan
from server.usecases.rights import Rights
from server.web.cases.case_texts import load_case_words
from server.web.desks.desk_pages import require_rights
from server.web.frame.context import PageRoutes, core, get_words, read_only_page
from server.web.frame.forms import PROBLEM_STATUS, Form, TooLong, files_of, form_of, too_long
from server.web.frame.middleware import CARDS
from server.web.frame.page_texts import CARD, PageWords, problem_text
from server.web.frame.pages import new_key, page
from server.web.postal.cards import DATES, CardForm, field_fault, foreign_file

routes = PageRoutes()

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

    def kept(self, name: str) -> str:
        """A field as typed."""
        return self.typed.fields[name]


async def _official(request: web.Request) -> tuple[PersonRow, Rights]:
    person, rights = await require_rights(request)
    if not (rights.is_kc or rights.led or rights.leads_all):
        raise web.HTTPNotFound
    return person, rights


@routes.get(CARDS)
@read_only_page
async def show(request: web.Request) -> web.Response:
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
    told: Sequence[CardCheck] = (),
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
        told=told,
        fault=fault,
        key=new_key(),
    )


@routes.post(CARDS)
async def do(request: web.Request) -> web.Response:
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
