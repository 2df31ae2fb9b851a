"""A waiting list's next group: 7 valid entries, lots, games, start letters (§ 6.5.1.1, § 6.5.2.1).

All in the transaction of the caller, which holds the list. The group is started with the code of
``kskak group start``. Readings: the DM is started by its leader with all valid entries, for the
next September without one (§ 6.5.2); nobody leads a group they play in (§ 6.1.1): such a
group waits for another leader. Not for cup, league and theme groups (cup/cup_rounds.py,
below).
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from pydantic import ValidationError

from kskak.board.positions import AlreadyOver, Position
from kskak.entries.emt import EmtClass, WaitingPlayer, is_double, next_dm, next_group
from kskak.entries.entry import EntryProblem, EntryRefusal, EntryState, OtherEntry
from kskak.regulation.editions import DEFAULT_LAWS, LAWS, Regulation
from mail.office_letters.entry_letters import EntryNews
from server.store import groups as group_rows
from server.store import player_entries as entry_rows
from server.store.engine.connection import AsyncConnection
from server.store.groups import GroupRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.player_entries import EntryRow, ListRow
from server.usecases.context import Core, today_of
from server.usecases.entries.entry_judging import EMT, judge_start, judge_stored_entry
from server.usecases.entries.entry_letter_facts import notify_player
from server.usecases.groups.group_file import (
    FEWEST,
    MOST,
    GroupFile,
    GroupFileError,
    StartedGroup,
    complete_rounds,
)
from server.usecases.postal.scans import without
from server.usecases.rights import NoSuch, NotAllowed, may_handle, rights_in
from server.usecases.starts.start_group import start_in

_log = logging.getLogger(__name__)


async def start_next(
    core: Core, conn: AsyncConnection, wanted: ListRow
) -> StartedGroup | EntryRefusal:
    """Start the list's next group, or say why not; the list must be held (§ 6.5.1.1)."""
    if wanted.event != EMT:
        return EntryRefusal((EntryProblem.NOT_BY_LIST,))
    chosen = _chosen(wanted, await _fit(core, conn, wanted))
    if not chosen:
        return EntryRefusal((EntryProblem.TOO_FEW,))
    if wanted.leader_id in {row.person_id for row in chosen}:
        return EntryRefusal((EntryProblem.LEADER_PLAYS,))
    groups = await group_rows.everything(conn)
    group_class = EmtClass(wanted.wish)
    more: dict[str, object] = {
        "class": group_class.value,
        "start": _start(core, group_class, groups),
        "double": is_double(group_class, len(chosen)),
    }
    return await _start_group(core, conn, wanted, chosen, groups, more)


async def _start_group(
    core: Core,
    conn: AsyncConnection,
    of: ListRow,
    chosen: Sequence[EntryRow],
    groups: Sequence[GroupRow],
    more: dict[str, object],
) -> StartedGroup | EntryRefusal:
    """Start the chosen as a group; ``more``: what its file says besides the list."""
    people = await person_rows.by_ids(conn, [*(row.person_id for row in chosen), of.leader_id])
    leader, players = people[of.leader_id], [people[row.person_id] for row in chosen]
    if lacking := await without_address(conn, of.regulation, players):
        return EntryRefusal((EntryProblem.NO_ADDRESSES,), who=lacking)
    told = {
        "tournament": of.tournament,
        "group": next_name(of.prefix, {group.name for group in groups}),
        "regulation": of.regulation,
        "tl": leader.email,
        "tl_name": leader.name,
        "players": [{"name": one.name, "email": one.email, "lang": one.lang} for one in players],
        "zone": core.settings.clock.zone,
    }
    try:
        file = GroupFile.model_validate(told | more)
        started = await start_in(core, conn, complete_rounds(file, groups))
    except (GroupFileError, ValidationError) as error:
        # Refused before anything was written: a fee is recorded even where no group can be made.
        _log.warning("list %s: the group can't be made: %s", of.name, error)
        return EntryRefusal((EntryProblem.NOT_MADE,))
    await entry_rows.place(conn, [row.id for row in chosen], started.id)
    return started


async def without_address(
    conn: AsyncConnection, regulation: str, players: Sequence[PersonRow]
) -> tuple[str, ...]:
    """Who keeps a postal group from starting: players whose address is missing (§ 6.5.2.1)."""
    return await without(conn, players) if regulation == Regulation.POSTAL else ()


async def lock_list(core: Core, conn: AsyncConnection, by: PersonRow, list_id: int) -> ListRow:
    """A list that ``by`` handles, locked. Raises NoSuch, NotAllowed."""
    held = await rights_in(conn, by, core.now_us)
    of = await entry_rows.find_list(conn, list_id, lock=True)
    if of is None:
        raise NoSuch("list")
    if not may_handle(held, list_id):
        raise NotAllowed
    return of


