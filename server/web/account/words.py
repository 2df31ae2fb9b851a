"""What the pages about one's own account say: ways in, what is kept, removal.

The texts are in ``mail/words/<lang>/account/account.toml``. Not for finding anything out.
"""

from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from mail.text.words import Words
from server.store.engine.types import from_us


@dataclass(frozen=True, slots=True)
class AccountWords:
    """One language, as these pages speak it. ``zone``: of their days and hours."""

    words: Words
    zone: str

    def __call__(self, key: str, **places: object) -> str:
        """A text; KeyError for an unknown key or a place left open."""
        return self.words(f"account.{key}", **places)

    def at(self, us: int) -> str:
        """The day of an instant."""
        return self.words.day(from_us(us).astimezone(ZoneInfo(self.zone)).date())

    def hour(self, us: int) -> str:
        """The day and the hour of an instant, with its minutes 00: 3. november 2026 kl. 00.00."""
        local = from_us(us).astimezone(ZoneInfo(self.zone)).replace(minute=0)
        return self("day_hour", day=self.words.day(local.date()), hour=self.words.time(local))

    def day(self, iso: str | None) -> str:
        """A day in full, or that there is none."""
        return self("never") if iso is None else self.words.day(date.fromisoformat(iso))

    def browser(self, kept: str | None) -> str:
        """«Firefox på Windows», as far as it is known."""
        name, _, system = (kept or "").partition(";")
        if name and system:
            return self("browser_on", name=name, system=system)
        return name or system or self("browser_unknown")
