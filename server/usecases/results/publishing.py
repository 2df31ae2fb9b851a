"""Published results: objections to them, and prizes, as dated duties (§ 6.4.5, § 6.2.6).

The crosstable shows a result the day it arrives; it counts as published that day (reading). A
finished group is published as a whole by the daily duty (below). Not for the transcripts'
text (pgn) nor for what is removed (desks/readiness.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from functools import partial

from kskak.cases.case import CaseRefusal
from kskak.cases.case_events import CaseKind
from kskak.cases.consequences import ConsequenceKind, find_contradictions
from kskak.game.game_commands import Reason, Refusal
from kskak.office.books import BookEntry, BookEntryFault, EntryKind, counter_entry, entry_faults
from kskak.office.year import TournamentKind, TournamentStep, season_plan
from kskak.regulation.days import (
    ONE_DAY,
    local_day,
    may_object,
    report_until,
    terms_of,
    transcripts_until,
)
from kskak.regulation.editions import Ending, Side
from mail.game_letters.card_letters import ResultAsked
from mail.office_letters.result_letters import GroupPublished, PrizesDueFacts
from mail.text.catalogue import DEFAULT_LANGUAGE, Words
from mail.text.letter_facts import LedGroup
from server.store import books as book_rows
from server.store import divisions as division_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.books import BookEntryRow
from server.store.cases import cases as case_rows
from server.store.cases import publications as publication_rows
from server.store.cases.cases import CaseRow
from server.store.cases.publications import (
    EndedGroup,
    NewPublication,
    PublicationKind,
    PublicationRow,
)
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, from_us, to_us
from server.store.group_results import list_tie_settlements
from server.store.groups import GroupRow
from server.store.mail import due_work as due_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases.case_actions import open_case, opening_of
from server.usecases.cases.decision_preparing import read_surroundings
from server.usecases.context import Core, poster_of, today_of
from server.usecases.cup.cup_views import due_for, list_changed_cups, round_over
from server.usecases.games.case_opening import CaseOpening
from server.usecases.games.game_units import start_of_day
from server.usecases.groups.group_tables import (
    read_final_standing,
    resting_groups,
    table_in,
    unpublished_since,
)
from server.usecases.league.divisions import division_in
from server.usecases.letter_facts import NoLetter, Params, leader, loads, number
from server.usecases.office import controllers, entry_of, list_year_actions, new_entry, tidy
from server.usecases.play.game_requests import NotYours
from server.usecases.postal.scans import damaged_open
from server.usecases.results.bulletins import due as bulletin_due
from server.usecases.results.bulletins import read_standing
from server.usecases.results.titles import check_all_titles, list_waiting_titles
from server.usecases.rights import NoSuch, NotAllowed, Rights, desk_groups, require_kc, rights_in

# A group's prizes in the account of its tournament, once they are reported as sent (§ 6.4.5).


async def prizes_of(conn: AsyncConnection, group: GroupRow) -> dict[str, int]:
    """What each player, or club in a division, gets by the current table, in øre.

    Reading: if a prize does not divide evenly, each share is rounded down to whole øre.
    """
    division = await division_in(conn, group)
    if division is not None:
        shares = dict(division.prizes)
    else:
        view = await table_in(conn, group)
        standing = await read_final_standing(conn, group, view)
        names = {seat.number: seat.name for seat in view.seats}
        shares = {} if standing is None else {names[n]: share for n, share in standing.prizes}
    return {name: int(share) for name, share in shares.items() if int(share)}


async def book_prizes(
    conn: AsyncConnection, core: Core, by: int, group: GroupRow, publication: int
) -> None:
    """Book the prizes as they are now; what is already booked correctly stays."""
    wanted = await prizes_of(conn, group)
    if not wanted:
        return
    own = {row.id for row in await publication_rows.list_group_publications(conn, group.id)}
    booked = await book_rows.everything(conn)
    reversed_ = {row.reverses for row in booked}
    for kept in booked:
        if kept.publication_id not in own or kept.id in reversed_:
            continue
        if wanted.get(kept.party) == -kept.ore:
            del wanted[kept.party]
        else:
            await _take_back(conn, core, by, kept)
    await _pay(conn, core, by, (group, publication), wanted)


async def _take_back(conn: AsyncConnection, core: Core, by: int, kept: BookEntryRow) -> None:
    why = Words.load(DEFAULT_LANGUAGE)("economy.prize_moved")
    today = core.today(core.settings.clock.zone)
    made = counter_entry(entry_of(kept), today, why)
    if not isinstance(made, BookEntryFault):
        await book_rows.add_one(conn, new_entry(made, by, core.now_us))


async def _pay(
    conn: AsyncConnection, core: Core, by: int, of: tuple[GroupRow, int], wanted: Mapping[str, int]
) -> None:
    group, publication = of
    text = Words.load(DEFAULT_LANGUAGE)("economy.prizes_of", group=group.name)
    today = core.today(core.settings.clock.zone)
    for party, ore in wanted.items():
        entry = BookEntry(group.tournament, EntryKind.PRIZE, today, -ore, party, text)
        new = new_entry(entry, by, core.now_us, publication=publication)
        await book_rows.add_one(conn, new)


async def send_prizes(
    core: Core, person: PersonRow, publication: int, paid: Sequence[BookEntry] = ()
) -> tuple[BookEntryFault, ...]:
    """Tick off a group's prizes, with what was paid; or what is wrong with that (§ 6.4.5).

    What was paid goes into the account of the group's own tournament, once: a second ticking off
    enters nothing. Without ``paid`` the prizes are booked as the table gives them.
    Raises NotAllowed, also for a group the controller plays in (§ 6.1.1), and NoSuch.
    """
    async with core.store.deciding() as conn:
        held = await require_kc(conn, person, core.now_us)
        row = await publication_rows.find(conn, publication)
        if row is None or row.prizes_until is None:
            raise NoSuch("publication")
        if not held.speaks_for(row.group_id):
            raise NotAllowed
        today = core.today(core.settings.clock.zone)
        group = await group_rows.the_group(conn, row.group_id)
        tidied = [tidy(replace(entry, tournament=group.tournament)) for entry in paid]
        faults = tuple(fault for entry in tidied for fault in entry_faults(entry, today))
        if faults or not await publication_rows.set_done(conn, publication, core.now_us):
            return faults
        if not tidied:
            await book_prizes(conn, core, person.id, group, publication)
        at = (person.id, core.now_us, None, publication)
        await book_rows.add(conn, [new_entry(entry, *at) for entry in tidied])
    return ()


# Published results: objections to them, and prizes, as dated duties (§ 6.4.5, § 6.2.6).


class DutyKind(StrEnum):
    """What an official has to do by a day."""

    OBJECTIONS = "objections"
    PRIZES = "prizes"
    DAMAGED_CARD = "damaged_card"
    UNREPORTED = "unreported"
    BULLETIN = "bulletin"
    TAKEOVER = "takeover"
    CUP_ROUND = "cup_round"
    CUP_PLACES = "cup_places"
    RESTS = "rests"
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class OfficialDuty:
    """A dated task of an official. ``publication``: for duties about results.

    ``group``: "" for what concerns no single group; ``cup``: the id and year of a cup; ``card``:
    the number of a damaged card's event; ``case``: the number of a case whose decision rests on
    an annulled one.
    """

    kind: DutyKind
    due: date
    group: str
    game_id: int | None = None
    game: str | None = None
    publication: int | None = None
    cup: tuple[int, int] | None = None
    card: int | None = None
    case: str = ""


async def duties_for(core: Core, held: Rights) -> tuple[OfficialDuty, ...]:
    """An official's dated duties, the earliest first; of all groups for KC and administrator."""
    today = core.today(core.settings.clock.zone)
    sees_all = held.is_kc or held.is_admin or held.leads_all
    async with core.store.read() as conn:
        mine = await desk_groups(conn, held, is_everywhere=sees_all)
        found = [
            duty
            for one in await publication_rows.list_open_publications(conn, today.isoformat(), mine)
            for duty in _of_publication(one, today)
        ]
        found += [
            OfficialDuty(DutyKind.TAKEOVER, date.fromisoformat(one.objections_until), one.group)
            for one in await publication_rows.takeovers_since(conn, today.isoformat(), mine)
        ]
        found += [
            OfficialDuty(DutyKind.CUP_ROUND, one.since, "", cup=(one.cup.id, one.cup.edition))
            for one in await due_for(conn, held, today)
        ]
        found += [
            OfficialDuty(DutyKind.TITLE, since, group.name)
            for group, _, since in await list_waiting_titles(conn, mine)
        ]
        for cup, begins in await list_changed_cups(conn, held, today):
            found.append(OfficialDuty(DutyKind.CUP_PLACES, begins, "", cup=(cup.id, cup.edition)))
        found += await _list_contradictions(conn, mine, today)
        for game in await publication_rows.list_unreported_endings(conn, mine):
            last = report_until(local_day(from_us(game.ended_us), game.zone))
            found.append(
                OfficialDuty(DutyKind.UNREPORTED, last, game.group, game.game_id, game.name)
            )
        period = await bulletin_due(conn, core) if held.is_kc else None
        if period is not None:
            found.append(OfficialDuty(DutyKind.BULLETIN, period.due, ""))
        for card in await damaged_open(conn, core.now_us):
            if held.oversees(card.game.group_id):
                group, name = card.game.name.rpartition("/")[0], card.game.name
                due = (DutyKind.DAMAGED_CARD, card.send_by, group, card.game.id, name)
                found.append(OfficialDuty(*due, card=card.seq))
    return tuple(sorted(found, key=lambda duty: (duty.due, duty.group)))


