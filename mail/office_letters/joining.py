"""Letters about a request to join, in words (§ 6.4.4.1). NOT for the pages."""

from collections.abc import Iterator

from mail.game_letters.common import operator_foot, own_words, plain
from mail.office_letters.join_letters import JoinLetter, JoinNews
from mail.outgoing import blocks as b
from mail.text.words import Words


def write(letter: JoinLetter, words: Words) -> b.Written:
    """What happened, the page for the next step, and whom to ask."""
    named = {} if letter.news is JoinNews.CONFIRM else {"name": plain(letter.asker)}
    lead = words(f"join.letter.{letter.news.value}", **named)
    blocks = tuple(_blocks(letter, lead, words))
    subject = words(f"join.subject.{letter.news.value}")
    return b.Written(subject, lead, blocks, operator_foot(letter.official, words))


def _blocks(letter: JoinLetter, lead: str, words: Words) -> Iterator[b.Block]:
    if letter.news is not JoinNews.CONFIRM:  # no words of whoever asked to an address not proved
        yield b.Para(words("letters.greeting", name=plain(letter.reader)))
    yield b.Lead(lead)
    if letter.news is JoinNews.DECLINED:
        yield b.Quote(own_words(letter.reason) or "-")
    if letter.link:
        yield b.Link(words(f"join.link_text.{letter.news.value}"), letter.link)
    yield b.Para(words(f"join.then.{letter.news.value}"))
