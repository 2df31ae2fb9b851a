"""Texts of the register's pages: members, ratings, changes, import lines.

They are in ``mail/words/<lang>/register/register.toml``. Not for looking anything up.
"""

import json
from dataclasses import dataclass
from datetime import date

from kskak.regulation.days import local_day
from mail.text.words import Words
from server.store.engine.types import from_us
from server.store.register.members import ChangeRow, MemberRow
from server.usecases.cases.person_record import Entry, Happened
from server.usecases.register import wording
from server.usecases.register.facts import has_mail
from server.usecases.register.report import Change, Slip, Unused


@dataclass(frozen=True, slots=True)
class RegisterWords:
    """One language for the register's pages. ``zone`` applies to their days."""

    words: Words
    zone: str

    def __call__(self, key: str, **places: object) -> str:
        """A text of the register; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"register.{key}", **places)

    def day(self, iso: str | None) -> str:
        return "–" if iso is None else self.words.day(date.fromisoformat(iso))

    def at(self, us: int) -> str:
        """The day of an instant."""
        return self.words.day(local_day(from_us(us), self.zone))

    def field(self, name: str) -> str:
        return wording.field_text(name, self.words)

    def value(self, name: str, value: str | None) -> str:
        return wording.value_text(name, value, self.words)

    def slip(self, slip: Slip) -> str:
        """What is wrong, and what to write instead."""
        return wording.slip_text(slip, self.words)

    def change(self, change: Change) -> str:
        """A field before and after."""
        return wording.change_text(change, self.words)

    def unused(self, column: Unused) -> str:
        """A column that the import does not use."""
        return wording.unused_text(column, self.words)

    def changes(self, row: ChangeRow) -> list[str]:
        """One change, field by field; empty when the member was added."""
        fields = [Change(name, before, after) for name, before, after in json.loads(row.fields)]
        return [self.change(one) for one in fields]

    def happened(self, entry: Entry) -> str:
        """What a line of a person's record is about; a quarantine with its last day."""
        if entry.what is Happened.QUARANTINE:
            until = "endless" if entry.until is None else "quarantine"
            day = "" if entry.until is None else self.words.day(entry.until)
            return self(f"record.{until}", day=day)
        return self(f"record.{entry.what.value}")

    def email(self, row: MemberRow) -> str:
        """The member's e-mail address, or a dash."""
        return row.email if has_mail(row.email) else "–"

    def membership(self, row: MemberRow) -> str:
        """«Nordre Skakklub», «enkeltmedlem, 3. hovedkreds»."""
        if row.club:
            return row.club
        if row.kind is None:
            return "–"
        kind = self.value("kind", row.kind)
        return f"{kind}, {row.district}" if row.district else kind
