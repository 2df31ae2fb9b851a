"""Entering a tournament: by the player, or by an official on the player's behalf (§ 6.4.4.1).

An entry is accepted unless something bars it that no fee, proof or decision can remedy; then it is
refused with each paragraph and nothing is saved. Not for what officials do with it later
(entry_actions.py).
"""

from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from kskak.entries.emt import EmtClass
from kskak.entries.entry import (
    EntryFault,
    EntryProblem,
    EntryRefusal,
    EntryState,
    Wish,
    closed_by,
    lacks_address,
    may_be_doubled,
    select_refusing_faults,
)
from kskak.entries.rights import CupFinalStage, IccfTournament, Right
from kskak.regulation.days import ONE_DAY, has_been, is_birth, years_later
from kskak.regulation.editions import CUP, EMT, Regulation
from mail.office_letters.entry_letters import EntryNews
from mail.office_letters.result_letters import RightLapses
from server.store import entries as entry_rows
from server.store.engine.connection import AsyncConnection
from server.store.entries import EntryRow, ListRow, PastResult
from server.store.mail import due_work as due_rows
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.context import Core, poster_of, today_of
from server.usecases.entries.entry_actions import book_fee, entered, notify_player, start_all
from server.usecases.entries.entry_judging import (
    EntryJudgement,
    EntryStatement,
    Knowledge,
    judge,
    knowledge,
    read_wish,
)
from server.usecases.letter_facts import Params, day, loads, official, text
from server.usecases.postal.scans import AddressTooLong, keep_in, tidy
from server.usecases.rights import (
    NoSuch,
    NotAllowed,
    find_or_add_officials,
    may_handle,
    require_kc,
    rights_in,
)


@dataclass(frozen=True, slots=True)
class EntryRequest:
    """A requested entry.

    ``player`` None: whoever asks. ``asks``: the player wants an official's decision where no rule
    opens the class (§ 6.5.3.2 e, § 6.5.2.2 f). ``is_second``: the player knows of being on the
    list already (§ 6.5.1.2). ``fee`` is the day the leader received it. ``key`` identifies a form
    sent twice. ``address``: where cards to the player go, for a list played by post.
    """

    list_id: int
    stated: EntryStatement
    player: int | None = None
    asks: bool = False
    is_second: bool = False
    fee: date | None = None
    key: str | None = None
    address: str = ""


async def enter(core: Core, by: PersonRow, asked: EntryRequest) -> EntryRow | EntryRefusal:
    """Accept or refuse an entry; a repeated form returns its entry. Raises NoSuch, NotAllowed."""
    async with core.store.deciding() as conn:
        wanted = await entry_rows.find_list(conn, asked.list_id, lock=True)
        found = await _looked_at(core, conn, by, asked, wanted)
        if not isinstance(found, tuple):
            return found
        of, person, judged = found
        await _keep_address(core, conn, of, by, person.person.id, asked.address)
        return await _keep(core, conn, by, of, person, asked, judged)


async def try_out(
    core: Core, by: PersonRow, asked: EntryRequest
) -> EntryJudgement | EntryRow | EntryRefusal:
    """What entering would come to, without doing it. Raises NoSuch, NotAllowed."""
    async with core.store.read() as conn:
        wanted = await entry_rows.find_list(conn, asked.list_id)
        found = await _looked_at(core, conn, by, asked, wanted)
    return found[2] if isinstance(found, tuple) else found


