"""What happens to an entry: fee, proof, discretion, refusal, withdrawal (§ 6.4.4.1, § 6.5.3.2 e).

Each deed locks the entry's list, is recorded with who and when, is reported to the player, and
starts the class's next group if that makes 7 valid entries. Nobody handles their own entry. What
the law has alike for a player's entry and a team's is said once, in ``EntryActions``. Not for
making an entry (player_entering.py).
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Generic, TypeVar

from pydantic import ValidationError

from kskak.board.positions import AlreadyOver, Position
from kskak.entries.access import NON_MEMBER
from kskak.entries.emt import EmtClass, WaitingPlayer, is_double, next_dm, next_group
from kskak.entries.entry import (
    EntryFault,
    EntryProblem,
    EntryRefusal,
    EntryState,
    OtherEntry,
    Signature,
    closed_by,
    discretion_for,
)
from kskak.office.books import BookEntry, EntryKind
from kskak.office.year import SeasonListKind, TournamentStep, read_year_in_names, season_plan
from kskak.regulation.days import has_been
from kskak.regulation.editions import DEFAULT_LAWS, LAWS, Regulation
from mail.office_letters.entry_letters import EntryLetter, EntryNews
from server.store import books as book_rows
from server.store import entries as entry_rows
from server.store import groups as group_rows
from server.store.engine.connection import AsyncConnection
from server.store.entries import EntryRow, EntryRuling, ListRow, TeamEntryRow
from server.store.groups import GroupRow
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.context import Core, poster_of, today_of
from server.usecases.entries.entry_judging import (
    EMT_EVENT,
    EntryJudgement,
    find_changed,
    judge_start,
    judge_stored_entry,
    read_wish,
    wanted_on,
)
from server.usecases.groups.group_file import (
    FEWEST,
    MOST,
    GroupFile,
    GroupFileError,
    StartedGroup,
    complete_rounds,
    draw_seed,
)
from server.usecases.letter_facts import NoLetter, Params, day, leader, loads, number, text, texts
from server.usecases.office import list_year_actions, new_entry, tidy
from server.usecases.postal.scans import without
from server.usecases.rights import NoSuch, NotAllowed, Rights, may_handle, rights_in
from server.usecases.starts.start_group import start_in

_log = logging.getLogger(__name__)

# The letters about entries as outbox rows: what happened, and where the player stands (§ 6.4.4).


async def notify_player(
    core: Core,
    conn: AsyncConnection,
    row: EntryRow,
    news: EntryNews,
    judged: EntryJudgement | None = None,
    why: tuple[str, str] | None = None,
) -> None:
    """Tell the player what happened to the entry, and ``why``, by paragraph and reason, where a
    person decided it. ``judged`` names what it still waits for.
    """
    rows = await entry_rows.on_lists(conn, [row.list_id], [EntryState.VALID.value])
    ids = [one.id for one in rows]
    paragraph, reason = why or (row.paragraph or "", row.reason or "")
    params: dict[str, object] = {
        "entry": row.id,
        "news": news.value,
        "is_valid": row.state == EntryState.VALID,
        "place": ids.index(row.id) + 1 if row.id in ids else 0,
        "valid": len(ids),
        "faults": [] if judged is None else [fault.value for fault in judged.faults],
        "closed_by": closed_by(read_wish(row.event, row.wish), judged.answer if judged else None),
        "day": row.fee_day or row.entered_day,
        "paragraph": paragraph,
        "reason": reason,
    }
    unique = f"{row.id}.{news.value}.{core.now_us}"
    letter = poster_of(core).to_person(EntryLetter, row.person_id, unique, params)
    await outbox_rows.enqueue(conn, [letter])


@loads(EntryLetter)
async def _entry_letter(core: Core, reader: PersonRow, params: Params) -> EntryLetter:
    """The letter, with the facts as of when it was queued. Raises NoLetter."""
    async with core.store.read() as conn:
        row = await entry_rows.find_entry(conn, number(params, "entry"))
        if row is None:
            raise NoLetter("no such entry")
        of, tl, days = await read_list(core, conn, row.list_id)
    return EntryLetter(
        reader=reader.name,
        news=EntryNews(text(params, "news")),
        list_name=of.name,
        leader=leader(tl),
        zone=core.settings.clock.zone,
        url=core.url("/enter"),
        day=day(params, "day"),
        is_valid=params.get("is_valid") is True,
        place=number(params, "place"),
        valid=number(params, "valid"),
        wanted=wanted_on(of.event, of.wish),
        faults=tuple(EntryFault(name) for name in texts(params, "faults")),
        closed_by=text(params, "closed_by"),
        fee=of.fee,
        paragraph=text(params, "paragraph"),
        reason=text(params, "reason"),
        how_to_pay=of.how_to_pay,
        is_paid=row.fee_day is not None,
        start=days.get(TournamentStep.START),
        deadline=days.get(TournamentStep.DEADLINE),
    )


async def read_list(
    core: Core, conn: AsyncConnection, list_id: int
) -> tuple[ListRow, PersonRow, dict[TournamentStep, date]]:
    """What a letter about an entry says of its list: the list, its leader, its coming days."""
    of = await entry_rows.the_list(conn, list_id)
    leader = await person_rows.find_person(conn, of.leader_id)
    assert leader is not None
    return of, leader, await _list_days(core, conn, of)


async def _list_days(core: Core, conn: AsyncConnection, of: ListRow) -> dict[TournamentStep, date]:
    """The coming days of a list's season by the year's plan (§ 6.1.2); none where it names none."""
    form = SeasonListKind(of.event, of.wish).form
    season = read_year_in_names((of.name, of.tournament), of.prefix)
    if form is None or season is None:
        return {}
    plan = season_plan(form, season, await list_year_actions(conn))
    today = today_of(core)
    return {item.step: item.day for item in plan if item.day and item.day >= today}


# A waiting list's next group: 7 valid entries, lots, games, start letters (§ 6.5.1.1, § 6.5.2.1).


async def start_next(
    core: Core, conn: AsyncConnection, wanted: ListRow
) -> StartedGroup | EntryRefusal:
    """Start the list's next group, or say why not; the list must be held (§ 6.5.1.1)."""
    if wanted.event != EMT_EVENT:
        return EntryRefusal((EntryProblem.NOT_BY_LIST,))
    valid = await entry_rows.on_lists(conn, [wanted.id], [EntryState.VALID.value])
    is_full = wanted.wish == EmtClass.DM or bool(_chosen(wanted, valid))
    chosen = _chosen(wanted, await fit_to_start(core, conn, valid)) if is_full else []
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
    rulings = await entry_rows.rulings_of(conn, [row.id for row in chosen])
    words = (one.reason for given in rulings.values() for one in given if one.paragraph in _WORDS)
    facts = {
        "tournament": of.tournament,
        "word": "\n".join(words),
        "group": next_name(of.prefix, {group.name for group in groups}),
        "regulation": of.regulation,
        "tl": leader.email,
        "tl_name": leader.name,
        "players": [{"name": one.name, "email": one.email, "lang": one.lang} for one in players],
        "zone": core.settings.clock.zone,
        "seed": await seed_at_closing(conn, chosen, players),
    }
    try:
        file = GroupFile.model_validate(facts | more)
        started = await start_in(core, conn, complete_rounds(file, groups))
    except (GroupFileError, ValidationError) as error:
        # Refused before anything was written: a fee is recorded even where no group can be made.
        _log.warning("list %s: the group can't be made: %s", of.name, error)
        return EntryRefusal((EntryProblem.NOT_MADE,))
    await entry_rows.place_entries(conn, [row.id for row in chosen], started.id)
    return started


