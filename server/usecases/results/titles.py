"""Titles: recorded when a group is published, or entered with their source (§ 6.5.2, § 6.6.1.5).

A result that is changed and published again changes the title; the earlier one stays on
record. Not for who earns one (kskak.groups.placing) nor for a tied first place (below).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any

from kskak.cases.consequences import (
    CaseConsequence,
    CaseDeed,
    ConsequenceKind,
    DeedKind,
    ProposedDeed,
    Surroundings,
    find_consequences,
)
from kskak.cases.holdings import Holding, HoldingKind
from kskak.cup import TieProblem, TieRefusal
from kskak.game.game_commands import is_near
from kskak.groups.placing import RankingStep, Title
from kskak.regulation.days import local_day
from server.store import cup as cup_rows
from server.store import desk_lists as desk_rows
from server.store import entries as entry_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.cases import publications as publication_rows
from server.store.desk_lists import BulletinRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us
from server.store.group_results import NewTitle, TieRow, TitleRow
from server.store.groups import GroupRow, SeatRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.cases.decision_preparing import Order, PreparedDecision
from server.usecases.context import Core, today_of
from server.usecases.cup.cup_rounds import FIRST_YEAR
from server.usecases.cup.cup_views import facts_in, list_places
from server.usecases.entries.entry_judging import CUP_JUDGING, ListView, lists_view
from server.usecases.groups.group_file import GroupClass, GroupFile, StartedGroup, draw_seed
from server.usecases.groups.group_tables import (
    TableView,
    change_results,
    read_final_standing,
    table_in,
    tables_in,
)
from server.usecases.league.divisions import list_team_places, view_in, views_in
from server.usecases.rights import NoSuch, NotAllowed, require_kc, rights_in
from server.usecases.starts.start_group import start_in

PARAGRAPHS = {
    Title.DANISH_CHAMPION: "6.5.2",
    Title.CUP_CHAMPION: "6.6.1.5",
    Title.TEAM_CHAMPION: "6.7.4.6",
}
LONGEST_NAME, LONGEST_SOURCE = 120, 1000


async def check_all_titles(core: Core) -> None:
    """Check the titles of all published groups that give one against their results: once a day.

    DM groups, cup finals and 1st divisions are few a year; this way a later ruling that changes a
    result changes its title too. Read while nobody waits; what has changed is settled one by one.
    """
    for group_id in await core.store.reading(partial(_changed, core)):
        async with core.store.deciding() as conn:
            await record_group_title(core, conn, group_id)


async def _changed(core: Core) -> list[int]:
    """The groups whose titles are not those on record."""
    async with core.store.read() as conn:
        groups = await result_rows.groups_with_titles(conn)
        return [one for one in groups if (await _titles(core, conn, one)) is not None]


async def record_group_title(core: Core, conn: AsyncConnection, group_id: int) -> None:
    """Record the title of a finished DM, cup final or division (§ 6.5.2, § 6.6.1.5, § 6.7.4.6).

    No title while it awaits a play-off or lots, or while a game is being played again.
    """
    changed = await _titles(core, conn, group_id)
    if changed is not None:
        stood, won = changed
        await result_rows.remove(conn, [row.id for row in stood], None, core.now_us)
        await result_rows.add(conn, won)


async def _titles(
    core: Core, conn: AsyncConnection, group_id: int
) -> tuple[tuple[TitleRow, ...], list[NewTitle]] | None:
    """The titles on record and those won; None when they are the same."""
    group = await group_rows.the_group(conn, group_id)
    won = await _won(core, conn, group)
    if won is None:
        return None
    stood = await result_rows.everything(conn, group_id=group.id)
    is_same = [_bearer(one) for one in won] == [_bearer(row) for row in stood]
    return None if is_same else (stood, won)


async def _won(core: Core, conn: AsyncConnection, group: GroupRow) -> list[NewTitle] | None:
    """What a finished group gives; no team champion while lots must be drawn (§ 6.7.4.5).

    None while it is asked who is a Danish citizen: a title on record then stands (§ 6.5.2).
    """

    def title(won: Title, edition: int, ended_us: int, **bearer: Any) -> NewTitle:
        day = local_day(from_us(ended_us), group.zone).isoformat()
        return NewTitle(
            title=won.value, edition=edition, group_id=group.id, paragraph=PARAGRAPHS[won],
            day=day, at_us=core.now_us, **bearer,
        )  # fmt: skip

    if group.class_ == "league":
        view = await conn.run_sync(view_in, group)
        if view is None or view.champion is None:
            return []
        last = max(game.ended_us or 0 for game in view.games)
        return [title(Title.TEAM_CHAMPION, view.row.season, last, name=view.champion)]
    table = await table_in(conn, group)
    standing, ended_us = await read_final_standing(conn, group, table), table.finished_us
    if standing is None or ended_us is None:
        return []
    if any(award.asked for award in standing.awards):
        return None
    people, cup = {str(seat.number): seat.person_id for seat in table.seats}, table.kind.round
    edition = date.fromisoformat(group.start).year if cup is None else cup.edition
    return [
        title(
            award.title, edition, ended_us, person_id=people[one], is_shared=len(award.holders) > 1
        )
        for award in standing.awards
        if award.awaits is None
        for one in award.holders
    ]


def _bearer(one: NewTitle | TitleRow) -> tuple[str, int | str | None, bool]:
    return one.title, one.person_id or one.name, one.is_shared


class TitleFault(StrEnum):
    """What is wrong with a title that is to be entered."""

    EDITION = "edition"
    NAME = "name"
    SOURCE = "source"
    TWICE = "twice"


@dataclass(frozen=True, slots=True)
class OldTitle:
    """A title from before the server, held by a registered person or known by name alone."""

    title: Title
    edition: int
    source: str
    person_id: int | None = None
    name: str = ""
    is_shared: bool = False


async def enter_title(core: Core, by: PersonRow, entered: OldTitle) -> int | TitleFault:
    """Enter a title with its source, as controller; its number. Raises NotAllowed, NoSuch."""
    async with core.store.deciding() as conn:
        if not (await rights_in(conn, by, core.now_us)).is_kc or entered.person_id == by.id:
            raise NotAllowed  # nobody enters their own title
        if (
            entered.person_id is not None
            and await person_rows.find_person(conn, entered.person_id) is None
        ):
            raise NoSuch("person")
        fault = _fault(entered, today_of(core))
        if fault is None and _stands(
            entered, await result_rows.everything(conn, entered.title.value)
        ):
            fault = TitleFault.TWICE
        if fault is not None:
            return fault
        new = NewTitle(
            title=entered.title.value,
            edition=entered.edition,
            person_id=entered.person_id,
            name=None if entered.person_id is not None else entered.name.strip(),
            is_shared=entered.is_shared,
            paragraph=PARAGRAPHS[entered.title],
            source=entered.source.strip(),
            entered_by=by.id,
            at_us=core.now_us,
        )
        return (await result_rows.add(conn, [new]))[0]


def _fault(entered: OldTitle, today: date) -> TitleFault | None:
    name, source = entered.name.strip(), entered.source.strip()
    is_named = 0 < len(name) <= LONGEST_NAME and name.isprintable()
    checks = (
        (TitleFault.EDITION, FIRST_YEAR <= entered.edition <= today.year),
        (TitleFault.NAME, entered.person_id is not None or is_named),
        (TitleFault.SOURCE, 0 < len(source) <= LONGEST_SOURCE),
    )
    return next((fault for fault, is_good in checks if not is_good), None)


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _stands(entered: OldTitle, known: Sequence[TitleRow]) -> bool:
    """Whether a year's title is on record already: the holder's own, or one that is not shared."""
    name = _folded(entered.name)
    return any(
        row.edition == entered.edition
        and (
            not (entered.is_shared and row.is_shared)
            or (entered.person_id is not None and row.person_id == entered.person_id)
            or (entered.person_id is None and _folded(row.name) == name)
        )
        for row in known
    )


async def remove_title(core: Core, by: PersonRow, title_id: int) -> None:
    """Remove an entered title; it stays on record. Raises NotAllowed, NoSuch.

    A title won here follows the results of its group and can't be removed.
    """
    async with core.store.deciding() as conn:
        await require_kc(conn, by, core.now_us)
        found = await result_rows.find(conn, title_id)
        if found is None or found.group_id is not None:
            raise NoSuch("title")
        await result_rows.remove(conn, [title_id], by.id, core.now_us)


async def all_titles(core: Core) -> dict[Title, tuple[TitleRow, ...]]:
    """Every title with its holders, the newest year first."""
    found = await core.store.query(result_rows.everything)
    return {one: tuple(row for row in found if row.title == one) for one in Title}


# What a ruling changes of what its groups give: titles, rights, prizes, who goes on (§ 6.4.5).


async def find_standing_changes(core: Core, made: PreparedDecision) -> tuple[CaseConsequence, ...]:
    """What people would hold, or no longer hold, by the results that a decision leaves."""
    left = frozenset(
        [one.player for one in made.order.leaving]
        + [outcome.player for _, outcome in made.left.departures]
    )
    lost, on = frozenset(made.decision.prizes_lost), made.decision.on
    held, earned = set[Holding](), set[Holding]()
    async with core.store.read() as conn:
        groups = await group_rows.with_ids(conn, {row.group_id for row in made.rows.values()})
        views = await tables_in(conn, [one for one in groups if one.class_ != GroupClass.LEAGUE])
        for group in groups:
            before = views.get(group.id)
            if before is None:
                division = await conn.run_sync(view_in, group)
                held |= {*list_team_places(division, {})}
                earned |= {*list_team_places(division, made.results)}
                continue
            after = change_results(group, before, made.results, core.now_us, left, lost)
            if before.finished_us is None and after.finished_us is None:
                continue
            held |= await _holdings(conn, group, before)
            earned |= await _holdings(conn, group, after)
            drawn = await cup_rows.rounds_of(conn, [group.id])
            if group.id in drawn:
                row = await cup_rows.find(conn, drawn[group.id].cup_id)
                assert row is not None
                facts = await facts_in(conn, row)
                held |= list_places(facts, drawn[group.id].stage)
                changed = facts.with_view(group.id, after)
                earned |= list_places(changed, drawn[group.id].stage)
    facts_now = Surroundings(on, holdings=frozenset(held), earned=frozenset(held))
    deed = CaseDeed(DeedKind.RULING, on, earned=frozenset(earned))
    found = find_consequences(deed, facts_now)
    entries = await core.store.query(_find_entries, found)
    return (*found, *entries)


async def pass_over(core: Core, order: Order) -> Order:
    """An order with the places in cup rounds not drawn yet: a sanction takes them (§ 6.4.2), its
    annulment gives them back."""
    if not (order.sanctions or order.named):
        return order
    async with core.store.read() as conn:
        cups = [await facts_in(conn, cup) for cup in await cup_rows.everything(conn)]
    places = {one for cup in cups if cup.last for one in list_places(cup, cup.last.stage)}
    return replace(order, places=tuple(sorted(places, key=lambda one: (one.of, one.person))))


async def _find_entries(
    conn: AsyncConnection, changes: Iterable[CaseConsequence]
) -> list[CaseConsequence]:
    """The entries to classes to which a right falls: they are judged again (§ 6.5.3.2)."""
    lost = [(one.person, one.holding.of) for one in changes
            if one.person and one.holding and one.kind is ConsequenceKind.NOT_EARNED
            and one.holding.kind is HoldingKind.RIGHT]  # fmt: skip
    return [
        CaseConsequence(
            ConsequenceKind.ENTRY_FALLS, ProposedDeed.JUDGE, person=person,
            holding=Holding(HoldingKind.ENTRY, person, row.list_name, row.event, number=row.id),
        )
        for person, wish in lost
        for row in await entry_rows.entries_of(conn, person)
        if row.is_open and row.wish == wish
    ]  # fmt: skip


async def _holdings(conn: AsyncConnection, group: GroupRow, view: TableView) -> set[Holding]:
    """What a finished group gives: titles, rights and prizes; nothing while it is played."""
    standing = await read_final_standing(conn, group, view)
    if standing is None:
        return set()
    people = {seat.number: seat.person_id for seat in view.seats}
    titles = (
        Holding(HoldingKind.TITLE, people[int(one)], award.title.value, place=1)
        for award in standing.awards
        if award.awaits is None
        for one in award.holders
    )
    rights = (
        Holding(HoldingKind.RIGHT, people[one.number], one.opens.value, one.how)
        for one in standing.consequences
    )
    won = (
        Holding(HoldingKind.RIGHT, people[one.number], one.opens.value, CUP_JUDGING)
        for one in standing.cup_rights
    )
    prizes = (
        Holding(HoldingKind.PRIZE, people[number], group.name, number=round(ore))
        for number, ore in standing.prizes
        if ore
    )
    return {*titles, *rights, *won, *prizes}


# A tied first place in the DM: the play-off of two games, or the agreement to share (§ 6.5.2).


@dataclass(frozen=True, slots=True)
class TieView:
    """A DM's title: who is tied for it, and what was done about it.

    ``asked``: of whom it is unknown whether they are Danish citizens; ``is_citizens``: a foreigner
    won, and those tied are the best placed Danes, for whom a play-off can be ordered.
    """

    level: tuple[SeatRow, ...]
    settled: TieRow | None
    playoff: str | None
    asked: tuple[SeatRow, ...] = ()
    is_citizens: bool = False


def level_first(view: TableView) -> tuple[SeatRow, ...]:
    """Those who share a finished DM's first place and face a play-off; empty if none do."""
    first = [line for line in view.table.lines if line.place == 1]
    is_open = any(line.decided_by is RankingStep.PLAYOFF for line in first[1:])
    if view.finished_us is None or not is_open:
        return ()
    numbers = {line.player.number for line in first}
    return tuple(seat for seat in view.seats if seat.number in numbers)


