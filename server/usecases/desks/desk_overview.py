"""The desks: what needs a leader, the controller or the Board today (§ 6.1.1-6.1.2, § 6.4.3).

Read-only; each desk takes a fixed number of queries. Not for a single case (cases/case_views.py).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from sqlalchemy import Connection

from kskak.cases.case import CaseStage
from kskak.cases.case_events import CaseDecided, CaseSettled, Instance
from kskak.office.books import Balance
from kskak.office.year import Period, SeasonStep
from kskak.play.due_days import may_call_in, silent_since
from mail.office_letters.service_letters import WeekLetter
from server.store import books as book_rows
from server.store import desk_lists as desk_rows
from server.store import rating as rating_rows
from server.store import register as register_rows
from server.store.cases import cases as case_rows
from server.store.cases import publications as publication_rows
from server.store.cases.cases import CaseRow
from server.store.desk_lists import ALL, MOST, DeskGameRow, DeskList, GroupLine
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, AnyRow
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import Office, PersonRow
from server.store.rating import PendingRatingGroup
from server.usecases.context import Core, poster_of, today_of
from server.usecases.entries.entry_judging import waiting_count
from server.usecases.games.case_hearers import who_may_hear
from server.usecases.games.case_opening import OF_PLAYER, readable, readable_events
from server.usecases.league.division_start import LeagueDuties, waiting_for
from server.usecases.letter_facts import NoLetter, Params, loads, official
from server.usecases.office import balances_in, sees_year, steps_between
from server.usecases.play.game_views import ByHead
from server.usecases.preferences import OFF, ON
from server.usecases.rating import computing
from server.usecases.results.bulletins import due_since
from server.usecases.results.publishing import (
    DutyKind,
    OfficialDuty,
    duties_for,
)
from server.usecases.rights import (
    NotAllowed,
    OfficeHolder,
    Rights,
    desk_groups,
    holders_in,
    require_register_rights,
    rights_in,
    team_of,
)

# What to take up first: what people wait for, before what the server found (§ 6.4.1).


def by_urgency(
    cases: Iterable[CaseRow], now_us: int, up: Collection[str] = ()
) -> tuple[CaseRow, ...]:
    """First what somebody claims or disputes; of it and of the rest what waits for an official:
    with time up that nobody has claimed, with games at rest, then the oldest.

    Last those in which parties still have time to speak, the soonest to end first; ``up``: the
    numbers of those with time up.
    """

    def rank(case: CaseRow) -> tuple[bool, bool, int, bool, bool, int, int]:
        still_heard = case.due_us is not None and case.due_us > now_us
        ends = case.due_us or 0 if still_heard else 0
        halts = (case.number not in up, not case.is_suspended)
        return case.is_found, still_heard, ends, *halts, case.opened_us, case.id

    return tuple(sorted(cases, key=rank))


PARTS = ("claims", "duties", "appeals", "cases", "found", "silent", "near", "long")
"""The parts of a leader's desk: what people wait for, days, appeals; then what the server found:
its cases, games that both lose if they play on (§ 6.3.3.4), silence, time that runs out."""


@dataclass(frozen=True, slots=True)
class DeskFilter:
    """What alone is to be shown of a desk: kind of case, group, part of a player's name."""

    kind: str = ""
    group: str = ""
    player: str = ""

    def shows(self, group: str, *names: str | None, kinds: Collection[str] = ()) -> bool:
        """Whether a row of a group and these people is among it."""
        wanted = self.player.casefold()
        return (
            (not self.kind or self.kind in kinds)
            and (not self.group or self.group == group)
            and (not wanted or any(wanted in (name or "").casefold() for name in names))
        )


# Cases that closed by themselves: said on the desk for some days, then gone.

CURED_DAYS = 3


