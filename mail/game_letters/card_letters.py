"""Letters of postal games: who entered which card with which dates, and what to do (§ 6.3.5).

NOT for moves by e-mail (``move_letters``).
"""

from dataclasses import dataclass, replace
from datetime import date
from typing import Self

from kskak.game import game_events as ev
from kskak.game.game_events import CardDates
from kskak.play.evolve_game import replay
from kskak.play.game_state import AccountCharge
from kskak.regulation.editions import Channel, MoveFault, Regulation, Side
from kskak.statement.account import Account, account
from mail.game_letters import cast
from mail.game_letters.letter_parts import (
    Blocks,
    GameLetter,
    account_blocks,
    board_view,
    both_forms,
    in_one_form,
    letter,
    plain,
    web_link,
)
from mail.game_letters.move_letters import days_blocks, series_blocks
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days, write_charge
from mail.text.letter_facts import Dispatch, dispatch_of

_ARRIVED, _SEND_BY = date(2026, 12, 7), date(2026, 12, 10)


def _first_card(*after: ev.Event) -> tuple[Account, Dispatch, CardDates]:
    """Of the samples: White's first card, and the account with what came after it."""
    terms, dates = replace(cast.TERMS, regulation=Regulation.POSTAL), date(2026, 12, 2)
    card = CardDates(None, None, dates)
    first = ev.MoveSent(Side.WHITE, cast.moves("e2e4"), card, None, Channel.POST)
    return account(terms, [first, *after]), dispatch_of(replay(terms, []).position, first), card


@dataclass(frozen=True, slots=True)
class _CardLetter(GameLetter):
    """About a postal game: no move can be the answer."""

    by_mail = False

    def _card_facts(self, card: CardDates | None, received: date | None, words: Words) -> Blocks:
        """The dates as entered; the account shows which of them counts (§ 6.3.2)."""
        if card is None:
            return
        stated = (
            ("postal.postmark", card.postmark),
            ("postal.receipt", card.receipt),
            ("postal.stated", card.stated),
            ("postal.received", received),
        )
        rows = [(words(key), words.day(day)) for key, day in stated if day is not None]
        if card.postmark is None:
            rows.insert(0, (words("postal.postmark"), words("postal.no_postmark")))
        yield b.FactList(tuple(rows))


