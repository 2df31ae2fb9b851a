"""Who may do what: a person's rights, from offices, groups and seats (§ 6.1.1-6.1.2).

One value, ``Rights``, that every desk consults; also appointing and dismissing. Readings: nobody
acts or looks as an official in a group they play in, or where somebody they are playing against
has a running game, nor in a case that they are a party to, whatever office they hold; a deputy
stands in for the leader; the administrator runs the machine, sees the rest and decides nothing.
Not for what a case allows at which stage (kskak.cases.decide_case).
"""

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from email.utils import getaddresses
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, select

from kskak.cases.case import Actor
from kskak.cases.case_events import Instance
from kskak.office.books import ORE, AdultFee, change_fee, fee_on
from kskak.regulation.editions import DISPUTES
from kskak.values import is_line
from mail.incoming.parse_mail import normal_address
from mail.office_letters.service_letters import OfficeChange
from server.store import divisions as division_rows
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases import publications as publication_rows
from server.store.cases.cases import CaseRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us
from server.store.mail import outbox as outbox_rows
from server.store.members import MEMBERS, MemberKind
from server.store.play import people as person_rows
from server.store.play.people import (
    NewOffice,
    NewPerson,
    Office,
    OfficeRow,
    PersonRoles,
    PersonRow,
    Role,
)
from server.store.tables import base as base_tables
from server.store.tables.base import settings
from server.usecases.context import Core, in_turn, poster_of
from server.usecases.games.case_hearers import panel_of
from server.usecases.games.case_opening import readable, same_club
from server.usecases.letter_facts import NoLetter, Params, loads, number, official


@dataclass(frozen=True, slots=True)
class Rights:
    """What a person may do, as of one moment. Groups are ids.

    ``led``: the groups the person leads, as leader or deputy; ``plays``: those with a seat;
    ``rivals``: an official's only, those in which somebody he has a running game against has one;
    ``captain``: those as a captain. ``sits``: the cases before the Board in which the person sits
    (§ 1.3.9), ``judges`` their games (ids); ``team_games``: those of the captain's teams
    (§ 6.7.2.2); ``lists``: the waiting lists the person leads.
    """

    person_id: int
    is_kc: bool = False
    is_board: bool = False
    is_admin: bool = False
    leads_all: bool = False
    led: frozenset[int] = frozenset()
    captain: frozenset[int] = frozenset()
    plays: frozenset[int] = frozenset()
    rivals: frozenset[int] = frozenset()
    lists: frozenset[int] = frozenset()
    judges: frozenset[int] = frozenset()
    sits: frozenset[int] = frozenset()
    team_games: frozenset[int] = frozenset()

    @property
    def barred(self) -> frozenset[int]:
        """The groups in which the person's offices count for nothing, neither to see nor to act."""
        return self.plays | self.rivals

    @property
    def is_official(self) -> bool:
        """Whether the person has a desk at all."""
        return bool(self.is_kc or self.is_board or self.is_admin or self.is_leader)

    @property
    def is_leader(self) -> bool:
        """Whether the person leads anything: groups or waiting lists (§ 6.1.1)."""
        return bool(self.leads_all or self.led or self.lists)

    @property
    def keeps_records(self) -> bool:
        """Whether the person keeps players' past results (§ 6.1.1-6.1.2)."""
        return self.is_kc or self.is_leader

    def leads_list(self, list_id: int) -> bool:
        """True if the person is the leader of a waiting list (§ 6.1.1)."""
        return self.leads_all or list_id in self.lists

    @property
    def sorts_mail(self) -> bool:
        """Whether the person handles held mails and dead letters; the Board only has its cases."""
        return bool(self.is_kc or self.is_admin or self.leads_all or self.led)

    @property
    def grants_leave(self) -> bool:
        """Whether there may be players to whom the person grants special leave (§ 6.3.6.4)."""
        return bool(self.is_kc or self.leads_all or self.led - self.barred)

    def leads(self, group_id: int) -> bool:
        """True if the person leads the group and isn't barred from it (§ 6.1.1)."""
        return (self.leads_all or group_id in self.led) and group_id not in self.barred

    def instances(self, group_id: int) -> frozenset[Instance]:
        """The instances the person may act for in a group's cases (§ 6.4.1, § 6.4.3)."""
        found = {
            Instance.LEADER: self.leads_all or group_id in self.led,
            Instance.CONTROLLER: self.is_kc,
            Instance.BOARD: self.is_board,
        }
        return frozenset(instance for instance, holds in found.items() if holds)

    def actor(self, group_id: int) -> Actor:
        """The person as an actor in a case of the group."""
        return Actor(self.person_id, self.instances(group_id), group_id in self.barred)

    def oversees(self, group_id: int) -> bool:
        """True if the person may read all of the group's cases; the Board reads only its own."""
        return (self.is_admin and group_id not in self.barred) or self.speaks_for(group_id)

    def reads_case(self, case: CaseRow, named: Collection[int] = ()) -> bool:
        """True if the person reads a case by office: notes, drafts and all (§ 6.4.1, § 6.4.3).

        Whoever is a party, concerned or ``named`` in it is that and no official; of the Board those
        who sit read it.
        """
        if self.person_id in case.standing or self.person_id in named:
            return False
        return case.id in self.sits or self.oversees(case.group_id)

    def may_watch(self, game_id: int, group_id: int) -> bool:
        """True if the office opens others' running games, and games' whole files (§ 6.2.3).

        The Board sees only the games of its cases; a captain is not an official.
        """
        is_judged = game_id in self.judges and group_id not in self.barred
        return self.oversees(group_id) or is_judged

    def speaks_for(self, group_id: int) -> bool:
        """True if the person may act as an official in the group: open, suspend, call in, annul."""
        return (self.is_kc and group_id not in self.barred) or self.leads(group_id)

    @property
    def appoints(self) -> bool:
        """Whether the person appoints leaders, deputies and captains (§ 6.1.1)."""
        return self.is_kc

    @property
    def appoints_union(self) -> bool:
        """Whether the person records the Union's appointees: controller, Board, administrators."""
        return self.is_admin


