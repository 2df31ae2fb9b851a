"""Letters about an entry: made, fee received, valid, waiting again, refused, withdrawn (§ 6.4.4).

Facts only, as in ``mail.office_letters.notice_facts``. NOT for text
(``mail.office_letters.entries``) nor for the start of a group, which the start letter tells.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kskak.entries.entry import EntryFault
from mail.text.facts import Official


class EntryNews(StrEnum):
    """What happened to the entry."""

    ENTERED = "entered"
    FEE = "fee"
    VALID = "valid"
    WAITS = "waits"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class EntryLetter:
    """To the player. ``place`` is his number among ``valid`` entries, of which ``wanted`` start a
    group; ``wanted`` 0: the leader starts it. ``fee`` is øre; ``day`` the fee's or the entry's."""

    reader: str
    news: EntryNews
    list_name: str
    leader: Official
    zone: str
    url: str
    day: date
    is_valid: bool
    place: int
    valid: int
    wanted: int
    faults: tuple[EntryFault, ...] = ()
    closed_by: str = "6.5.3.2"
    fee: int | None = None
    paragraph: str = ""
    reason: str = ""
    how_to_pay: str = ""
