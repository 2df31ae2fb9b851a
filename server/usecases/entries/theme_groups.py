"""A theme tournament's group from its waiting list: a given opening, everybody entered (§ 1.1.22).

All in one transaction, with the code of ``kskak group start``. Readings: the regulation gives no
number of players or rounds, so the leader starts with all valid entries, each player once, and
decides whether it is a double round. Not for the EMT (next_group.py) nor the cup (cup/rounds.py).
"""

import logging
from dataclasses import dataclass
from datetime import date, timedelta

from pydantic import ValidationError

from kskak.board.moves import AlreadyOver, Position
from kskak.entries.admission import EntryProblem, EntryRefusal, EntryState
from kskak.entries.entry import OtherEntry
from kskak.regulation.editions import DEFAULT_LAWS, LAWS
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.entries import of_players as entry_rows
from server.store.entries.lists import ListRow
from server.store.entries.of_players import EntryRow
from server.store.groups import groups_and_seats as group_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, today_of
from server.usecases.core.offices import NoSuch, NotAllowed, may_handle, rights_in
from server.usecases.entries.next_group import fit_to_start, next_name, without_address
from server.usecases.groups.group_file import FEWEST, MOST, GroupFile, GroupFileError
from server.usecases.starts.start_group import StartedGroup, start_in

_log = logging.getLogger(__name__)


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
        held = await rights_in(conn, by, core.now_us)
        of = await list_rows.lock(conn, list_id)
        if of is None:
            raise NoSuch("list")
        if not may_handle(held, list_id):
            raise NotAllowed
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
        return await _start(core, conn, of, chosen, theme)


def _unfit(fen: str) -> EntryProblem | None:
    """Why a theme is not a position that can be played from, None if it is (§ 1.1.22)."""
    try:
        Position.beginning(fen, LAWS[DEFAULT_LAWS])
    except AlreadyOver:
        return EntryProblem.THEME_OVER
    except ValueError:
        return EntryProblem.THEME
    return None


async def _start(
    core: Core, conn: AsyncConnection, of: ListRow, chosen: list[EntryRow], theme: Theme
) -> StartedGroup | EntryRefusal:
    people = await person_rows.by_ids(conn, [*(row.person_id for row in chosen), of.leader_id])
    names = {group.name for group in await group_rows.everything(conn)}
    players = [people[row.person_id] for row in chosen]
    if lacking := await without_address(conn, of.regulation, players):
        return EntryRefusal((EntryProblem.NO_ADDRESSES,), who=lacking)
    soon = today_of(core) + timedelta(days=core.settings.entries.start_days)
    try:
        file = GroupFile.model_validate(
            {
                "tournament": of.tournament,
                "class": OtherEntry.THEME.value,
                "group": next_name(of.prefix, names),
                "regulation": of.regulation,
                "start": max(theme.start or soon, today_of(core)),
                "tl": people[of.leader_id].email,
                "tl_name": people[of.leader_id].name,
                "fen": theme.fen.strip(),
                "players": [
                    {"name": one.name, "email": one.email, "lang": one.lang} for one in players
                ],
                "double": theme.is_double,
                "zone": core.settings.clock.zone,
            }
        )
        started = await start_in(core, conn, file)
    except (GroupFileError, ValidationError) as error:
        _log.warning("list %s: the theme group can't be made: %s", of.name, error)
        return EntryRefusal((EntryProblem.NOT_MADE,))
    await entry_rows.place(conn, [row.id for row in chosen], started.id)
    return started
