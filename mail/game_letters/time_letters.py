"""Letters that the passing of time triggers: reminders, warnings, notices, leave.

And the daily letter.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import assert_never

from kskak.play.due_days import OFFLINE_DAYS
from kskak.regulation.editions import LeaveType, Regulation, Side
from kskak.statement.account import Account
from mail.game_letters import game_facts as letter_facts
from mail.game_letters.game_facts import FirstMove, Relay
from mail.game_letters.letter_parts import (
    account_blocks,
    address_blocks,
    answer_blocks,
    board_view,
    both_forms,
    deadline_facts,
    foot,
    game_subject,
    list_line_examples,
    operator_foot,
    plain,
    quote_person,
    web_link,
    word_row,
    write_days_used,
)
from mail.game_letters.move_letters import (
    assemble_game_letter,
    dated_row,
    first_move,
    relay,
    series_blocks,
)
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days, side_name
from mail.text.letter_facts import Dispatch, LetterGame, OfficialContact, Person

# Letters that the passing of time triggers: reminders, warnings, notices, shortened leave.


def write(letter: letter_facts.SilenceLetter, words: Words, envelope: Envelope) -> b.LetterContent:  # noqa: C901
    """The letter in words."""
    match letter:
        case letter_facts.Reminder():
            return _reminder(letter, words, envelope)
        case letter_facts.SilenceCopy():
            return _copy(letter, words)
        case letter_facts.SilenceTold():
            return _write_reminder_notice(letter, words)
        case letter_facts.ThinkWarning():
            return _think_warning(letter, words, envelope)
        case letter_facts.LongThink():
            return _long_think(letter, words)
        case letter_facts.ControlWarning():
            return _control_warning(letter, words, envelope)
        case letter_facts.OfflineReport():
            return _offline(letter, words)
        case letter_facts.LeaveShorter():
            return _shorter(letter, words)
        case _:
            assert_never(letter)


def _name(game: LetterGame, side: Side) -> str:
    return plain(game.player(side).name)


def _greeting(game: LetterGame, to: Side | None, words: Words) -> b.Para:
    name = plain(game.leader.name) if to is None else _name(game, to)
    return b.Para(words("letters.greeting", name=name))


def _rule(letter: letter_facts.SilenceLetter, words: Words) -> str:
    """The paragraph of the game's own rule set."""
    return words(f"silences.rule.{letter.account.terms.regulation.value}")


def _reminder(letter: letter_facts.Reminder, words: Words, envelope: Envelope) -> b.LetterContent:
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
            blocks=(whole.blocks[0], b.LeadLine(lead), *whole.blocks),
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


def _is_postal(letter: letter_facts.SilenceLetter) -> bool:
    return letter.account.terms.regulation is Regulation.POSTAL


def _card_link(game: LetterGame, words: Words) -> Iterator[b.Block]:
    """Where to enter a card, or the day one arrived (§ 6.2.1)."""
    if game.url is not None:
        yield b.LinkLine(words("silences.card_link"), f"{game.url}/card")


def _how_to_give_notice(
    letter: letter_facts.Reminder | letter_facts.ThinkWarning, words: Words
) -> Iterator[b.Block]:
    """What more than 14 days without notice costs, and how to give notice (§ 6.3.4)."""
    rules = letter.account.terms.rules
    if rules.charges_silence:
        reminded = days(rules.silence_reminded_days, words)
        told = days(rules.silence_leader_days, words)
        yield b.Para(words("silences.notice.cost", reminded=reminded, told=told))
    yield b.Para(words("silences.notice.how"))
    yield b.LinkLine(words("silences.notice.link"), letter.link)
    yield b.Example((word_row("long_think", words),))


