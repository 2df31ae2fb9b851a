"""A leader's own letter to everybody in a group, in words (§ 6.1.1). NOT for who gets it."""

from dataclasses import dataclass

from mail.game_letters.common import foot, own_words, plain
from mail.outgoing import blocks as b
from mail.text.facts import Official
from mail.text.words import Words

LONGEST, MOST_LINES = 2000, 40
"""What a letter passes on of somebody's words (mail.game_letters.common.own_words)."""


@dataclass(frozen=True, slots=True)
class LeaderLetter:
    """To each player. ``by`` wrote it, and gets the answers; ``leader`` leads the group."""

    reader: str
    group: str
    tournament: str
    by: Official
    leader: Official
    zone: str
    subject: str
    text: str
    url: str


def write(letter: LeaderLetter, words: Words) -> b.Written:
    """The leader's text, a paragraph for each of its lines, between who wrote it and the group."""
    named = {"group": plain(letter.group), "tournament": plain(letter.tournament)}
    by = {"name": plain(letter.by.name), "email": letter.by.email}
    lead = words("letters.to_all.lead", **named, **by)
    lines = [line for line in own_words(letter.text).split("\n") if line.strip()]
    blocks: tuple[b.Block, ...] = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.Lead(lead),
        *(b.Para(line) for line in lines),
        b.Link(words("letters.to_all.link"), letter.url),
        b.Para(words("letters.to_all.answer", **by)),
    )
    subject = words("letters.to_all.subject", group=named["group"], subject=plain(letter.subject))
    return b.Written(subject, lead, blocks, foot(letter.leader, letter.zone, words))
