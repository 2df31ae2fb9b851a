"""A season's lists on one page, and opening those that are wanted at once (§ 6.1.2, § 6.4.4).

Each row is filled from the newest list of its kind, else from the regulation. What opens a list, a
cup or moves a day is what the other desks use. Not for a single list (entries/player_entering.py)
nor for the league's divisions (season/composing.py).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from kskak.entries.entry import CupEntry
from kskak.office.year import (
    PREFIXES,
    REGULAR,
    SeasonListKind,
    SeasonStep,
    State,
    TournamentKind,
    TournamentStep,
    YearAction,
    YearActionKind,
    YearFault,
    day_on,
    read_year_in_names,
    season_plan,
    year_on,
)
from kskak.regulation.editions import Regulation
from server.store import cup as cup_rows
from server.store import entries as entry_rows
from server.store.cup import CupRow
from server.store.engine.connection import AsyncConnection
from server.store.entries import ListRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.cup.cup_rounds import CupFault, CupRequest, open_cup_in
from server.usecases.entries.entry_judging import CUP_JUDGING
from server.usecases.entries.player_entering import EntryListRequest, ListFault, open_list_in
from server.usecases.office import change_in, list_year_actions
from server.usecases.rights import holders_in, require_kc

Names = Callable[[SeasonListKind, int], tuple[str, str]]
"""What a list of a kind and its tournament are called in a season, where none was before."""
STEPS = (TournamentStep.START, TournamentStep.DEADLINE)
"""The days that a row has; the start first, for the others count from it."""
_ASCII = {"Å": "open"}
_CENTURY = 100


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A list as it would be opened; ``key`` names the row in forms.

    ``days``: start and deadline in the year's plan, empty where it has none; ``opened``: the list
    if the season has it, with its cup in ``cup``; ``source``: the list that filled the row.
    """

    key: str
    kind: SeasonListKind
    asked: EntryListRequest
    days: dict[TournamentStep, date | None]
    is_wanted: bool
    source: str = ""
    opened: ListRow | None = None
    cup: int | None = None


@dataclass(frozen=True, slots=True)
class SeasonView:
    """A season's rows; ``leaders``: the addresses of who leads or has led a list or a group."""

    season: int
    rows: tuple[SeasonRow, ...]
    leaders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeasonListFault:
    """What keeps the season from being opened: the row, and what is wrong in it.

    ``action``: the day that can't be moved so.
    """

    key: str
    fault: ListFault | CupFault | YearFault
    action: YearAction | None = None


class _Refused(Exception):
    """Ends the transaction: nothing is opened."""

    def __init__(self, fault: SeasonListFault) -> None:
        super().__init__(fault.key)
        self.fault = fault


def list_year(row: ListRow) -> int | None:
    """The season of a stored list; None for one that its names give no year."""
    return read_year_in_names((row.name, row.tournament), row.prefix)


def build_row_key(kind: SeasonListKind, regulation: str) -> str:
    """A row's name in forms, in ASCII letters."""
    return f"{kind.event}-{_ASCII.get(kind.wish, kind.wish)}-{regulation}"


async def season_view(core: Core, by: PersonRow, season: int, names: Names) -> SeasonView:
    """The season's lists, opened and proposed. Raises NotAllowed for all but the controller."""
    async with core.store.read() as conn:
        await require_kc(conn, by, core.now_us)
        lists = await entry_rows.everything(conn)
        leaders = await person_rows.by_ids(conn, {row.leader_id for row in lists})
        holders = await holders_in(conn, core.now_us)
        emails = {person_id: person.email for person_id, person in leaders.items()}
        cups = await cup_rows.everything(conn)
        actions, today = await list_year_actions(conn), core.today(core.settings.clock.zone)
        filling = _Filling(season, by, names, lists, emails, cups, actions, today)
    known = {*emails.values(), *(one.person.email for one in holders), by.email}
    return SeasonView(season, filling.rows(), tuple(sorted(known)))