def _copy(letter: letter_facts.SilenceCopy, words: Words) -> b.LetterContent:
    """What the silent player was sent, or what he answered; no address that takes moves."""
    game = letter.game
    names = {"player": _name(game, letter.by), "opponent": _name(game, letter.by.other)}
    lead = words(f"silences.copy.{letter.why.value}", **names, rule=_rule(letter, words))
    answer = days(letter.account.terms.rules.silence_answer_days, words)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, None, words)
        yield b.LeadLine(lead)
        if letter.dispatch is None:
            yield b.Para(words("silences.copy.first_move"))
        else:
            moves = both_forms(letter.dispatch.plies, words)
            yield b.Para(words("letters.over.last", moves=moves))
        yield b.Para(words(f"silences.copy_next.{letter.why.value}", days=answer))
        if _is_postal(letter) and letter.why is letter_facts.LeaderCopyKind.REMINDED:
            yield b.Para(words("silences.copy_card"))
        yield from deadline_facts(letter.account, None, words)
        yield board_view(letter.account, None, words)
        yield from account_blocks(letter.account, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def _write_reminder_notice(letter: letter_facts.SilenceTold, words: Words) -> b.LetterContent:
    """The player need do nothing: the server sends the reminder for him."""
    game = letter.game
    opponent = _name(game, letter.to.other)
    lead = words(f"silences.told.{letter.step.value}", opponent=opponent)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.LeadLine(lead)
        more = f"silences.told_more.{letter.step.value}"
        yield b.Para(words(more, rule=_rule(letter, words), opponent=opponent))
        if _is_postal(letter):
            yield b.Para(words("silences.told_card", opponent=opponent))
            yield from _card_link(game, words)
        yield from deadline_facts(letter.account, letter.to, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def _think_warning(
    letter: letter_facts.ThinkWarning, words: Words, envelope: Envelope
) -> b.LetterContent:
    """A warning while it still costs nothing, with the one click that keeps it that way."""
    game, side = letter.game, letter.to
    opponent = _name(game, side.other)
    lead = words("silences.think.lead", opponent=opponent)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, side, words)
        yield b.LeadLine(lead)
        if letter.free_until is not None:
            yield b.Para(words("silences.think.until", day=words.day(letter.free_until)))
        yield b.Para(words("silences.think.rule"))
        yield from _how_to_give_notice(letter, words)
        yield from deadline_facts(letter.account, letter.to, words)
        yield board_view(letter.account, side, words)
        yield from answer_blocks(letter.account, envelope.reply_to, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def _long_think(letter: letter_facts.LongThink, words: Words) -> b.LetterContent:
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
        yield b.LeadLine(lead)
        yield b.Para(words("silences.noticed.runs"))
        if letter.message and role == "theirs":
            yield b.Para(words("letters.relay.message", opponent=_name(game, letter.by)))
            yield b.Quote(quote_person(letter.message))
        yield from deadline_facts(letter.account, letter.to, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def _control_warning(
    letter: letter_facts.ControlWarning, words: Words, envelope: Envelope
) -> b.LetterContent:
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
        yield b.LeadLine(lead)
        yield b.Para(words("silences.control.rule", limit=days(state.limit_of(side), words)))
        if letter.supposed is not None:
            yield b.Para(words("silences.control.supposed", day=words.day(letter.supposed)))
            yield from _card_link(game, words)
        yield from deadline_facts(letter.account, letter.to, words)
        yield board_view(letter.account, side, words)
        yield from answer_blocks(letter.account, envelope.reply_to, words)
        yield from account_blocks(letter.account, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def _offline(letter: letter_facts.OfflineReport, words: Words) -> b.LetterContent:
    """More than 30 days out of reach: for the leader to rule on (§ 6.8.1)."""
    game, person = letter.game, letter.game.player(letter.by)
    since = words.day(letter.since)
    lead = words("silences.offline.lead", player=plain(person.name), day=since)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, None, words)
        yield b.LeadLine(lead)
        yield b.Para(words("silences.offline.rule", days=days(OFFLINE_DAYS, words)))
        if person.email is not None:
            yield b.AddressLine(words("letters.silence.address"), person.email)
        yield board_view(letter.account, None, words)
        yield from account_blocks(letter.account, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def _shorter(letter: letter_facts.LeaveShorter, words: Words) -> b.LetterContent:
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
        yield b.LeadLine(lead)
        yield b.Para(words(f"silences.keeps.{role}", **facts))
        yield from deadline_facts(letter.account, letter.to, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


# The letter telling a leader about a leave and its games. NOT for booking it.


@dataclass(frozen=True, slots=True)
class LeaveTold:
    """To the leader of the games; ``until``: the player's own last day if he shortened it."""

    leader: OfficialContact
    player: str
    first: date
    last: date
    leave_type: LeaveType
    until: date | None
    games: tuple[LetterGame, ...]


def write_leave(letter: LeaveTold, words: Words) -> b.LetterContent:
    """The letter in words (§ 6.3.6.1, § 6.8.8)."""
    player = plain(letter.player)
    days = {"first": words.day(letter.first), "last": words.day(letter.last)}
    if letter.until is None:
        lead = words(f"letters.leave.notice.{letter.leave_type.value}", player=player, **days)
        effect = words("letters.leave.stands_still")
    else:
        kind = "given_up" if letter.until < letter.first else "shortened"
        until = words.day(letter.until)
        lead = words(f"silences.shorter.{kind}", player=player, until=until, **days)
        effect = words("silences.keeps.leader", player=player, **days)
    blocks: tuple[b.Block, ...] = (
        b.Para(words("letters.greeting", name=plain(letter.leader.name))),
        b.LeadLine(lead),
        b.Para(effect),
        b.Para(words("letters.leave.games")),
        b.Bullets(tuple(_line(game) for game in letter.games)),
        b.Para(words("letters.leave.opponents_told")),
    )
    end = foot(letter.leader, letter.games[0].zone, words)
    return b.LetterContent(words("letters.leave.of_player", player=player), lead, blocks, end)


def _line(game: LetterGame) -> str:
    return f"{plain(game.name)}: {plain(game.white.name)} – {plain(game.black.name)}"


# The daily letter in words: each game with its moves, days, position, deadline and address.


@dataclass(frozen=True, slots=True)
class RelayedDispatch:
    """A dispatch being passed on; ``account`` is the game's account at that point."""

    dispatch: Dispatch
    account: Account
    message: str | None


@dataclass(frozen=True, slots=True)
class DigestGame:
    """A game in which something happened, as it stands now.

    ``reply_to`` is the address to send a move to; None while it is not the reader's turn.
    """

    game: LetterGame
    side: Side
    account: Account
    passed: tuple[RelayedDispatch, ...]
    reply_to: str | None


@dataclass(frozen=True, slots=True)
class Digest:
    """To a player who gets one letter a day. ``settings`` is the page where he chose that."""

    reader: Person
    games: tuple[DigestGame, ...]
    settings: str
    official: OfficialContact

    @property
    def open(self) -> tuple[DigestGame, ...]:
        """The games waiting for the reader."""
        return tuple(one for one in self.games if one.reply_to is not None)

    @property
    def reply_to(self) -> str | None:
        """Where a plain reply goes: the only waiting game; None if there is not exactly one."""
        return self.open[0].reply_to if len(self.open) == 1 else None


def write_digest(letter: Digest, words: Words, envelope: Envelope) -> b.LetterContent:
    """The letter in words, its games in the given order (the waiting ones first)."""
    count = len(letter.open)
    is_answered = letter.reply_to is not None and letter.reply_to == envelope.reply_to
    lead = words("digest.lead", n=count) if count else words("digest.none")

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader.name)))
        yield b.LeadLine(lead)
        if count:
            yield b.Para(words("digest.how"))
        for one in letter.games:
            yield from _game(one, words)
        yield b.SmallPrint(words("digest.why"))
        yield b.LinkLine(words("digest.settings"), letter.settings, is_second=True)

    return b.LetterContent(
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
        yield from _write_move_summary(passed, one, words)
    if account.state.awaits_decision:
        yield b.Para(words("letters.claim.rests"))
    elif account.state.result is None:
        yield from deadline_facts(account, one.side, words)
    rows = [(side_name(side, words), write_days_used(account, side, words)) for side in Side]
    rows.append((words("letters.start.leader"), f"{plain(game.leader.name)}, {game.leader.email}"))
    yield b.FactList(tuple(rows))
    if one.reply_to is not None:
        yield board_view(account, one.side, words)
        yield from _answer(one, one.reply_to, words)
    yield from web_link(game, words)


def _answer(one: DigestGame, reply_to: str, words: Words) -> Iterator[b.Block]:
    """The address; with a series or a draw offer also what to write (§ 6.2.5)."""
    state = one.account.state
    if state.proposal or state.draw_offer is one.side.other:
        yield b.Para(words("digest.lines"))
        yield list_line_examples(one.account, words)
    yield from address_blocks(reply_to, words)


def _write_move_summary(
    passed: RelayedDispatch, one: DigestGame, words: Words
) -> Iterator[b.Block]:
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
        yield b.Quote(quote_person(passed.message))
