"""Letters of postal games: who entered which card with which dates, and what to do (§ 6.3.5).

NOT for moves by e-mail (``moves``).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import assert_never

from kskak.game.game_events import CardDates
from kskak.play.game_state import AccountCharge
from kskak.regulation.editions import MoveFault, Side
from kskak.statement.account import Account
from mail.game_letters.letter_parts import account_blocks, board_view, both_forms, plain, web_link
from mail.game_letters.move_letters import assemble_game_letter, days_blocks, series_blocks
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days, write_charge
from mail.text.letter_facts import Dispatch, LetterGame


@dataclass(frozen=True, slots=True)
class CardEntered:
    """To a player: somebody else entered a card of the game (§ 6.2.1, § 6.3.2).

    ``dispatch`` and ``card`` are None if the card resigned or accepted a draw.
    """

    game: LetterGame
    account: Account
    to: Side
    by: Side
    entered_by: str
    dispatch: Dispatch | None = None
    card: CardDates | None = None
    received: date | None = None


@dataclass(frozen=True, slots=True)
class CardFaulty:
    """A card that made no move, what it costs, and what to do (§ 6.3.5, § 6.3.5.1).

    ``send_by``: the last day to send a damaged card to the leader.
    """

    game: LetterGame
    account: Account
    to: Side | None
    by: Side
    fault: MoveFault
    arrived: date
    entered_by: str
    charge: AccountCharge | None
    send_by: date


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """To both players: what was entered from a card was wrong and is void (§ 6.2.4).

    ``was`` None: no move, but a faulty card or an end; ``dispatch`` None: no move took its place.
    """

    game: LetterGame
    account: Account
    to: Side
    entered_by: str
    was: Dispatch | None = None
    dispatch: Dispatch | None = None
    card: CardDates | None = None
    received: date | None = None


@dataclass(frozen=True, slots=True)
class DamagedDue:
    """To the player who got a damaged card: the leader has not received it yet (§ 6.3.5)."""

    game: LetterGame
    account: Account
    to: Side
    arrived: date
    send_by: date


@dataclass(frozen=True, slots=True)
class EmailWord:
    """To the opponent: what a player says about e-mail moves in a postal game (§ 6.2.1)."""

    game: LetterGame
    account: Account
    to: Side
    by: Side
    agrees: bool
    is_agreed: bool


@dataclass(frozen=True, slots=True)
class AddressChanged:
    """To the opponent and the leader: a player's address has changed (§ 6.2.1, § 6.8.5).

    A postal address is not repeated: it is on the game's page and is erased with his data. A
    new e-mail address (``is_email``) is stated.
    """

    game: LetterGame
    account: Account
    to: Side | None
    by: Side
    is_email: bool = False


@dataclass(frozen=True, slots=True)
class ResultAsked:
    """To both players: nothing entered for a long time; is the game over? (§ 6.2.6)."""

    game: LetterGame
    account: Account
    to: Side
    since: date
    report_days: int


PostalLetter = (
    CardEntered | CardFaulty | CardCorrected | DamagedDue | EmailWord | AddressChanged | ResultAsked
)


def write(letter: PostalLetter, words: Words, envelope: Envelope) -> b.LetterContent:
    """The letter in words."""
    match letter:
        case CardEntered():
            return write_card_entered(letter, words)
        case CardFaulty():
            return card_faulty(letter, words)
        case CardCorrected():
            return write_card_corrected(letter, words)
        case DamagedDue():
            return damaged_due(letter, words)
        case EmailWord():
            return email_word(letter, words)
        case AddressChanged():
            return write_address_changed(letter, words)
        case ResultAsked():
            return write_result_question(letter, words)
        case _:
            assert_never(letter)


def _greeting(game: LetterGame, to: Side | None, words: Words) -> b.Para:
    name = game.leader.name if to is None else game.player(to).name
    return b.Para(words("letters.greeting", name=plain(name)))


def _object(game: LetterGame, words: Words) -> b.Para:
    leader = game.leader
    return b.Para(words("postal.object", name=plain(leader.name), email=leader.email))


def _card_facts(card: CardDates, letter: CardEntered | CardCorrected, words: Words) -> b.FactList:
    """The dates as entered; the account shows which of them counts (§ 6.3.2)."""
    stated = (
        ("postal.postmark", card.postmark),
        ("postal.receipt", card.receipt),
        ("postal.stated", card.stated),
        ("postal.received", letter.received),
    )
    rows = [(words(key), words.day(day)) for key, day in stated if day is not None]
    if card.postmark is None:
        rows.insert(0, (words("postal.postmark"), words("postal.no_postmark")))
    return b.FactList(tuple(rows))


def write_card_entered(letter: CardEntered, words: Words) -> b.LetterContent:
    """What was entered, by whom, with which dates and days, and how to object."""
    game, account = letter.game, letter.account
    sender = "own" if letter.to is letter.by else "theirs"
    named = {"who": plain(letter.entered_by), "opponent": plain(game.player(letter.by).name)}
    if letter.dispatch is None:
        lead = words(f"postal.ended.{sender}", **named)
    else:
        moves = both_forms(letter.dispatch.plies, words)
        lead = words(f"postal.entered.{sender}", moves=moves, **named)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.LeadLine(lead)
        if letter.dispatch is not None:
            is_own = letter.to is letter.by
            yield from series_blocks(letter.dispatch, words, is_own=is_own)
        if letter.card is not None:
            yield _card_facts(letter.card, letter, words)
        if letter.dispatch is not None:
            yield from days_blocks(account, letter.dispatch, words)
        if account.state.to_move is letter.to and account.running is None:
            yield b.Para(words("postal.report_receipt"))
        yield _object(game, words)
        yield board_view(account, letter.to, words)
        yield from account_blocks(account, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def card_faulty(letter: CardFaulty, words: Words) -> b.LetterContent:
    """No move was made: the cost, if any, and what the reader must do now."""
    game = letter.game
    role = "leader" if letter.to is None else "own" if letter.to is letter.by else "theirs"
    lead = words(
        f"postal.faulty.{letter.fault.value}",
        sender=plain(game.player(letter.by).name),
        day=words.day(letter.arrived),
    )

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.LeadLine(lead)
        yield b.Para(words("postal.entered_by", who=plain(letter.entered_by)))
        if letter.charge is not None:
            total = days(letter.account.state.clock(letter.by).total, words)
            cost = write_charge(letter.charge, words)
            yield b.Para(cost + " " + words("postal.faulty_total", total=total))
        else:
            yield b.Para(words("postal.faulty_free"))
        yield b.Para(words(f"postal.faulty_do.{role}"))
        if letter.fault is MoveFault.DAMAGED_IN_POST:
            named = {"day": words.day(letter.send_by), "leader": plain(game.leader.name)}
            yield b.DueLine(words(f"postal.damaged.{role}", **named))
        yield _object(game, words)
        yield board_view(letter.account, letter.to, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def write_card_corrected(letter: CardCorrected, words: Words) -> b.LetterContent:
    """What is void, what counts instead, and how the game stands now."""
    game, account = letter.game, letter.account
    named = {"who": plain(letter.entered_by)}
    if letter.was is None:
        lead = words("postal.corrected.entry", **named)
    else:
        lead = words("postal.corrected.moves", moves=both_forms(letter.was.plies, words), **named)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.LeadLine(lead)
        if letter.dispatch is None:
            yield b.Para(words("postal.corrected_none"))
        else:
            right = both_forms(letter.dispatch.plies, words)
            yield b.Para(words("postal.corrected_to", moves=right))
            yield from series_blocks(
                letter.dispatch, words, is_own=account.state.mover is not letter.to
            )
        if letter.card is not None:
            yield _card_facts(letter.card, letter, words)
        if letter.dispatch is not None:
            yield from days_blocks(account, letter.dispatch, words)
        yield b.Para(words(f"postal.corrected_now.{_now(letter)}"))
        yield b.Para(words("postal.corrected_why"))
        yield _object(game, words)
        yield board_view(account, letter.to, words)
        yield from account_blocks(account, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def _now(letter: CardCorrected) -> str:
    """How the game stands after it: over, or who has the move."""
    state = letter.account.state
    if state.result is not None:
        return state.result.name.lower()
    return "yours" if state.to_move is letter.to else "theirs"


def damaged_due(letter: DamagedDue, words: Words) -> b.LetterContent:
    """The damaged card has not reached the leader (§ 6.3.5)."""
    game = letter.game
    lead = words(
        "postal.damaged_due",
        arrived=words.day(letter.arrived),
        day=words.day(letter.send_by),
        leader=plain(game.leader.name),
    )

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.LeadLine(lead)
        yield b.Para(words("postal.damaged_why"))
        yield b.AddressLine(words("postal.leader_address"), game.leader.email)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def email_word(letter: EmailWord, words: Words) -> b.LetterContent:
    """Whether both now play by e-mail, and what that means (§ 6.2.1, § 6.3.2.1)."""
    game = letter.game
    state = "agreed" if letter.is_agreed else "offered" if letter.agrees else "declined"
    lead = words(f"postal.email.{state}", opponent=plain(game.player(letter.by).name))

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.LeadLine(lead)
        yield b.Para(words(f"postal.email_do.{state}"))
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def write_address_changed(letter: AddressChanged, words: Words) -> b.LetterContent:
    """The next card's address is on the game's page (§ 6.2.1); or the new e-mail (§ 6.8.5)."""
    game, player = letter.game, letter.game.player(letter.by)
    kind = "address_email" if letter.is_email else "address"
    lead = words(f"postal.{kind}", player=plain(player.name))

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.LeadLine(lead)
        if letter.is_email and player.email is not None:
            yield b.FactList(((words("postal.address_email_now"), plain(player.email)),))
        yield b.Para(words(f"postal.{kind}_where"))
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def write_result_question(letter: ResultAsked, words: Words) -> b.LetterContent:
    """Nothing entered for a long time: is the game over, and who reports it (§ 6.2.6)."""
    game = letter.game
    lead = words("postal.asked", day=words.day(letter.since))

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.LeadLine(lead)
        yield b.Para(words("postal.asked_over", days=days(letter.report_days, words)))
        yield b.Para(words("postal.asked_on"))
        yield board_view(letter.account, letter.to, words)
        yield from account_blocks(letter.account, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)
