"""What every use case needs, supplied by the composition root.

Not for finding settings or opening things: server.app does that.
"""

from dataclasses import dataclass, field
from datetime import date
from urllib.parse import quote

from kskak.regulation.days import local_day
from server.clock import Clock
from server.settings import Settings
from server.store.engine.store import Store
from server.store.engine.types import to_us
from server.usecases.core.outbox_letters import Poster
from server.usecases.core.token_days import TokenDays
from server.usecases.core.writer import Writer

_IN_ADDRESSES = "/?=&#%+,;:@!$'()*~"
"""What is not escaped in an address, besides letters and digits: the parts are already joined."""


@dataclass(frozen=True, slots=True)
class Core:
    """The ports and the settings. ``secret`` signs reply keys."""

    store: Store
    writer: Writer
    clock: Clock
    settings: Settings
    secret: bytes
    token_days: TokenDays = field(default_factory=TokenDays, compare=False, repr=False)

    @property
    def now_us(self) -> int:
        """The instant, in microseconds."""
        return to_us(self.clock.now())

    def today(self, zone: str) -> date:
        """The day it is in a zone."""
        return local_day(self.clock.now(), zone)

    def url(self, path: str) -> str:
        """A page's public address.

        Non-ASCII letters are percent-encoded: mail programs and the mailbox page end a link at the
        first such letter, and a group of the open class has one in its name.
        """
        return f"{self.settings.web.site}{quote(path, safe=_IN_ADDRESSES)}"

    @property
    def command_address(self) -> str:
        """The address for mails about leave and status."""
        return f"{self.settings.mail.local}@{self.settings.mail.domain}"


def poster_of(core: Core) -> Poster:
    """A poster for letters about what happens now."""
    return Poster(core.secret, core.settings.mail.domain, core.now_us)


def today_of(core: Core) -> date:
    """Today on the entries' calendar, which is in the server's zone."""
    return core.today(core.settings.clock.zone)
