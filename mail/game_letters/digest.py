"""The daily letter in words: each game with its moves, days, position, deadline and address.

§ 6.2.1, § 6.8.2. A reply address is valid only for its own game and position, so each game has
its own. NOT for choosing the games (the use cases).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from kskak.regulation.quantities import Side
from kskak.statement.account import Account
from mail.game_letters.common import (
    board_view,
    both_forms,
    deadline_facts,
    operator_foot,
    own_words,
    plain,
    standing,
    web_link,
)
from mail.game_letters.how_to_answer import address_blocks, line_examples
from mail.game_letters.moves import dated_row, series_blocks
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.explain import days, side_name
from mail.text.facts import Dispatch, Game, Official, Person
from mail.text.words import Words


@dataclass(frozen=True, slots=True)
class Passed:
    """A dispatch being passed on; ``account`` is the game's account at that point."""

    dispatch: Dispatch
    account: Account
    message: str | None


@dataclass(frozen=True, slots=True)
class DigestGame:
    """A game in which something happened, as it stands now.

    ``reply_to`` is the address to send a move to; None while it is not the reader's turn.
    """

    game: Game
    side: Side
    account: Account
    passed: tuple[Passed, ...]
    reply_to: str | None


@dataclass(frozen=True, slots=True)
class Digest:
    """To a player who gets one letter a day. ``settings`` is the page where he chose that."""

    reader: Person
    games: tuple[DigestGame, ...]
    settings: str
    official: Official

    @property
    def open(self) -> tuple[DigestGame, ...]:
        """The games waiting for the reader."""
        return tuple(one for one in self.games if one.reply_to is not None)

    @property
    def reply_to(self) -> str | None:
        """Where a plain reply goes: the only waiting game; None if there is not exactly one."""
        return self.open[0].reply_to if len(self.open) == 1 else None


def write(letter: Digest, words: Words, envelope: Envelope) -> b.Written:
    """The letter in words, its games in the given order (the waiting ones first)."""
    count = len(letter.open)
    is_answered = letter.reply_to is not None and letter.reply_to == envelope.reply_to
    lead = words("digest.lead", n=count) if count else words("digest.none")

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader.name)))
        yield b.Lead(lead)
        if count:
            yield b.Para(words("digest.how"))
        for one in letter.games:
            yield from _game(one, words)
        yield b.Small(words("digest.why"))
        yield b.Link(words("digest.settings"), letter.settings, is_second=True)

    return b.Written(
        subject=words("digest.subject", day=words.day(envelope.date.date())),
        preview=lead,
        blocks=tuple(blocks()),
        foot=operator_foot(letter.official, words),
        cut_line=words("letters.cut_line") if is_answered else None,
    )


def _game(one: DigestGame, words: Words) -> Iterator[b.Block]:
    game, account = one.game, one.account
    opponent = plain(game.player(one.side.other).name)
    yield b.Heading(f"{plain(game.name)}: {side_name(one.side, words)} - {opponent}")
    for passed in one.passed:
        yield from _passed(passed, one, words)
    if account.state.awaits_decision:
        yield b.Para(words("letters.claim.rests"))
    elif account.state.result is None:
        yield from deadline_facts(account, one.side, words)
    rows = [(side_name(side, words), standing(account, side, words)) for side in Side]
    rows.append((words("letters.start.leader"), f"{plain(game.leader.name)}, {game.leader.email}"))
    yield b.Facts(tuple(rows))
    if one.reply_to is not None:
        yield board_view(account, one.side, words)
        yield from _answer(one, one.reply_to, words)
    yield from web_link(game, words)


def _answer(one: DigestGame, reply_to: str, words: Words) -> Iterator[b.Block]:
    """The address; with a series or a draw offer also what to write (§ 6.2.5)."""
    state = one.account.state
    if state.proposal or state.draw_offer is one.side.other:
        yield b.Para(words("digest.lines"))
        yield line_examples(one.account, words)
    yield from address_blocks(reply_to, words)


def _passed(passed: Passed, one: DigestGame, words: Words) -> Iterator[b.Block]:
    dispatch = passed.dispatch
    is_own = dispatch.by is one.side
    row = dated_row(passed.account, dispatch)
    sent = None if row is None else row.dates.sent
    opponent = plain(one.game.player(one.side.other).name)
    line = words(
        f"digest.moved.{'own' if is_own else 'theirs'}",
        opponent=opponent,
        moves=both_forms(dispatch.plies, words),
        day="-" if sent is None else words.day(sent),
        days="-" if row is None else days(row.dates.days, words),
    )
    yield b.Para(line)
    yield from series_blocks(dispatch, words, is_own=is_own)
    if passed.message and not is_own:
        yield b.Para(words("letters.relay.message", opponent=opponent))
        yield b.Quote(own_words(passed.message))
