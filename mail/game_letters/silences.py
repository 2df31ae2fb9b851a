"""Letters that the passing of time triggers: reminders, warnings, notices, shortened leave.

§ 6.3.4, § 6.3.6, § 6.8.1, § 6.8.3. NOT for the report of a silence (``results``).
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from kskak.play.due_days import OFFLINE_DAYS
from kskak.regulation.quantities import Regulation, Side
from mail.game_letters import silence_facts as sl
from mail.game_letters.common import (
    account_blocks,
    board_view,
    both_forms,
    deadline_facts,
    game_subject,
    own_words,
    plain,
    web_link,
)
from mail.game_letters.facts import FirstMove, Relay
from mail.game_letters.how_to_answer import answer_blocks, word_row
from mail.game_letters.moves import first_move, relay, written
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.explain import days
from mail.text.facts import Game
from mail.text.words import Words


def write(letter: sl.SilenceLetter, words: Words, envelope: Envelope) -> b.Written:  # noqa: C901
    """The letter in words."""
    match letter:
        case sl.Reminder():
            return _reminder(letter, words, envelope)
        case sl.SilenceCopy():
            return _copy(letter, words)
        case sl.SilenceTold():
            return _told(letter, words)
        case sl.ThinkWarning():
            return _think_warning(letter, words, envelope)
        case sl.LongThink():
            return _long_think(letter, words)
        case sl.ControlWarning():
            return _control_warning(letter, words, envelope)
        case sl.OfflineReport():
            return _offline(letter, words)
        case sl.LeaveShorter():
            return _shorter(letter, words)
        case _:
            assert_never(letter)


def _name(game: Game, side: Side) -> str:
    return plain(game.player(side).name)


def _greeting(game: Game, to: Side | None, words: Words) -> b.Para:
    name = plain(game.leader.name) if to is None else _name(game, to)
    return b.Para(words("letters.greeting", name=name))


def _rule(letter: sl.SilenceLetter, words: Words) -> str:
    """The paragraph of the game's own rule set."""
    return words(f"silences.rule.{letter.account.terms.regulation.value}")


def _reminder(letter: sl.Reminder, words: Words, envelope: Envelope) -> b.Written:
    """The last move as relayed, with what silence leads to right below the lead."""
    game, account = letter.game, letter.account
    opponent = _name(game, letter.to.other)
    if letter.dispatch is None:
        whole = first_move(FirstMove(game, account, letter.to), words, envelope)
        lead = words("silences.reminder.first", opponent=opponent)
        whole = replace(
            whole,
            subject=game_subject(game, words("letters.subject.repeated_first"), letter.to),
            preview=lead,
            blocks=(whole.blocks[0], b.Lead(lead), *whole.blocks),
        )
    else:
        repeated = Relay(game, account, letter.dispatch, is_repeated=True)
        whole = relay(repeated, words, envelope)
    answer = days(account.terms.rules.silence_answer_days, words)
    said = (
        b.Para(words("silences.reminder.copied", rule=_rule(letter, words))),
        b.Para(words("silences.reminder.next", days=answer)),
        *_how_to_give_notice(letter, words),
    )
    if _is_postal(letter):
        card = b.Para(words("silences.reminder.card", opponent=opponent))
        said = (said[0], card, *_card_link(game, words), *said[1:])
    return replace(whole, blocks=(*whole.blocks[:2], *said, *whole.blocks[2:]))


def _is_postal(letter: sl.SilenceLetter) -> bool:
    return letter.account.terms.regulation is Regulation.POSTAL


def _card_link(game: Game, words: Words) -> Iterator[b.Block]:
    """Where to enter a card, or the day one arrived (§ 6.2.1)."""
    if game.url is not None:
        yield b.Link(words("silences.card_link"), f"{game.url}/card")


def _how_to_give_notice(letter: sl.Reminder | sl.ThinkWarning, words: Words) -> Iterator[b.Block]:
    """What more than 14 days without notice costs, and how to give notice (§ 6.3.4)."""
    rules = letter.account.terms.rules
    if rules.charges_silence:
        reminded = days(rules.silence_reminded_days, words)
        told = days(rules.silence_leader_days, words)
        yield b.Para(words("silences.notice.cost", reminded=reminded, told=told))
    yield b.Para(words("silences.notice.how"))
    yield b.Link(words("silences.notice.link"), letter.link)
    yield b.Example((word_row("long_think", words),))


def _copy(letter: sl.SilenceCopy, words: Words) -> b.Written:
    """What the silent player was sent, or what he answered; no address that takes moves."""
    game = letter.game
    names = {"player": _name(game, letter.by), "opponent": _name(game, letter.by.other)}
    lead = words(f"silences.copy.{letter.why.value}", **names, rule=_rule(letter, words))
    answer = days(letter.account.terms.rules.silence_answer_days, words)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, None, words)
        yield b.Lead(lead)
        if letter.dispatch is None:
            yield b.Para(words("silences.copy.first_move"))
        else:
            moves = both_forms(letter.dispatch.plies, words)
            yield b.Para(words("letters.over.last", moves=moves))
        yield b.Para(words(f"silences.copy_next.{letter.why.value}", days=answer))
        if _is_postal(letter) and letter.why is sl.Copied.REMINDED:
            yield b.Para(words("silences.copy_card"))
        yield from deadline_facts(letter.account, None, words)
        yield board_view(letter.account, None, words)
        yield from account_blocks(letter.account, words)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)


