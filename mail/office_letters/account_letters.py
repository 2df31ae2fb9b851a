"""Letters to the owner of an account: a way in was added or taken away.

Facts only, as in ``mail.office_letters.notice_facts``. NOT for text
(``mail.office_letters.account``) nor for sign-in links.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from mail.text.facts import Official


class AccountNews(StrEnum):
    """What happened."""

    PASSKEY_ADDED = "passkey_added"
    PASSKEY_REMOVED = "passkey_removed"
    TOKEN_ADDED = "token_added"
    TOKEN_REMOVED = "token_removed"
    XFCC_ADDED = "xfcc_added"
    XFCC_REMOVED = "xfcc_removed"


@dataclass(frozen=True, slots=True)
class WaysChanged:
    """To the owner: a way into his account. ``name`` is his own for it; ``url`` the page."""

    reader: str
    news: AccountNews
    name: str
    at: datetime
    url: str
    official: Official