async def cured_in(
    conn: AsyncConnection, mine: frozenset[int] | None, now_us: int
) -> tuple[tuple[CaseRow, str], ...]:
    """The cases of these groups (None: of all) that closed by themselves in the last days, each
    with the key of the catalogues that says why."""
    since = now_us - CURED_DAYS * DAY_US
    found = await case_rows.list_cases_with(conn, mine, case_rows.CLOSED, None, since)
    events = ((case, event) for case, row in found for event in readable_events([row]))
    return tuple(
        (case, event.note)
        for case, event in events
        if isinstance(event, CaseSettled) and event.note.startswith("@")
    )


# The rating desk: calculations due, the latest ones, and one click to calculate (§ 4.5.4.1).

NEWEST = 20
"""Calculations on the desk."""


@dataclass(frozen=True, slots=True)
class RatingDeskView:
    """What is due and what was made. ``unsettled``: ISO day from which ratings must be redone."""

    waiting: tuple[PendingRatingGroup, ...]
    unsettled: str | None
    newest: tuple[AnyRow, ...]


async def desk(core: Core, viewer: PersonRow) -> RatingDeskView:
    """The rating desk. Raises NotAllowed."""
    await require_register_rights(core, viewer)
    async with core.store.read() as conn:
        return RatingDeskView(
            await rating_rows.list_pending_groups(conn),
            await register_rows.unsettled_since(conn),
            await rating_rows.newest(conn, NEWEST),
        )


async def compute(core: Core, by: PersonRow, *, everything: bool = False) -> tuple[str, ...]:
    """Calculate what is due, for a keeper of the register. Raises NotAllowed."""
    await require_register_rights(core, by)
    return await computing.compute(core, by.id, everything=everything)


# Who is silent, and in which of his games: one line a person, however many games (§ 6.3.4).


@dataclass(frozen=True, slots=True)
class SilentPlayer:
    """Whose move it is, and his silent games, the longest silent first. ``name`` None: nobody's."""

    person_id: int | None
    name: str | None
    games: tuple[DeskGameRow, ...]

    @property
    def since(self) -> date:
        """The first day of the longest silence."""
        return min(one.since or date.fromisoformat(one.start) for one in self.games)

    @property
    def is_reported(self) -> bool:
        """Whether the leader has been told of a silence of his."""
        return any(one.is_reported for one in self.games)

    @property
    def told_us(self) -> int | None:
        """When the leader is first to be notified, if a reminder has been sent."""
        return min((one.told_us for one in self.games if one.told_us is not None), default=None)


async def silent_players(
    conn: AsyncConnection,
    found: Iterable[DeskGameRow],
    days: tuple[str, str],
    most: int,
    in_cases: frozenset[int] = frozenset(),
) -> DeskList[SilentPlayer]:
    """The silent among the games ``found``, each since the day of a last move or resumption.

    ``days``: silent since before this ISO day; and today. The games ``in_cases`` are left out:
    their case says what has been done about the silence; so are those in which nobody is to move.
    """
    rows = [line for line in found if line.to_move_id and line.game_id not in in_cases]
    silences = await _SILENCES.of(conn, {line.game_id: line.head for line in rows})
    quiet_day, today = days
    lines = []
    for line in rows:
        since, is_reported = silences[line.game_id]
        day = since.isoformat() if since else line.start
        if day <= today and (day < quiet_day or line.told_us is not None):
            lines.append(replace(line, since=since, is_reported=is_reported))
    return DeskList.of(by_player(lines), most)


_SILENCES = ByHead(lambda state: (silent_since(state), bool(state.turn.said.leader_told)))
"""Since when nothing has been heard, and whether the leader was told of it."""


def by_player(lines: Iterable[DeskGameRow]) -> tuple[SilentPlayer, ...]:
    """The lines gathered by whose move it is, in the order in which each comes first."""
    found: dict[int, list[DeskGameRow]] = {}
    for line in lines:
        found.setdefault(line.to_move_id or -line.game_id, []).append(line)
    return tuple(
        SilentPlayer(games[0].to_move_id, games[0].to_move, tuple(games))
        for games in found.values()
    )


# The desks: what needs a leader, the controller or the Board today (§ 6.1.1-6.1.2, § 6.4.3).