async def seed_at_closing(
    conn: AsyncConnection, chosen: Sequence[EntryRow], players: Iterable[PersonRow]
) -> str:
    """The seed of a list's lots, as of when the last of these entries was complete (§ 6.5.2.1)."""
    done = (
        max(row.created_us, row.fee_us or 0, row.proof_us or 0, row.decided_us or 0)
        for row in chosen
    )
    return await draw_seed(conn, [one.name for one in players], max(done, default=0))


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
    if not core.settings.entries.starts_itself or wanted.event != EMT_EVENT or is_dm:
        return started
    while isinstance(made := await start_next(core, conn, wanted), StartedGroup):
        started.append(made)
    return started


def _chosen(wanted: ListRow, rows: Sequence[EntryRow]) -> list[EntryRow]:
    """Who is in the next group: the first 7, or everybody for the DM, each once."""
    if wanted.wish == EmtClass.DM:
        own = list({row.person_id: row for row in reversed(rows)}.values())[::-1]
        return own if len(own) >= FEWEST else []
    waiting = [
        WaitingPlayer(str(row.person_id), date.fromisoformat(row.since_day or row.entered_day))
        for row in rows
    ]
    return [rows[index] for index in next_group(waiting) or ()]


async def fit_to_start(
    core: Core, conn: AsyncConnection, rows: Sequence[EntryRow], *, word: bool = False
) -> list[EntryRow]:
    """The valid entries that nothing bars now; the others go back to waiting (§ 6.4.2).

    Nor a decision made since, by which a right fell (§ 6.4.3). ``word``: the leader lets in who
    has said that he leaves a group (§ 6.2.8).
    """
    fit: list[EntryRow] = []
    excused = {EntryFault.LEAVING} if word else set()
    changed = await find_changed(core, conn, rows)
    for row in rows:
        against = {*await judge_start(conn, row, today_of(core))} - excused
        if not against and row.id not in changed:
            fit.append(row)
            continue
        again = await entry_rows.change_entry(conn, row.id, state=EntryState.WAITING.value)
        judged = await judge_stored_entry(conn, again, today_of(core))
        why = changed.get(row.id)
        await notify_player(core, conn, again, EntryNews.WAITS, judged, why)
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


