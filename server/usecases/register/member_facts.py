"""A person's data after a line or a form is applied: facts, membership, ratings.

One rule for files and for the desk's form. Not for recognising whom it is about (below).
"""

import difflib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from kskak.regulation.days import is_birth
from kskak.regulation.editions import Regulation
from mail.game_letters.card_letters import AddressChanged
from mail.office_letters.service_letters import AddressReplaced
from mail.text.catalogue import DEFAULT_LANGUAGE
from server.store.account import sign_in as access
from server.store.engine.connection import AsyncConnection
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.members import OF_CLUB, ClubRow, MemberKind, MemberRow, RatingKind, RatingRow
from server.store.play import game_lists
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.register import NO_MAIL
from server.usecases.context import Core, poster_of
from server.usecases.games.outbox_letters import Poster
from server.usecases.letter_facts import Params, loads, official
from server.usecases.register.csv_table import (
    FieldChange,
    ImportProblem,
    ParsedRegisterLine,
    Value,
    fold_name,
    normalize_line,
    token,
)

# The register's contents at an import, indexed for recognising whom a line is about.

SIMILAR = 0.75
"""How alike two names for one number must be, when no birth date says it is one person."""


class People:
    """Everybody, found by number, name and birth date, or address."""

    def __init__(self, rows: Iterable[MemberRow]) -> None:
        self.by_number: dict[str, list[MemberRow]] = defaultdict(list)
        self.by_email: dict[str, MemberRow] = {}
        self._by_birth: dict[tuple[str, str], list[MemberRow]] = defaultdict(list)
        for row in rows:
            self.by_email[row.email] = row
            if row.number:
                self.by_number["".join(row.number.split())].append(row)
            if row.birth:
                self._by_birth[fold_name(row.name), row.birth].append(row)

    def recognise(self, line: ParsedRegisterLine, name: str) -> MemberRow | ImportProblem | None:
        """Whom a line is about; None: nobody yet. A problem when that is not certain."""
        number, birth = line.text("number"), line.text("birth")
        if number is not None and (found := self.by_number.get(number)):
            if len(found) > 1:
                return ImportProblem("ambiguous", "number", number, name_members(found))
            return _same(found[0], name, number, birth)
        if birth is not None and name:
            found = self._by_birth.get((fold_name(name), birth), [])
            if len(found) > 1:
                return ImportProblem("ambiguous", "name", name, name_members(found))
            if found:
                return _numbered(found[0], number)
        known = self.by_email.get(line.text("email") or "")
        is_bare = known is not None and not known.number and not known.birth
        if known is not None and is_bare and fold_name(known.name) == fold_name(name):
            return known
        if number is None and birth is None:
            return ImportProblem("unrecognisable", "name", name)
        return None


def name_members(found: Iterable[MemberRow]) -> str:
    """Members by name and number, as a hint whom a line may mean."""
    return "; ".join(f"{row.name} ({row.number or '–'})" for row in found)


def _same(row: MemberRow, name: str, number: str, birth: str | None) -> MemberRow | ImportProblem:
    """A number's owner, unless the line's name and birth date are another's."""
    if not name or fold_name(name) == fold_name(row.name):
        return row
    if birth is not None and row.birth is not None:
        is_same = birth == row.birth
        return row if is_same else ImportProblem("other_birth", "number", number, row.name)
    match = difflib.SequenceMatcher(None, fold_name(name), fold_name(row.name))
    if match.ratio() >= SIMILAR:
        return row
    return ImportProblem("other_person", "number", number, row.name)


def _numbered(row: MemberRow, number: str | None) -> MemberRow | ImportProblem:
    """The person with this name and birth date, unless registered with another number."""
    if number is None or not row.number or number == "".join(row.number.split()):
        return row
    return ImportProblem("other_number", "number", number, row.number)


class Clubs:
    """The clubs, by number and by name; the main districts' ids by name."""

    def __init__(self, rows: Iterable[ClubRow], districts: dict[str, int]) -> None:
        self.districts = districts
        self.named = {fold_name(row.name): row for row in rows}
        self.numbered = {row.number: row for row in self.named.values() if row.number}
        self.folded_districts = {fold_name(name): name for name in districts}

    def find(self, text: str) -> ClubRow | ImportProblem:
        """A club by its name or number; the problem names the nearest."""
        found = self.named.get(fold_name(text)) or self.numbered.get(text)
        if found is not None:
            return found
        near = difflib.get_close_matches(fold_name(text), self.named, 1, 0.6)
        return ImportProblem("unknown_club", "club", text, self.named[near[0]].name if near else "")

    def district(self, text: str) -> str | ImportProblem:
        """A main district's name as it is stored; the problem names the nearest."""
        found = self.folded_districts.get(fold_name(text))
        if found is not None:
            return found
        near = difflib.get_close_matches(fold_name(text), self.folded_districts, 1, 0.6)
        hint = self.folded_districts[near[0]] if near else ""
        return ImportProblem("unknown_district", "district", text, hint)