async def rights(core: Core, person: PersonRow) -> Rights:
    """What a person may do now."""
    return await core.store.query(rights_in, person, core.now_us)


async def rights_in(conn: AsyncConnection, person: PersonRow, now_us: int) -> Rights:
    """The same within a transaction."""
    found = _rights(person, await person_rows.read_roles(conn, person.id, now_us))
    if found.captain:
        games = await conn.run_sync(division_rows.list_games_of_captain, person.id)
        found = replace(found, team_games=games)
    if found.is_official:
        found = replace(found, rivals=await person_rows.rivals_groups(conn, person.id))
    if not found.is_board:
        return found
    heads = await case_rows.everything(conn, instance=Instance.BOARD.value)
    happened = await case_rows.events_of_all(conn, [head.id for head in heads])
    mine = []
    for head in heads:  # of a case that can't be read nobody knows who sits
        state = readable(happened[head.id])
        panel = () if state is None else await conn.run_sync(panel_of, head, state, now_us)
        mine += [head] if any(seat.member == person.id for seat in panel) else []
    judged = frozenset(game for case in mine for game in case.games)
    return replace(found, sits=frozenset(case.id for case in mine), judges=judged)


def _rights(person: PersonRow, roles: PersonRoles) -> Rights:
    where: dict[str, set[int | None]] = {}
    for name, group in roles.offices:
        where.setdefault(name, set()).add(group)
    leading = where.get(Office.TL, _NOWHERE) | where.get(Office.DEPUTY, _NOWHERE)
    return Rights(
        person_id=person.id,
        is_kc=person.role == Role.KC or Office.KC in where,
        is_board=bool({Office.BOARD, Office.SUBSTITUTE} & where.keys()),
        is_admin=person.role == Role.ADMIN or Office.ADMIN in where,
        leads_all=None in leading,
        led=_groups(leading) | roles.led,
        captain=_groups(where.get(Office.CAPTAIN, _NOWHERE)),
        plays=roles.plays,
        lists=roles.lists,
    )


_NOWHERE: AbstractSet[int | None] = frozenset()


def _groups(places: AbstractSet[int | None]) -> frozenset[int]:
    """The groups among where somebody holds an office; None there: everywhere."""
    return frozenset(place for place in places if place is not None)


async def desk_groups(
    conn: AsyncConnection, held: Rights, *, is_everywhere: bool
) -> frozenset[int] | None:
    """The groups (ids) on an official's desk; None: all.

    ``is_everywhere``: the desk has all groups but those the official is barred from.
    """
    if not is_everywhere:
        return held.led - held.barred
    if not held.barred:
        return None
    return frozenset(await group_rows.list_groups_with_leaders(conn)) - held.barred


class NotAllowed(Exception):
    """The person has no right to what was asked; nothing has changed."""


class OwnGroup(NotAllowed):
    """A person's office counts for nothing there: he plays in it, or against one who does."""