# What the law has alike for a player's entry and a team's (§ 6.1.2, § 6.4.4.1).

AnyEntry = TypeVar("AnyEntry", EntryRow, TeamEntryRow)
AnyRefusal = TypeVar("AnyRefusal")


async def book_fee(
    core: Core, conn: AsyncConnection, of: ListRow, paid: EntryRow | TeamEntryRow
) -> None:
    """Book the fee that the leader received into the tournament's account (§ 6.1.2, § 6.4.4.1).

    Does nothing without a fee, or if already booked.
    """
    if paid.fee_day is None or paid.fee_by is None or not of.fee:
        return
    entry = BookEntry(
        tournament=of.tournament,
        kind=EntryKind.FEE,
        day=date.fromisoformat(paid.fee_day),
        ore=of.fee,
        party=paid.party,
        text=of.name,
    )
    key = f"{type(paid).__name__}.{paid.id}"
    await book_rows.add(conn, [new_entry(tidy(entry), paid.fee_by, core.now_us, key)])


def entered(
    core: Core, by: PersonRow, day: str, fee: str | None, state: EntryState
) -> dict[str, object]:
    """What is stored of any new entry: its ISO day, who made it, and who received its fee."""
    return {
        "entered_day": day,
        "entered_by": by.id,
        "created_us": core.now_us,
        "fee_day": fee,
        "fee_by": None if fee is None else by.id,
        "fee_us": None if fee is None else core.now_us,
        "state": state.value,
    }


@dataclass(frozen=True, slots=True)
class HeldEntry(Generic[AnyEntry]):
    """An entry whose list is locked until the transaction ends, and the rights of who holds it."""

    conn: AsyncConnection
    row: AnyEntry
    of: ListRow
    rights: Rights


