"""A person dies, or a club is no more: one deed for all that hangs on it (§ 6.2.8, § 6.7.3).

Not for what becomes of a dead player's games, which the leader rules on (case_decisions.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

from sqlalchemy import Connection

from kskak.cases.case import SERVER, CaseRefusal, SettleCase, SuspendGames
from kskak.cases.case_events import CaseKind
from kskak.cases.holdings import Holding, HoldingKind
from kskak.entries.entry import EntryState
from kskak.regulation.days import has_been
from mail.office_letters.case_letters import CaseWord
from mail.office_letters.entry_letters import EntryNews
from mail.office_letters.league_letters import LeagueWord
from server.store import divisions as division_rows
from server.store import entries as entry_rows
from server.store import members as member_rows
from server.store import register as register_rows
from server.store.cases import cases as case_rows
from server.store.cases import holdings as holding_rows
from server.store.cases import publications as publication_rows
from server.store.divisions import LeagueTeamRow
from server.store.engine.connection import AsyncConnection
from server.store.entries import TeamEntryRow
from server.store.mail import batch as batch_rows
from server.store.members import ClubRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases.case_actions import opening_of
from server.usecases.cases.case_transaction import act_in
from server.usecases.cases.sanctions import write_league_letters
from server.usecases.context import Core, poster_of, today_of
from server.usecases.entries.entry_actions import judge_entry_again
from server.usecases.games.case_hearers import officials_in
from server.usecases.games.case_opening import (
    ABOUT_PLAYER,
    DEATH,
    UNDECIDED,
    CaseNews,
    notices,
    open_in,
)
from server.usecases.register.csv_table import FieldChange, RegisterEditor
from server.usecases.register.member_import import MemberEditRequest, change_of, edit_member
from server.usecases.rights import NoSuch, require_register_rights
from server.usecases.season.team_entering import (
    LEAGUE_EVENT,
    judge_team_again,
    season_of,
    withdraw_team_in,
)


async def find_held(core: Core, person_id: int) -> tuple[Holding, ...]:
    """What somebody holds; for who may change the register."""
    return await core.store.look(
        lambda conn: holding_rows.list_holdings(conn, [person_id], core.now_us)
    )


async def record_death(
    core: Core, by: PersonRow, person_id: int, day: date, channel: str, reason: str
) -> None:
    """Record that somebody has died, and end what he held; nothing more is sent to him.

    His games stand still, and a case in each group asks the leader about them, with a valid
    reason (§ 6.2.8); a league team's go on by a reserve (§ 6.7.4.3). Raises NotAllowed; NoSuch
    for an unknown person, a day to come, and who is known to be dead.
    """
    await require_register_rights(core, by)
    today = today_of(core)
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
        held = await conn.run_sync(holding_rows.list_holdings, [person_id], core.now_us)
        for one in held:
            await _end_holding(core, conn, by, one, (person.name, day))
    edit = MemberEditRequest(person_id, {"until": day.isoformat()}, reason, channel)
    await edit_member(core, by, edit)


async def _end_holding(
    core: Core, conn: AsyncConnection, by: PersonRow, one: Holding, died: tuple[str, date]
) -> None:
    """End what somebody held, or put it before who decides; ``died``: his name, and the day."""
    if one.kind is HoldingKind.ENTRY:
        ended = {"decided_by": by.id, "decided_us": core.now_us}
        await entry_rows.change_entry(conn, one.number, state=EntryState.WITHDRAWN.value, **ended)
    elif one.kind is HoldingKind.OFFICE:
        await person_rows.end(conn, one.number, core.now_us)
    elif one.kind is HoldingKind.SEAT and one.form != LEAGUE_EVENT:
        rows = await game_rows.list_group_games(conn, one.number)
        own = [row for row in rows if row.side_of(one.person) is not None]
        await conn.run_sync(_open_case, core, own, one.person, core.clock.now())
    elif one.is_in_team and one.begins is None:
        await judge_team_again(core, conn, one.number, EntryNews.LINEUP)
    elif one.is_in_team:
        team = await conn.run_sync(division_rows.team, one.number)
        assert team is not None
        said = {"text": died[0]}
        await _tell_team(core, conn, team, (LeagueWord.PLAYER_DIED, died[1]), said)


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
    about = {"person_id": person_id, "state": UNDECIDED, "kind": ABOUT_PLAYER}
    others = {one.id: one for row in rows for one in case_rows.open_cases(conn, row.id, **about)}
    for known in others.values():
        if known.id != done.case.id and not known.claims:  # one player, one case
            step = (SettleCase(f"@taken_on {done.case.number}"), SERVER)
            act_in(conn, core, case_rows.lock(conn, known.id), [step], now)
    notice = CaseNews(CaseWord.DIED, None)
    batch_rows.write_outbox(conn, notices(poster_of(core), done.case, notice, told))


# A club folds, or becomes part of another: its teams, seats and offices go with it (§ 6.7.3).


@dataclass(frozen=True, slots=True)
class ClubTeams:
    """A club that ends: its members, its teams that are entered, and those that play.

    ``held``: the members' own entries, and their places in groups that play, each with his name.
    """

    club: ClubRow
    members: int
    entered: tuple[TeamEntryRow, ...]
    playing: tuple[LeagueTeamRow, ...]
    held: tuple[tuple[str, Holding], ...]


async def find_teams(core: Core, by: PersonRow, club_id: int) -> ClubTeams:
    """What hangs on a club. Raises NotAllowed, NoSuch."""
    await require_register_rights(core, by)
    async with core.store.read() as conn:
        return await _teams_of(core, conn, club_id)


async def _teams_of(core: Core, conn: AsyncConnection, club_id: int) -> ClubTeams:
    today = today_of(core)
    known = {one.id: one for one in await member_rows.all_clubs(conn)}
    if club_id not in known:
        raise NoSuch("club")
    counts, club = await member_rows.member_counts(conn), known[club_id]
    season = await season_of(conn, today)
    year = 0 if season is None else season.year
    rows = await entry_rows.list_club_entries(conn, [club_id], year)
    playing = await conn.run_sync(division_rows.list_teams_of_club, club.name)
    entered = tuple(row for row in rows if row.is_open)
    found = await member_rows.list_club_members(conn, club_id)
    names = {row.id: row.name for row in found if row.until is None}
    held = await conn.run_sync(holding_rows.list_holdings, list(names), core.now_us)
    own = tuple((names[one.person], one) for one in held if one.kind in _OF_PLAYERS)
    return ClubTeams(club, counts.get(club_id, 0), entered, playing, own)


_OF_PLAYERS = (HoldingKind.ENTRY, HoldingKind.SEAT)


async def end_club(
    core: Core, by: PersonRow, club_id: int, into_id: int | None, day: date, channel: str
) -> None:
    """A club ends: entered teams are withdrawn, or judged again as the other club's (§ 6.7.3.3).

    A team that plays goes on to the end of its division; its captain and leader are told. When
    nothing takes its place, its members' own entries are judged again (§ 6.1). Raises NotAllowed,
    NoSuch for an unknown club or a day to come.
    """
    held = await require_register_rights(core, by)
    async with core.store.deciding() as conn:
        found = await _teams_of(core, conn, club_id)
        others = {one.id: one for one in await member_rows.all_clubs(conn) if one.id != club_id}
        into = None if into_id is None else others.get(into_id)
        if (into is None) is not (into_id is None) or not has_been(day, today_of(core)):
            raise NoSuch("club")
        if into is None:
            for row in found.entered:
                await withdraw_team_in(core, conn, by, row)
        ids = await register_rows.end_club(conn, found.club, into, day.isoformat(), core.now_us)
        editor = RegisterEditor(by.id, channel, found.club.name, held.is_admin)
        change = FieldChange("club", found.club.name, None if into is None else into.name)
        changed = [change_of(person, [change], editor, core.now_us) for person in ids]
        await register_rows.put_changes(conn, changed)
        for row in found.entered if into else ():
            await judge_team_again(core, conn, row.id, EntryNews.LINEUP)
        own = [one.number for _, one in found.held if one.kind is HoldingKind.ENTRY]
        for entry in () if into else own:  # a membership was behind it
            list_id = (await entry_rows.the_entry(conn, entry)).list_id
            of = await entry_rows.the_list(conn, list_id, lock=True)
            await judge_entry_again(core, conn, of, entry, EntryNews.MEMBERSHIP)
        await _tell_teams(core, conn, found, into, day)


async def _tell_teams(
    core: Core, conn: AsyncConnection, found: ClubTeams, into: ClubRow | None, day: date
) -> None:
    """Tell the captain and the leader of each team that plays what has become of its club."""
    word = LeagueWord.CLUB_ENDED if into is None else LeagueWord.CLUB_MERGED
    said = {"old": found.club.name, "into": "" if into is None else into.name}
    for team in found.playing:
        await _tell_team(core, conn, team, (word, day), said)


async def _tell_team(
    core: Core,
    conn: AsyncConnection,
    team: LeagueTeamRow,
    news: tuple[LeagueWord, date],
    said: Mapping[str, str],
) -> None:
    """Tell a team's captain and leader what happened on a day, and to whom; once for each.

    Where the captain is dead, the team's other players are told: they choose another (§ 6.7.2.2).
    """
    word, day = news
    told = [team.captain_id]
    if await conn.run_sync(publication_rows.list_dead, told):
        seats = await conn.run_sync(division_rows.boards, [team.id])
        told += [one.person_id for one in seats if one.to_us is None]
    told.append(await conn.run_sync(division_rows.leader_of, team.group_id))
    about = word, f"{word.value}.{'.'.join(said.values())}.{day}"
    await conn.run_sync(lambda sync: write_league_letters(sync, core, team, about, told, **said))
