"""A person's data after a line or a form is applied: facts, membership, ratings.

One rule for files and for the desk's form. Not for recognising whom it is about (known.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from kskak.regulation.days import is_birth
from mail.text.languages import DEFAULT_LANGUAGE
from server.store.register.members import MemberKind, MemberRow, RatingKind, RatingRow
from server.store.register.writing import NO_MAIL
from server.usecases.register.cells import line_text
from server.usecases.register.known import Clubs, Ratings
from server.usecases.register.reading import Value, token
from server.usecases.register.report import Change, Slip

FACTS = ("number", "name", "email", "birth", "kind", "club", "district", "citizen", "since",
         "until", "lang")  # fmt: skip
RATED = {
    RatingKind.K: ("k_rating", "k_status", "k_date", "k_source"),
    RatingKind.OTB: ("rating", "", "rating_date", "rating_source"),
}
"""The columns of a rating in the members' file: value, status, day, source."""


def has_mail(email: str) -> bool:
    """Whether somebody has given an address that letters can go to."""
    return not email.endswith(".invalid")


def facts_of(row: MemberRow | None) -> dict[str, Value]:
    """What the register says of a person now."""
    if row is None:
        return dict.fromkeys(FACTS)
    return {
        "number": row.number,
        "name": row.name,
        "email": row.email if has_mail(row.email) else None,
        "birth": row.birth,
        "kind": row.kind,
        "club": row.club,
        "district": row.district,
        "citizen": row.citizen,
        "since": row.since,
        "until": row.until,
        "lang": row.lang,
    }


def _kind(values: dict[str, Value], stated: Mapping[str, Value]) -> None:
    """Infer the membership from the club where it is not stated, and the club from it."""
    if "kind" not in stated:
        if stated.get("club"):
            values["kind"] = MemberKind.CLUB.value
        elif values["kind"] is None or ("club" in stated and values["kind"] == MemberKind.CLUB):
            values["kind"] = MemberKind.INDIVIDUAL.value
    if values["kind"] != MemberKind.CLUB and not stated.get("club"):
        values["club"] = None
    if values["kind"] != MemberKind.INDIVIDUAL and not stated.get("district"):
        values["district"] = None


def _placed(values: dict[str, Value], clubs: Clubs) -> list[Slip]:
    """Set club and main district as they are stored; return what is wrong with them (§ 6.7.3)."""
    club, district = values["club"], values["district"]
    slips: list[Slip] = []
    if isinstance(district, str):
        named = clubs.district(district)
        if isinstance(named, Slip):
            slips.append(named)
        else:
            values["district"] = named
    if values["kind"] == MemberKind.CLUB:
        found = clubs.find(club) if isinstance(club, str) else Slip("no_club", "club")
        if isinstance(found, Slip):
            return [*slips, found]
        values["club"] = found.name
        if not slips and values["district"] not in (None, found.district):
            slips.append(Slip("club_district", "district", str(district), found.district or "–"))
        values["district"] = None
    elif isinstance(club, str):
        slips.append(Slip("club_too_many", "club", club))
    if values["kind"] == MemberKind.NONE:
        values["district"] = None
    return slips


def new_facts(
    row: MemberRow | None, stated: Mapping[str, Value], clubs: Clubs
) -> tuple[dict[str, Value], list[Slip]]:
    """A person's facts with the stated ones applied, and what is wrong with the result."""
    now = facts_of(row)
    values = now | {name: stated[name] for name in FACTS if name in stated}
    for name in ("name", "club", "district"):
        before, after = now[name], values[name]
        if isinstance(before, str) and line_text(before) == after:
            values[name] = before  # spaces that a file can't carry are no change
    if isinstance(now["number"], str) and "".join(now["number"].split()) == values["number"]:
        values["number"] = now["number"]
    _kind(values, stated)
    values["lang"] = values["lang"] or DEFAULT_LANGUAGE
    slips = _placed(values, clubs)
    if not values["name"]:
        slips.append(Slip("no_name", "name"))
    since, until = values["since"], values["until"]
    if isinstance(since, str) and isinstance(until, str) and until < since:
        slips.append(Slip("days_crossed", "until", until, since))
    return values, slips


def changes_between(before: Mapping[str, Value], after: Mapping[str, Value]) -> tuple[Change, ...]:
    """The fields that differ."""
    return tuple(
        Change(name, token(before[name], name), token(after[name], name))
        for name in FACTS
        if before[name] != after[name]
    )


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating to store, and what that changes from the one before, if there was one."""

    kind: RatingKind
    day: str
    value: int
    is_provisional: bool
    source: str
    changes: tuple[Change, ...]


def rated(
    person: tuple[int, Value], kind: RatingKind, stated: Mapping[str, Value], ratings: Ratings,
    today: str, reason: str,
) -> Rated | Slip | None:  # fmt: skip
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
        return None if given is None else Slip("no_rating", value_name, "", given)
    if isinstance(day, str) and _is_before_birth(day, birth, today):
        return Slip("before_birth", day_name, day, birth if isinstance(birth, str) else "")
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
    names = (value_name, status_name, day_name, source_name)
    made = RatingRow(person_id, kind.value, when, value, provisional, kept)
    return Rated(kind, when, value, provisional, kept, _rating_changes(before, made, names))


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
        and (source is None or line_text(at.source) == source)
    )


def _rating_changes(
    before: RatingRow | None, after: RatingRow, names: tuple[str, ...]
) -> tuple[Change, ...]:
    """Those of value, status, day and source that differ."""

    def seen(row: RatingRow | None) -> tuple[Value, ...]:
        if row is None:
            return (None, None, None, None)
        return (row.value, row.is_provisional, row.on_day, row.source)

    found = zip(names, seen(before), seen(after), strict=True)
    return tuple(
        Change(name, token(old, name), token(new, name)) for name, old, new in found
        if name and old != new
    )  # fmt: skip


def address_of(email: Value, fresh: str) -> str:
    """The address to store: an undeliverable one where none is given."""
    return email if isinstance(email, str) else f"{fresh}@{NO_MAIL}"
