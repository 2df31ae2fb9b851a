"""Entries and fees pasted as lines: whose each is, tried out, then taken (§ 6.4.4.1).

What is taken is entered as on the desk of entries.
"""

import difflib
import hashlib
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any

from kskak.entries.entry import EntryRefusal
from kskak.league.lineups import club_key
from kskak.office.books import ore_of
from kskak.regulation.days import has_been, is_birth
from kskak.values import whole_number
from server.store import entries as entry_rows
from server.store import members as member_rows
from server.store.engine.connection import AsyncConnection
from server.store.entries import COUNTED_STATES, EntryRow, ListRow, TeamEntryRow
from server.store.members import MemberRow
from server.store.play.people import PersonRow
from server.usecases.context import Core, today_of
from server.usecases.entries.entry_actions import record_fee
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, enter, try_out
from server.usecases.register.csv_columns import MEMBERS, Aliases
from server.usecases.register.csv_table import (
    BadCell,
    BadFile,
    CsvLine,
    day,
    fold_name,
    plain,
    read_sheet,
)
from server.usecases.register.member_facts import SIMILAR
from server.usecases.rights import NoSuch, NotAllowed, require_kc
from server.usecases.season import team_entering

# A bank's own file, pasted whole: SWIFT's MT940 and ISO 20022's CAMT.053, as lines of payments.

_TAGGED = re.compile(r"^:61:", re.M)
_ISO = re.compile(r"<(?:\w+:)?BkToCstmrStmt\b")


def _read_statement_file(text: str) -> tuple[CsvLine, ...] | None:
    """The payments of a bank's own file, in its order; None for a table. Raises PasteError."""
    if _TAGGED.search(text):
        found = _mt940(text)
    elif _ISO.search(text):
        found = _camt(text)
    else:
        return None
    try:
        lines = tuple(CsvLine(number, cells) for number, cells in enumerate(found, 1))
    except (ValueError, ArithmeticError, LookupError, SyntaxError) as error:
        raise PasteError("statement") from error
    if len(lines) > MOST_LINES:
        raise PasteError("many")
    return lines


def _kroner(amount: Decimal) -> str:
    return f"{amount:.2f}".replace(".", ",")


def _mt940(text: str) -> Iterator[dict[str, str]]:
    # Few paste such a file, and each start would load what reads it, 5 MB.
    import mt940

    for one in mt940.parse(text):
        data = one.data
        named = (data.get("applicant_name"), data.get("customer_reference"))
        texts = (data.get(name) for name in ("transaction_details", "purpose", "extra_details"))
        yield {
            "day": data["date"].isoformat(),
            "amount": _kroner(data["amount"].amount),
            "party": " ".join(word for word in named if word and word != "NONREF"),
            "text": " ".join(" ".join(filter(None, texts)).split()),
        }


def _camt(text: str) -> Iterator[dict[str, str]]:
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    root = etree.fromstring(text.strip().encode(), parser)
    for entry in root.iterfind(".//{*}Ntry"):
        whole = entry.findtext("{*}Amt")
        parts = entry.findall(".//{*}TxDtls") or [entry]
        for part in parts:
            own = part.findtext("{*}Amt") or part.findtext("{*}AmtDtls/{*}TxAmt/{*}Amt")
            amount = own if len(parts) > 1 else whole or ""
            sign = -1 if entry.findtext("{*}CdtDbtInd") == "DBIT" else 1
            yield {
                "day": _first(entry, "{*}BookgDt/{*}Dt", "{*}BookgDt/{*}DtTm")[:10],
                # Of several booked together without amounts of their own, none is the whole.
                "amount": "" if amount is None else _kroner(sign * Decimal(amount)),
                "party": _first(part, "{*}RltdPties/{*}Dbtr/{*}Nm", "{*}RltdPties/{*}Dbtr//{*}Nm"),
                "text": _all(part, "{*}RmtInf//{*}Ustrd") or _all(entry, "{*}AddtlNtryInf"),
            }


