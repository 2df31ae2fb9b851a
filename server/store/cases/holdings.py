"""What people hold that a death, a sanction or the end of a club takes, and what they get back.

§ 6.2.8, § 6.4.2, § 6.4.3. Synchronous. Not for what follows from what (kskak.cases.consequences).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    exists,
    func,
    literal,
    not_,
    null,
    or_,
    select,
    update,
)

from kskak.cases.case_events import Ground
from kskak.cases.holdings import Holding, HoldingKind, TakenHolding
from server.store.play.people import BOARD_SEATS
from server.store.tables.all_tables import seal_rows
from server.store.tables.base import games, groups, seats
from server.store.tables.cases import offices
from server.store.tables.people import clubs
from server.store.tables.tournaments import (
    cup_draws,
    cup_places,
    cups,
    entries,
    entry_lists,
    league_boards,
    league_changes,
    league_teams,
    team_entries,
    team_entry_boards,
)

_OPEN = ("waiting", "valid")


def _select_holdings(now_us: int) -> Iterator[tuple[HoldingKind, Select[Any]]]:
    """Of each kind: who holds it, its id, name, form of tournament, and first day (ISO)."""
    one, none, start = literal, null(), func.substr(groups.c.start, 1, 10)
    running = exists().where(games.c.group_id == groups.c.id, games.c.result.is_(None))
    listed, of_list = entries.c, entry_lists.c
    yield HoldingKind.SEAT, select(
        seats.c.person_id, groups.c.id, groups.c.name, groups.c["class"], start
    ).join(groups, groups.c.id == seats.c.group_id).where(running)  # fmt: skip
    yield HoldingKind.ENTRY, select(
        listed.person_id, listed.id, of_list.name, of_list.event, none
    ).join(entry_lists, of_list.id == listed.list_id).where(listed.state.in_(_OPEN))  # fmt: skip
    entered, played, board = team_entries.c, league_teams.c, league_boards.c
    for kind, who in ((HoldingKind.BOARD, team_entry_boards.c.person_id),
                      (HoldingKind.CAPTAIN, entered.captain_id)):  # fmt: skip
        query = select(who, entered.id, clubs.c.name, one("league"), none).select_from(
            team_entries.outerjoin(clubs, clubs.c.id == entered.club_id)
            .join(team_entry_boards, team_entry_boards.c.entry_id == entered.id)
        )  # fmt: skip
        yield kind, query.where(entered.state.in_(_OPEN)).distinct()
    of_team = (played.id, played.club, one("league"), start)
    team = league_teams.join(groups, groups.c.id == played.group_id)
    yield HoldingKind.CAPTAIN, select(played.captain_id, *of_team).select_from(team).where(running)
    boards = team.join(league_boards, board.team_id == played.id)
    now = select(board.person_id, *of_team).select_from(boards)
    yield HoldingKind.BOARD, now.where(running, board.to_us.is_(None))
    held = offices.c
    in_force = or_(held.to_us.is_(None), held.to_us > now_us)
    office = select(held.person_id, held.id, held.office, one(""), none)
    yield HoldingKind.OFFICE, office.where(in_force, held.office != "captain")


def list_holdings(conn: Connection, people_: Collection[int], now_us: int) -> tuple[Holding, ...]:
    """Seats in running groups, open entries, boards and captaincies, offices, each by its id.

    Boards and captaincies of a team that is only entered have no day on which they begin.
    """
    out: list[Holding] = []
    for kind, query in _select_holdings(now_us):
        person = query.selected_columns[0]
        for who, key, of, form, begins in conn.execute(query.where(person.in_(list(people_)))):
            day = None if begins is None else date.fromisoformat(begins)
            out.append(Holding(kind, who, of or "", form, day, number=key))
    return tuple(sorted(out, key=lambda held: (held.kind.value, held.of, held.number)))


def end_holdings(
    conn: Connection, held: Iterable[Holding], now_us: int, values: Mapping[str, object]
) -> None:
    """End what is held: entries are refused with ``values``, offices end, a team entry waits.

    In a team that is drawn the next in order follows (usecases/cases/sanctions.py).
    """
    for one in held:
        if one.kind is HoldingKind.ENTRY:
            refused = update(entries).where(entries.c.id == one.number)
            conn.execute(refused.values(state="refused", **values))
        elif one.kind is HoldingKind.OFFICE:
            conn.execute(update(offices).where(offices.c.id == one.number).values(to_us=now_us))
            seal_rows(conn, offices, [one.number], now_us)
        elif one.begins is None:
            waits = update(team_entries).where(team_entries.c.id == one.number)
            conn.execute(waits.values(state="waiting"))


def list_taken(conn: Connection, taken: Iterable[tuple[str, Ground]]) -> tuple[TakenHolding, ...]:
    """What rulings took, by their names, as it is now: who has it since, whether it was drawn.

    Without what is no more, was decided otherwise since, or stands anew.
    """
    out: list[TakenHolding] = []
    for ref, one in taken:
        name, number, begins = one.ref.split("-", 2)
        kind, person = HoldingKind(name), one.person or 0
        asked = _ENTERED[kind] if not begins and kind in _ENTERED else _NOW[kind]
        query = asked(int(number), person, ref.rpartition("/")[0], begins)
        for of, form, heir, is_taken, drawn in conn.execute(query):
            day = drawn or (None if kind is HoldingKind.CUP_PLACE else begins)
            first = date.fromisoformat(day) if day else None
            held = Holding(kind, person, of or "", form, first, number=int(number), heir=heir)
            out.append(TakenHolding(ref, held, bool(is_taken), drawn is not None))
    return tuple(out)


# Of something taken by its number, from whom, in which case: its name, form, who has it now,
# whether another has, and the first day of what was drawn since (ISO).

_NONE, _LEAGUE = null(), literal("league")
_DAY = func.substr(groups.c.start, 1, 10)


def _entry_now(key: int, person: int, case: str, _: str) -> Select[Any]:
    own, anew = entries.c, entries.alias("anew")
    is_anew = exists().where(
        anew.c.person_id == person,
        anew.c.list_id == own.list_id,
        anew.c.state.not_in(["refused", "withdrawn"]),
    )
    placed = entries.alias("placed")
    drawn = select(func.min(_DAY)).join(placed, placed.c.group_id == groups.c.id)
    drawn = drawn.where(placed.c.list_id == own.list_id)
    listed = entry_lists.c
    query = select(listed.name, listed.event, _NONE, literal(False), drawn.scalar_subquery())
    refused = own.id == key, own.state == "refused", own.reason == case
    return query.join(entries, own.list_id == listed.id).where(*refused, not_(is_anew))


def _seat_now(key: int, person: int, _: str, __: str) -> Select[Any]:
    sits = exists().where(seats.c.group_id == key, seats.c.person_id == person)
    query = select(groups.c.name, groups.c["class"], _NONE, not_(sits), _NONE)
    return query.where(groups.c.id == key)


def _office_now(key: int, person: int, _: str, __: str) -> Select[Any]:
    """Taken by who came later; of the Board's seats once all are (§ 1.3.9)."""
    own = offices.c

    def others(same: Any) -> tuple[ColumnElement[bool], ...]:
        mates = same.c.office == own.office, same.c.group_id.is_not_distinct_from(own.group_id)
        return *mates, same.c.person_id != person, same.c.to_us.is_(None)

    later, all_now = offices.alias(), offices.alias()
    most = case(BOARD_SEATS, value=own.office, else_=1)
    held = select(func.count()).where(*others(all_now)).scalar_subquery()
    came = select(func.max(later.c.person_id)).where(*others(later), later.c.from_us >= own.to_us)
    heir = case((held >= most, came.scalar_subquery()))
    query = select(own.office, literal(""), heir, heir.is_not(None), _NONE)
    return query.where(own.id == key, own.to_us.is_not(None))