def require_free(held: Rights, group_id: int) -> None:
    """Raise OwnGroup for an official who is barred from the group that his office covers."""
    if group_id in held.barred and (held.is_admin or held.instances(group_id)):
        raise OwnGroup


class NoSuch(ValueError):
    """The person, group, game or appointment does not exist; the text says which."""


async def require_kc(conn: AsyncConnection, person: PersonRow, now_us: int) -> Rights:
    """The controller's rights. Raises NotAllowed for anybody else (§ 6.1.2)."""
    held = await rights_in(conn, person, now_us)
    if not held.is_kc:
        raise NotAllowed
    return held


@dataclass(frozen=True, slots=True)
class OfficeHolder:
    """Somebody in office. ``id`` None: a group's own leader, or KC by role."""

    id: int | None
    person: PersonRow
    office: Office
    group_id: int | None
    group: str | None
    appointed_by: int | None = None


_UNION = frozenset({Office.KC, Office.BOARD, Office.SUBSTITUTE, Office.ADMIN})
"""Offices that the Union fills: recorded by an administrator, never for one group."""
_MOST = {
    Office.BOARD: DISPUTES.board_members,
    Office.SUBSTITUTE: DISPUTES.board_substitutes,
}
"""How many hold an office at a time (§ 1.3.9); their order is that of their appointment."""


_BY_CONTROLLER = frozenset({Office.KC, Office.BOARD, Office.SUBSTITUTE})
"""Those of them that the controller records too: his deputy, and whom the congress elected."""


def appointable(held: Rights) -> tuple[Office, ...]:
    """The offices that a person may appoint to (§ 6.1.1-6.1.2)."""
    if held.appoints_union:
        return tuple(Office)
    return tuple(o for o in Office if o not in _UNION - _BY_CONTROLLER) if held.appoints else ()


def may_end(held: Rights, holder: OfficeHolder) -> bool:
    """Whether somebody may end an appointment. The controller: of the Union's only a deputy's that
    he made himself, and never the Board that hears appeals from him (§ 6.4.3)."""
    if held.appoints_union or holder.office not in _UNION:
        return held.appoints_union or held.appoints
    is_own = holder.office is Office.KC and holder.appointed_by == held.person_id
    return held.appoints and is_own


LONGEST_NAME = 120


async def find_or_add_officials(
    core: Core, conn: AsyncConnection, text: str
) -> tuple[PersonRow, ...] | None:
    """Whom addresses are of: «tove@example.org», or «Tove Leder <tove@example.org>» for one who is
    in no register yet and is added (§ 6.1.1). None for anything else; nobody is added then."""
    listed = getaddresses([text.replace(";", ",")])
    written = [(name.strip(), normal_address(email)) for name, email in listed]
    known = {email: await person_rows.by_email(conn, email or "") for _, email in written}
    is_new = {name for name, email in written if not known[email]}
    are_names = all(0 < len(one) <= LONGEST_NAME and is_line(one) for one in is_new)
    if not all(email for _, email in written) or not are_names:
        return None
    for name, email in written:
        if email and known[email] is None:
            new = NewPerson(name=" ".join(name.split()), email=email, created_us=core.now_us)
            await person_rows.add_person(conn, new)
            known[email] = await person_rows.by_email(conn, email)
    return tuple(person for _, email in written if (person := known[email]) is not None)


@in_turn
async def appoint(
    core: Core, by: PersonRow, person_id: int, office: Office, group_id: int | None = None
) -> OfficeHolder:
    """Appoint somebody from now on (§ 6.1.1). Raises NotAllowed, NoSuch.

    The controller, the Board and administrators have no group, a captain has one. Repeating an
    appointment changes nothing. The Board has three members and three substitutes (§ 1.3.9). Who is
    dead or in quarantine holds no office (§ 6.4.2).
    """
    if office not in appointable(await rights(core, by)):
        raise NotAllowed
    if (office in _UNION and group_id is not None) or (office is Office.CAPTAIN and not group_id):
        raise NoSuch("group")
    now = core.now_us
    async with core.store.write() as conn:
        if await person_rows.find_person(conn, person_id) is None:
            raise NoSuch("person")
        if group_id is not None and await group_rows.find(conn, group_id) is None:
            raise NoSuch("group")
        day = core.today(core.settings.clock.zone).isoformat()
        if await conn.run_sync(publication_rows.list_shut_out, [person_id], day):
            raise NoSuch("barred")
        held = await person_rows.list_offices(conn, now)
        for row in held:
            if (row.person_id, row.office, row.group_id) == (person_id, office, group_id):
                return await _holder(conn, row)
        if office in _MOST and sum(row.office == office for row in held) >= _MOST[office]:
            raise NoSuch("seat")
        new = NewOffice(person_id, office.value, group_id, now, by.id)
        made = await person_rows.find_office(conn, await person_rows.add_office(conn, new))
        assert made is not None
        await _notify_officials(conn, core, by, made, is_end=False)
        return await _holder(conn, made)