class EntryActions(ABC, Generic[AnyEntry, AnyRefusal]):
    """Fee, refusal and withdrawal; how each is stored, judged and told is the entry's own.

    ``find`` and ``change`` are the store's, by the entry's id.
    """

    find: Callable[[AsyncConnection, int], Awaitable[AnyEntry | None]]
    change: Callable[..., Awaitable[AnyEntry]]

    @abstractmethod
    async def is_own(self, conn: AsyncConnection, by: PersonRow, row: AnyEntry) -> bool:
        """Whether somebody entered it, or speaks for who did."""

    @abstractmethod
    async def is_party(self, conn: AsyncConnection, by: PersonRow, row: AnyEntry) -> bool:
        """Whether it is about somebody, who then never handles it."""

    @abstractmethod
    def refusal(self, problem: EntryProblem) -> AnyRefusal:
        """How an action is refused. Raises NoSuch where a form's field is wrong."""

    @abstractmethod
    async def judge_again(self, core: Core, held: HeldEntry[AnyEntry], news: str) -> AnyEntry:
        """Judge it again, and tell the news."""

    @abstractmethod
    async def tell_end(self, core: Core, conn: AsyncConnection, row: AnyEntry) -> None:
        """Tell that it was refused or withdrawn, and free what it tied up."""

    @asynccontextmanager
    async def held(
        self, core: Core, by: PersonRow, entry_id: int, *, official: bool = True
    ) -> AsyncIterator[HeldEntry[AnyEntry]]:
        """Lock an entry. Raises NoSuch if ``by`` may not know of it, NotAllowed if not act on it.

        ``official``: an action that nobody takes on what is their own.
        """
        async with core.store.deciding() as conn:
            rights = await rights_in(conn, by, core.now_us)
            first = await self.find(conn, entry_id)
            if first is None:
                raise NoSuch("entry")
            handles = may_handle(rights, first.list_id)
            is_own = await self.is_own(conn, by, first)
            if not (handles or is_own or rights.is_admin):
                raise NoSuch("entry")
            of = await entry_rows.find_list(conn, first.list_id, lock=True)
            row = await self.find(conn, entry_id)
            assert of is not None and row is not None
            is_concerned = is_own or await self.is_party(conn, by, row)
            if not (handles and not is_concerned if official else is_own or handles):
                raise NotAllowed
            yield HeldEntry(conn, row, of, rights)

    async def record_fee(
        self, core: Core, by: PersonRow, entry_id: int, on: date
    ) -> AnyEntry | AnyRefusal:
        """Record the day the leader received the fee; it is valid only with it (§ 6.4.4.1)."""
        async with self.held(core, by, entry_id) as held:
            if not held.row.is_open:
                return self.refusal(EntryProblem.OVER)
            if not has_been(on, today_of(core)):
                return self.refusal(EntryProblem.FEE_DAY)
            if held.row.fee_day is not None:
                return held.row  # recorded before: the first day stands
            paid = {"fee_day": on.isoformat(), "fee_by": by.id, "fee_us": core.now_us}
            row = await self.change(held.conn, entry_id, **paid)
            await book_fee(core, held.conn, held.of, row)
            return await self.judge_again(core, held, EntryNews.FEE)

    async def remind(self, core: Core, by: PersonRow, entry_id: int) -> AnyEntry | AnyRefusal:
        """Remind of a fee that has not come, and of all else that is lacking (§ 6.4.4.1)."""
        async with self.held(core, by, entry_id) as held:
            if not held.row.is_open or held.row.fee_day is not None:
                return self.refusal(EntryProblem.OVER)
            return await self.judge_again(core, held, EntryNews.UNPAID)

    async def refuse(
        self, core: Core, by: PersonRow, entry_id: int, paragraph: str, reason: str
    ) -> AnyEntry | AnyRefusal:
        """Refuse an entry with the paragraph and a reason, both of which are told (§ 6.4.4)."""
        async with self.held(core, by, entry_id) as held:
            if not held.row.is_open:
                return self.refusal(EntryProblem.OVER)
            if not reason.strip() or not paragraph.strip():
                return self.refusal(EntryProblem.NO_REASON)
            why = {"paragraph": paragraph.strip(), "reason": reason.strip()}
            return await self._end(core, by, held, EntryState.REFUSED, **why)

    async def withdraw(
        self, core: Core, by: PersonRow, entry_id: int, *, official: bool = False
    ) -> AnyEntry | AnyRefusal:
        """Withdraw an entry before it becomes a place: by whose it is, or an official for them."""
        async with self.held(core, by, entry_id, official=official) as held:
            if not held.row.is_open:
                return self.refusal(EntryProblem.OVER)
            return await self._end(core, by, held, EntryState.WITHDRAWN)

    async def _end(
        self, core: Core, by: PersonRow, held: HeldEntry[AnyEntry], state: EntryState, **told: str
    ) -> AnyEntry:
        # The same form, or the same pasted line, enters anew from now on.
        row = await self.change(
            held.conn, held.row.id, state=state.value, decided_by=by.id, decided_us=core.now_us,
            form_key=None, **told,
        )  # fmt: skip
        await self.tell_end(core, held.conn, row)
        return row


