"""A person dies: letters, entries, offices and lists stop, and games go to the leader (§ 6.2.8).

Not for what becomes of the games, which the leader rules on (cases/case_decisions.py).
"""

from dataclasses import replace
from datetime import date, datetime

from sqlalchemy import Connection

from kskak.cases.case import SERVER, CaseRefusal, SuspendGames
from kskak.cases.case_events import CaseKind
from kskak.cases.consequences import Holding, HoldingKind
from kskak.entries.entry import EntryState
from kskak.regulation.days import has_been
from mail.office_letters.case_letters import CaseWord
from mail.office_letters.league_letters import TeamNews
from server.store import desk_lists
from server.store import entries as entry_rows
from server.store.cases import cases as case_rows
from server.store.cases import publications as publication_rows
from server.store.mail import batch as batch_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases.case_actions import opening_of
from server.usecases.cases.case_transaction import act_in
from server.usecases.context import Core, poster_of, today_of
from server.usecases.games.case_opening import DEATH, CaseNews, notices, officials_in, open_in
from server.usecases.register.member_import import MemberEditRequest, edit_member
from server.usecases.rights import NoSuch, require_register_rights
from server.usecases.season.team_entering import LEAGUE_EVENT, judge_team_again


async def find_held(core: Core, person_id: int) -> tuple[Holding, ...]:
    """What somebody holds; for who may change the register."""
    return await core.store.look(
        lambda conn: desk_lists.list_holdings(conn, [person_id], core.now_us)
    )


async def record_death(core: Core, by: PersonRow, person_id: int, day: date, channel: str) -> None:
    """Record that somebody has died, and end what he held; nothing more is sent to him.

    His games stand still, and a case in each group asks the leader about them, with a valid
    reason (§ 6.2.8); a league team's go on by a reserve (§ 6.7.4.3). Raises NotAllowed; NoSuch
    for an unknown person, a day to come, and who is known to be dead.
    """
    await require_register_rights(core, by)
    now, today = core.clock.now(), today_of(core)
    async with core.store.deciding() as conn:
        person = await person_rows.find_person(conn, person_id)
        known = await conn.run_sync(publication_rows.list_dead, [person_id])
        if person is None or known or not has_been(day, today):
            raise NoSuch("death")
        told = {
            "person_id": person_id,
            "day": day.isoformat(),
            "by_id": by.id,
            "at_us": core.now_us,
        }
        await conn.run_sync(lambda sync: publication_rows.record_death(sync, **told))
        held = await conn.run_sync(desk_lists.list_holdings, [person_id], core.now_us)
        ended = {"decided_by": by.id, "decided_us": core.now_us}
        for one in held:
            if one.kind is HoldingKind.ENTRY:
                state = EntryState.WITHDRAWN.value
                await entry_rows.change_entry(conn, one.number, state=state, **ended)
            elif one.kind is HoldingKind.OFFICE:
                await person_rows.end(conn, one.number, core.now_us)
            elif one.kind is HoldingKind.SEAT and one.form != LEAGUE_EVENT:
                rows = await game_rows.list_group_games(conn, one.number)
                own = [row for row in rows if row.side_of(person_id) is not None]
                await conn.run_sync(_open_case, core, own, person_id, now)
            elif one.kind in (HoldingKind.BOARD, HoldingKind.CAPTAIN) and one.begins is None:
                await judge_team_again(core, conn, one.number, TeamNews.LINEUP)
    edit = MemberEditRequest(person_id, {"until": day.isoformat()}, DEATH[1:], channel)
    await edit_member(core, by, edit)


def _open_case(
    conn: Connection, core: Core, rows: list[GameRow], person_id: int, now: datetime
) -> None:
    """Stop his running games and put all before the leader; the opponents are told, not he."""
    batch_rows.lock_games(conn, [row.id for row in rows])
    kind, group = CaseKind.WITHDRAWAL, rows[0].group_id
    if case_rows.open_case(conn, group_id=group, person_id=person_id, kind=kind.value) is not None:
        return
    opening = opening_of(kind, rows, person_id, person_id)
    opened = open_in(conn, replace(opening, question=DEATH, parties=()), now, SERVER)
    assert not isinstance(opened, CaseRefusal)
    running = tuple(row.id for row in rows if row.result is None)
    done = act_in(conn, core, opened[0], [(SuspendGames(running), SERVER)], now)
    told = (*officials_in(conn, done.case, done.state, core.now_us), *done.state.opened.concerned)
    notice = CaseNews(CaseWord.DIED, None)
    batch_rows.write_outbox(conn, notices(poster_of(core), done.case, notice, told))