def _first(node: Any, *paths: str) -> str:
    found = (node.findtext(path) for path in paths)
    return next((text for text in found if text), "")


def _all(node: Any, path: str) -> str:
    return " ".join(" ".join(text for one in node.iterfind(path) if (text := one.text)).split())


# Lines pasted from a spreadsheet or a bank's file: which column is which, what a cell says.

MOST_LINES = 300
ENTRIES: Aliases = {
    "number": MEMBERS["number"],
    "name": MEMBERS["name"],
    "first": MEMBERS["first"],
    "middle": MEMBERS["middle"],
    "last": MEMBERS["last"],
    "email": MEMBERS["email"],
    "birth": MEMBERS["birth"],
    "list": ("Liste", "Klasse", "Række", "Turnering", "List", "Class", "Tournament"),
    "paid": ("Betalt", "Indbetalt", "Indskud betalt", "Paid", "Fee paid"),
}
BANK: Aliases = {
    "day": ("Dato", "Bogføringsdato", "Bogført", "Bogført dato", "Date", "Booking date", "Booked"),
    "text": ("Tekst", "Posteringstekst", "Beskrivelse", "Text", "Description"),
    "party": ("Navn", "Name"),
    "sender": ("Afsender", "Indbetaler", "Modpart", "Sender", "Payer"),
    "message": ("Besked", "Meddelelse", "Message"),
    "reference": ("Reference", "Kommentar", "Comment"),
    "amount": ("Beløb", "Beløb i DKK", "Beløb DKK", "Indbetaling", "Amount", "Amount DKK"),
}
FREE_TEXT_COLUMNS = ("text", "party", "sender", "message", "reference")
"""The columns of a bank's file that may name who pays, and what."""
TEAMS: Aliases = {
    "club": ("Klub", "Hold", "Klubnavn", "Club", "Team"),
    "captain": ("Holdleder", "Kaptajn", "Captain"),
    **{f"board{n}": (f"{n}. bræt", f"Bræt {n}", f"Spiller {n}", f"Board {n}") for n in range(1, 5)},
    "paid": ENTRIES["paid"],
}
BOARDS = tuple(name for name in TEAMS if name.startswith("board"))
_NEEDED: dict[str, tuple[tuple[str, ...], ...]] = {
    "teams": (("club",), *((board,) for board in BOARDS)),
    "entries": (("number", "name", "email"),),
    "fees": (("amount",), FREE_TEXT_COLUMNS),
}
_YEAR_FIRST = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})", re.ASCII)
_POINTED = re.compile(r"-?\d+\.\d\d", re.ASCII)
_CURRENCY = re.compile(r"(?i)\b(?:dkk|kr)\b\.?|\s")
_SEPARATORS = "\t;,"


class PasteKind(StrEnum):
    """What pasted lines are."""

    ENTRIES = "entries"
    TEAMS = "teams"
    FEES = "fees"


_COLUMNS = {PasteKind.ENTRIES: ENTRIES, PasteKind.TEAMS: TEAMS, PasteKind.FEES: BANK}


class PastedRowNote(StrEnum):
    """What the reader of a line should know; each has a text."""

    BY_NAME = "by_name"
    UNKNOWN = "unknown"
    SEVERAL = "several"
    OTHER_NAME = "other_name"
    NO_LIST = "no_list"
    TWICE = "twice"
    BAD_DAY = "bad_day"
    FUTURE = "future"
    BAD_AMOUNT = "bad_amount"
    OUTGOING = "outgoing"
    AMOUNT = "amount"
    NO_ENTRY = "no_entry"
    PART_OF_NAME = "part_of_name"
    PAID_THAT_DAY = "paid_that_day"
    CELLS = "cells"
    OWN = "own"
    NO_CLUB = "no_club"
    DONE = "done"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class PastedRowMatch:
    """An entry that a line may be about. ``key`` names it in forms; ``is_sure``: ticked."""

    key: str
    who: str
    of: str
    is_sure: bool