def _cup_place_now(key: int, person: int, _: str, stage: str) -> Select[Any]:
    drawn, place = cup_draws.c, cup_places.c
    has = exists().where(
        place.cup_id == key,
        place.stage == stage,
        place.person_id == person,
        place.group_id.is_not(None),
    )
    rows = cups.join(entry_lists, entry_lists.c.id == cups.c.list_id).outerjoin(
        cup_draws, and_(drawn.cup_id == key, drawn.stage == stage)
    )
    query = select(entry_lists.c.name, literal("cup"), _NONE, literal(False), drawn.start)
    return query.select_from(rows).where(cups.c.id == key, not_(has))


def _team_now(key: int, heir: Any, has: Any) -> Select[Any]:
    query = select(league_teams.c.club, _LEAGUE, heir, not_(has), _NONE)
    return query.where(league_teams.c.id == key)


def _captain_now(key: int, person: int, case: str, _: str) -> Select[Any]:
    """His still, or that of who followed him by the ruling itself."""
    said, captain = league_changes.c, league_teams.c.captain_id
    last = select(func.max(said.id)).where(said.team_id == key, said.kind == "captain")
    by_case = exists().where(said.id == last.scalar_subquery(), said.reason == case)
    return _team_now(key, captain, or_(captain == person, by_case))


