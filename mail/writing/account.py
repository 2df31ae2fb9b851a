"""Letters about one's own account, in words. NOT for sign-in links (service.py)."""

from datetime import datetime
from typing import assert_never

from mail import blocks as b
from mail.account_letters import AccountLetter, RemovalAsked, WaysChanged
from mail.words import Words
from mail.writing.common import operator_foot, plain


def write(letter: AccountLetter, words: Words) -> b.Written:
    """The letter in words."""
    match letter:
        case WaysChanged():
            return _changed(letter, words)
        case RemovalAsked():
            return _removal(letter, words)
        case _:
            assert_never(letter)


def _when(at: datetime, words: Words) -> dict[str, str]:
    return {"day": words.day(at.date()), "time": f"{at:%H.%M}"}


def _changed(letter: WaysChanged, words: Words) -> b.Written:
    lead = words(f"account.letter.{letter.news.value}", name=plain(letter.name))
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.Lead(lead),
        b.Para(words("account.letter_when", **_when(letter.at, words))),
        b.Para(words("account.letter_not_you")),
        b.Link(words("account.letter_link"), letter.url),
    )
    foot = operator_foot(letter.official, words)
    return b.Written(words("account.letter_subject"), lead, blocks, foot)


def _removal(letter: RemovalAsked, words: Words) -> b.Written:
    """The link opens a page with a button; opening it removes nothing."""
    lead = words("account.removal_lead")
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.Lead(lead),
        b.Link(words("account.removal_link"), letter.link),
        b.Para(words("account.removal_until", **_when(letter.expires, words))),
        b.Para(words("account.removal_not_you")),
    )
    foot = operator_foot(letter.official, words)
    return b.Written(words("account.removal_subject"), lead, blocks, foot)
