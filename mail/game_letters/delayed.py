"""The letter about a delayed move that was never sent. NOT for deciding whether to send it."""

from dataclasses import dataclass

from kskak.game.refusals import Refusal
from mail.game_letters.common import both_forms, foot, game_subject, own_words, plain
from mail.game_letters.not_made import refusal_text
from mail.outgoing import blocks as b
from mail.text.facts import Game, MoveText
from mail.text.words import Words


@dataclass(frozen=True, slots=True)
class NotSent:
    """To the player. ``moves``: what he entered; ``message``: what was to go with them.

    ``is_over``: the game is over; ``is_to_move``: it is his turn now. ``url``: the game's page.
    """

    reader: str
    game: Game
    moves: tuple[MoveText, ...]
    message: str
    why: Refusal
    is_over: bool
    is_to_move: bool
    url: str


def write(letter: NotSent, words: Words) -> b.Written:
    """The letter in words."""
    lead = words("delay.letter.lead", move=both_forms(letter.moves, words))
    message = own_words(letter.message)
    blocks: tuple[b.Block, ...] = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.Lead(lead),
        b.Para(words("delay.letter.why", why=refusal_text(letter.why, words))),
        *((b.Para(words("delay.letter.message")),) if message else ()),
        *(b.Para(line) for line in message.split("\n") if line),
        b.Para(words(f"delay.letter.{_next(letter)}")),
        b.Link(words("delay.letter.page"), letter.url),
    )
    end = foot(letter.game.leader, letter.game.zone, words)
    return b.Written(game_subject(letter.game), lead, blocks, end)


def _next(letter: NotSent) -> str:
    """What to do next, depending on the state of the game when the letter is written."""
    if letter.is_over:
        return "over"
    return "yours" if letter.is_to_move else "not_yours"
