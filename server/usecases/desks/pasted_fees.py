"""A bank's lines against entries that lack their fee: by member number or name, and by amount.

What is taken is recorded as on the desk, player's or team's (§ 6.4.4.1, § 6.7.4.1). Readings: only
the list's own fee is sure, or one payment for all of a player's; a player with a fee of that day
already may have sent the same line twice. Not for entries (pasted_entries.py).
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from kskak.entries.entry import EntryRefusal
from kskak.league.lineups import club_key
from kskak.regulation.days import has_been
from server.store import members as member_rows
from server.store import player_entries as entry_rows
from server.store import team_entries as team_rows
from server.store.engine.connection import AsyncConnection
from server.store.play.people import PersonRow
from server.store.player_entries import OPEN_STATES, ListRow
from server.usecases.context import Core, today_of
from server.usecases.desks.pasted_entries import (
    FREE_TEXT_COLUMNS,
    PastedRow,
    PastedRowMatch,
    PastedRowNote,
    PastedRowOutcome,
    PasteKind,
    amount_in,
    day_in,
    join_cells,
    read_pasted,
    take_ticked,
)
from server.usecases.entries.entry_actions import record_fee
from server.usecases.register.csv_table import CsvLine, fold_name
from server.usecases.rights import NoSuch, NotAllowed, require_kc
from server.usecases.season.team_entering import TeamRefused, record_team_fee
from server.usecases.season.team_judging import season_of

PLAYER, TEAM = "e", "t"
_PAID_STATES = (*OPEN_STATES, "placed")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Unpaid:
    """An entry that lacks its fee; ``paid_on``: days on which the same party paid another."""

    key: str
    party: str
    number: str
    of: ListRow
    paid_on: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Payment:
    """What a bank's line says."""

    row: CsvLine
    day: date
    ore: int
    words: tuple[str, ...]

    def names(self, one: _Unpaid) -> PastedRowNote | bool:
        """Whether the line is about a party: by number, by the whole name, or by part of it."""
        if one.number and one.number in self.words:
            return True
        named = tuple(_WORD.findall(fold_name(one.party)))
        if named and set(named) <= set(self.words):
            return True
        ends = {named[0], named[-1]} if len(named) > 2 and one.key.startswith(PLAYER) else None
        return PastedRowNote.PART_OF_NAME if ends and ends <= set(self.words) else False


async def preview_fees(core: Core, by: PersonRow, text: str) -> tuple[PastedRow, ...]:
    """What the lines would pay. Raises Unreadable, NotAllowed."""
    async with core.store.read() as conn:
        await require_kc(conn, by, core.now_us)
        unpaid = await _unpaid(core, conn)
    found, seen = list[PastedRow](), set[str]()
    for row in read_pasted(text, PasteKind.FEES):
        paid = _payment(row, today_of(core))
        shown_row = paid if isinstance(paid, PastedRow) else _match_payment(paid, unpaid, seen)
        seen |= {match.key for match in shown_row.matches if match.is_sure}
        found.append(shown_row)
    return tuple(found)


async def _unpaid(core: Core, conn: AsyncConnection) -> tuple[_Unpaid, ...]:
    lists = {row.id: row for row in await entry_rows.everything(conn)}
    rows = await entry_rows.on_lists(conn, None, _PAID_STATES)
    people = await member_rows.by_ids(conn, {row.person_id for row in rows})
    days: dict[int, set[str]] = {}
    for row in rows:
        if row.fee_day is not None:
            days.setdefault(row.person_id, set()).add(row.fee_day)
    found = []
    for row in rows:
        if row.fee_day is None and row.state in OPEN_STATES:
            number = "".join((people[row.person_id].number or row.member or "").split()).casefold()
            paid = frozenset(days.get(row.person_id, ()))
            key = f"{PLAYER}{row.id}"
            found.append(_Unpaid(key, row.player, number, lists[row.list_id], paid))
    return (*found, *await _unpaid_teams(core, conn, lists))