_RESTING = (ConsequenceKind.RESTS, ConsequenceKind.LIGHTER, ConsequenceKind.COUNTS_ANEW)


async def _list_contradictions(
    conn: AsyncConnection, mine: frozenset[int] | None, today: date
) -> list[OfficialDuty]:
    """Decisions in force that rest on an annulled one, and that nobody has let stand (§ 6.4.3)."""
    found = []
    for group in await case_rows.list_groups_with_annulments(conn, mine):
        facts = await read_surroundings(conn, (group,), today)
        groups = {case.number: case.group for case in facts.cases}
        found += [
            OfficialDuty(DutyKind.RESTS, today, groups[number], case=number)
            for number in dict.fromkeys(
                one.case for one in find_contradictions(facts) if one.kind in _RESTING
            )
            if number in groups
        ]
    return found


def _of_publication(row: PublicationRow, today: date) -> Iterator[OfficialDuty]:
    objections = date.fromisoformat(row.objections_until)
    if may_object(objections, today):
        yield OfficialDuty(DutyKind.OBJECTIONS, objections, row.group, publication=row.id)
    if row.prizes_until is not None and row.done_us is None:
        due = date.fromisoformat(row.prizes_until)
        yield OfficialDuty(DutyKind.PRIZES, due, row.group, publication=row.id)