async def _looked_at(
    core: Core, conn: AsyncConnection, by: PersonRow, asked: EntryRequest, wanted: ListRow | None
) -> tuple[ListRow, Knowledge, EntryJudgement] | EntryRow | EntryRefusal:
    """An entry that nothing refuses, with what is known of it; or what came of it at once."""
    player = by.id if asked.player is None else asked.player
    held = await rights_in(conn, by, core.now_us)
    is_official = player != by.id
    if is_official and not (wanted is not None and may_handle(held, wanted.id)):
        raise NotAllowed
    if wanted is None:
        raise NoSuch("list")
    if asked.fee is not None and not is_official:
        raise NotAllowed  # nobody receives their own fee
    if asked.key and (known := await entry_rows.by_form(conn, player, asked.key)):
        return known
    person = await knowledge(conn, player, today_of(core))
    if person is None:
        raise NoSuch("person")
    wish = read_wish(wanted.event, wanted.wish)
    judged = judge(person, wish, asked.stated, fee=asked.fee)
    problem = _problem(core, wanted, wish, person, asked)
    problem = problem or await _of_address(conn, wanted, player, asked)
    against = select_refusing_faults(judged.faults)
    # So does what a person may open, unless a decision is wanted or an official asks.
    if not (asked.asks or is_official):
        shut = (EntryFault.SECOND_OF_NON_MEMBER, EntryFault.NOT_OPEN)
        against = (*against, *(fault for fault in shut if fault in judged.faults))
    if problem is not None or against:
        first = () if problem is None else (problem,)
        return EntryRefusal((*first, *against), closed_by(wish, judged.answer))
    return wanted, person, judged


def _problem(
    core: Core, wanted: ListRow, wish: Wish, person: Knowledge, asked: EntryRequest
) -> EntryProblem | None:
    if not wanted.is_open:
        return EntryProblem.CLOSED
    if asked.fee is not None and not has_been(asked.fee, today_of(core)):
        return EntryProblem.FEE_DAY
    if asked.stated.born is not None and not is_birth(asked.stated.born, today_of(core)):
        return EntryProblem.BORN
    stands = any(row.list_id == wanted.id and row.is_open for row in person.entries)
    if not stands:
        return None
    if not may_be_doubled(wish):
        return EntryProblem.ONCE
    return None if asked.is_second else EntryProblem.ALREADY


async def _of_address(
    conn: AsyncConnection, wanted: ListRow, player: int, asked: EntryRequest
) -> EntryProblem | None:
    """Why the address won't do: a postal group's start letter names the players' addresses."""
    try:
        stated = tidy(asked.address)
    except AddressTooLong:
        return EntryProblem.ADDRESS
    kept = (await person_rows.postal_addresses_of(conn, [player])).get(player)
    address = stated or (kept.text if kept else "")
    is_lacking = lacks_address(Regulation(wanted.regulation), address)
    return EntryProblem.NO_ADDRESS if is_lacking else None


async def _keep_address(
    core: Core, conn: AsyncConnection, wanted: ListRow, by: PersonRow, player: int, text: str
) -> None:
    """An address from the player replaces the old one; an official's only fills a gap."""
    stated = tidy(text)
    if wanted.regulation != Regulation.POSTAL or not stated:
        return
    if by.id == player or not await person_rows.postal_addresses_of(conn, [player]):
        await keep_in(core, conn, player, stated)


async def _keep(
    core: Core,
    conn: AsyncConnection,
    by: PersonRow,
    wanted: ListRow,
    person: Knowledge,
    asked: EntryRequest,
    judged: EntryJudgement,
) -> EntryRow:
    stated, today = asked.stated, today_of(core).isoformat()
    row = await entry_rows.add_entry(
        conn,
        list_id=wanted.id,
        person_id=person.person.id,
        form_key=asked.key,
        **asdict(stated) | {"born": stated.born and stated.born.isoformat()},
        asks=asked.asks,
        since_day=today if judged.state is EntryState.VALID else None,
        **entered(core, by, today, asked.fee.isoformat() if asked.fee else None, judged.state),
    )
    await book_fee(core, conn, wanted, row)
    await notify_player(core, conn, row, EntryNews.ENTERED, judged)
    if judged.state is EntryState.VALID:
        await start_all(core, conn, wanted)
    return await entry_rows.the_entry(conn, row.id)


# The waiting lists: opened, corrected, closed, given a leader by the controller (§ 6.1.1-6.1.2).