# What happens to a player's entry: besides, proof and discretion (§ 6.5.3.2 b-e).

Outcome = EntryRow | EntryRefusal


class PlayerEntryActions(EntryActions[EntryRow, EntryRefusal]):
    """The actions on a player's entry."""

    find, change = staticmethod(entry_rows.find_entry), staticmethod(entry_rows.change_entry)

    async def is_own(self, conn: AsyncConnection, by: PersonRow, row: EntryRow) -> bool:
        return row.person_id == by.id

    is_party = is_own

    def refusal(self, problem: EntryProblem) -> EntryRefusal:
        return EntryRefusal((problem,))

    async def judge_again(self, core: Core, held: HeldEntry[EntryRow], news: str) -> EntryRow:
        return await judge_entry_again(core, held.conn, held.of, held.row.id, EntryNews(news))

    async def tell_end(self, core: Core, conn: AsyncConnection, row: EntryRow) -> None:
        await notify_player(core, conn, row, EntryNews(row.state))


_ACTIONS = PlayerEntryActions()
record_fee, refuse, withdraw = _ACTIONS.record_fee, _ACTIONS.refuse, _ACTIONS.withdraw
remind = _ACTIONS.remind


async def see_proof(core: Core, by: PersonRow, entry_id: int) -> Outcome:
    """Record that the leader has seen proof of the player's right (§ 6.5.3.2 b-d)."""
    async with _ACTIONS.held(core, by, entry_id) as held:
        if not held.row.is_open:
            return EntryRefusal((EntryProblem.OVER,))
        if held.row.proof_us is not None:
            return held.row
        await entry_rows.change_entry(held.conn, entry_id, proof_by=by.id, proof_us=core.now_us)
        return await _ACTIONS.judge_again(core, held, EntryNews.VALID)


async def confirm_number(core: Core, by: PersonRow, entry_id: int, number: str) -> Outcome:
    """Record the player's membership number, found by an official (§ 6.4.4.1)."""
    async with _ACTIONS.held(core, by, entry_id) as held:
        if not held.row.is_open:
            return EntryRefusal((EntryProblem.OVER,))
        if not number.strip():
            return EntryRefusal((EntryFault.NO_MEMBERSHIP,))
        await entry_rows.change_entry(held.conn, entry_id, member=number.strip())
        return await _ACTIONS.judge_again(core, held, EntryNews.VALID)


_WORDS = (EntryFault.LEAVING.paragraph, NON_MEMBER)
"""By what a word lets somebody in whatever the class."""