async def _led(
    conn: AsyncConnection, core: Core, person: PersonRow, publication_id: int
) -> PublicationRow:
    """A publication of a group that the person speaks for. Raises NotYours."""
    row = await publication_rows.find(conn, publication_id)
    held = await rights_in(conn, person, core.now_us)
    if row is None or not held.speaks_for(row.group_id):
        raise NotYours
    return row


async def prizes_sent(core: Core, person: PersonRow, publication_id: int) -> bool:
    """Record that the prizes were sent, and book them; False if that was recorded before.

    Raises NotYours.
    """
    async with core.store.deciding() as conn:
        row = await _led(conn, core, person, publication_id)
        if not await publication_rows.set_done(conn, publication_id, core.now_us):
            return False
        group = await group_rows.the_group(conn, row.group_id)
        await book_prizes(conn, core, person.id, group, publication_id)
        return True


async def set_prizes(
    core: Core, person: PersonRow, publication_id: int, amounts: tuple[int, ...]
) -> None:
    """Record a group's prizes, in øre from the first place down (§ 6.5.4). Raises NotYours."""
    async with core.store.deciding() as conn:
        row = await _led(conn, core, person, publication_id)
        await result_rows.set_prizes(conn, row.group_id, amounts)


async def object_to(
    core: Core, person: PersonRow, publication_id: int, statement: str, game_id: int | None = None
) -> CaseRow | Refusal | CaseRefusal:
    """A player's objection within 14 days opens a case before the leader (§ 6.4.5, § 6.4.1).

    ``game_id``: one of the player's games; None: the table as a whole. Raises NotYours for anyone
    without a seat in the group, or who names a game of others.
    """
    async with core.store.read() as conn:
        row = await publication_rows.find(conn, publication_id)
        group = None if row is None else await group_rows.find(conn, row.group_id)
        game = None if game_id is None else await game_rows.load(conn, game_id)
        held = await rights_in(conn, person, core.now_us)
    if row is None or group is None or group.id not in held.plays:
        raise NotYours
    if game_id is not None and (
        game is None or game.group_id != group.id or game.side_of(person.id) is None
    ):
        raise NotYours
    if not may_object(date.fromisoformat(row.objections_until), core.today(group.zone)):
        return Refusal(Reason.OBJECTION_LATE)
    if game is not None:
        return await open_case(core, person, opening_of(CaseKind.RESULT, [game]), statement)
    opening = CaseOpening(
        kind=CaseKind.RESULT,
        group_id=group.id,
        zone=group.zone,
        parties=(person.id,),
        question=f"@{CaseKind.RESULT.value}",
        paragraphs=("6.4.5",),
    )
    return await open_case(core, person, opening, statement)