def _told(letter: sl.SilenceTold, words: Words) -> b.Written:
    """The player need do nothing: the server sends the reminder for him."""
    game = letter.game
    opponent = _name(game, letter.to.other)
    lead = words(f"silences.told.{letter.step.value}", opponent=opponent)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.Lead(lead)
        more = f"silences.told_more.{letter.step.value}"
        yield b.Para(words(more, rule=_rule(letter, words), opponent=opponent))
        if _is_postal(letter):
            yield b.Para(words("silences.told_card", opponent=opponent))
            yield from _card_link(game, words)
        yield from deadline_facts(letter.account, letter.to, words)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)


def _think_warning(letter: sl.ThinkWarning, words: Words, envelope: Envelope) -> b.Written:
    """A warning while it still costs nothing, with the one click that keeps it that way."""
    game, side = letter.game, letter.to
    opponent = _name(game, side.other)
    lead = words("silences.think.lead", opponent=opponent)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, side, words)
        yield b.Lead(lead)
        if letter.free_until is not None:
            yield b.Para(words("silences.think.until", day=words.day(letter.free_until)))
        yield b.Para(words("silences.think.rule"))
        yield from _how_to_give_notice(letter, words)
        yield from deadline_facts(letter.account, letter.to, words)
        yield board_view(letter.account, side, words)
        yield from answer_blocks(letter.account, envelope.reply_to, words)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)


def _long_think(letter: sl.LongThink, words: Words) -> b.Written:
    """Notice given: the opponent knows, nobody is reminded, time runs on (§ 6.3.4)."""
    game = letter.game
    role = "own" if letter.to is letter.by else "theirs"
    lead = words(
        f"silences.noticed.{role}",
        player=_name(game, letter.by),
        opponent=_name(game, letter.by.other),
    )

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.Lead(lead)
        yield b.Para(words("silences.noticed.runs"))
        if letter.message and role == "theirs":
            yield b.Para(words("letters.relay.message", opponent=_name(game, letter.by)))
            yield b.Quote(own_words(letter.message))
        yield from deadline_facts(letter.account, letter.to, words)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)


def _control_warning(letter: sl.ControlWarning, words: Words, envelope: Envelope) -> b.Written:
    """Few days are left; how to answer in time."""
    game, side, state = letter.game, letter.to, letter.account.state
    lead = words(
        f"silences.control.{'lead' if letter.supposed is None else 'lead_supposed'}",
        days=days(letter.days_left, words),
        move=state.next_control(side),
        opponent=_name(game, side.other),
    )

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, side, words)
        yield b.Lead(lead)
        yield b.Para(words("silences.control.rule", limit=days(state.limit_of(side), words)))
        if letter.supposed is not None:
            yield b.Para(words("silences.control.supposed", day=words.day(letter.supposed)))
            yield from _card_link(game, words)
        yield from deadline_facts(letter.account, letter.to, words)
        yield board_view(letter.account, side, words)
        yield from answer_blocks(letter.account, envelope.reply_to, words)
        yield from account_blocks(letter.account, words)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)


def _offline(letter: sl.OfflineReport, words: Words) -> b.Written:
    """More than 30 days out of reach: for the leader to rule on (§ 6.8.1)."""
    game, person = letter.game, letter.game.player(letter.by)
    since = words.day(letter.since)
    lead = words("silences.offline.lead", player=plain(person.name), day=since)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, None, words)
        yield b.Lead(lead)
        yield b.Para(words("silences.offline.rule", days=days(OFFLINE_DAYS, words)))
        if person.email is not None:
            yield b.Mailbox(words("letters.silence.address"), person.email)
        yield board_view(letter.account, None, words)
        yield from account_blocks(letter.account, words)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)


def _shorter(letter: sl.LeaveShorter, words: Words) -> b.Written:
    """The player's own time runs again; the opponent keeps the announced stop (§ 6.3.6)."""
    game = letter.game
    facts = {
        "player": _name(game, letter.by),
        "first": words.day(letter.first),
        "last": words.day(letter.last),
        "until": words.day(letter.until),
    }
    kind = "given_up" if letter.until < letter.first else "shortened"
    lead = words(f"silences.shorter.{kind}", **facts)
    role = "leader" if letter.to is None else "opponent"

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.Lead(lead)
        yield b.Para(words(f"silences.keeps.{role}", **facts))
        yield from deadline_facts(letter.account, letter.to, words)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)