async def _tied(
    conn: AsyncConnection, group: GroupRow, view: TableView
) -> tuple[tuple[SeatRow, ...], tuple[SeatRow, ...]]:
    """Who is tied for the title, also as best placed Danes behind a foreigner; who is asked."""
    standing = await read_final_standing(conn, group, view)
    award = next(iter(standing.awards), None) if standing is not None else None
    level = level_first(view)
    if award is None:
        return level, ()
    if award.is_citizens and award.awaits is None and len(award.holders) > 1:
        level = tuple(seat for seat in view.seats if str(seat.number) in award.holders)
    return level, tuple(seat for seat in view.seats if str(seat.number) in award.asked)


async def tie_view(conn: AsyncConnection, group: GroupRow, view: TableView) -> TieView | None:
    """The tie of a DM group; None where there is none and never was."""
    if group.class_ != "DM":
        return None
    settled = await result_rows.tie_of(conn, group.id)
    level, asked = await _tied(conn, group, view)
    is_citizens = bool(level) and level != level_first(view)
    if settled is None:
        return TieView(level, None, None, asked, is_citizens) if level or asked else None
    playoff = None
    if settled.playoff_id is not None:
        playoff = await group_rows.find(conn, settled.playoff_id)
    return TieView(level, settled, None if playoff is None else playoff.name)