@dataclass(frozen=True, slots=True)
class PastedRow:
    """A line with what was made of it; ``refusal``: why it can't be entered."""

    number: int
    text: str
    matches: tuple[PastedRowMatch, ...] = ()
    notes: tuple[PastedRowNote, ...] = ()
    refusal: EntryRefusal | team_entering.TeamRefused | None = None
    asking: EntryRequest | team_entering.TeamAsking | None = field(default=None, compare=False)
    """What would be entered; None: nothing can."""


@dataclass(frozen=True, slots=True)
class PastedRowOutcome:
    """What became of a tick: a note or refusal, both empty when it was done."""

    number: int
    who: str
    of: str
    note: PastedRowNote | None = None
    refusal: EntryRefusal | team_entering.TeamRefused | None = None

    @property
    def is_done(self) -> bool:
        """Whether it counts now."""
        return self.note is None and self.refusal is None


class PasteError(Exception):
    """The pasted text as a whole can't be used; the text says why in a word."""


def read_pasted(text: str, what: PasteKind) -> tuple[CsvLine, ...]:
    """The lines with named cells. Raises Unreadable: «empty», «columns», «many», «statement»."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise PasteError("empty")
    payments = _read_statement_file(text) if what is PasteKind.FEES else None
    if payments is not None:
        return payments
    aliases = _COLUMNS[what]
    known = {plain(name) for named in aliases.values() for name in named}
    mark = max(_SEPARATORS, key=lines[0].count)
    first = [cell.strip().strip('"') for cell in lines[0].split(mark)]
    if not any(plain(cell) in known for cell in first):
        lines = [mark.join(_columns(first, what, aliases)), *lines]
    try:
        sheet = read_sheet("\n".join(lines).encode(), aliases, _NEEDED[what])
    except BadFile:
        raise PasteError("columns") from None
    if len(sheet.rows) > MOST_LINES:
        raise PasteError("many")
    return sheet.rows


def _columns(cells: Sequence[str], what: PasteKind, aliases: Aliases) -> list[str]:
    """A header for lines without one, from the cells of the first."""
    has_captain = sum(day_in(cell) is None for cell in cells) > len(BOARDS) + 1
    taken = set() if has_captain else {"captain"}
    header = []
    for number, cell in enumerate(cells):
        field = next((f for f in _guesses(cell, what) if f not in taken), "")
        taken.add(field)
        header.append(aliases[field][0] if field else f"?{number}")
    return header


def _guesses(cell: str, what: PasteKind) -> tuple[str, ...]:
    """The fields that a cell may be of, the likeliest first."""
    is_day = day_in(cell) is not None
    if what is PasteKind.FEES:
        if is_day:
            return ("day",)
        return ("amount",) if amount_in(cell) is not None else FREE_TEXT_COLUMNS
    if is_day:
        return ("paid",)
    if what is PasteKind.TEAMS:
        return ("club", "captain", *BOARDS)
    if "@" in cell:
        return ("email",)
    return ("number",) if cell.replace(" ", "").isdigit() else ("name", "list")


def day_in(text: str) -> date | None:
    """A day as spreadsheets write it; None for anything else."""
    try:
        return date.fromisoformat(day(_YEAR_FIRST.sub(r"\1-\2-\3", text.strip())))
    except BadCell:
        return None


def amount_in(text: str) -> int | None:
    """Øre of «1.234,50», «200 kr.», «+200,00» or «200.00»; None for anything else."""
    tidy = _CURRENCY.sub("", text).removeprefix("+").replace("\N{MINUS SIGN}", "-")
    return ore_of(tidy.replace(".", ",") if _POINTED.fullmatch(tidy) else tidy)


def join_cells(cells: Mapping[str, str]) -> str:
    """A line as it is shown."""
    return " · ".join(cell for cell in cells.values() if cell)


def digest(cells: Mapping[str, str]) -> str:
    """What names a line, so that the same one counts once."""
    return hashlib.sha256(join_cells(cells).encode()).hexdigest()[:16]


# Entries pasted as lines: whose each is and for which list, tried out, then taken (§ 6.4.4.1).

_YES = frozenset({"ja", "j", "x", "yes", "y"})


@dataclass(slots=True)
class KnownPeople:
    """Everybody, by what a line may name them by."""

    numbers: dict[str, list[MemberRow]] = field(default_factory=lambda: defaultdict(list))
    emails: dict[str, list[MemberRow]] = field(default_factory=lambda: defaultdict(list))
    names: dict[str, list[MemberRow]] = field(default_factory=lambda: defaultdict(list))

    @staticmethod
    def of(rows: Sequence[MemberRow]) -> "KnownPeople":
        made = KnownPeople()
        for row in rows:
            if row.number:
                made.numbers["".join(row.number.split())].append(row)
            made.emails[row.email.casefold()].append(row)
            made.names[fold_name(row.name)].append(row)
        return made

    def find(self, cells: Mapping[str, str]) -> tuple[MemberRow | None, PastedRowNote | None]:
        """Whose line it is: by number, else address, else name; and what is to be known of it."""
        last, comma, first = cells.get("name", "").partition(",")
        name = f"{first.strip()} {last.strip()}" if comma else last  # «Hansen, Ole»
        number = "".join(cells.get("number", "").split())
        email = cells.get("email", "").casefold()
        for found in (self.numbers.get(number, []), self.emails.get(email, [])):
            if len(found) == 1:
                is_his = not name or _is_like(name, found[0].name)
                return (found[0], None) if is_his else (None, PastedRowNote.OTHER_NAME)
        born = day_in(cells.get("birth", ""))
        births = (None, born.isoformat()) if born else ()  # of whom the line may be
        namesakes = self.names.get(fold_name(name), [])
        alike = [row for row in namesakes if born is None or row.birth in births]
        if len(alike) == 1:
            return alike[0], PastedRowNote.BY_NAME
        return None, PastedRowNote.SEVERAL if alike else PastedRowNote.UNKNOWN

    def find_cell(self, cell: str) -> MemberRow | None:
        """Whom a single cell names: a number, an address or a name; None for nobody or several."""
        name = "email" if "@" in cell else "number" if cell.replace(" ", "").isdigit() else "name"
        return self.find({name: cell})[0]


def _is_like(name: str, other: str) -> bool:
    ratio = difflib.SequenceMatcher(None, fold_name(name), fold_name(other)).ratio()
    return fold_name(name) == fold_name(other) or ratio >= SIMILAR


def _list_of(text: str, lists: Sequence[ListRow], otherwise: ListRow | None) -> ListRow | None:
    """The open list that a cell names: by its name, its groups' or its class; else the chosen."""
    if not text:
        return otherwise
    asked = plain(text)
    for names in (("name",), ("prefix",), ("wish", "tournament")):
        found = [row for row in lists if asked in {plain(str(getattr(row, n))) for n in names}]
        if len(found) == 1:
            return found[0]
    return None


