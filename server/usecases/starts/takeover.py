"""Taking over a running group from paper or private mail in mid-season: all of it, or nothing.

One transaction: people, group, games with their histories, due work, the letters with the
statements, and the time to object. A dry run does the same and rolls it back. Readings:
kskak.game.takeover. Not for files (takeover_files.py) nor for objections
(cases/takeover_objections.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from kskak.game.takeover import TakenOver
from kskak.regulation.days import years_later
from kskak.regulation.quantities import Side
from server.store.cases import publications as publication_rows
from server.store.cases.publications import NewPublication, Published
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import to_us
from server.store.groups import groups_and_seats as group_rows
from server.store.groups import takeovers as takeover_rows
from server.store.groups.takeovers import PastEvent, PastGame
from server.store.mail import due_work as deadline_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.usecases.core.context import Core, poster_of
from server.usecases.core.due_work import due_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.groups.following import begin_with
from server.usecases.groups.group_file import GroupClass, GroupFile, GroupFileError
from server.usecases.groups.start_common import by_number, new_group, official, player
from server.usecases.starts.takeover_files import GROUP_FILE, TakeoverError, group_of, sources_of
from server.usecases.starts.takeover_games import (
    Progress,
    TakenGame,
    day_of,
    ended_on,
    taken_games,
    taken_of,
)
from server.usecases.starts.takeover_league import (
    Roster,
    check_division,
    keep_division,
    members_of,
    planned_division,
    roster_of,
)

LONGEST_YEARS = 25
"""No group runs so long; an earlier start is a typing error."""
NOON = time(12)
"""What has only a day is stored as of noon that day."""


@dataclass(frozen=True, slots=True)
class TakenPlayer:
    """A player by number, and whether the takeover adds the person here."""

    number: int
    name: str
    email: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Takeover:
    """What was taken over, or would be: ``group_id`` None after a dry run.

    ``ignored``: files that are not about a game.
    """

    group: str
    group_id: int | None
    on: date
    players: tuple[TakenPlayer, ...]
    games: tuple[TakenGame, ...]
    ignored: tuple[str, ...]

    @property
    def objections_until(self) -> date:
        """The last day to object to it (reading of § 6.4.5)."""
        return TakenOver(self.on).objections_until


class _TakenBack(Exception):
    """Carries a dry run out of its transaction, which is rolled back."""

    def __init__(self, done: Takeover) -> None:
        self.done = done


async def import_group(
    core: Core, files: Mapping[str, bytes], progress: Progress, *, dry_run: bool = False
) -> Takeover:
    """Take a group over from its folder's files, by their names. Raises TakeoverError.

    Nothing is stored after an error or a dry run.
    """
    group = group_of(files)
    roster = _roster(group)
    on = core.today(group.zone)
    if on < group.start:
        raise TakeoverError(
            f"{GROUP_FILE}: start: the group has not begun; `kskak group start` starts it"
        )
    if years_later(group.start, LONGEST_YEARS) < on:
        raise TakeoverError(
            f"{GROUP_FILE}: start: {group.start} is more than {LONGEST_YEARS} years ago, check the "
            "year; games that are over are read into the archive by `kskak pgn import`"
        )
    sources, ignored = sources_of(files, group, on)
    if roster is None:
        entries = by_number(group, group.seed if group.draw else None)
        names = [entry.name for entry in entries]
        games = taken_games(group, names, sources, on, progress)
    else:
        every = planned_division(group, roster)
        games = taken_of(every, roster.names, sources, on, progress)
    planned = Takeover(group.group, None, on, (), games, ignored)
    try:
        async with core.store.deciding() as conn:
            done = await _keep(core, conn, group, roster, planned)
            if dry_run:
                raise _TakenBack(replace(done, group_id=None))
    except _TakenBack as taken_back:
        return taken_back.done
    except GroupFileError as error:
        raise TakeoverError(f"{GROUP_FILE}: {error}") from error
    return done


def _roster(group: GroupFile) -> Roster | None:
    """The teams of a division; None for a group of individuals. Raises TakeoverError."""
    if group.group_class is not GroupClass.LEAGUE:
        return None
    try:
        return roster_of(group)
    except GroupFileError as error:
        raise TakeoverError(f"{GROUP_FILE}: {error}") from error


async def _keep(
    core: Core, conn: AsyncConnection, group: GroupFile, roster: Roster | None, planned: Takeover
) -> Takeover:
    """Write all of it. Raises GroupFileError for a known group or a name that differs."""
    if await group_rows.by_name(conn, group.group) is not None:
        raise GroupFileError(
            f"group: {group.group} is here already, started or taken over; nothing was changed"
        )
    seed = group.seed if group.draw else None
    tl_id = await official(core, conn, group)
    people, players = [], []
    entries = by_number(group, seed) if roster is None else members_of(roster)
    if roster is not None:
        await check_division(conn, group, roster)
    for number, entry in enumerate(entries, 1):
        is_new = await person_rows.by_email(conn, entry.email) is None
        people.append(await player(core, conn, entry, group.group, group.start))
        players.append(TakenPlayer(number, entry.name, entry.email, is_new))
    new = await new_group(core, conn, group, seed, tl_id)
    group_id = await group_rows.add(conn, new, people)
    past = [_past(core, group, game, group_id, people) for game in planned.games]
    await takeover_rows.keep(conn, past)
    if roster is not None:
        about = (group, group_id, tl_id)
        await keep_division(core, conn, about, roster, people, planned.games)
    await begin_with(core, conn, group, group_id)
    await outbox_rows.enqueue(conn, await _begin(core, conn, group_id))
    await publication_rows.add(conn, _publication(group_id, planned))
    return replace(planned, group_id=group_id, players=tuple(players))


def _past(
    core: Core, group: GroupFile, game: TakenGame, group_id: int, people: Sequence[int]
) -> PastGame:
    """A game for the store: its events under their own days, none later than now."""
    zone, last = ZoneInfo(group.zone), group.start

    def instant(day: date) -> int:
        return min(to_us(datetime.combine(day, NOON, zone)), core.now_us)

    kept: list[PastEvent] = []
    for event in game.events:
        last = day_of(event) or last
        kept.append(PastEvent(event, instant(last)))
    new = replace(
        game.new,
        group_id=group_id,
        white_id=people[game.new.white_id],
        black_id=people[game.new.black_id],
    )
    ended = ended_on(game)
    return PastGame(new, tuple(kept), game.state, None if ended is None else instant(ended))


async def _begin(core: Core, conn: AsyncConnection, group_id: int) -> list[NewOutbox]:
    """Set the due work of each stored game; the statements to both players."""
    poster, letters = poster_of(core), []
    for row in await game_rows.of_group(conn, group_id):
        due = due_of(row, row.state())
        await deadline_rows.replace(conn, row.id, row.seq, due)
        at = (row.seq, row.ply)
        letters += [poster.about_game(Kind.TAKEOVER, row, side, at) for side in Side]
    return letters


def _publication(group_id: int, planned: Takeover) -> NewPublication:
    """The time to object, stored where the desks find it."""
    return NewPublication(
        group_id=group_id,
        kind=Published.TAKEOVER.value,
        game_id=None,
        day=planned.on.isoformat(),
        objections_until=planned.objections_until.isoformat(),
        prizes_until=None,
    )