async def list_waiting_titles(
    conn: AsyncConnection, mine: frozenset[int] | None
) -> list[tuple[GroupRow, TieView, date]]:
    """The finished DM groups whose title waits for a citizenship or a play-off (§ 6.5.2)."""
    given = await result_rows.everything(conn, Title.DANISH_CHAMPION)
    settled = {row.group_id for row in given if not row.is_shared}
    found = []
    groups = group_rows.everything(conn) if mine is None else group_rows.with_ids(conn, mine)
    for group in await groups:
        if group.class_ != "DM" or group.id in settled:
            continue
        view = await table_in(conn, group)
        tie = await tie_view(conn, group, view)
        if tie is not None and tie.settled is None and view.finished_us is not None:
            found.append((group, tie, local_day(from_us(view.finished_us), group.zone)))
    return found


async def playoff_of_in(conn: AsyncConnection, group: GroupRow) -> str | None:
    """The name of the DM group whose play-off a group is, if it is one."""
    if group.class_ != GroupClass.PLAYOFF:
        return None
    row = await result_rows.tie_by_playoff(conn, group.id)
    found = None if row is None else await group_rows.find(conn, row.group_id)
    return None if found is None else found.name


async def _open_tie(
    core: Core, conn: AsyncConnection, by: PersonRow, group_id: int
) -> tuple[GroupRow, tuple[SeatRow, ...]] | TieRefusal:
    """The group and those tied. Raises NoSuch, NotAllowed; nobody settles their own group."""
    group = await group_rows.find(conn, group_id)
    if group is None:
        raise NoSuch("group")
    if not (await rights_in(conn, by, core.now_us)).speaks_for(group_id):
        raise NotAllowed
    if group.class_ != "DM":
        return TieRefusal(TieProblem.NOT_LEVEL)
    if await result_rows.tie_of(conn, group_id) is not None:
        return TieRefusal(TieProblem.SETTLED)
    level, _ = await _tied(conn, group, await table_in(conn, group))
    return (group, level) if level else TieRefusal(TieProblem.NOT_LEVEL)