@in_turn
async def dismiss(core: Core, by: PersonRow, office_id: int) -> OfficeHolder:
    """End an appointment now. Raises NotAllowed, NoSuch."""
    held = await rights(core, by)
    if not (held.appoints or held.appoints_union):
        raise NotAllowed
    async with core.store.write() as conn:
        row = await person_rows.find_office(conn, office_id)
        if row is None:
            raise NoSuch("office")
        if not may_end(held, await _holder(conn, row)):
            raise NotAllowed
        if not await person_rows.end(conn, office_id, core.now_us):
            raise NoSuch("office")
        await _notify_officials(conn, core, by, row, is_end=True)
        return await _holder(conn, row)


async def _holder(conn: AsyncConnection, row: OfficeRow) -> OfficeHolder:
    person = await person_rows.find_person(conn, row.person_id)
    group = None if row.group_id is None else await group_rows.find(conn, row.group_id)
    assert person is not None
    name = None if group is None else group.name
    return OfficeHolder(row.id, person, Office(row.office), row.group_id, name, row.appointed_by)


async def list_officials(conn: AsyncConnection, now_us: int) -> set[int]:
    """Who leads, decides or runs something, by id; not captains."""
    held = await holders_in(conn, now_us)
    return {one.person.id for one in held if one.office is not Office.CAPTAIN} | {
        person.id for person in await person_rows.everybody(conn, Role.ADMIN)
    }


async def _notify_officials(
    conn: AsyncConnection, core: Core, by: PersonRow, row: OfficeRow, *, is_end: bool
) -> None:
    """Tell every official in office, and whom it is about: nobody gives himself one in silence."""
    recipients = {row.person_id} | await list_officials(conn, core.now_us)
    params: dict[str, object] = {"office": row.id, "by": by.id, "is_end": is_end}
    unique, poster = f"{row.id}.{is_end}", poster_of(core)
    letters = [poster.to_person(OfficeChange, who, unique, params) for who in sorted(recipients)]
    await outbox_rows.enqueue(conn, letters)


@loads(OfficeChange)
async def _office_letter(core: Core, reader: PersonRow, params: Params) -> OfficeChange:
    """An appointment, or its end (§ 6.1.1)."""
    by = number(params, "by")
    async with core.store.read() as conn:
        held = await person_rows.find_office(conn, number(params, "office"))
        if held is None:
            raise NoLetter("office")
        people = await person_rows.by_ids(conn, [held.person_id, by])
        group = None if held.group_id is None else await group_rows.find(conn, held.group_id)
    return OfficeChange(
        reader=reader.name,
        official=official(core),
        person=people[held.person_id].name,
        office=held.office,
        group=None if group is None else group.name,
        by=people[by].name,
        at=from_us(params.row.created_us).astimezone(ZoneInfo(core.settings.clock.zone)),
        is_end=params.get("is_end") is True,
    )


async def holders(core: Core) -> tuple[OfficeHolder, ...]:
    """Everybody in office, by office, group and name (§ 6.1.1-6.1.2)."""
    return await core.store.query(holders_in, core.now_us)


async def holders_in(conn: AsyncConnection, now_us: int) -> tuple[OfficeHolder, ...]:
    """The same within a transaction."""
    rows = await person_rows.list_offices(conn, now_us)
    groups = await group_rows.list_groups_with_leaders(conn)
    people = await person_rows.list_power_holders(conn, now_us, Role.KC)
    by_role = [person for person in people.values() if person.role == Role.KC]
    led = [group for group in groups.values() if group.is_held]
    found = [OfficeHolder(None, people[g.tl_id], Office.TL, g.id, g.name) for g in led]
    found += [OfficeHolder(None, person, Office.KC, None, None) for person in by_role]
    for row in rows:
        name = None if row.group_id is None else groups[row.group_id].name
        person = people[row.person_id]
        office = Office(row.office)
        by = row.appointed_by
        found.append(OfficeHolder(row.id, person, office, row.group_id, name, by))
    return tuple(sorted(found, key=lambda h: (h.office, h.group or "", h.person.name)))


