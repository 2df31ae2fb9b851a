"""Starting a group: people, numbers by lot, a round robin, start letters (§ 6.5.2.1, § 4.9.11).

One transaction: the group with all its games and letters, or nothing. Not for reading the file
(groups/group_file.py), for divisions of the league (league/division_start.py) nor for who is in the
next group of a waiting list (entries/entry_actions.py).
"""

from dataclasses import replace
from datetime import date

from kskak.game.game_commands import is_near
from kskak.groups.schedule import round_robin
from kskak.regulation.editions import EMT, Regulation
from server.store import groups as group_rows
from server.store.engine.connection import AsyncConnection
from server.store.mail import due_work as due_rows
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import NewGame
from server.usecases.context import Core
from server.usecases.games.game_units import due_of
from server.usecases.groups.group_file import (
    GroupClass,
    GroupFile,
    GroupFileError,
    StartedGroup,
    by_number,
    complete_rounds,
    find_or_add_leader,
    find_or_add_player,
    new_game_id,
    new_group,
    register_differs,
    seed_of,
    start_letters,
    terms_of,
)
from server.usecases.groups.leader_letter import begin_with
from server.usecases.league.division_start import refuse_barred, start_league
from server.usecases.postal.scans import without

__all__ = ["StartedGroup", "late_start", "start_group", "start_in", "start_judged"]


OLDEST_DAYS = 366
"""How many days back a group file's start may lie: a mistyped year lies further back, and so does a
group played long ago. Within a year somebody may be entering a group late."""
LATE_DAYS = 14
"""Beyond this the leader is warned: silent players would have been reminded by now (§ 6.3.4)."""
_NO_SEED = (
    "seed: is not used, lots take theirs from the names and the ledgers as of last midnight, so "
    "that nobody can try until an order pleases him (§ 6.5.2.1)"
)
_INSTEAD = "a group that runs already is taken over by `kskak group import`"


def late_start(file: GroupFile, today: date) -> str | None:
    """A warning about a start in the past, as time has run. Raises GroupFileError for a start more
    than a year back or ahead.

    For hand-written files; code that starts groups in the past on purpose does not call it.
    """
    days = (today - file.start).days
    if days > OLDEST_DAYS:
        raise GroupFileError(
            f"start: {file.start} is {days} days ago, write the day on which the games begin, "
            f"as {today}; {_INSTEAD}"
        )
    if not is_near(file.start, today):
        raise GroupFileError(
            f"start: {file.start} is more than a year ahead, write the day on which the games "
            f"begin, as {today}"
        )
    if days <= LATE_DAYS:
        return None
    return f"start: {file.start} is {days} days ago, and White's time has run since; {_INSTEAD}"


async def start_group(core: Core, file: GroupFile) -> StartedGroup:
    """Start a group from its file. Raises GroupFileError if the group exists or a name differs."""
    if file.group_class is GroupClass.LEAGUE:
        return await start_league(core, file)
    async with core.store.deciding() as conn:
        return await start_in(core, conn, file)


async def start_judged(core: Core, file: GroupFile) -> StartedGroup:
    """The same for a hand-written file, which is first checked against § 6.5 (§ 6.5.1.1)."""
    notes: tuple[str, ...] = (_NO_SEED,) if file.draw and file.seed else ()
    file = file.model_copy(update={"seed": None})
    if file.group_class is GroupClass.LEAGUE:
        started = await start_league(core, file)
        return replace(started, notes=(*started.notes, *notes))
    async with core.store.write() as conn:
        judged = complete_rounds(file, await group_rows.everything(conn))
        started = await start_in(core, conn, judged)
    if judged.double and not file.double:
        notes += (f"double: fewer than {EMT.group} players meet twice (§ 6.5.2.1)",)
    return replace(started, notes=(*started.notes, *notes))


async def start_in(core: Core, conn: AsyncConnection, file: GroupFile) -> StartedGroup:
    """The same within a transaction, for callers that change more in it; not for the league."""
    seed = await seed_of(core, conn, file)
    players = by_number(file, seed)
    if await group_rows.by_name(conn, file.group) is not None:
        raise GroupFileError(f"group: {file.group} was started before, choose another name")
    tl_id = await find_or_add_leader(core, conn, file)
    people = [
        await find_or_add_player(core, conn, entry, file.group, file.start) for entry in players
    ]
    await refuse_barred(core, conn, file, people)
    group = await new_group(core, conn, file, seed, tl_id)
    group_id = await group_rows.add(conn, group, people)
    await begin_with(core, conn, file, group_id)
    new = new_games(file, group_id, people, [entry.name for entry in players])
    await game_rows.begin(conn, new)
    rows = await game_rows.list_group_games(conn, group_id)
    for row in rows:
        due = due_of(row, row.state())
        await due_rows.replace(conn, row.id, row.seq, due)
    await outbox_rows.enqueue(conn, start_letters(core, file.group, people, rows))
    names = tuple(entry.name for entry in players)
    notes = (*await _no_address(conn, file, people), *await register_differs(conn, players))
    return StartedGroup(group_id, file.group, seed, names, len(new), notes)


async def _no_address(conn: AsyncConnection, file: GroupFile, people: list[int]) -> tuple[str, ...]:
    """What the leader of a postal group is asked for: missing postal addresses (§ 6.5.2.1)."""
    if file.regulation is not Regulation.POSTAL:
        return ()
    found = await person_rows.by_ids(conn, people)
    lacking = await without(conn, [found[person] for person in people])
    if not lacking:
        return ()
    names = ", ".join(lacking)
    return (f"address: none is known of {names}; cards can't be sent to them: ask them for it",)


def new_games(file: GroupFile, group_id: int, people: list[int], names: list[str]) -> list[NewGame]:
    """Every game of the round robin; ids are random, names are «group/number»."""
    schedule = round_robin(len(people), double=file.double)
    new: list[NewGame] = []
    for number, pairings in enumerate(schedule.rounds, 1):
        for pairing in pairings:
            white, black = pairing.white - 1, pairing.black - 1
            terms = terms_of(file, len(new) + 1, names[white], names[black])
            new.append(
                NewGame(new_game_id(), group_id, number, people[white], people[black], terms)
            )
    return new
