"""A group's page: its crosstable by place or by number, and its start letter as a PDF.

§ 6.4.5.1, § 6.5.2.1. Not for the order (kskak.groups.group_table) or objections
(published.py).
"""

import asyncio
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

from aiohttp import web

from kskak.groups.group_table import GroupTable, How, Line, Meeting
from kskak.regulation.quantities import Side
from mail.office_letters.bulletin_facts import FinalStanding
from mail.office_letters.start import start_page
from mail.office_letters.tables import marks_used, outcome_blocks, separations
from mail.outgoing.printed import letter_as_pdf
from mail.text.figures import decimal, halves
from mail.text.words import Words
from server.memory import kept
from server.store.groups import followed as live_groups
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow, SeatRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.offices import Rights, rights
from server.usecases.groups.tables import TableView, standing_in, table_in
from server.usecases.letters.notices import start_letter
from server.usecases.play.who_sees import may_see
from server.usecases.results.title_ties import TieView, playoff_of_in, tie_view
from server.web.frame.context import core, one_look, signed_in, viewer, words
from server.web.frame.letter_blocks import named
from server.web.frame.pages import page, pdf_response
from server.web.groups.beside_table import Beside, beside_of

PLACE, NUMBER = "place", "number"


@dataclass(frozen=True, slots=True)
class Cell:
    """A game in a cell; ``score`` is "" while it runs, ``link`` if the reader may see it."""

    game: int
    score: str
    mark: str
    how: How | None
    side: Side
    link: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row; a cell is None on the diagonal."""

    place: int
    number: int
    person_id: int
    name: str
    club: str
    has_left: bool
    cells: tuple[tuple[Cell, ...] | None, ...]
    points: str
    sums: str
    percent: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A table as it is shown; ``separations`` and ``legend`` as in mail.office_letters.tables."""

    rows: tuple[Row, ...]
    separations: tuple[str, ...]
    legend: tuple[str, ...]


@kept(2 << 20, lambda table, seats, order, seen, words: 2000 + 100 * len(seats) ** 2)
def shown(
    table: GroupTable, seats: tuple[SeatRow, ...], order: str, seen: frozenset[int], words: Words
) -> Shown:
    """A table in this order, with links to the games ``seen``.

    Kept: it depends on these alone, and is opened far more often than a game ends.
    """
    lines = table.lines if order == PLACE else table.by_number
    people = {seat.number: seat.person_id for seat in seats}
    rows = _rows(lines, people, seen, words)
    return Shown(rows, separations(table, words), marks_used(table, words))


def _rows(
    listed: tuple[Line, ...], people: dict[int, int], seen: frozenset[int], words: Words
) -> tuple[Row, ...]:
    """The rows in the order of ``listed``, with the columns in the same order."""

    def cells(line: Line) -> tuple[tuple[Cell, ...] | None, ...]:
        return tuple(
            None
            if other is line
            else tuple(_cell(one, seen, words) for one in line.cells.get(other.player.number, ()))
            for other in listed
        )

    return tuple(
        Row(
            place=line.place,
            number=line.player.number,
            person_id=people[line.player.number],
            name=line.player.name,
            club=line.player.club or "",
            has_left=line.player.has_left,
            cells=cells(line),
            points=halves(line.points),
            sums=decimal(line.sonneborn_berger, words),
            percent="" if line.percent is None else decimal(line.percent, words, 1),
        )
        for line in listed
    )


def _cell(one: Meeting, seen: frozenset[int], words: Words) -> Cell:
    score = "" if one.points is None else halves(one.points)
    mark = "" if one.how is None else words(f"tables.mark.{one.how.value}")
    return Cell(one.game, score, mark, one.how, one.side, one.game in seen)


def _order(request: web.Request, table: GroupTable) -> str:
    """By place once any game is finished, unless the reader asks otherwise."""
    asked = request.query.get("by", "")
    if asked in (PLACE, NUMBER):
        return asked
    return PLACE if table.has_begun else NUMBER


@dataclass(frozen=True, slots=True)
class Beginning:
    """A group's first day, and whether it has come."""

    day: date
    has_come: bool


def beginning(request: web.Request, group: GroupRow) -> Beginning:
    """When a group begins or began, as of today in its zone."""
    day = date.fromisoformat(group.start)
    return Beginning(day, day <= core(request).today(group.zone))


@dataclass(frozen=True, slots=True)
class Found:
    """What is stored about a group. ``live`` holds its id if anybody may follow its games."""

    group: GroupRow
    tl: PersonRow
    view: TableView
    standing: FinalStanding | None
    tie: TieView | None
    playoff_of: str | None
    beside: Beside
    live: frozenset[int]


async def _found(request: web.Request) -> Found:
    """The group in the address; a division of the league redirects to its own page."""
    async with core(request).store.read() as conn:
        group = await group_rows.by_name(conn, request.match_info["name"])
        if group is None:
            raise web.HTTPNotFound
        if group.class_ == "league":
            raise web.HTTPSeeOther(f"/league/{quote(group.name)}")
        view = await table_in(conn, group)
        standing = await standing_in(conn, group, view)
        tl = await person_rows.find(conn, group.tl_id)
        clubs = [seat.club for seat in view.seats]
        beside = await beside_of(conn, view.games, group.zone, clubs, words(request).words)
        tie, playoff_of = await tie_view(conn, group, view), await playoff_of_in(conn, group)
        live = await live_groups.which_of(conn, (group.id,))
    assert tl is not None
    return Found(group, tl, view, standing, tie, playoff_of, beside, live)


@one_look
async def show(request: web.Request) -> web.Response:
    """A group: crosstable, tie-breaks, leader, dates. Public (CONTRACTS).

    A division of the league has its own page with matches and boards (§ 6.7.4.5).
    """
    found = await _found(request)
    group, view, standing = found.group, found.view, found.standing
    person = viewer(request)
    held = None if person is None else await rights(core(request), person)
    seen = frozenset(game.id for game in view.games if may_see(held, game, found.live))
    order, said = _order(request, view.table), words(request).words
    table = shown(view.table, view.seats, order, seen, said)
    return page(
        request,
        "groups/group.html",
        group=group,
        tl=found.tl,
        rows=table.rows,
        order=order,
        beside=found.beside,
        table=view.table,
        say=said,
        separations=table.separations,
        legend=table.legend,
        standing=standing,
        comes_to=[] if standing is None else named(outcome_blocks(standing, said)),
        beginning=beginning(request, group),
        is_live=bool(found.live) and not view.table.is_finished,
        round=view.kind.round,
        tie=found.tie,
        playoff_of=found.playoff_of,
        has_letter=held is not None and may_have_letter(held, group.id),
        may_lead=held is not None and held.speaks_for(group.id),
    )


def may_have_letter(held: Rights, group_id: int) -> bool:
    """Only players and their officials: the letter has everybody's address (§ 6.5.2.1)."""
    return group_id in held.plays or held.oversees(group_id)


async def start_pdf(request: web.Request) -> web.Response:
    """The start letter as a PDF; 403 for those with no right to the addresses."""
    person, name = signed_in(request), request.match_info["name"]
    async with core(request).store.read() as conn:
        group = await group_rows.by_name(conn, name)
    if group is None:
        raise web.HTTPNotFound
    if not may_have_letter(await rights(core(request), person), group.id):
        raise web.HTTPForbidden
    said = words(request).words
    letter = await start_letter(core(request), person, name)
    written, dated = start_page(letter, said), letter.group.start
    data = await asyncio.to_thread(letter_as_pdf, written, said.lang, written.subject, dated)
    return pdf_response(data, f"startbrev-{name}")