class KnownRatings:
    """The ratings in force, and those of the days that a file concerns."""

    def __init__(self, latest: Iterable[RatingRow], dated: Iterable[RatingRow]) -> None:
        self.latest = {(row.person_id, row.kind): row for row in latest}
        rows = (*dated, *self.latest.values())
        self.dated = {(row.person_id, row.kind, row.on_day): row for row in rows}


# A person's data after a line or a form is applied: facts, membership, ratings.

FACTS = ("number", "name", "email", "birth", "kind", "club", "district", "citizen", "since",
         "until", "arrears", "lang")  # fmt: skip
RATED = {
    RatingKind.K: ("k_rating", "k_status", "k_date", "k_source"),
    RatingKind.OTB: ("rating", "", "rating_date", "rating_source"),
}
"""The columns of a rating in the members' file: value, status, day, source."""


def has_mail(email: str) -> bool:
    """Whether somebody has given an address that letters can go to."""
    return not email.endswith(".invalid")


def read_member_facts(row: MemberRow | None) -> dict[str, Value]:
    """What the register says of a person now."""
    if row is None:
        return dict.fromkeys(FACTS)
    facts = {name: getattr(row, name) for name in FACTS}
    return facts | {"email": row.email if has_mail(row.email) else None}


def _kind(values: dict[str, Value], stated: Mapping[str, Value]) -> None:
    """Infer the membership from the club where it is not stated, and the club from it."""
    if "kind" not in stated:
        if stated.get("club"):
            values["kind"] = MemberKind.CLUB.value
        elif values["kind"] is None or ("club" in stated and values["kind"] == MemberKind.CLUB):
            values["kind"] = MemberKind.INDIVIDUAL.value
    if values["kind"] not in (*OF_CLUB, MemberKind.HONORARY) and not stated.get("club"):
        values["club"] = None
    if values["kind"] in (*OF_CLUB, MemberKind.NONE) and not stated.get("district"):
        values["district"] = None


def _placed(values: dict[str, Value], clubs: Clubs) -> list[ImportProblem]:
    """Set club and main district as they are stored; return what is wrong with them (§ 6.7.3)."""
    club, district = values["club"], values["district"]
    problems: list[ImportProblem] = []
    if isinstance(district, str):
        named = clubs.district(district)
        if isinstance(named, ImportProblem):
            problems.append(named)
        else:
            values["district"] = named
    if values["kind"] in OF_CLUB or (club and values["kind"] == MemberKind.HONORARY):
        found = clubs.find(club) if isinstance(club, str) else ImportProblem("no_club", "club")
        if isinstance(found, ImportProblem):
            return [*problems, found]
        values["club"] = found.name
        if not problems and values["district"] not in (None, found.district):
            problems.append(
                ImportProblem("club_district", "district", str(district), found.district or "–")
            )
        values["district"] = None
    elif isinstance(club, str):
        problems.append(ImportProblem("club_too_many", "club", club))
    if values["kind"] == MemberKind.NONE:
        values["district"] = None
    return problems


def new_facts(
    row: MemberRow | None, stated: Mapping[str, Value], clubs: Clubs
) -> tuple[dict[str, Value], list[ImportProblem]]:
    """A person's facts with the stated ones applied, and what is wrong with the result."""
    now = read_member_facts(row)
    values = now | {name: stated[name] for name in FACTS if name in stated}
    for name in ("name", "club", "district"):
        before, after = now[name], values[name]
        if isinstance(before, str) and normalize_line(before) == after:
            values[name] = before  # spaces that a file can't carry are no change
    if isinstance(now["number"], str) and "".join(now["number"].split()) == values["number"]:
        values["number"] = now["number"]
    _kind(values, stated)
    values["lang"] = values["lang"] or DEFAULT_LANGUAGE
    problems = _placed(values, clubs)
    if not values["name"]:
        problems.append(ImportProblem("no_name", "name"))
    since, until = values["since"], values["until"]
    if isinstance(since, str) and isinstance(until, str) and until < since:
        problems.append(ImportProblem("days_crossed", "until", until, since))
    return values, problems


def changes_between(
    before: Mapping[str, Value], after: Mapping[str, Value]
) -> tuple[FieldChange, ...]:
    """The fields that differ, in the order of the first."""
    return tuple(
        FieldChange(name, token(was, name), token(after[name], name))
        for name, was in before.items()
        if was != after[name]
    )


def read_rating_facts(kind: RatingKind, row: RatingRow | None) -> dict[str, Value]:
    """A rating's value, status, day and source by the names of the members' file."""
    values: tuple[Value, ...] = (None, None, None, None)
    if row is not None:
        values = (row.value, row.is_provisional, row.on_day, row.source)
    return {name: value for name, value in zip(RATED[kind], values, strict=True) if name}


@dataclass(frozen=True, slots=True)
class RatingUpdate:
    """A rating to store, and what that changes from the one before, if there was one."""

    row: RatingRow
    changes: tuple[FieldChange, ...]