async def start_all(core: Core, conn: AsyncConnection, wanted: ListRow) -> list[StartedGroup]:
    """Start as many groups as are full, if the class starts automatically (§ 6.5.1.1)."""
    started: list[StartedGroup] = []
    is_dm = wanted.wish == EmtClass.DM
    if not core.settings.entries.starts_itself or wanted.event != EMT or is_dm:
        return started
    while isinstance(made := await start_next(core, conn, wanted), StartedGroup):
        started.append(made)
    return started


def _chosen(wanted: ListRow, rows: Sequence[EntryRow]) -> list[EntryRow]:
    """Who is in the next group: the first 7, or everybody for the DM, each once."""
    if wanted.wish == EmtClass.DM:
        own = list({row.person_id: row for row in reversed(rows)}.values())[::-1]
        return own if len(own) >= FEWEST else []
    waiting = [WaitingPlayer(str(row.person_id), date.fromisoformat(_since(row))) for row in rows]
    return [rows[index] for index in next_group(waiting) or ()]


def _since(row: EntryRow) -> str:
    return row.since_day or row.entered_day


async def _fit(core: Core, conn: AsyncConnection, wanted: ListRow) -> list[EntryRow]:
    """The valid entries that may still start; the others go back to waiting, and are told why."""
    rows = await entry_rows.on_lists(conn, [wanted.id], [EntryState.VALID.value])
    if wanted.wish != EmtClass.DM and not _chosen(wanted, rows):
        return []
    return await fit_to_start(core, conn, rows)


async def fit_to_start(
    core: Core, conn: AsyncConnection, rows: Sequence[EntryRow]
) -> list[EntryRow]:
    """The valid entries that nothing bars now; the others go back to waiting (§ 6.4.2)."""
    fit: list[EntryRow] = []
    for row in rows:
        if not await judge_start(conn, row, today_of(core)):
            fit.append(row)
            continue
        again = await entry_rows.change_entry(conn, row.id, state=EntryState.WAITING.value)
        judged = await judge_stored_entry(conn, again, today_of(core))
        await notify_player(core, conn, again, EntryNews.WAITS, judged)
    return fit


def next_name(prefix: str, taken: Collection[str]) -> str:
    """The list's next free group name: K-26-01, K-26-02 and so on."""
    number = 1
    while (name := f"{prefix}-{number:02}") in taken:
        number += 1
    return name


def _start(core: Core, group_class: EmtClass, groups: Sequence[GroupRow]) -> date:
    """Some days ahead, so that the start letter arrives first; the DM in September (§ 6.5.2)."""
    soon = today_of(core) + timedelta(days=core.settings.entries.start_days)
    if group_class is not EmtClass.DM:
        return soon
    earlier = [date.fromisoformat(row.start) for row in groups if row.class_ == EmtClass.DM]
    return next_dm(soon, earlier)


# A theme tournament's group from its waiting list: a given opening, everybody entered (§ 1.1.22).


@dataclass(frozen=True, slots=True)
class Theme:
    """What the leader decides: the position, the day (None: by the settings), double round."""

    fen: str
    start: date | None = None
    is_double: bool = False


async def start_theme(
    core: Core, by: PersonRow, list_id: int, theme: Theme
) -> StartedGroup | EntryRefusal:
    """Start a theme list's group with all its valid entries. Raises NoSuch, NotAllowed."""
    async with core.store.deciding() as conn:
        of = await lock_list(core, conn, by, list_id)
        if of.event != OtherEntry.THEME:
            return EntryRefusal((EntryProblem.NOT_BY_LIST,))
        unfit = _unfit(theme.fen.strip())
        if unfit is not None:
            return EntryRefusal((unfit,))
        valid = await entry_rows.on_lists(conn, [list_id], [EntryState.VALID.value])
        fit = await fit_to_start(core, conn, valid)
        chosen = list({row.person_id: row for row in reversed(fit)}.values())[::-1][:MOST]
        if len(chosen) < FEWEST:
            return EntryRefusal((EntryProblem.TOO_FEW,))
        if {of.leader_id, by.id} & {row.person_id for row in chosen}:
            return EntryRefusal((EntryProblem.LEADER_PLAYS,))
        soon = today_of(core) + timedelta(days=core.settings.entries.start_days)
        more: dict[str, object] = {
            "class": OtherEntry.THEME.value,
            "start": max(theme.start or soon, today_of(core)),
            "fen": theme.fen.strip(),
            "double": theme.is_double,
        }
        groups = await group_rows.everything(conn)
        return await _start_group(core, conn, of, chosen, groups, more)


def _unfit(fen: str) -> EntryProblem | None:
    """Why a theme is not a position that can be played from, None if it is (§ 1.1.22)."""
    try:
        Position.beginning(fen, LAWS[DEFAULT_LAWS])
    except AlreadyOver:
        return EntryProblem.THEME_OVER
    except ValueError:
        return EntryProblem.THEME
    return None