# The daily duty about results: publishes what ended, asks and reminds (§ 6.4.5, § 6.2.6).

DUTY = "results"
"""Its name among the duties: what ended is looked for since it was last done."""
NEWS_DAYS = 14
"""A group that ended, or was held back by a case, until longer ago is published without letters.

Nobody is waiting for them.
"""
PRIZE_WARNING_DAYS = 3
"""How many days before the last day for the prizes the leader is reminded."""
QUIET_DAYS = 30
"""Days without an entry until both players are asked if a postal game is over (reading)."""
_OVERLAP = timedelta(days=7)
"""How much is looked at again: a clock that was set back hides nothing."""
_LOOKED_AT, _WRITTEN = 500, 8
"""Groups read, and published, in one transaction; games are asked about as groups are published."""


@dataclass(frozen=True, slots=True)
class DuePublications:
    """What is to be published of some groups, as it was read.

    ``groups``: each as it ended, or None where only results of single games are new;
    ``suspended``: the cases that suspended games then, ``resting`` the groups of those games.
    """

    groups: Mapping[int, EndedGroup | None]
    suspended: tuple[tuple[int, int], ...]
    resting: frozenset[int]


async def daily(core: Core) -> None:
    """Publish what ended, remind of what is due; may be repeated, and by two at once."""
    changed = await core.store.reading(partial(_changed, core))
    for at in range(0, len(changed), _LOOKED_AT):
        due = await core.store.reading(partial(_due, core, changed[at : at + _LOOKED_AT]))
        found = list(due.groups)
        for first in range(0, len(found), _WRITTEN):
            portion = found[first : first + _WRITTEN]
            await core.store.writing(partial(_publish, core, portion, due))
        await _tell_resumed(core, changed[at : at + _LOOKED_AT])
    await _remind_of_prizes(core)
    await _ask_quiet(core)
    await check_all_titles(core)


async def _changed(core: Core) -> tuple[int, ...]:
    async with core.store.read() as conn:
        done = await due_rows.last(conn, DUTY)
        since = None
        if done is not None:
            first = date.fromisoformat(done) - _OVERLAP
            since = to_us(start_of_day(first, core.settings.clock.zone))
        return await publication_rows.changed_groups(conn, since)