@dataclass(frozen=True, slots=True)
class _Filling:
    """Fills in the rows from all that is stored."""

    season: int
    by: PersonRow
    names: Names
    lists: Sequence[ListRow]
    emails: dict[int, str]
    cups: Sequence[CupRow]
    deeds: Sequence[YearAction]
    today: date

    def rows(self) -> tuple[SeasonRow, ...]:
        """A row for each kind, and each way of playing it that there has been."""
        found = []
        for kind in PREFIXES:
            before = [row for row in self.lists if (row.event, row.wish) == (kind.event, kind.wish)]
            ways = dict.fromkeys(row.regulation for row in before) or [Regulation.EMAIL.value]
            found += [
                self._row(kind, way, [r for r in before if r.regulation == way]) for way in ways
            ]
        return tuple(found)

    def _row(self, kind: SeasonListKind, way: str, before: Sequence[ListRow]) -> SeasonRow:
        opened = next((row for row in reversed(before) if self._is_of_season(row)), None)
        earlier = [row for row in before if (list_year(row) or 0) < self.season]
        source = opened or (earlier[-1] if earlier else None)
        year = None if source is None else list_year(source) or self.season
        cup = next((one.id for one in self.cups if opened and one.list_id == opened.id), None)
        days = self._days(kind.form, year)
        is_over = (days.get(TournamentStep.START) or self.today) < self.today
        is_usual = kind in REGULAR or (source is not None and kind.event == CUP_JUDGING)
        return SeasonRow(
            key=build_row_key(kind, way),
            kind=kind,
            asked=self._standard(kind) if source is None else self._again(source, year or 0),
            days=days,
            is_wanted=is_usual and not is_over,
            source="" if source is None else source.name,
            opened=opened,
            cup=cup,
        )

    def _is_of_season(self, row: ListRow) -> bool:
        """A list without a year is for any season while it is open."""
        year = list_year(row)
        return row.is_open if year is None else year == self.season

    def _again(self, row: ListRow, year: int) -> EntryListRequest:
        """The list a season on; where its names tell no year, the season is added to them."""
        name, prefix = (year_on(text, year, self.season) for text in (row.name, row.prefix))
        if name in {one.name for one in self.lists}:
            name = f"{name} {self.season}"
        if prefix in {one.prefix for one in self.lists}:
            prefix = f"{prefix}-{self.season % _CENTURY:02}"
        return EntryListRequest(
            name=name,
            event=row.event,
            wish=row.wish,
            tournament=year_on(row.tournament, year, self.season),
            regulation=Regulation(row.regulation),
            prefix=prefix,
            leader=self.emails[row.leader_id],
            fee=row.fee,
            how_to_pay=row.how_to_pay or self._pay(),
        )

    def _standard(self, kind: SeasonListKind) -> EntryListRequest:
        """What the regulation has, led by the controller until another is named (§ 6.1.1)."""
        name, tournament = self.names(kind, self.season)
        prefix = f"{PREFIXES[kind]}-{self.season % _CENTURY:02}"
        email, pay = Regulation.EMAIL, self._pay()
        return EntryListRequest(
            name, kind.event, kind.wish, tournament, email, prefix, self.by.email, None, pay
        )

    def _pay(self) -> str:
        """How fees were paid last."""
        return next((row.how_to_pay for row in reversed(self.lists) if row.how_to_pay), "")

    def _days(
        self, form: TournamentKind | None, source: int | None
    ) -> dict[TournamentStep, date | None]:
        """The plan's days; those that were moved last time, moved again."""
        if form is None:
            return {}
        plan = _by_step(season_plan(form, self.season, self.deeds))
        last = {} if source is None else _by_step(season_plan(form, source, self.deeds))
        found: dict[TournamentStep, date | None] = {}
        for step in STEPS:
            if (item := plan.get(step)) is None:
                continue
            before, found[step] = last.get(step), item.day
            is_own = item.state in (State.MOVED, State.CALLED_OFF)
            if source and before and before.day and before.state is State.MOVED and not is_own:
                found[step] = day_on(before.day, source, self.season)
        return found


def _by_step(items: Iterable[SeasonStep]) -> dict[TournamentStep, SeasonStep]:
    return {item.step: item for item in items}


async def open_season(
    core: Core, by: PersonRow, season: int, wanted: Sequence[SeasonRow], reason: str
) -> tuple[ListRow, ...] | SeasonListFault:
    """Open all the lists, the cup and the days that they name, or none. Raises NotAllowed.

    ``wanted``: rows as they were filled in; ``reason``: for moving days.
    """
    try:
        async with core.store.deciding() as conn:
            await require_kc(conn, by, core.now_us)
            made = dict[str, ListRow]()
            for one in wanted:
                opened = await open_list_in(core, conn, by, one.asked)
                if isinstance(opened, ListFault):
                    raise _Refused(SeasonListFault(one.key, opened))
                made[one.key] = opened
            await _open_cup(core, conn, by, season, made)
            actions = await list_year_actions(conn)
            for one in wanted:
                for action in _moves(season, actions, one, reason):
                    fault = await change_in(core, conn, by, action)
                    if isinstance(fault, YearFault) and fault is not YearFault.NO_CHANGE:
                        raise _Refused(SeasonListFault(one.key, fault, action))
    except _Refused as refused:
        return refused.fault
    return tuple(made.values())


async def _open_cup(
    core: Core, conn: AsyncConnection, by: PersonRow, season: int, made: dict[str, ListRow]
) -> None:
    """Open the cup on its new list, with the one of its semi-final if that is opened too."""
    lists = {row.wish: (key, row) for key, row in made.items() if row.event == CUP_JUDGING}
    if CupEntry.PRELIMINARY not in lists:
        return
    key, first = lists[CupEntry.PRELIMINARY]
    semi = lists.get(CupEntry.SEMIFINAL)
    asked = CupRequest(season, first.id, None if semi is None else semi[1].id)
    fault = await open_cup_in(core, conn, by, asked)
    if isinstance(fault, CupFault):
        raise _Refused(SeasonListFault(key, fault))


def _moves(
    season: int, actions: Sequence[YearAction], one: SeasonRow, reason: str
) -> Iterator[YearAction]:
    """The days that differ from the year's plan, to be moved; the others follow their start.

    ``actions``: what was done with the year's steps before.
    """
    form = one.kind.form
    plan = {} if form is None else _by_step(season_plan(form, season, actions))
    for step in STEPS:
        day = one.days.get(step)
        if form is not None and day is not None and step in plan and plan[step].day != day:
            yield YearAction(form, season, step, YearActionKind.MOVED, day, reason)