async def let_in(
    core: Core,
    by: PersonRow,
    entry_id: int,
    reason: str,
    *,
    for_both: bool = False,
    if_shut: bool = False,
) -> Outcome:
    """Let the player in at discretion (§ 6.5.3.2 e, § 6.5.2.2 f, § 6.1, § 6.2.8).

    The list's leader signs as leader, the controller as controller. For the DM both must, one
    person only once; ``for_both``: the controller who leads the list signs for both. For a
    non-member the controller alone, first. ``if_shut``: refused where nothing is shut to him.
    """
    async with _ACTIONS.held(core, by, entry_id) as held:
        faults = (await judge_stored_entry(held.conn, held.row, today_of(core))).faults
        paragraph = discretion_for(read_wish(held.row.event, held.row.wish), faults)
        known = (await entry_rows.rulings_of(held.conn, [entry_id])).get(entry_id, ())
        mine = [row for row in known if row.by_id == by.id]
        if not held.row.is_open:
            return EntryRefusal((EntryProblem.OVER,))
        if (NON_MEMBER, reason) in {(row.paragraph, row.reason) for row in mine}:
            return held.row  # sent twice: no second word on the class
        if paragraph is None or (if_shut and not _SHUT & set(faults)):
            return EntryRefusal((EntryProblem.NO_DISCRETION,))
        if not reason.strip():
            return EntryRefusal((EntryProblem.NO_REASON,))
        if paragraph == NON_MEMBER and not held.rights.is_kc:
            return EntryRefusal((EntryProblem.NOT_CONTROLLER,))
        office = Signature.BOTH if for_both and held.rights.is_kc else Signature.LEADER
        if paragraph == NON_MEMBER or not held.rights.leads_list(held.of.id):
            office = Signature.CONTROLLER
        own = {row.office for row in mine if row.paragraph == paragraph}
        if own and (office is not Signature.BOTH or office in own):
            return held.row
        ruling = EntryRuling(paragraph, office.value, by.id, reason, core.now_us, by.name)
        await held.conn.run_sync(entry_rows.add_ruling, entry_id, ruling)
        why, news = (paragraph, reason), EntryNews.VALID
        return await judge_entry_again(core, held.conn, held.of, entry_id, news, why)


_SHUT = {
    EntryFault.NOT_OPEN,
    EntryFault.NO_PROOF,
    EntryFault.SECOND_OF_NON_MEMBER,
    EntryFault.LEAVING,
}


async def judge_entry_again(
    core: Core,
    conn: AsyncConnection,
    of: ListRow,
    entry_id: int,
    news: EntryNews,
    why: tuple[str, str] | None = None,
) -> EntryRow:
    """Judge an entry again, tell the player, start a group if one is now full (§ 6.5.1.1)."""
    row = await entry_rows.the_entry(conn, entry_id)
    judged = await judge_stored_entry(conn, row, today_of(core))
    values: dict[str, object] = {"state": judged.state.value}
    is_new = judged.state is EntryState.VALID and row.state != EntryState.VALID
    if is_new:
        values["since_day"] = max(row.entered_day, row.fee_day or row.entered_day)
    row = await entry_rows.change_entry(conn, entry_id, **values)
    await notify_player(core, conn, row, news, judged, why)
    if is_new:
        await start_all(core, conn, of)
    return await entry_rows.the_entry(conn, entry_id)


async def start_by_leader(core: Core, by: PersonRow, list_id: int) -> StartedGroup | EntryRefusal:
    """Start the next group now, at the leader's click; the DM's too. Raises NoSuch, NotAllowed."""
    async with core.store.deciding() as conn:
        of = await lock_list(core, conn, by, list_id)
        return await start_next(core, conn, of)


async def daily(core: Core) -> None:
    """Judge entries again, each list in which one has changed in one transaction.

    Those that wait; and the valid ones of players in whose groups a decision was made since: a
    right may have fallen by it (§ 6.5.3.2, § 6.4.3).
    """
    async with core.store.read() as conn:
        ids = [row.id for row in await entry_rows.everything(conn)]
        rows = await entry_rows.on_lists(conn, ids, _JUDGED)
        again = await find_changed(core, conn, rows)
    changed = {row.list_id for row in rows if row.id in again}
    for list_id in ids:
        if list_id in changed:
            await _judge_list_again(core, list_id)


_JUDGED = [EntryState.WAITING.value, EntryState.VALID.value]


async def _judge_list_again(core: Core, list_id: int) -> None:
    async with core.store.deciding() as conn:
        of = await entry_rows.the_list(conn, list_id, lock=True)
        rows = await entry_rows.on_lists(conn, [list_id], _JUDGED)
        changed = await find_changed(core, conn, rows)
        for row in rows:
            if row.id in changed:
                news = EntryNews.WAITS if row.state == EntryState.VALID else EntryNews.VALID
                await judge_entry_again(core, conn, of, row.id, news, changed[row.id])