async def preview_entries(
    core: Core, by: PersonRow, text: str, list_id: int | None
) -> tuple[PastedRow, ...]:
    """What the lines would come to. Raises Unreadable, NotAllowed."""
    async with core.store.read() as conn:
        await require_kc(conn, by, core.now_us)
        known = KnownPeople.of(await member_rows.everybody(conn))
        lists = await entry_rows.everything(conn, only_open=True)
    chosen = next((row for row in lists if row.id == list_id), None)
    found, seen = list[PastedRow](), set[str]()
    for row in read_pasted(text, PasteKind.ENTRIES):
        of = _list_of(row.cells.get("list", ""), lists, chosen)
        line = await _line(core, by, row, known, of)
        keys = {match.key for match in line.matches}
        if keys & seen:
            line = PastedRow(row.number, join_cells(row.cells), notes=(PastedRowNote.TWICE,))
        seen |= keys
        found.append(line)
    return tuple(found)


async def _line(
    core: Core, by: PersonRow, row: CsvLine, known: KnownPeople, of: ListRow | None
) -> PastedRow:
    if row.problem is not None:
        return PastedRow(row.number, "", notes=(PastedRowNote.CELLS,))
    text = join_cells(row.cells)
    person, note = known.find(row.cells)
    notes = [] if note is None else [note]
    paid = read_payment_day(row.cells.get("paid", ""), today_of(core))
    if isinstance(paid, PastedRowNote):
        return PastedRow(row.number, text, notes=(*notes, paid))
    if of is None:
        notes.append(PastedRowNote.NO_LIST)
    if person is None or of is None:
        return PastedRow(row.number, text, notes=tuple(notes))
    key = f"paste.{of.id}.{digest(row.cells)}"
    asking = EntryRequest(
        of.id, _read_statement(core, row.cells, person), person.id, fee=paid, key=key
    )
    try:
        tried = await try_out(core, by, asking)
    except NotAllowed:
        return PastedRow(row.number, text, notes=(*notes, PastedRowNote.OWN))
    if isinstance(tried, EntryRow):
        return PastedRow(row.number, text, notes=(*notes, PastedRowNote.DONE))
    if isinstance(tried, EntryRefusal):
        return PastedRow(row.number, text, notes=tuple(notes), refusal=tried)
    match = PastedRowMatch(f"{person.id}.{of.id}", person.name, of.name, is_sure=True)
    return PastedRow(row.number, text, (match,), tuple(notes), asking=asking)