async def _due(core: Core, group_ids: tuple[int, ...]) -> DuePublications:
    async with core.store.read() as conn:
        suspended = await _suspended_at(conn)
        resting = frozenset(await resting_groups(conn))
        return DuePublications(await _unpublished(conn, group_ids, resting), suspended, resting)


async def _suspended_at(conn: AsyncConnection) -> tuple[tuple[int, int], ...]:
    """The cases that suspend games, and how far each has come: two that are equal say the same."""
    suspending = await case_rows.everything(conn, is_suspended=True)
    return tuple((case.id, case.seq) for case in suspending)


async def _unpublished(
    conn: AsyncConnection, group_ids: tuple[int, ...], resting: frozenset[int]
) -> dict[int, EndedGroup | None]:
    """Those of these groups with something to publish.

    As a whole each group whose last game ended; again if a result changed. The DM also when its
    tied first place is settled, with its champion (§ 6.5.2). Not while a case suspends one of its
    games: the result may yet change (§ 6.4.3).
    """
    found: dict[int, EndedGroup | None] = {
        ended.group_id: None for ended in await publication_rows.unpublished_games(conn, group_ids)
    }
    settled = await list_tie_settlements(conn)
    for one in await publication_rows.finished_groups(conn, group_ids):
        group = one.group_id
        whole = replace(one, ended_us=max(one.ended_us, settled.get(group, 0)))
        if group not in resting and unpublished_since(whole) is not None:
            found[group] = whole
    return found


async def _publish(core: Core, portion: list[int], due: DuePublications) -> None:
    """Publish some groups that are still as they were read; one that is not waits a day."""
    async with core.store.deciding() as conn:
        is_same = await _suspended_at(conn) == due.suspended
        resting = due.resting if is_same else frozenset(await resting_groups(conn))
        still = await _unpublished(conn, tuple(portion), resting)
        for ended in await publication_rows.unpublished_games(conn, portion):
            # Each result counts as published the day it arrived (partial results too).
            day = local_day(from_us(ended.ended_us), ended.zone)
            await publication_rows.add_publication(
                conn, _publication(ended, PublicationKind.RESULT, day)
            )
        letters: list[NewOutbox] = []
        for group, one in still.items():
            if one is not None and one == due.groups[group]:
                letters += await _publish_group(conn, core, one)
        await outbox_rows.enqueue(conn, letters)


def _publication(
    ended: publication_rows.EndedGameOrGroup, kind: PublicationKind, day: date
) -> NewPublication:
    terms = terms_of(day)
    is_whole = kind is PublicationKind.STANDING
    return NewPublication(
        group_id=ended.group_id,
        kind=kind.value,
        game_id=ended.game_id,
        day=day.isoformat(),
        objections_until=terms.objections_until.isoformat(),
        prizes_until=terms.prizes_until.isoformat() if is_whole else None,
        done_us=None,
    )


async def _publish_group(conn: AsyncConnection, core: Core, one: EndedGroup) -> list[NewOutbox]:
    """Publish a group as a whole; the letters to everybody in it, if it is news.

    Otherwise as of the day after, which is when it would have been published.
    """
    last, today = unpublished_since(one), core.today(one.zone)
    assert last is not None
    free = last if one.spoken_us is None else local_day(from_us(one.spoken_us), one.zone)
    is_news = today - max(last, free) <= timedelta(days=NEWS_DAYS)
    new = _publication(one, PublicationKind.STANDING, today if is_news else last + ONE_DAY)
    number = await publication_rows.add_publication(conn, new)
    return await _build_group_letters(conn, core, one.group_id, number) if is_news else []