MOST_FEE = 10_000_000
LONGEST_NAME, LONGEST_PREFIX = 120, 40
LONGEST_PAY = 500
"""Characters of the text that says how a fee is paid."""


class ListFault(StrEnum):
    """What is wrong with a list to be opened."""

    NAME = "name"
    NAME_TAKEN = "name_taken"
    WISH = "wish"
    PREFIX = "prefix"
    PREFIX_TAKEN = "prefix_taken"
    TOURNAMENT = "tournament"
    FEE = "fee"
    HOW_TO_PAY = "how_to_pay"
    NO_PAY = "no_pay"
    LEADER = "leader"


@dataclass(frozen=True, slots=True)
class EntryListRequest:
    """A list as the controller wants it; ``fee`` is in øre, ``leader`` an e-mail address.

    ``how_to_pay`` is where the fee is paid, in words that everybody may read (§ 6.4.4.1).
    """

    name: str
    event: str
    wish: str
    tournament: str
    regulation: Regulation
    prefix: str
    leader: str
    fee: int | None = None
    how_to_pay: str = ""


async def open_list(core: Core, by: PersonRow, asked: EntryListRequest) -> ListRow | ListFault:
    """Open a list. Raises NotAllowed."""
    async with core.store.deciding() as conn:
        await require_kc(conn, by, core.now_us)
        return await open_list_in(core, conn, by, asked)


async def open_list_in(
    core: Core, conn: AsyncConnection, by: PersonRow, asked: EntryListRequest
) -> ListRow | ListFault:
    """The same in the transaction of a caller who has looked at the rights."""
    fault = _fault(asked, await entry_rows.everything(conn))
    if fault is not None:
        return fault
    if asked.fee and not asked.how_to_pay.strip():
        return ListFault.NO_PAY
    leaders = await find_or_add_officials(core, conn, asked.leader)
    if leaders is None or len(leaders) != 1:
        return ListFault.LEADER
    values = asdict(asked) | {"how_to_pay": asked.how_to_pay.strip(), "leader_id": leaders[0].id}
    del values["leader"]
    made = await entry_rows.add_list(
        conn, **values, is_open=True, opened_by=by.id, created_us=core.now_us
    )
    return await entry_rows.the_list(conn, made)


def _is_line(text: str, longest: int) -> bool:
    return 0 < len(text.strip()) <= longest and text.isprintable()


def _fault(asked: EntryListRequest, others: tuple[ListRow, ...]) -> ListFault | None:
    try:
        read_wish(asked.event, asked.wish)
    except ValueError:
        return ListFault.WISH
    checks = (
        (ListFault.NAME, _is_line(asked.name, LONGEST_NAME)),
        (ListFault.TOURNAMENT, _is_line(asked.tournament, LONGEST_NAME)),
        (ListFault.PREFIX, _is_line(asked.prefix, LONGEST_PREFIX)),
        (ListFault.NAME_TAKEN, all(row.name != asked.name for row in others)),
        (ListFault.PREFIX_TAKEN, all(row.prefix != asked.prefix for row in others)),
        (ListFault.FEE, asked.fee is None or 0 <= asked.fee <= MOST_FEE),
        (ListFault.HOW_TO_PAY, len(asked.how_to_pay) <= LONGEST_PAY),
    )
    return next((fault for fault, is_good in checks if not is_good), None)


async def change_list(
    core: Core,
    by: PersonRow,
    list_id: int,
    *,
    is_open: bool | None = None,
    leader: str = "",
    how_to_pay: str | None = None,
) -> ListRow | ListFault:
    """Close or reopen a list, appoint its leader, or set how its fee is paid.

    Raises NotAllowed, NoSuch.
    """
    if how_to_pay is not None and len(how_to_pay) > LONGEST_PAY:
        return ListFault.HOW_TO_PAY
    async with core.store.deciding() as conn:
        row = await _lock(core, conn, by, list_id)
        values: dict[str, object] = {} if is_open is None else {"is_open": is_open}
        if how_to_pay is not None:
            if row.fee and not how_to_pay.strip():
                return ListFault.NO_PAY
            values["how_to_pay"] = how_to_pay.strip()
        if leader:
            found = await find_or_add_officials(core, conn, leader)
            if found is None or len(found) != 1:
                return ListFault.LEADER
            values["leader_id"] = found[0].id
        await entry_rows.change_list(conn, list_id, **values)
        return await entry_rows.find_list(conn, list_id) or row