def may_handle(held: Rights, list_id: int) -> bool:
    """True for an official of a list: its leader, or the controller (§ 6.1.1-6.1.2)."""
    return held.is_kc or held.leads_list(list_id)


# Captains: who is in whose team, for what a captain may read (§ 6.7.2, § 6.7.6).


async def team_of(
    conn: AsyncConnection, person: PersonRow, held: Rights, group_id: int
) -> frozenset[int]:
    """The captain's players in a group; empty for anybody who is not a captain there."""
    if group_id not in held.captain:
        return frozenset()
    if await conn.run_sync(division_rows.division, group_id) is not None:
        return await conn.run_sync(division_rows.players_of_captain, group_id, person.id)
    seats = await group_rows.seats_of(conn, group_id)
    return frozenset(seat.person_id for seat in seats if same_club(seat.club, person.club))


# What the controller says for the Union: its fees, who may enter, where the regulation is read.

DEPOSIT, REGULATION, ENTRANTS = "union.board_deposit", "union.regulation_url", "union.entrants"
ALWAYS = date(1900, 1, 1)
"""The first day of a fee that was said without one."""


@dataclass(frozen=True, slots=True)
class UnionValues:
    """``fees``: the year's fee for an adult, by its first day; ``regulation_url`` may be "".

    ``entrants``: the kinds of members who may enter (reading of § 6.1, § 1.3.4).
    """

    fees: tuple[AdultFee, ...]
    regulation_url: str
    entrants: frozenset[MemberKind] = MEMBERS

    def deposit_on(self, day: date) -> int | None:
        """The deposit of an appeal of a day in øre; None when it is not known (§ 6.4.3)."""
        found = fee_on(self.fees, day)
        return None if found is None else found.kroner * ORE

    def with_fee(self, kroner: int, since: date | None, today: date) -> "UnionValues":
        """The same with a fee from a day on; without one it takes today's place, or always held."""
        now = fee_on(self.fees, today)
        first = since or (ALWAYS if now is None else now.since)
        return replace(self, fees=change_fee(self.fees, AdultFee(first, kroner)))


async def union_values(core: Core, conn: AsyncConnection) -> UnionValues:
    """What holds now; a fee is kept as «day:kroner», or as the number of earlier versions."""
    text = await base_tables.get(conn, DEPOSIT)
    url = await base_tables.get(conn, REGULATION)
    if text is None:
        text = str(core.settings.cases.board_deposit)
    fees = [one.rpartition(":") for one in text.split() if one != "0"]
    return UnionValues(
        tuple(
            AdultFee(date.fromisoformat(d) if d else ALWAYS, int(kroner)) for d, _, kroner in fees
        ),
        core.settings.groups.regulation_url if url is None else url,
        await conn.run_sync(read_entrants),
    )


def read_entrants(conn: Connection) -> frozenset[MemberKind]:
    """The kinds of members who may enter, also for a writer's own transaction."""
    query = select(settings.c.value).where(settings.c.name == ENTRANTS)
    kinds = conn.execute(query).scalar_one_or_none()
    return MEMBERS if kinds is None else frozenset(map(MemberKind, str(kinds).split()))


async def deposit_due(core: Core, day: date) -> int | None:
    """The deposit of an appeal of a day to the Board in øre; None when not known (§ 6.4.3)."""
    async with core.store.read() as conn:
        return (await union_values(core, conn)).deposit_on(day)


async def keep_union_values(core: Core, values: UnionValues) -> None:
    """From now on these hold: for appeals, entries, and groups that are yet to start."""
    fees = " ".join(f"{one.since.isoformat()}:{one.kroner}" for one in values.fees)
    async with core.store.write() as conn:
        await base_tables.put_value(conn, DEPOSIT, fees)
        await base_tables.put_value(conn, REGULATION, values.regulation_url)
        await base_tables.put_value(conn, ENTRANTS, " ".join(sorted(values.entrants)))


# Who may see and change the register (REGULATION, "Personal data").


def may_change_register(rights: Rights) -> bool:
    """Whether these rights allow changing, importing and exporting the register."""
    return rights.is_kc or rights.is_admin


def may_read_register(rights: Rights) -> bool:
    """Whether these rights allow looking somebody up."""
    return may_change_register(rights) or rights.leads_all or bool(rights.led)


async def require_register_rights(core: Core, viewer: PersonRow) -> Rights:
    """The viewer's rights, if they allow changing the register. Raises NotAllowed if not."""
    held = await rights(core, viewer)
    if not may_change_register(held):
        raise NotAllowed
    return held