async def _tell_resumed(core: Core, group_ids: tuple[int, ...]) -> None:
    """Tell everybody in a published group that a ruling lets a game go on, once (§ 6.4.5)."""
    poster = poster_of(core)
    for row in await core.store.query(publication_rows.list_resumed, group_ids):
        params: dict[str, object] = {"publication": row.id, "resumed": True}
        async with core.store.write() as conn:
            readers = await _list_readers(conn, row.group_id, row.tl_id)
            unique = f"{row.id}.resumed"
            letters = [poster.to_person(GroupPublished, who, unique, params) for who in readers]
            await outbox_rows.enqueue(conn, letters)


async def _list_readers(conn: AsyncConnection, group_id: int, leader_id: int) -> list[int]:
    """The players of a group, its captains and its leader, each once."""
    people = [seat.person_id for seat in await group_rows.seats_of(conn, group_id)]
    captains = await conn.run_sync(division_rows.teams, group_id)
    return list(dict.fromkeys([*people, *(team.captain_id for team in captains), leader_id]))


async def _build_group_letters(
    conn: AsyncConnection, core: Core, group_id: int, number: int
) -> list[NewOutbox]:
    group, poster = await group_rows.find(conn, group_id), poster_of(core)
    assert group is not None
    letters = [
        poster.to_person(GroupPublished, who, str(number), {"publication": number})
        for who in await _list_readers(conn, group_id, group.tl_id)
    ]
    waiting = await list_waiting_titles(conn, frozenset({group_id}))
    if any(tie.asked for _, tie, _ in waiting):
        asks: dict[str, object] = {"publication": number, "asks": True}
        letters += [
            poster.to_person(GroupPublished, who, f"{number}.kc", asks)
            for who in await controllers(conn, core.now_us)
        ]
    # Who goes on from the round's other groups is known now too (§ 6.6.1.3); those published today
    # are told in their own letters.
    for other in await round_over(conn, group_id):
        told = await publication_rows.list_group_publications(conn, other)
        days = {row.id: row.day for row in told if row.prizes_until is not None}
        last = max(days, default=0)
        is_told = last == 0 or days[last] >= core.today(group.zone).isoformat()
        for seat in () if is_told else await group_rows.seats_of(conn, other):
            news: dict[str, object] = {"publication": last, "round": True}
            who, unique = seat.person_id, f"{last}.{number}"
            letters.append(poster.to_person(GroupPublished, who, unique, news))
    return letters


async def _remind_of_prizes(core: Core) -> None:
    """Remind the leader before the three weeks are over (§ 6.4.5)."""
    today = today_of(core)
    last = today + timedelta(days=PRIZE_WARNING_DAYS)
    days, poster = (today.isoformat(), last.isoformat()), poster_of(core)
    async with core.store.read() as conn:
        if not await publication_rows.prizes_due(conn, *days):
            return
    async with core.store.write() as conn:
        letters = [
            poster.to_person(PrizesDueFacts, one.tl_id, str(one.id), {"publication": one.id})
            for one in await publication_rows.prizes_due(conn, *days)
        ]
        await outbox_rows.enqueue(conn, letters)


async def _ask_quiet(core: Core) -> None:
    """Ask the players of silent postal games whether there is a result to report (§ 6.2.6)."""
    async with core.store.read() as conn:
        quiet = await publication_rows.quiet_postal(conn, core.now_us - QUIET_DAYS * DAY_US)
        games = await game_rows.load_many(conn, [game for game, _ in quiet])
    seen = {game.id: game for game in games}
    asked = [(seen[game], last_us) for game, last_us in quiet if seen[game].seq]
    poster = poster_of(core)
    for at in range(0, len(asked), _WRITTEN):
        portion = asked[at : at + _WRITTEN]
        async with core.store.write() as conn:
            now = await game_rows.load_many(conn, [game.id for game, _ in portion])
            stands = {game.id: game.seq for game in now}
            letters = [
                poster.about_game(
                    ResultAsked, game, side, (game.seq, game.ply),
                    {"since": local_day(from_us(last_us), game.zone).isoformat()},
                )
                for game, last_us in portion
                if stands.get(game.id) == game.seq
                for side in Side
            ]  # fmt: skip
            await outbox_rows.enqueue(conn, letters)