NEAR_DAYS = 7
"""An overstep is shown when it is at most this near."""
QUIET_DAYS = 14
"""§ 6.3.4: after this long without a move the opponent may ask."""


@dataclass(frozen=True)
class LeaderDesk:
    """A leader's desk. ``long`` are groups whose games may be called in (§ 6.2.7).

    ``up``: by the number of an undecided case, its games whose time is up, each with the ISO day
    since when; they are not among ``found``. ``names``: of everybody in the cases, by id.
    """

    today: date
    shown: DeskFilter
    open_cases: tuple[CaseRow, ...]
    names: Mapping[int, str]
    up: dict[str, tuple[tuple[str, str], ...]]
    found: DeskList[DeskGameRow]
    near: DeskList[DeskGameRow]
    silent: DeskList[SilentPlayer]
    groups: tuple[GroupLine, ...]
    long: tuple[GroupLine, ...]
    duties: tuple[OfficialDuty, ...]
    held: int
    entries: int
    league: LeagueDuties
    cured: tuple[tuple[CaseRow, str], ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How much waits in each part of the desk, in their order."""
        listed = {part: getattr(self, part).count for part in ("found", "silent", "near")}
        listed |= {name: len(rows) for name, rows in self.cases.items()}
        listed |= {"duties": len(self.duties), "long": sum(row.running for row in self.long)}
        return {part: listed[part] for part in PARTS}

    @property
    def cases(self) -> dict[str, list[CaseRow]]:
        """The cases by the part of the desk they stand in."""
        found: dict[str, list[CaseRow]] = {"claims": [], "appeals": [], "cases": []}
        for case in self.open_cases:
            if _is_leaders(case):
                found["cases" if case.is_found else "claims"].append(case)
            elif case.state == CaseStage.APPEALED:
                found["appeals"].append(case)
        return found

    @property
    def elsewhere(self) -> tuple[CaseRow, ...]:
        """Those before another instance that nobody appealed, or waiting for a possible appeal."""
        others = (case for case in self.open_cases if not _is_leaders(case))
        return tuple(case for case in others if case.state != CaseStage.APPEALED)


def _is_leaders(case: CaseRow) -> bool:
    return case.instance == Instance.LEADER and case.state != CaseStage.DECIDED


def is_long(row: GroupLine, today: date) -> bool:
    """True if the group's unfinished games may be called in (§ 6.2.7)."""
    return may_call_in(date.fromisoformat(row.start), False, today)


async def _list_games(
    conn: AsyncConnection, core: Core, mine: frozenset[int] | None, shown: DeskFilter
) -> list[list[DeskGameRow]]:
    """The running games out of time, near it, and maybe silent, as a desk is narrowed down."""
    today = today_of(core)
    soon, quiet = today + timedelta(days=NEAR_DAYS), today - timedelta(days=QUIET_DAYS)
    before = (core.now_us - QUIET_DAYS * DAY_US, quiet.isoformat())
    days = (today.isoformat(), soon.isoformat())
    return [
        [one for one in rows if shown.shows(one.group, one.white, one.black)]
        for rows in await desk_rows.needing_attention(conn, mine, days, before)
    ]


async def _narrow_down(
    conn: AsyncConnection, cases: Sequence[CaseRow], shown: DeskFilter
) -> tuple[list[CaseRow], dict[int, str]]:
    """The cases that a desk shows, and the names of everybody in any of them."""
    names = await person_rows.names_of(conn, {one for case in cases for one in case.standing})
    people = {case.id: [names.get(one) for one in case.standing] for case in cases}
    found = [one for one in cases if shown.shows(one.group, *people[one.id], kinds=one.kinds)]
    return found, names


async def leader_desk(
    core: Core, rights: Rights, *, everything: bool = False, shown: DeskFilter = DeskFilter()
) -> LeaderDesk:
    """A leader's desk; the number of queries does not grow with the games."""
    today = today_of(core)
    now, quiet_day = today.isoformat(), (today - timedelta(days=QUIET_DAYS)).isoformat()
    most = ALL if everything else MOST
    async with core.store.read() as conn:
        mine = await desk_groups(conn, rights, is_everywhere=rights.leads_all or rights.is_admin)
        cases = await _cases_for(conn, rights, mine)
        heard = {case.number: case.games for case in cases if case.state != CaseStage.DECIDED}
        in_cases = {game for games in heard.values() for game in games}
        late_games, near, quiet = await _list_games(conn, core, mine, shown)
        up = await desk_rows.time_up(conn, in_cases, now) if in_cases else {}
        late = {n: tuple(up[g] for g in games if g in up) for n, games in heard.items()}
        asked = (heard.get(case.number, ()) for case in cases if OF_PLAYER & set(case.kinds))
        known = frozenset(game for games in asked for game in games)
        silent = await silent_players(conn, quiet[:ALL], (quiet_day, now), most, known)
        listed, names = await _narrow_down(conn, cases, shown)
        cured = await cured_in(conn, mine, core.now_us)
        groups = await desk_rows.group_lines(conn, mine, now)
        held = await desk_rows.held_mails(conn)
        league = await conn.run_sync(waiting_for, mine)
    return LeaderDesk(
        today=today,
        shown=shown,
        open_cases=by_urgency(listed, core.now_us, {n for n, games in late.items() if games}),
        names=names,
        up=late,
        found=DeskList.of((one for one in late_games if one.game_id not in in_cases), most),
        near=DeskList.of(near, ALL),
        silent=silent,
        groups=groups,
        long=tuple(row for row in groups if row.running and is_long(row, today)),
        duties=tuple(o for o in await duties_for(core, rights) if shown.group in ("", o.group)),
        held=held,
        entries=await waiting_count(core, rights),
        league=league,
        cured=cured,
    )


# What an official did this week, what of it may be appealed, and what comes: page and letter.

WEEK_DAYS, FRIDAY, MOST_DECIDED = 7, 4, 200
CHOICE = "friday"
"""The preference of those who want it as a letter on Fridays."""


@dataclass(frozen=True, slots=True)
class WeekOfWork:
    """What an official decided this week, its name, and whether it was annulled; what may be
    appealed; what comes."""

    today: date
    decided: tuple[tuple[CaseRow, str, bool], ...]
    standing: tuple[CaseRow, ...]
    coming: tuple[CaseRow, ...]
    duties: tuple[OfficialDuty, ...]
    has_letter: bool


async def week_of_work(core: Core, person: PersonRow) -> WeekOfWork:
    """The same for a person in office. Raises NotAllowed for others."""
    today = today_of(core)
    async with core.store.read() as conn:
        held = await rights_in(conn, person, core.now_us)
        if not held.is_official:
            raise NotAllowed
        everywhere = held.leads_all or held.is_admin or held.is_kc
        mine = await desk_groups(conn, held, is_everywhere=everywhere)
        since, own = core.now_us - WEEK_DAYS * DAY_US, (case_rows.DECIDED, person.id)
        made = await case_rows.list_cases_with(conn, None, *own, since, MOST_DECIDED)
        known = await case_rows.events_of_all(conn, {case.id for case, _ in made})
        listed = await _cases_for(conn, held, mine)
        readers = await person_rows.list_choosing(conn, CHOICE, ON)
    gone = {ref for one in map(readable, known.values()) if one for ref in one.annulled}
    decided = tuple(
        (case, event.decision.ref, event.decision.ref in gone)
        for case, row in made
        for event in readable_events([row])
        if isinstance(event, CaseDecided)
    )
    soon = by_urgency(listed, core.now_us)
    last = today + timedelta(days=WEEK_DAYS)
    return WeekOfWork(
        today=today,
        decided=decided,
        standing=tuple(case for case in soon if case.state == CaseStage.DECIDED),
        coming=tuple(c for c in soon if c.state != CaseStage.DECIDED and c.due_us is not None),
        duties=tuple(one for one in await duties_for(core, held) if one.due <= last),
        has_letter=person.id in readers,
    )


async def choose_letter(core: Core, person: PersonRow, *, wanted: bool) -> None:
    """Send the week's work on Fridays from now on, or no longer."""
    chosen = {CHOICE: ON if wanted else OFF}
    await core.store.change(person_rows.keep_preferences, person.id, chosen)


async def send_weeks(core: Core) -> None:
    """On Fridays the week's work to those who want it; once, however often it is looked."""
    today = today_of(core)
    if today.weekday() != FRIDAY:
        return
    async with core.store.write() as conn:
        wanting = await person_rows.list_choosing(conn, CHOICE, ON)
        people = await person_rows.by_ids(conn, wanting)
        held = [
            one.id
            for one in people.values()
            if (await rights_in(conn, one, core.now_us)).is_official
        ]
        poster, day = poster_of(core), today.isoformat()
        await outbox_rows.enqueue(conn, [poster.to_person(WeekLetter, p, day, {}) for p in held])


@loads(WeekLetter)
async def _week_letter(core: Core, reader: PersonRow, _: Params) -> WeekLetter:
    try:
        week = await week_of_work(core, reader)
    except NotAllowed:
        raise NoLetter("no office") from None
    return WeekLetter(
        reader.name,
        official(core),
        week.today,
        tuple((ref, is_annulled) for _case, ref, is_annulled in week.decided),
        tuple((case.number, case.last_day) for case in week.standing),
        tuple((case.number, case.last_day) for case in week.coming),
        tuple((one.game or one.group, one.due) for one in week.duties),
        core.url("/desk/work"),
    )


_CONTROLLERS = frozenset({DutyKind.TAKEOVER, DutyKind.CUP_ROUND, DutyKind.TITLE})
"""What of the duties the controller's own desk shows; the leaders' have all."""


@dataclass(frozen=True, slots=True)
class ControllerDesk:
    """The controller's desk: appeals, every tournament, who holds which office."""

    today: date
    appeals: tuple[CaseRow, ...]
    cases: tuple[CaseRow, ...]
    groups: tuple[GroupLine, ...]
    open_cases: dict[int, int]
    duties: tuple[OfficialDuty, ...]
    holders: tuple[OfficeHolder, ...]
    bulletin: Period | None
    """The period whose bulletin is to be made now (§ 6.4.5.1)."""


async def _cases_for(
    conn: AsyncConnection, held: Rights, groups: frozenset[int] | None
) -> tuple[CaseRow, ...]:
    """The open cases of some groups that an official reads by his office."""
    rows = await case_rows.list_cases(conn, group_ids=groups, is_open=True)
    return tuple(row for row in rows if held.reads_case(row))


async def controller_desk(core: Core, rights: Rights) -> ControllerDesk:
    """All tournaments at a glance, and what is before the controller (§ 6.1.2, § 6.4.3)."""
    today = today_of(core)
    async with core.store.read() as conn:
        seen = await desk_groups(conn, rights, is_everywhere=True)
        cases = await _cases_for(conn, rights, seen)
        groups = await desk_rows.group_lines(conn, seen, today.isoformat())
        counts = await desk_rows.cases_by_group(conn)
        period = await due_since(conn, core, min((one.start for one in groups), default=None))
        in_office = await holders_in(conn, core.now_us)
    mine = tuple(case for case in cases if case.instance == "kc" and case.state != "decided")
    return ControllerDesk(
        today=today,
        appeals=by_urgency(mine, core.now_us),
        cases=by_urgency((case for case in cases if case not in mine), core.now_us),
        groups=groups,
        open_cases=counts,
        duties=tuple(one for one in await duties_for(core, rights) if one.kind in _CONTROLLERS),
        holders=merge_group_holders(in_office),
        bulletin=period,
    )


async def list_unheard(core: Core) -> tuple[CaseRow, ...]:
    """The cases that wait for an instance where nobody may hear them: an administrator's duty."""
    async with core.store.read() as conn:
        rows = await case_rows.list_cases(conn, is_open=True, limit=100_000)
        happened = await case_rows.events_of_all(conn, [row.id for row in rows])
        cases = [(row, readable(happened[row.id])) for row in rows]

        def choose(sync: Connection) -> tuple[CaseRow, ...]:
            return tuple(
                row
                for row, state in cases
                if state is not None and who_may_hear(sync, row, state, core.now_us) is None
            )

        return await conn.run_sync(choose)


async def board_desk(core: Core, rights: Rights) -> tuple[CaseRow, ...]:
    """The Board's cases, open ones first; no others (§ 6.4.3)."""
    rows = await core.store.query(case_rows.list_cases, instance=Instance.BOARD.value)
    cases = [case for case in rows if rights.reads_case(case)]
    still = by_urgency((case for case in cases if case.closed_us is None), core.now_us)
    return (*still, *(case for case in cases if case.closed_us is not None))


async def cases_of_game(core: Core, viewer: PersonRow | None, game: GameRow) -> tuple[CaseRow, ...]:
    """The cases about a game, for its players, their captains and officials; newest first."""
    if viewer is None:
        return ()
    async with core.store.read() as conn:
        found = await case_rows.list_game_cases(conn, game.id)
        if not found:
            return ()
        held = await rights_in(conn, viewer, core.now_us)
        team = await team_of(conn, viewer, held, game.group_id)
    plays = bool({viewer.id, *team} & {game.white_id, game.black_id})
    mine = plays or held.oversees(game.group_id)
    return found[::-1] if mine else ()


def merge_group_holders(holders: Sequence[OfficeHolder]) -> tuple[OfficeHolder, ...]:
    """The same with one row for all the groups whose own rows name the same leader."""
    names: dict[tuple[int, Office], list[str]] = {}
    for one in holders:
        if one.id is None and one.group is not None:
            names.setdefault((one.person.id, one.office), []).append(one.group)
    found: list[OfficeHolder] = []
    for one in holders:
        if one.id is not None or one.group is None:
            found.append(one)
        elif groups := names.pop((one.person.id, one.office), None):
            found.append(replace(one, group_id=None, group=", ".join(groups)))
    return tuple(found)


AHEAD_DAYS = 92
"""How far ahead the desk shows the year, and (below) how far back what was not done."""
BEHIND_DAYS = 31


@dataclass(frozen=True, slots=True)
class ControllerOverview:
    """The next steps of the year, this year's accounts, prizes due, quarantines in force."""

    today: date
    steps: tuple[SeasonStep, ...]
    balances: tuple[Balance, ...]
    prizes: tuple[AnyRow, ...]
    quarantines: tuple[AnyRow, ...]
    joining: int
    """How many newcomers are waiting for an answer."""


async def load_controller_overview(core: Core) -> ControllerOverview:
    """The rest of the controller's desk; the caller checks who may look."""
    today = today_of(core)
    first, last = today - timedelta(days=BEHIND_DAYS), today + timedelta(days=AHEAD_DAYS)
    async with core.store.read() as conn:
        steps = await steps_between(conn, first, last)
        balances = await balances_in(conn)
        prizes = await book_rows.prizes_open(conn)
        joining = await register_rows.waiting_count(conn)
        quarantines = await publication_rows.quarantines(conn, today.isoformat())
    return ControllerOverview(
        today=today,
        steps=steps,
        balances=tuple(one for one in balances if one.year == today.year),
        prizes=prizes,
        quarantines=quarantines,
        joining=joining,
    )


async def quarantines_for(core: Core, person: PersonRow) -> tuple[AnyRow, ...]:
    """The quarantines in force today. Raises NotAllowed if they may not see them (§ 6.4.2)."""
    today = today_of(core)
    async with core.store.read() as conn:
        if not sees_year(await rights_in(conn, person, core.now_us)):
            raise NotAllowed
        return await publication_rows.quarantines(conn, today.isoformat())
