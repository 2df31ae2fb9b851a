"""The letter of the game's quiet thread. NOT for deciding whether it is sent."""

from dataclasses import dataclass

from mail.game_letters.common import foot, game_subject, own_words, plain
from mail.outgoing import blocks as b
from mail.text.facts import Game
from mail.text.words import Words


@dataclass(frozen=True, slots=True)
class ThreadLetter:
    """To the other player. ``url`` is where he answers; a reply by mail is never a move."""

    reader: str
    game: Game
    writer: str
    text: str
    url: str


def write(letter: ThreadLetter, words: Words) -> b.Written:
    """The letter in words."""
    writer = plain(letter.writer)
    lead = words("thread.letter.lead", name=writer)
    blocks: tuple[b.Block, ...] = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.Lead(lead),
        *(b.Para(line) for line in own_words(letter.text).split("\n") if line),
        b.Para(words("thread.letter.no_move")),
        b.Link(words("thread.letter.answer"), letter.url),
        b.Small(words("thread.letter.quiet")),
    )
    end = foot(letter.game.leader, letter.game.zone, words)
    return b.Written(game_subject(letter.game), lead, blocks, end)