async def _lock(core: Core, conn: AsyncConnection, by: PersonRow, list_id: int) -> ListRow:
    await require_kc(conn, by, core.now_us)
    row = await entry_rows.find_list(conn, list_id, lock=True)
    if row is None:
        raise NoSuch("list")
    return row


async def correct_list(
    core: Core, by: PersonRow, list_id: int, *, name: str, tournament: str, fee: int | None
) -> ListRow | ListFault:
    """Correct a list's name, the account its fees are booked in, and its fee in øre; fees that were
    received stay as booked. Raises NotAllowed, NoSuch."""
    async with core.store.deciding() as conn:
        row = await _lock(core, conn, by, list_id)
        others = await entry_rows.everything(conn)
        kept = (Regulation(row.regulation), row.prefix, "", fee, row.how_to_pay)
        asked = EntryListRequest(name, row.event, row.wish, tournament, *kept)
        fault = _fault(asked, tuple(one for one in others if one.id != list_id))
        if fault is not None:
            return fault
        await entry_rows.change_list(conn, list_id, name=name, tournament=tournament, fee=fee)
        return await entry_rows.find_list(conn, list_id) or row


# A right to a class that lapses soon without having been used: its holder is told once.

LAPSE_DAYS = 30
"""How many days before it lapses."""
_LATEST_DAYS = 60
"""How long after its last game a group may have been published: a case may have held it back."""
_YEARS = sorted({EMT.promotion_years, EMT.stay_years, EMT.dm_years, EMT.iccf_years, CUP.years})


async def remind_of_rights(core: Core) -> None:
    """Tell who has a right that lapses within ``LAPSE_DAYS`` (§ 6.5.2.2, § 6.5.3.2, § 6.6.2)."""
    today = today_of(core)
    spans = [
        (years_later(today, -years).isoformat(),
         (years_later(today, -years) + timedelta(days=LAPSE_DAYS + _LATEST_DAYS)).isoformat())
        for years in _YEARS
    ]  # fmt: skip
    for person_id in await core.store.query(entry_rows.list_right_holders, spans):
        async with core.store.read() as conn:
            known = await knowledge(conn, person_id, today)
        for wish, right in () if known is None else find_lapsing_rights(known):
            assert right.until is not None
            told, until = f"right.{person_id}.{wish.value}", right.until.isoformat()
            async with core.store.write() as conn:
                if await due_rows.take(conn, told, until, core.now_us):
                    facts = {"wish": wish.value, "paragraph": right.paragraph, "until": until}
                    unique = f"{told}.{until}"
                    letter = poster_of(core).to_person(RightLapses, person_id, unique, {**facts})
                    await outbox_rows.enqueue(conn, [letter])


def find_lapsing_rights(known: Knowledge) -> list[tuple[EmtClass, Right]]:
    """The classes that are open to the player now and won't be in ``LAPSE_DAYS``, with the right.

    Not one that he has entered or is playing in. Reading: no more than one letter for each right.
    """
    found = []
    busy = {row.wish for row in known.entries if row.is_open} | {
        one.result.event for one in known.record if one.result.finished is None
    }
    for wish, answer in known.answers.items():
        last = max(answer.by, key=lambda right: right.until or date.max, default=None)
        if last is None or last.until is None or not answer.is_allowed or wish in busy:
            continue
        after = replace(known, history=replace(known.history, on=last.until + ONE_DAY))
        is_near = last.until - known.on <= timedelta(days=LAPSE_DAYS)
        if is_near and not after.answers[wish].is_allowed:
            found.append((wish, last))
    return found


