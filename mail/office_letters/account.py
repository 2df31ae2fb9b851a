"""Letters about one's own account, in words. NOT for sign-in links (service.py)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from mail.game_letters.common import operator_foot, plain
from mail.outgoing import blocks as b
from mail.text.facts import Official
from mail.text.words import Words


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
    """To the owner: access to the account changed. ``name``: his own for it; ``url``: the page."""

    reader: str
    news: AccountNews
    name: str
    at: datetime
    url: str
    official: Official


def write(letter: WaysChanged, words: Words) -> b.Written:
    """Which means of access was added or removed, when, and what to do if it was not him."""
    when = {"day": words.day(letter.at.date()), "time": f"{letter.at:%H.%M}"}
    lead = words(f"account.letter.{letter.news.value}", name=plain(letter.name))
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.Lead(lead),
        b.Para(words("account.letter_when", **when)),
        b.Para(words("account.letter_not_you")),
        b.Link(words("account.letter_link"), letter.url),
    )
    foot = operator_foot(letter.official, words)
    return b.Written(words("account.letter_subject"), lead, blocks, foot)