async def start_playoff(
    core: Core, by: PersonRow, group_id: int, start: date | None = None
) -> StartedGroup | TieRefusal:
    """Start the play-off between those tied (§ 6.5.2). Raises NoSuch, NotAllowed."""
    async with core.store.deciding() as conn:
        found = await _open_tie(core, conn, by, group_id)
        if isinstance(found, TieRefusal):
            return found
        group, level = found
        today = core.today(group.zone)
        day = start or today + timedelta(days=core.settings.entries.start_days)
        if day < today or not is_near(day, today):
            return TieRefusal(TieProblem.START)
        started = await start_in(core, conn, await _file(conn, group, level, (day, core.now_us)))
        await result_rows.add_tie_settlement(
            conn, TieRow(group_id, started.id, "", by.id, core.now_us)
        )
        return started


async def _file(
    conn: AsyncConnection, group: GroupRow, level: tuple[SeatRow, ...], about: tuple[date, int]
) -> GroupFile:
    """The play-off as a group file: the terms of the DM, each pair twice; ``about``: start, now."""
    start, now_us = about
    ids = [seat.person_id for seat in level]
    people = await person_rows.by_ids(conn, [*ids, group.tl_id])
    taken = {row.name for row in await group_rows.everything(conn)}
    name, number = f"{group.name}-omkamp", 1
    while name in taken:
        number += 1
        name = f"{group.name}-omkamp-{number}"
    players = [people[person] for person in ids]
    return GroupFile.model_validate(
        {
            "tournament": group.tournament,
            "class": GroupClass.PLAYOFF.value,
            "group": name,
            "regulation": group.regulation,
            "start": start,
            "tl": people[group.tl_id].email,
            "tl_name": people[group.tl_id].name,
            "players": [
                {"name": one.name, "email": one.email, "lang": one.lang} for one in players
            ],
            "double": True,
            "seed": await draw_seed(conn, [one.name for one in players], now_us, [group.id]),
            "zone": group.zone,
            "laws": group.laws,
            "claims": group.claims,
            "post_days": group.post_days,
            "regulation_url": group.regulation_url,
            "live": bool(await group_rows.find_public_groups(conn, (group.id,))),
        }
    )