async def _unpaid_teams(
    core: Core, conn: AsyncConnection, lists: dict[int, ListRow]
) -> list[_Unpaid]:
    season = await season_of(conn, today_of(core))
    rows = [] if season is None else await team_rows.list_season_entries(conn, season.year)
    days: dict[str, set[str]] = {}
    for row in rows:
        if row.fee_day is not None:
            days.setdefault(club_key(row.club), set()).add(row.fee_day)
    return [
        _Unpaid(
            f"{TEAM}{row.id}",
            row.club,
            "",
            lists[row.list_id],
            frozenset(days.get(club_key(row.club), ())),
        )
        for row in rows
        if row.fee_day is None and row.state in OPEN_STATES
    ]


def _payment(row: CsvLine, today: date) -> _Payment | PastedRow:
    """The line as a payment, or why it is none."""
    text, cells = join_cells(row.cells), row.cells
    written = cells.get("day", "")
    day, ore = day_in(written) if written else today, amount_in(cells.get("amount", ""))
    note: PastedRowNote | None = None
    if row.slip is not None:
        note = PastedRowNote.CELLS
    elif ore is None:
        note = PastedRowNote.BAD_AMOUNT
    elif ore <= 0:
        note = PastedRowNote.OUTGOING
    elif day is None:
        note = PastedRowNote.BAD_DAY
    elif not has_been(day, today):
        note = PastedRowNote.FUTURE
    if note is not None or day is None or ore is None:
        return PastedRow(row.number, text, notes=() if note is None else (note,))
    said = " ".join(cells.get(name, "") for name in FREE_TEXT_COLUMNS)
    return _Payment(row, day, ore, tuple(_WORD.findall(fold_name(said))))


def _match_payment(paid: _Payment, unpaid: Sequence[_Unpaid], seen: Collection[str]) -> PastedRow:
    """The entries that a payment may be for; sure when names and amount leave no doubt."""
    named = [(one, said) for one in unpaid if (said := paid.names(one))]
    whole = [one for one, said in named if said is True]
    found = whole or [one for one, _ in named]
    notes = [] if whole or not found else [PastedRowNote.PART_OF_NAME]
    fitting = [one for one in found if one.of.fee == paid.ore] or found
    fitting = [one for one in fitting if _names_list(paid, one)] or fitting
    whole_fee = sum(one.of.fee or 0 for one in found)
    is_sum = len({one.party for one in found}) == 1 and whole_fee == paid.ore
    chosen = found if is_sum else fitting
    if not chosen:
        notes.append(PastedRowNote.NO_ENTRY)
    if len(chosen) > 1 and not is_sum:
        notes.append(PastedRowNote.SEVERAL)
    if chosen and not is_sum and any(one.of.fee != paid.ore for one in chosen):
        notes.append(PastedRowNote.AMOUNT)
    if any(paid.day.isoformat() in one.paid_on for one in chosen):
        notes.append(PastedRowNote.PAID_THAT_DAY)
    if any(one.key in seen for one in chosen):
        notes.append(PastedRowNote.TWICE)
    matches = tuple(PastedRowMatch(one.key, one.party, one.of.name, not notes) for one in chosen)
    return PastedRow(paid.row.number, join_cells(paid.row.cells), matches, tuple(notes))


def _names_list(paid: _Payment, one: _Unpaid) -> bool:
    """Whether the line names the list, by its name or its groups'."""
    names = (one.of.name, one.of.prefix)
    return any(set(_WORD.findall(fold_name(name))) <= set(paid.words) for name in names)


async def take_fees(
    core: Core, by: PersonRow, text: str, ticked: Collection[str]
) -> tuple[PastedRowOutcome, ...]:
    """Record the ticked fees («line.entry»), each by itself. Raises as fees_shown."""
    days = {row.number: row.cells.get("day", "") for row in read_pasted(text, PasteKind.FEES)}

    async def take(row: PastedRow, match: PastedRowMatch) -> PastedRowOutcome:
        number, on = int(match.key[1:]), day_in(days[row.number]) or today_of(core)
        note, refusal = None, None
        try:
            if match.key.startswith(TEAM):
                team = await record_team_fee(core, by, number, on)
                note = PastedRowNote.STALE if isinstance(team, TeamRefused) else None
            else:
                done = await record_fee(core, by, number, on)
                refusal = done if isinstance(done, EntryRefusal) else None
        except NotAllowed:
            note = PastedRowNote.OWN
        except NoSuch:
            note = PastedRowNote.STALE
        return PastedRowOutcome(row.number, match.who, match.of, note, refusal)

    return await take_ticked(await preview_fees(core, by, text), ticked, take)