def read_payment_day(text: str, today: date) -> date | PastedRowNote | None:
    """The day the fee came; «ja» is today; None: it has not come."""
    if not text or text.casefold() in ("nej", "no"):
        return None
    day = today if text.casefold() in _YES else day_in(text)
    if day is None:
        return PastedRowNote.BAD_DAY
    return day if day <= today else PastedRowNote.FUTURE


def _read_statement(core: Core, cells: Mapping[str, str], person: MemberRow) -> EntryStatement:
    """What the line says that the register does not."""
    born = day_in(cells.get("birth", ""))
    fits = born is not None and person.birth is None and is_birth(born, today_of(core))
    number = "".join(cells.get("number", "").split())
    is_new = not person.number and 0 < len(number) <= LONGEST_NUMBER
    return EntryStatement(member=number if is_new else None, born=born if fits else None)


LONGEST_NUMBER = 40


async def take_ticked(
    rows: Sequence[PastedRow],
    ticked: Collection[str],
    take: Callable[[PastedRow, PastedRowMatch], Awaitable[PastedRowOutcome]],
) -> tuple[PastedRowOutcome, ...]:
    """Deal with the ticked matches («line.match»), each by itself; what is gone is stale."""
    taken, left = [], set(ticked)
    for row in rows:
        for match in row.matches:
            if (name := f"{row.number}.{match.key}") in left:
                left.discard(name)
                taken.append(await take(row, match))
    named = (whole_number(name.partition(".")[0]) for name in left)
    gone = sorted(number for number in named if number is not None)
    stale = (PastedRowOutcome(number, "", "", PastedRowNote.STALE) for number in gone)
    return (*taken, *stale)


