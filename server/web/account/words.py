"""Texts of the pages about one's own account: access, stored data, removal.

They are in ``mail/words/<lang>/account/account.toml``. Not for looking anything up.
"""

from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from mail.text.words import Words
from server.store.engine.types import from_us


@dataclass(frozen=True, slots=True)
class AccountWords:
    """One language for these pages. ``zone`` applies to their days and hours."""

    words: Words
    zone: str

    def __call__(self, key: str, **places: object) -> str:
        """A text; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"account.{key}", **places)

    def at(self, us: int) -> str:
        """The day of an instant."""
        return self.words.day(from_us(us).astimezone(ZoneInfo(self.zone)).date())

    def hour(self, us: int) -> str:
        """The day and hour of an instant, minutes as 00: 3. november 2026 kl. 00.00."""
        local = from_us(us).astimezone(ZoneInfo(self.zone)).replace(minute=0)
        return self("day_hour", day=self.words.day(local.date()), hour=self.words.time(local))

    def day(self, iso: str | None) -> str:
        """A day in full, or «never» if there is none."""
        return self("never") if iso is None else self.words.day(date.fromisoformat(iso))

    def browser(self, kept: str | None) -> str:
        """«Firefox på Windows», as far as known."""
        name, _, system = (kept or "").partition(";")
        if name and system:
            return self("browser_on", name=name, system=system)
        return name or system or self("browser_unknown")