# From an outbox row to the letter about a publication, with its facts (§ 6.4.5).


async def _published(
    core: Core, params: Params
) -> tuple[PublicationRow, GroupRow, tuple[LedGroup, date, date, date]]:
    """The publication, its group, and what its letters tell of both."""
    async with core.store.read() as conn:
        row = await publication_rows.find(conn, number(params, "publication"))
        group = None if row is None else await group_rows.find(conn, row.group_id)
        tl = None if group is None else await person_rows.find_person(conn, group.tl_id)
    if row is None or group is None or tl is None:
        raise NoLetter("no such publication")
    url = core.url(f"/results/{group.name}")
    led = LedGroup(group.name, group.tournament, leader(tl), group.zone, url)
    days = (row.day, row.objections_until, row.prizes_until or row.objections_until)
    day, objections, prizes = map(date.fromisoformat, days)
    return row, group, (led, day, objections, prizes)


@loads(GroupPublished)
async def _group_published(core: Core, reader: PersonRow, params: Params) -> GroupPublished:
    row, group, facts = await _published(core, params)
    kept = transcripts_until(group.class_, date.fromisoformat(row.day))
    async with core.store.read() as conn:
        corrects, changed = await _corrections(conn, row)
        resumed = await _list_resumed(conn, row)
        division = await division_in(conn, group)
        view = await table_in(conn, group)
        standing = await read_standing(core, conn, group, view)
        teams = await conn.run_sync(division_rows.teams, group.id)
        boards = await conn.run_sync(division_rows.boards, [team.id for team in teams])
        season = date.fromisoformat(group.start).year + 1
        plan = season_plan(TournamentKind.LEAGUE, season, await list_year_actions(conn))
    own = {board.team_id for board in boards if board.person_id == reader.id}
    clubs = (team.club for team in teams if team.id in own or team.captain_id == reader.id)
    numbers = (seat.number for seat in view.seats if seat.person_id == reader.id)
    return GroupPublished(
        reader.name,
        *facts,
        reader.id == group.tl_id,
        kept,
        standing,
        division,
        next(numbers, 0),
        next(clubs, ""),
        params.get("round") is True,
        core.url("/enter"),
        next((one.day for one in plan if one.step is TournamentStep.DEADLINE), None),
        corrects,
        changed,
        resumed,
        core.url(f"/desk/groups/{group.name}#tie") if params.get("asks") is True else "",
    )


async def _corrections(
    conn: AsyncConnection, row: PublicationRow
) -> tuple[date | None, tuple[str, ...]]:
    """When the group was published before, if it was, and the games whose results are new since.

    A group is published on the day after its last result, so one of that day or later is new; of
    a game ruled on, whose end stays its own, the ruling.
    """
    earlier = await publication_rows.list_group_publications(conn, row.group_id)
    whole = [one for one in earlier if one.kind == PublicationKind.STANDING and one.id < row.id]
    if not whole:
        return None, ()
    before = date.fromisoformat(whole[-1].day)
    told = (
        f"{game.name} {game.white} – {game.black}: {game.result}"
        for game in await game_rows.list_group_games(conn, row.group_id)
        if local_day(from_us(_decided_us(game)), game.zone) >= before
    )
    return before, tuple(told)


async def _list_resumed(conn: AsyncConnection, row: PublicationRow) -> tuple[str, ...]:
    """The games of a published group that are played on after a ruling."""
    rows = await game_rows.list_group_games(conn, row.group_id)
    return tuple(f"{one.name} {one.white} – {one.black}" for one in rows if one.result is None)


def _decided_us(game: GameRow) -> int:
    is_ruled = game.state().ended is Ending.RULING
    return game.last_us if is_ruled and game.last_us else game.ended_us or 0


@loads(PrizesDueFacts)
async def _prizes_due(core: Core, _: PersonRow, params: Params) -> PrizesDueFacts:
    facts = (await _published(core, params))[2]
    return PrizesDueFacts(facts[0].leader.name, *facts)