async def take_entries(
    core: Core, by: PersonRow, rows: Sequence[PastedRow], ticked: Collection[str]
) -> tuple[PastedRowOutcome, ...]:
    """Enter the ticked matches of players or teams, each by itself. Raises NotAllowed."""

    async def take(row: PastedRow, match: PastedRowMatch) -> PastedRowOutcome:
        asking = row.asking
        assert asking is not None, "a line with a match can be entered"
        try:
            if isinstance(asking, team_entering.TeamAsking):
                done: object = await team_entering.enter_team(core, by, asking)
            else:
                done = await enter(core, by, asking)
        except (NoSuch, NotAllowed):
            return PastedRowOutcome(row.number, match.who, match.of, PastedRowNote.STALE)
        refusal = done if isinstance(done, EntryRefusal | team_entering.TeamRefused) else None
        return PastedRowOutcome(row.number, match.who, match.of, refusal=refusal)

    return await take_ticked(rows, ticked, take)


# What is taken is recorded as on the desk, player's or team's (§ 6.4.4.1, § 6.7.4.1). Readings:
# only the list's own fee is sure, or one payment for all of a player's; a player with a fee of that
# day already may have sent the same line twice.

PLAYER, TEAM = "e", "t"
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

    def holds(self, name: str) -> bool:
        """Whether the line has all the words of a name."""
        return set(_WORD.findall(fold_name(name))) <= set(self.words)

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
    """The entries of players and of the season's teams that lack their fee."""
    lists = {row.id: row for row in await entry_rows.everything(conn)}
    players = await entry_rows.on_lists(conn, None, COUNTED_STATES)
    people = await member_rows.by_ids(conn, {row.person_id for row in players})
    season = await team_entering.season_of(conn, today_of(core))
    teams = () if season is None else await entry_rows.list_season_entries(conn, season.year)
    rows: list[tuple[str, object, str, EntryRow | TeamEntryRow]] = []
    for player in players:
        number = "".join((people[player.person_id].number or player.member or "").split())
        rows.append((f"{PLAYER}{player.id}", player.person_id, number.casefold(), player))
    rows += [(f"{TEAM}{team.id}", club_key(team.club), "", team) for team in teams]
    days: dict[object, set[str]] = {}
    for _, who, _, row in rows:
        days.setdefault(who, set()).update([row.fee_day] if row.fee_day else [])
    return tuple(
        _Unpaid(key, row.party, number, lists[row.list_id], frozenset(days[who]))
        for key, who, number, row in rows
        if row.is_open and row.fee_day is None
    )


def _payment(row: CsvLine, today: date) -> _Payment | PastedRow:
    """The line as a payment, or why it is none."""
    text, cells = join_cells(row.cells), row.cells
    written = cells.get("day", "")
    day, ore = day_in(written) if written else today, amount_in(cells.get("amount", ""))
    note: PastedRowNote | None = None
    if row.problem is not None:
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
    text_cells = " ".join(cells.get(name, "") for name in FREE_TEXT_COLUMNS)
    return _Payment(row, day, ore, tuple(_WORD.findall(fold_name(text_cells))))


def _match_payment(paid: _Payment, unpaid: Sequence[_Unpaid], seen: Collection[str]) -> PastedRow:
    """The entries that a payment may be for; sure when names and amount leave no doubt."""
    named = [(one, how) for one in unpaid if (how := paid.names(one))]
    whole = [one for one, how in named if how is True]
    found = whole or [one for one, _ in named]
    notes = [] if whole or not found else [PastedRowNote.PART_OF_NAME]
    fitting = [one for one in found if one.of.fee == paid.ore] or found
    # Whether the line names the list, by its name or its groups'.
    named_in = [one for one in fitting if any(map(paid.holds, (one.of.name, one.of.prefix)))]
    fitting = named_in or fitting
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
                team = await team_entering.record_team_fee(core, by, number, on)
                note = PastedRowNote.STALE if isinstance(team, team_entering.TeamRefused) else None
            else:
                done = await record_fee(core, by, number, on)
                refusal = done if isinstance(done, EntryRefusal) else None
        except NotAllowed:
            note = PastedRowNote.OWN
        except NoSuch:
            note = PastedRowNote.STALE
        return PastedRowOutcome(row.number, match.who, match.of, note, refusal)

    return await take_ticked(await preview_fees(core, by, text), ticked, take)
