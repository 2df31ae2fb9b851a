"""A group's page: its crosstable by place or by number, and its start letter as a PDF.

§ 6.4.5.1, § 6.5.2.1. Not for the order (kskak.groups.crosstables) or objections
(published.py).
"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Protocol
from urllib.parse import quote

from aiohttp import web

from kskak.groups.crosstables import GroupCrosstable
from kskak.regulation.days import local_day
from mail.compose import letter_as_pdf
from mail.office_letters.bulletins import (
    FinalStanding,
    list_marks_used,
    outcome_blocks,
    separations,
)
from mail.text.catalogue import Words, decimal, halves
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us
from server.store.group_results import Tally
from server.store.groups import GroupRow
from server.store.play import people as person_rows
from server.store.play.game_lists import Brief
from server.store.play.people import PersonRow
from server.usecases.cup.cup_views import cup_list
from server.usecases.groups.group_tables import TableView, read_final_standing, table_in
from server.usecases.letters import start_letter
from server.usecases.play.game_views import end_day, may_see
from server.usecases.results.titles import TieView, playoff_of_in, tie_view
from server.usecases.results.tournament_home import home_of
from server.usecases.rights import Rights, rights
from server.web.frame.context import (
    PageRoutes,
    core,
    get_words,
    or_404,
    read_only_page,
    signed_in,
    viewer,
)
from server.web.frame.page_texts import SubjectWords, name_blocks
from server.web.frame.pages import page, pdf_response

routes = PageRoutes()

# Texts about progress and scores on the public pages of groups, players and clubs.


class PublicWords(SubjectWords):
    """One language for these pages."""

    subject = "public"

    def score(self, tally: Tally) -> str:
        """«4½ af 6»: points from finished games; not «1/2», which would look like a half."""
        points = halves(Fraction(tally.halves, 2))
        return self.words("entries.classes.score", points=points, games=tally.finished)

    def number(self, value: Fraction) -> str:
        """A rating as an integer without a thousands separator, as in lists."""
        return self.words.number(value, "0")

    def figure(self, value: Fraction, most: int = 2) -> str:
        """A number with at most so many decimals."""
        return decimal(value, self.words, most)

    def ended_on(self, game: Brief) -> date | None:
        """The day a game ended, in its own zone."""
        return end_day(game)


# A group's progress: finished games per round and in all, for bars and sentences.

FULL = 100


class ProgressGame(Protocol):
    """A game of the group."""

    @property
    def round(self) -> int: ...
    @property
    def result(self) -> str | None: ...
    @property
    def ended_us(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """The games of a round, or all games. ``number`` is the round's, 0 for all."""

    number: int
    finished: int
    games: int

    @property
    def percent(self) -> int:
        """The percentage finished; 100 only when all are."""
        return self.finished * FULL // self.games if self.games else 0


@dataclass(frozen=True, slots=True)
class GroupProgress:
    """A group's progress. ``last``: the day of the newest result; None before the first."""

    whole: RoundProgress
    rounds: tuple[RoundProgress, ...]
    last: date | None


def progress_of(games: Iterable[ProgressGame], zone: str) -> GroupProgress:
    """The progress of a group's games, in the tournament's zone."""
    finished, counted, last = Counter[int](), Counter[int](), 0
    for game in games:
        counted[game.round] += 1
        if game.result is not None:
            finished[game.round] += 1
            last = max(last, game.ended_us or 0)
    rounds = tuple(
        RoundProgress(number, finished[number], counted[number]) for number in sorted(counted)
    )
    whole = RoundProgress(0, finished.total(), counted.total())
    return GroupProgress(whole, rounds, local_day(from_us(last), zone) if last else None)


@dataclass(frozen=True, slots=True)
class GroupProgressView:
    """``clubs``: the ids of clubs' pages by name; clubs without a page are missing."""

    p: PublicWords
    progress: GroupProgress
    clubs: dict[str, int]


async def build_progress_view(
    conn: AsyncConnection,
    games: Iterable[ProgressGame],
    zone: str,
    clubs: Iterable[str | None],
    words: Words,
) -> GroupProgressView:
    """Progress and club pages for a group's games and its clubs' names."""
    ids = await member_rows.ids_of(conn, [name for name in clubs if name])
    return GroupProgressView(PublicWords(words), progress_of(games, zone), ids)