async def share_title(core: Core, by: PersonRow, group_id: int, reason: str) -> TieRefusal | None:
    """Record that those tied agree to share title and prize; ``reason``: how that is known.

    § 6.5.2. Raises NoSuch, NotAllowed.
    """
    async with core.store.deciding() as conn:
        found = await _open_tie(core, conn, by, group_id)
        if isinstance(found, TieRefusal):
            return found
        if not reason.strip():
            return TieRefusal(TieProblem.NO_REASON)
        await result_rows.add_tie_settlement(
            conn, TieRow(group_id, None, reason.strip(), by.id, core.now_us)
        )
        await record_group_title(core, conn, group_id)
    return None


# All that is public of one tournament: a year's classes, a cup, a season of the league.

LEADING = 3
"""How many places of a group are told."""
BULLETINS = 4
"""How many bulletins are named; the others are among all."""
_ORDER = {kind.value: place for place, kind in enumerate(GroupClass)}


@dataclass(frozen=True, slots=True)
class LeadingPlace:
    """A place in a group: a player, or a club in the league, which is no person."""

    place: int
    name: str
    points: Fraction
    person_id: int | None = None


@dataclass(frozen=True, slots=True)
class TournamentGroupView:
    """A group; ``leading`` is empty until a game has ended.

    ``objections_until``: the last day to object to its published result, while it is not over.
    """

    group: GroupRow
    leader: PersonRow
    leading: tuple[LeadingPlace, ...]
    finished: int
    games: int
    objections_until: date | None
    is_live: bool

    @property
    def kind(self) -> str:
        """The catalogue's name for its class."""
        return GroupClass(self.group.class_).name.lower()

    @property
    def percent(self) -> int:
        """The percentage of its games that have ended; 100 only when all have."""
        return self.finished * 100 // self.games if self.games else 0