@loads(RightLapses)
async def _right_lapses(core: Core, reader: PersonRow, params: Params) -> RightLapses:
    right = EmtClass(text(params, "wish")), text(params, "paragraph"), day(params, "until")
    return RightLapses(reader.name, official(core), *right, core.url("/enter"))


# Past results entered by officials with their source, and removed again (§ 6.5.3.2, § 6.6.2).

MOST_GAMES, MOST_ENTRIES = 1000, 100_000
LONGEST = 120
EVENTS = {
    "emt": tuple(one.value for one in EmtClass),
    "cup": tuple(one.value for one in CupFinalStage),
    "iccf": tuple(one.value for one in IccfTournament),
}
"""What a result may be from."""


class ResultFault(StrEnum):
    """What is wrong with a result to be entered."""

    EVENT = "event"
    NAME = "name"
    FINISHED = "finished"
    SCORE = "score"
    PLACE = "place"
    ENTRIES = "entries"
    SOURCE = "source"
    TWICE = "twice"


async def _require_keeper(core: Core, conn: AsyncConnection, by: PersonRow, person_id: int) -> None:
    """Raises NotAllowed for whoever keeps no records; nobody writes their own (§ 6.1.1-6.1.2)."""
    if not (await rights_in(conn, by, core.now_us)).keeps_records or person_id == by.id:
        raise NotAllowed


async def add_result(
    core: Core, by: PersonRow, person_id: int, entered: PastResult
) -> ResultFault | int:
    """Enter a result; returns its id, or what is wrong. Raises NotAllowed, NoSuch."""
    async with core.store.deciding() as conn:
        await _require_keeper(core, conn, by, person_id)
        if await person_rows.find_person(conn, person_id) is None:
            raise NoSuch("person")
        fault = _result_fault(entered, today_of(core))
        known = await entry_rows.past_results_of(conn, person_id)
        # Of the same tournament; one that was running is removed first.
        same = (entered.event, entered.wish, entered.name.strip().casefold())
        if fault is None and same in {(r.event, r.wish, r.name.casefold()) for r in known}:
            fault = ResultFault.TWICE
        if fault is not None:
            return fault
        entered = replace(entered, name=entered.name.strip(), source=entered.source.strip())
        return await entry_rows.add_past_result(conn, person_id, entered, core.now_us, by.id)


def _result_fault(entered: PastResult, today: date) -> ResultFault | None:
    played = entered.games - entered.unfinished
    is_score = 1 <= entered.games <= MOST_GAMES and 0 <= entered.unfinished <= entered.games
    ends_right = entered.finished is None or (
        has_been(entered.finished, today) and not entered.unfinished
    )
    checks = (
        (ResultFault.EVENT, entered.wish in EVENTS.get(entered.event, ())),
        (ResultFault.NAME, 0 < len(entered.name.strip()) <= LONGEST and entered.name.isprintable()),
        (ResultFault.SCORE, is_score and 0 <= entered.halves <= 2 * played),
        (ResultFault.FINISHED, ends_right),
        (ResultFault.PLACE, entered.place is None or 1 <= entered.place <= MOST_GAMES),
        (ResultFault.ENTRIES, 0 <= entered.entries <= MOST_ENTRIES),
        (ResultFault.SOURCE, 0 < len(entered.source.strip()) <= 1000),
    )
    return next((fault for fault, is_good in checks if not is_good), None)


async def remove_result(core: Core, by: PersonRow, person_id: int, result_id: int) -> None:
    """Remove a wrong result; it stays on file. Raises NotAllowed, NoSuch."""
    async with core.store.deciding() as conn:
        await _require_keeper(core, conn, by, person_id)
        known = {row.id for row in await entry_rows.past_results_of(conn, person_id)}
        if result_id not in known or not await entry_rows.remove_past_result(
            conn, result_id, by.id, core.now_us
        ):
            raise NoSuch("result")
