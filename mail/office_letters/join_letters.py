"""Letters about a request to join: confirm your address, someone is waiting, admitted, declined.

Facts only, as in ``mail.office_letters.notice_facts``. NOT for text
(``mail.office_letters.joining``).
"""

from dataclasses import dataclass
from enum import StrEnum

from mail.text.facts import Official


class JoinNews(StrEnum):
    """What happened. ``WAITS`` goes to officials, the others to the person asking."""

    CONFIRM = "confirm"
    WAITS = "waits"
    ADMITTED = "admitted"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class JoinLetter:
    """``asker`` is who wants to join; ``link`` the page for the next step, "" if there is none."""

    reader: str
    news: JoinNews
    asker: str
    link: str
    reason: str
    official: Official