@dataclass(frozen=True, slots=True)
class Home:
    """A tournament. ``bulletins``: those of its time, newest first."""

    name: str
    parts: tuple[TournamentGroupView, ...]
    lists: tuple[ListView, ...]
    bulletins: tuple[BulletinRow, ...]

    @property
    def is_cup(self) -> bool:
        """Whether it is a cup and nothing else."""
        kinds = [part.group.class_ for part in self.parts] + [one.row.event for one in self.lists]
        return all(kind == CUP_JUDGING for kind in kinds)

    @property
    def is_league(self) -> bool:
        """Whether its groups are divisions, which have pages of their own."""
        return any(part.group.class_ == GroupClass.LEAGUE for part in self.parts)

    @property
    def starts(self) -> date | None:
        """The first day of its first group."""
        return min((date.fromisoformat(part.group.start) for part in self.parts), default=None)

    @property
    def leaders(self) -> tuple[PersonRow, ...]:
        """Who leads its groups, or the lists where none has begun; each once."""
        found = [part.leader for part in self.parts] or [one.leader for one in self.lists]
        return tuple({person.id: person for person in found}.values())

    @property
    def finished(self) -> int:
        """Games that have ended."""
        return sum(part.finished for part in self.parts)

    @property
    def games(self) -> int:
        """All games of its groups."""
        return sum(part.games for part in self.parts)


async def home_of(core: Core, name: str, *, only_cup: bool = False) -> Home | None:
    """A tournament by its name as written; None: nothing is played or open under it.

    ``only_cup``: the cup in it alone, where a whole year's tournaments have one name.
    """
    lists = tuple(
        one
        for one in await lists_view(core)
        if one.row.tournament == name and (not only_cup or one.row.event == CUP_JUDGING)
    )
    async with core.store.read() as conn:
        groups = [
            group
            for group in await group_rows.list_tournament_groups(conn, name)
            if not only_cup or group.class_ == GroupClass.CUP
        ]
        if not groups and not lists:
            return None
        parts = await _parts(conn, groups, today_of(core))
        first = min((group.start for group in groups), default=today_of(core).isoformat())
        issued = await desk_rows.list_issued_bulletins(conn, first, BULLETINS)
    parts.sort(key=lambda part: (_ORDER.get(part.group.class_, len(_ORDER)), part.group.name))
    return Home(name, tuple(parts), lists, issued)


async def _parts(
    conn: AsyncConnection, groups: Sequence[GroupRow], today: date
) -> list[TournamentGroupView]:
    ids = frozenset(group.id for group in groups)
    leaders = await person_rows.by_ids(conn, {group.tl_id for group in groups})
    live = await group_rows.find_public_groups(conn, ids)
    terms = {
        one.group: date.fromisoformat(one.objections_until)
        for one in await publication_rows.list_open_publications(conn, today.isoformat(), ids)
    }
    leads = await _read_group_leads(conn, groups)
    return [
        TournamentGroupView(
            group=group,
            leader=leaders[group.tl_id],
            leading=leads[group.id][0] if leads[group.id][1] else (),
            finished=leads[group.id][1],
            games=leads[group.id][2],
            objections_until=until if (until := terms.get(group.name)) and until >= today else None,
            is_live=group.id in live,
        )
        for group in groups
    ]


async def _read_group_leads(
    conn: AsyncConnection, groups: Sequence[GroupRow]
) -> dict[int, tuple[tuple[LeadingPlace, ...], int, int]]:
    """Of each group the first places, how many games have ended, and how many there are."""
    found = {}
    teams = [group for group in groups if group.class_ == GroupClass.LEAGUE]
    players = [group for group in groups if group.class_ != GroupClass.LEAGUE]
    for group_id, view in (await conn.run_sync(views_in, teams)).items() if teams else ():
        rows = [LeadingPlace(row.place, row.name, row.points) for row in view.clubs.rows]
        ended = sum(game.result is not None for game in view.games)
        found[group_id] = (tuple(rows[:LEADING]), ended, len(view.games))
    for group_id, table in (await tables_in(conn, players)).items() if players else ():
        people = {seat.number: seat.person_id for seat in table.seats}
        lines = [
            LeadingPlace(one.place, one.player.name, one.points, people[one.player.number])
            for one in table.table.lines[:LEADING]
        ]
        ended = sum(game.result is not None for game in table.games)
        found[group_id] = (tuple(lines), ended, len(table.games))
    return {group.id: found.get(group.id, ((), 0, 0)) for group in groups}