@letter("card")
class CardEntered(_CardLetter):
    """To a player: somebody else entered a card of the game, with these dates and days; and how to
    object (§ 6.2.1, § 6.3.2).

    ``dispatch`` and ``card`` are None if the card resigned or accepted a draw.
    """

    by: Side
    entered_by: str
    dispatch: Dispatch | None = None
    card: CardDates | None = None
    received: date | None = None

    def about(self, words: Words) -> str:
        if self.dispatch is None:
            return words("postal.subject.ended")
        key = f"postal.subject.{'own' if self.to is self.by else 'theirs'}"
        return words(key, move=in_one_form(self.dispatch.plies[-1], words))

    def lead(self, words: Words) -> str:
        sender = "own" if self.to is self.by else "theirs"
        named = {"who": plain(self.entered_by), "opponent": self.name(self.by)}
        if self.dispatch is None:
            return words(f"postal.ended.{sender}", **named)
        moves = both_forms(self.dispatch.plies, words)
        sender = "self" if self.entered_by == self.game.player(self.by).name else sender
        return words(f"postal.entered.{sender}", moves=moves, **named)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        account = self.account
        if self.dispatch is not None:
            yield from series_blocks(account, self.dispatch, words, is_own=self.to is self.by)
        yield from self._card_facts(self.card, self.received, words)
        if self.dispatch is not None:
            yield from days_blocks(account, self.dispatch, words)
        if account.state.to_move is self.to and account.running is None:
            yield words("postal.report_receipt")
        yield words("postal.object")
        yield board_view(account, self.to, words)
        yield from account_blocks(account, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        now, told, card = _first_card()
        ended, _, _ = _first_card(ev.PlayerResigned(Side.WHITE, _ARRIVED))
        entered = cls(cast.GAME, now, Side.BLACK, Side.WHITE, "Åge Hansen", told, card)
        own = replace(entered, to=Side.WHITE, entered_by="Bo", received=_ARRIVED)
        return {
            "card": entered,
            "card_own": own,
            "card_end": cls(cast.GAME, ended, Side.WHITE, Side.WHITE, "Bo Jensen"),
        }


@letter("card_faulty")
class CardFaulty(_CardLetter):
    """A card that made no move, what it costs, and what the reader must do now (§ 6.3.5,
    § 6.3.5.1).

    ``send_by``: the last day to send a damaged card to the leader.
    """

    by: Side
    fault: MoveFault
    arrived: date
    entered_by: str
    charge: AccountCharge | None
    send_by: date

    @property
    def _role(self) -> str:
        return "leader" if self.to is None else "own" if self.to is self.by else "theirs"

    def about(self, words: Words) -> str:
        return words(f"postal.faulty_subject.{self.fault.value}")

    def lead(self, words: Words) -> str:
        day = words.day(self.arrived)
        if self._role == "own":
            return words(f"postal.faulty_own.{self.fault.value}", day=day)
        return words(f"postal.faulty.{self.fault.value}", sender=self.name(self.by), day=day)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        role = self._role
        yield words("postal.entered_by", who=plain(self.entered_by))
        if self.charge is not None:
            total = days(self.account.state.clock(self.by).total, words)
            cost = write_charge(self.charge, words)
            yield cost + " " + words("postal.faulty_total", total=total)
        else:
            yield words("postal.faulty_free")
        yield words(f"postal.faulty_do.{role}")
        if self.fault is MoveFault.DAMAGED_IN_POST:
            named = {"day": words.day(self.send_by), "leader": plain(self.game.leader.name)}
            yield b.DueLine(words(f"postal.damaged.{role}", **named))
        if role != "leader":
            yield words("postal.object")
        yield board_view(self.account, self.to, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        illegible, damaged = MoveFault.ILLEGIBLE, MoveFault.DAMAGED_IN_POST
        now = _first_card()[0]
        wrong = _first_card(ev.FaultySent(Side.BLACK, _ARRIVED, illegible))[0]
        told = (_ARRIVED, "Åge Hansen", wrong.charges[-1], _SEND_BY)
        faulty = cls(cast.GAME, wrong, Side.BLACK, Side.BLACK, illegible, *told)
        hurt = replace(faulty, account=now, to=Side.WHITE, fault=damaged, charge=None)
        return {
            "card_faulty": faulty,
            "card_damaged": hurt,
            "card_damaged_leader": replace(hurt, to=None),
        }


@letter("card_corrected")
class CardCorrected(_CardLetter):
    """To both players: what was entered from a card was wrong and is void, what counts instead, and
    how the game stands now (§ 6.2.4).

    ``was`` None: no move, but a faulty card or an end; ``dispatch`` None: no move took its place.
    """

    entered_by: str
    was: Dispatch | None = None
    dispatch: Dispatch | None = None
    card: CardDates | None = None
    received: date | None = None

    def lead(self, words: Words) -> str:
        who = plain(self.entered_by)
        if self.was is None:
            return words("postal.corrected.entry", who=who)
        return words("postal.corrected.moves", moves=both_forms(self.was.plies, words), who=who)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        account = self.account
        if self.dispatch is None:
            yield words("postal.corrected_none")
        else:
            yield words("postal.corrected_to", moves=both_forms(self.dispatch.plies, words))
            is_own = account.state.mover is not self.to
            yield from series_blocks(account, self.dispatch, words, is_own=is_own)
        yield from self._card_facts(self.card, self.received, words)
        if self.dispatch is not None:
            yield from days_blocks(account, self.dispatch, words)
        yield words(f"postal.corrected_now.{self._now()}")
        yield words("postal.corrected_why")
        yield words("postal.object")
        yield board_view(account, self.to, words)
        yield from account_blocks(account, words)
        yield from web_link(self.game, words)

    def _now(self) -> str:
        """How the game stands after it: over, or who has the move."""
        state = self.account.state
        if state.result is not None:
            return state.result.name.lower()
        return "yours" if state.to_move is self.to else "theirs"

    @classmethod
    def samples(cls) -> dict[str, Self]:
        now, told, card = _first_card()
        return {
            "card_corrected": cls(cast.GAME, now, Side.BLACK, "Åge Hansen", told, told, card),
            "card_void": cls(cast.GAME, now, Side.WHITE, "Åge Hansen"),
        }


@letter("damaged_due")
class DamagedDue(_CardLetter):
    """To the player who got a damaged card: the leader has not received it yet (§ 6.3.5)."""

    arrived: date
    send_by: date

    def lead(self, words: Words) -> str:
        days_of = {"arrived": words.day(self.arrived), "day": words.day(self.send_by)}
        return words("postal.damaged_due", leader=plain(self.game.leader.name), **days_of)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("postal.damaged_why")
        yield b.AddressLine(words("postal.leader_address"), self.game.leader.email)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        due = (_ARRIVED, _SEND_BY)
        return {"damaged_due": cls(cast.GAME, _first_card()[0], Side.WHITE, *due)}


@letter("email_word")
class EmailWord(_CardLetter):
    """To the opponent: what a player says about e-mail moves in a postal game, whether both now
    play by e-mail, and what that means (§ 6.2.1, § 6.3.2.1)."""

    by: Side
    agrees: bool
    is_agreed: bool

    @property
    def _state(self) -> str:
        return "agreed" if self.is_agreed else "offered" if self.agrees else "declined"

    def about(self, words: Words) -> str:
        return words(f"postal.email_subject.{self._state}")

    def lead(self, words: Words) -> str:
        return words(f"postal.email.{self._state}", opponent=self.name(self.by))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words(f"postal.email_do.{self._state}")
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        said = {"offered": (True, False), "agreed": (True, True), "declined": (False, False)}
        about = (cast.GAME, _first_card()[0], Side.WHITE, Side.BLACK)
        return {f"email_{state}": cls(*about, *answer) for state, answer in said.items()}


@letter("address")
class AddressChanged(_CardLetter):
    """To the opponent and the leader: a player's address has changed (§ 6.2.1, § 6.8.5).

    A postal address is not repeated: it is on the game's page and is erased with his data. A
    new e-mail address (``is_email``) is stated.
    """

    by: Side
    is_email: bool = False

    def lead(self, words: Words) -> str:
        key = "postal.address_email" if self.is_email else "postal.address"
        return words(key, player=self.name(self.by))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        email = self.game.player(self.by).email
        if self.is_email and email is not None:
            yield b.FactList(((words("postal.address_email_now"), plain(email)),))
        role = "leader" if self.to is None else "opponent"
        if self.is_email:
            yield words("postal.address_email_where", **self.account.cited)
        else:
            yield words(f"postal.address_where.{role}")
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        told = cls(cast.GAME, _first_card()[0], Side.WHITE, Side.BLACK)
        return {"address": told, "address_leader": replace(told, to=None)}


@letter("result_asked")
class ResultAsked(_CardLetter):
    """To both players: nothing was entered for a long time; is the game over, and who reports it
    (§ 6.2.6)?"""

    since: date
    report_days: int

    def lead(self, words: Words) -> str:
        return words("postal.asked", day=words.day(self.since))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("postal.asked_over", days=days(self.report_days, words))
        yield words("postal.asked_on")
        yield board_view(self.account, self.to, words)
        yield from account_blocks(self.account, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {"result_asked": cls(cast.GAME, _first_card()[0], Side.WHITE, _ARRIVED, 8)}