# A group's page: its crosstable by place or by number, and its start letter as a PDF.

PLACE, NUMBER = "place", "number"


def _order(request: web.Request, table: GroupCrosstable) -> str:
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
class GroupPageView:
    """What is stored about a group. ``live`` holds its id if anybody may follow its games."""

    group: GroupRow
    tl: PersonRow
    view: TableView
    standing: FinalStanding | None
    tie: TieView | None
    playoff_of: str | None
    beside: GroupProgressView
    live: frozenset[int]


async def find_group(request: web.Request) -> GroupRow:
    """The group in the address; 404 if there is none."""
    return or_404(await core(request).store.query(group_rows.by_name, request.match_info["name"]))


async def _page_view(request: web.Request) -> GroupPageView:
    """The group in the address; a division of the league redirects to its own page."""
    group = await find_group(request)
    if group.class_ == "league":
        raise web.HTTPSeeOther(f"/league/{quote(group.name)}")
    async with core(request).store.read() as conn:
        view = await table_in(conn, group)
        standing = await read_final_standing(conn, group, view)
        tl = await person_rows.find_person(conn, group.tl_id)
        clubs = [seat.club for seat in view.seats]
        beside = await build_progress_view(
            conn, view.games, group.zone, clubs, get_words(request).words
        )
        tie, playoff_of = await tie_view(conn, group, view), await playoff_of_in(conn, group)
        live = await group_rows.find_public_groups(conn, (group.id,))
    assert tl is not None
    return GroupPageView(group, tl, view, standing, tie, playoff_of, beside, live)


@read_only_page
async def show(request: web.Request) -> web.Response:
    """A group: crosstable, tie-breaks, leader, dates. Public (CONTRACTS).

    A division of the league has its own page with matches and boards (§ 6.7.4.5).
    """
    found = await _page_view(request)
    group, view, standing = found.group, found.view, found.standing
    person = viewer(request)
    held = None if person is None else await rights(core(request), person)
    seen = frozenset(game.id for game in view.games if may_see(held, game, found.live))
    order, said = _order(request, view.table), get_words(request).words
    return page(
        request,
        "groups/group.html",
        group=group,
        tl=found.tl,
        rows=view.table.lines if order == PLACE else view.table.by_number,
        people={seat.number: seat.person_id for seat in view.seats},
        seen=seen,
        order=order,
        beside=found.beside,
        table=view.table,
        say=said,
        separations=separations(view.table, said),
        legend=list_marks_used(view.table, said),
        standing=standing,
        comes_to=[] if standing is None else name_blocks(outcome_blocks(standing, said)),
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


@routes.get("/groups/{name:.+}/start.pdf")
async def start_pdf(request: web.Request) -> web.Response:
    """The start letter as a PDF; 403 for those with no right to the addresses."""
    person, group = signed_in(request), await find_group(request)
    if not may_have_letter(await rights(core(request), person), group.id):
        raise web.HTTPForbidden
    said = get_words(request).words
    letter = await start_letter(core(request), person, group.name)
    written, dated = letter.on_paper(said), letter.group.start
    data = await asyncio.to_thread(letter_as_pdf, written, said.lang, written.subject, dated)
    return pdf_response(data, f"startbrev-{group.name}")


# A tournament's home: its groups and who leads them, entry, rules, terms, bulletins, feeds.


@routes.get("/tournaments/{name:.+}")
@read_only_page
async def show_tournament(request: web.Request) -> web.Response:
    """The tournament in the address; 404 if nothing is played or open under that name."""
    name = request.match_info["name"]
    home = or_404(await home_of(core(request), name))
    if home.is_cup:
        for cup in await cup_list(core(request)):
            if cup.row.name == name:
                raise web.HTTPSeeOther(f"/cup/{cup.row.edition}")
    return page(
        request, "groups/tournament.html", home=home, day_of=date.fromisoformat, points=halves
    )


routes.get("/groups/{name:.+}")(show)  # last, as a group's name takes whatever is left