def build_rating_update(
    person: tuple[int, Value], kind: RatingKind, stated: Mapping[str, Value], ratings: KnownRatings,
    today: str, reason: str,
) -> RatingUpdate | ImportProblem | None:  # fmt: skip
    """The rating that a line gives ``person`` (id and birth date); None for nothing new.

    Without a day it is a change from today on, unless the rating in force says the same (§ 6.4.4).
    Nobody is rated before being born, nor before anybody alive was born.
    """
    person_id, birth = person
    value_name, status_name, day_name, source_name = RATED[kind]
    value, day = stated.get(value_name), stated.get(day_name)
    if not isinstance(value, int):
        others = (status_name, day_name, source_name)
        given = next((name for name in others if stated.get(name) is not None), None)
        return None if given is None else ImportProblem("no_rating", value_name, "", given)
    if isinstance(day, str) and _is_before_birth(day, birth, today):
        return ImportProblem("before_birth", day_name, day, birth if isinstance(birth, str) else "")
    latest = ratings.latest.get((person_id, kind.value))
    at = latest
    if isinstance(day, str):
        at = ratings.dated.get((person_id, kind.value, day))
    status, source = stated.get(status_name), stated.get(source_name)
    provisional = bool(latest and latest.is_provisional) if status is None else bool(status)
    if at is not None and _says(at, value, status, source):
        return None
    before = at or latest
    kept = source if isinstance(source, str) else reason
    when = day if isinstance(day, str) else today
    made = RatingRow(person_id, kind.value, when, value, provisional, kept)
    was, now = (read_rating_facts(kind, row) for row in (before, made))
    return RatingUpdate(made, changes_between(was, now))


def _is_before_birth(day: str, birth: Value, today: str) -> bool:
    """Whether an ISO day lies before a person's birth; if unknown, before that of all alive."""
    if isinstance(birth, str):
        return day < birth
    return not is_birth(date.fromisoformat(day), date.fromisoformat(today))


def _says(at: RatingRow, value: int, status: Value, source: Value) -> bool:
    """Whether a stored rating says all that a line says."""
    return (
        at.value == value
        and (status is None or at.is_provisional == status)
        and (source is None or normalize_line(at.source) == source)
    )


def address_of(email: Value, fresh: str) -> str:
    """The address to store: an undeliverable one where none is given."""
    return email if isinstance(email, str) else f"{fresh}@{NO_MAIL}"


# A player's changed e-mail address: who is told of it (§ 6.8.5).


@dataclass(frozen=True, slots=True)
class EmailChange:
    """A person whose e-mail address has changed; either one may be undeliverable."""

    person_id: int
    old: str
    new: str


async def write_address_letters(
    conn: AsyncConnection, core: Core, moved: Sequence[EmailChange], *, ends_access: bool = False
) -> None:
    """Write the letters about changed addresses, in the transaction that changes them.

    ``ends_access``: those concerned are signed out everywhere.
    """
    if not moved:
        return
    concerned = {one.person_id for one in moved}
    officials = concerned & await person_rows.in_office(conn, core.now_us)
    await access.end_links(conn, concerned)
    await access.end_all(conn, concerned if ends_access else officials)
    poster = poster_of(core)
    known = {one.person_id for one in moved if has_mail(one.new)}
    running = await game_lists.running_of(conn, known)
    letters = [_warning(poster, one) for one in moved if has_mail(one.old)]
    for person_id in sorted(known):
        played = (game for game in running if game.side_of(person_id) is not None)
        letters += _news(poster, person_id, played)
    await outbox_rows.enqueue(conn, letters)


def _warning(poster: Poster, one: EmailChange) -> NewOutbox:
    """A warning to the old address, which does not reveal the new one."""
    unique = f"{one.person_id}.{poster.now_us}"
    letter = poster.to_person(AddressReplaced, one.person_id, unique, {})
    return replace(letter, to_addr=one.old)


def _news(poster: Poster, person_id: int, played: Iterable[GameRow]) -> list[NewOutbox]:
    """One letter to each opponent and to each leader; the address is looked up when it is sent."""
    letters: dict[int, NewOutbox] = {}
    for game in played:
        mine = game.side_of(person_id)
        by_mail = game.regulation == Regulation.EMAIL or game.state().means.is_agreed
        if mine is None or not by_mail:
            continue
        at, params = (game.seq, game.ply), {"by": mine.value, "is_email": True}
        for side, reader in ((mine.other, game.person_of(mine.other)), (None, game.tl_id)):
            unique = f"email.{poster.now_us}"
            letter = poster.about_game(AddressChanged, game, side, at, dict(params), unique)
            if reader != person_id:
                letters.setdefault(reader, letter)
    return list(letters.values())


@loads(AddressReplaced)
async def _address_warning(core: Core, reader: PersonRow, _: Params) -> AddressReplaced:
    return AddressReplaced(reader.name, official(core))
