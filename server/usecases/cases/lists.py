"""Lists of cases: a person's own, and those on their desk. Each from its row alone.

Not for one case with everything in it (views.py).
"""

import json
from dataclasses import dataclass

from kskak.cases.decisions import Instance
from server.store.cases import cases_and_events as case_rows
from server.store.cases.cases_and_events import CaseRow
from server.store.play.people import PersonRow
from server.usecases.core.captains import team_of
from server.usecases.core.context import Core
from server.usecases.core.offices import Rights, desk_groups, rights_in


@dataclass(frozen=True, slots=True)
class CaseItem:
    """A case in a list, from its row alone. ``is_mine``: it is the viewer's or their team's."""

    case: CaseRow
    question: str
    parties: tuple[int, ...]
    games: tuple[int, ...]
    is_mine: bool


async def case_list(
    core: Core, person: PersonRow, *, desk: bool = False, is_open: bool | None = None
) -> tuple[CaseItem, ...]:
    """The viewer's own cases and their players', or those of their desk; what is due first."""
    async with core.store.read() as conn:
        held = await rights_in(conn, person, core.now_us)
        everywhere = held.is_kc or held.is_admin or held.is_board or held.leads_all
        office = await desk_groups(conn, held, is_everywhere=everywhere)
        groups = office if desk else held.plays | held.captain
        rows = await case_rows.listed(conn, group_ids=groups, is_open=is_open)
        teams = {group: await team_of(conn, person, held, group) for group in held.captain}
    items = [_item(row, {person.id, *teams.get(row.group_id, ())}) for row in rows]
    if not desk:
        return tuple(item for item in items if item.is_mine)
    return tuple(item for item in items if not item.is_mine and is_on_desk(held, item.case))


def is_on_desk(held: Rights, case: CaseRow) -> bool:
    """True if a case is on somebody's desk; for the Board, its own cases only (§ 6.4.3)."""
    is_boards = case.instance == Instance.BOARD
    return held.reads_case(case.group_id, parties_in(case), is_boards=is_boards)


def parties_in(case: CaseRow) -> set[int]:
    """The parties and those concerned, from the case's row."""
    told = json.loads(case.snapshot)
    return {*told["parties"], *told["concerned"]}


def _item(row: CaseRow, mine: set[int]) -> CaseItem:
    told = json.loads(row.snapshot)
    parties, concerned = tuple(told["parties"]), tuple(told["concerned"])
    is_mine = bool(mine & {*parties, *concerned})
    return CaseItem(row, told["question"], parties, tuple(told["games"]), is_mine)