def _board_now(key: int, person: int, _: str, __: str) -> Select[Any]:
    played = league_boards.c
    has = exists().where(played.team_id == key, played.to_us.is_(None), played.person_id == person)
    return _team_now(key, _NONE, has)


def _entered_now(key: int, heir: Any, has: Any) -> Select[Any]:
    """Of a team that was only entered; drawn: it has been placed in a division."""
    entered = team_entries.c
    rows = team_entries.outerjoin(clubs, clubs.c.id == entered.club_id).outerjoin(
        groups, groups.c.id == entered.group_id
    )
    query = select(clubs.c.name, _LEAGUE, heir, not_(has), _DAY).select_from(rows)
    return query.where(entered.id == key, entered.state.in_([*_OPEN, "placed"]))


def _entered_captain_now(key: int, person: int, _: str, __: str) -> Select[Any]:
    captain = team_entries.c.captain_id
    return _entered_now(key, captain, captain == person)


def _entered_board_now(key: int, person: int, _: str, __: str) -> Select[Any]:
    board = team_entry_boards.c
    return _entered_now(
        key, _NONE, exists().where(board.entry_id == key, board.person_id == person)
    )


_NOW: dict[HoldingKind, Callable[[int, int, str, str], Select[Any]]] = {
    HoldingKind.ENTRY: _entry_now,
    HoldingKind.SEAT: _seat_now,
    HoldingKind.OFFICE: _office_now,
    HoldingKind.CUP_PLACE: _cup_place_now,
    HoldingKind.CAPTAIN: _captain_now,
    HoldingKind.BOARD: _board_now,
}
_ENTERED = {HoldingKind.CAPTAIN: _entered_captain_now, HoldingKind.BOARD: _entered_board_now}


def restore(conn: Connection, back: Iterable[Holding], now_us: int) -> None:
    """Give back what stands on lists and in the book of offices; of drawn teams: sanctions.py."""
    gone = {"paragraph": None, "reason": None, "decided_by": None, "decided_us": None}
    for one in back:
        if one.kind is HoldingKind.ENTRY:
            again = update(entries).where(entries.c.id == one.number)
            conn.execute(again.values(state="waiting", **gone))
        elif one.kind is HoldingKind.OFFICE:
            conn.execute(update(offices).where(offices.c.id == one.number).values(to_us=None))
            seal_rows(conn, offices, [one.number], now_us)


def list_leaders(conn: Connection, held: Iterable[Holding]) -> frozenset[int]:
    """Who leads the lists, groups and cups that something is held in."""
    found = set[int]()
    for one in held:
        listed, team = entry_lists.c, league_teams.c
        match one.kind, one.begins:
            case HoldingKind.ENTRY, _:
                who = select(listed.leader_id).join(entries, entries.c.list_id == listed.id)
                who = who.where(entries.c.id == one.number)
            case HoldingKind.CUP_PLACE, _:
                who = select(listed.leader_id).join(cups, cups.c.list_id == listed.id)
                who = who.where(cups.c.id == one.number)
            case HoldingKind.SEAT, _:
                who = select(groups.c.tl_id).where(groups.c.id == one.number)
            case ((HoldingKind.BOARD | HoldingKind.CAPTAIN), None):
                entered = team_entries.c
                who = select(listed.leader_id).join(team_entries, entered.list_id == listed.id)
                who = who.where(entered.id == one.number)
            case ((HoldingKind.BOARD | HoldingKind.CAPTAIN), _):
                who = select(groups.c.tl_id).join(league_teams, team.group_id == groups.c.id)
                who = who.where(team.id == one.number)
            case _:
                continue
        found.update(conn.execute(who).scalars())
    return frozenset(found)
