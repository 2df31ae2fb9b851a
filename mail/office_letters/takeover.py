"""The statement of a game that was taken over, and the answer to a late objection.

NOT for cases (``cases``) nor for the account itself (``common.account_blocks``).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from kskak.cases.refusals import CaseRefusal
from kskak.game.events import Paused, TakenOver
from kskak.regulation.quantities import Finding, Regulation, Side
from kskak.statement.account import Account
from mail.game_letters.common import account_blocks, board_view, deadline_facts, plain, web_link
from mail.game_letters.how_to_answer import answer_blocks
from mail.game_letters.moves import written
from mail.office_letters.cases import case_refusal_text
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.explain import days, overstep_lines, side_name
from mail.text.facts import Game
from mail.text.words import Words


@dataclass(frozen=True, slots=True)
class Statement:
    """To each player: his game as it was taken over, and how to object.

    ``leave``: days of leave used this year by White and by Black; ``command_address``: where
    to write when the game is over and has no address of its own.
    """

    game: Game
    account: Account
    to: Side
    taken: TakenOver
    leave: tuple[int, int]
    command_address: str


@dataclass(frozen=True, slots=True)
class ObjectionLate:
    """To a player who objected too late: why it is not accepted, and whom to ask."""

    game: Game
    account: Account
    to: Side
    refusal: CaseRefusal


TakeoverLetter = Statement | ObjectionLate


def write(letter: TakeoverLetter, words: Words, envelope: Envelope) -> b.Written:
    """The letter in words."""
    match letter:
        case Statement():
            return statement(letter, words, envelope)
        case ObjectionLate():
            return objection_late(letter, words)
        case _:
            assert_never(letter)


def statement(letter: Statement, words: Words, envelope: Envelope) -> b.Written:
    """What was taken over, what to check, how to object, and how the game goes on."""
    game, account = letter.game, letter.account
    is_over = account.state.result is not None
    key = "takeovers.lead_over" if is_over else "takeovers.lead"
    lead = words(key, game=plain(game.name), day=words.day(letter.taken.on))
    on = account.live.total if account.live is not None else None

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(letter.to).name)))
        yield b.Lead(lead)
        yield b.Para(words("takeovers.look", leader=plain(game.leader.name)))
        yield b.Facts(tuple(_facts(letter, words)))
        yield from _standing(letter, words)
        yield from _objecting(letter, words, envelope)
        yield board_view(account, letter.to, words)
        yield from account_blocks(account, words)
        if on is not None and account.running is not None:
            by = side_name(account.running.by, words)
            yield b.Para(words("takeovers.with_today", by=by, total=days(on, words)))
        yield from _going_on(letter, words, envelope)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)


def _facts(letter: Statement, words: Words) -> Iterator[tuple[str, str]]:
    game, state = letter.game, letter.account.state
    for side, leave in zip(Side, letter.leave, strict=True):
        name = plain(game.player(side).name)
        used = days(leave, words)
        yield side_name(side, words), words("takeovers.player", name=name, leave=used)
    if state.result is not None:
        yield words("takeovers.result"), state.result.value


def _standing(letter: Statement, words: Words) -> Iterator[b.Block]:
    """Whose move it is, and anything unusual: an overstep, time that stands still."""
    account = letter.account
    overstep = account.overstep
    if overstep is not None:
        yield from (b.Para(line) for line in overstep_lines(account, words))
        if overstep.finding is Finding.OPEN and account.state.result is None:
            is_postal = account.terms.regulation is Regulation.POSTAL
            yield b.Para(words("takeovers.overstep", paragraph="6.3.3.5" if is_postal else "6.8.7"))
            if overstep.by is not letter.to:
                yield b.Example(((words("letters.word.claim"), words("letters.means.claim")),))
    if account.state.to_move is None:
        return
    yield from deadline_facts(account, letter.to, words)
    if account.running is None and account.state.to_move is letter.to:
        yield b.Para(words("postal.report_receipt"))
    for booking in account.state.bookings:
        if isinstance(booking.booked, Paused) and booking.booked.last is None:
            yield b.Para(words("takeovers.still", day=words.day(booking.booked.first)))


def _objecting(letter: Statement, words: Words, envelope: Envelope) -> Iterator[b.Block]:
    until = words.weekday_day(letter.taken.objections_until)
    yield b.Heading(words("takeovers.object_heading"))
    yield b.Due(words("takeovers.object_until", day=until))
    yield b.Para(words("takeovers.object_how"))
    yield b.Example(((words("takeovers.word"), words("takeovers.means")),))
    yield b.Mailbox(words("takeovers.address"), envelope.reply_to or letter.command_address)
    if letter.game.url is not None:
        yield b.Link(words("takeovers.object_link"), f"{letter.game.url}/object?kind=takeover")
    yield b.Small(words("takeovers.object_then"))


def _going_on(letter: Statement, words: Words, envelope: Envelope) -> Iterator[b.Block]:
    """How to play from now on; a postal game by cards as before (§ 6.2.1)."""
    account = letter.account
    if account.state.result is not None:
        return
    yield b.Heading(words("takeovers.on_heading"))
    is_postal = account.terms.regulation is Regulation.POSTAL
    yield b.Para(words("takeovers.on_postal" if is_postal else "takeovers.on"))
    yield b.Para(words("takeovers.silence"))
    if account.state.to_move is letter.to and not is_postal:
        yield from answer_blocks(account, envelope.reply_to, words)


def objection_late(letter: ObjectionLate, words: Words) -> b.Written:
    """Why the objection is not accepted, and the alternative (reading of § 6.4.5)."""
    game: Game = letter.game
    lead = case_refusal_text(letter.refusal, words)

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(letter.to).name)))
        yield b.Lead(lead)
        yield b.Para(words("takeovers.late"))
        yield b.Para(words("takeovers.no_move"))
        yield b.Mailbox(words("takeovers.leader", name=plain(game.leader.name)), game.leader.email)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)
