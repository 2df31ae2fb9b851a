"""Letters about a request to join: prove your address, somebody waits, admitted, declined.

Facts only, as in ``mail.office_letters.notice_facts``. NOT for text
(``mail.office_letters.joining``).
"""

from dataclasses import dataclass
from enum import StrEnum

from mail.text.facts import Official


class JoinNews(StrEnum):
    """What happened. ``WAITS`` is told to officials, the others to who asks."""

    CONFIRM = "confirm"
    WAITS = "waits"
    ADMITTED = "admitted"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class JoinLetter:
    """``asker`` is who wants to join; ``link`` the page for the next step, "" for none."""

    reader: str
    news: JoinNews
    asker: str
    link: str
    reason: str
    official: Official
