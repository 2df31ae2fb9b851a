"""Letters that the passing of time triggers: reminders, warnings, notices, leave.

And the daily letter.
"""

from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import Self

from kskak.regulation.days import OFFLINE_DAYS
from kskak.regulation.editions import LeaveType, Regulation, Side
from kskak.statement.account import Account
from mail.game_letters import cast
from mail.game_letters.letter_parts import (
    Blocks,
    GameLetter,
    LeaderFootLetter,
    LeaderReport,
    PlayerLetter,
    ServerLetter,
    account_blocks,
    address_blocks,
    answer_blocks,
    board_view,
    both_forms,
    deadline_facts,
    leader_row,
    letter,
    list_line_examples,
    own_heading,
    plain,
    web_link,
    word_row,
    write_days_used,
)
from mail.game_letters.move_letters import (
    FirstMove,
    Relay,
    dated_row,
    leave_subject,
    message_blocks,
    series_blocks,
)
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days, side_name
from mail.text.letter_facts import Dispatch, LetterGame, OwnGameFacts, RelayedDispatch


def _is_postal(account: Account) -> bool:
    return account.terms.regulation is Regulation.POSTAL


def _card_link(game: LetterGame, words: Words) -> Blocks:
    """Where to enter a card, or the day one arrived (§ 6.2.1)."""
    if game.url is not None:
        yield b.LinkLine(words("silences.card_link"), f"{game.url}/card")


def _how_to_give_notice(account: Account, link: str, words: Words) -> Blocks:
    """What more than 14 days without notice costs, and how to give notice (§ 6.3.4)."""
    rules = account.terms.rules
    if rules.charges_silence:
        reminded = days(rules.silence_reminded_days, words)
        told = days(rules.silence_leader_days, words)
        yield words("silences.notice.cost", reminded=reminded, told=told)
    else:
        yield words("silences.notice.free", **account.cited)
    yield words("silences.notice.how")
    yield b.LinkLine(words("silences.notice.link"), link)
    yield b.Example((word_row("long_think", words),))


@letter("reminder")
class Reminder(PlayerLetter):
    """To the silent player: the last move as relayed, with what silence leads to right below the
    lead (§ 6.3.4, § 6.8.3).

    ``dispatch`` is None when the game's first move is awaited. ``link`` gives notice.
    """

    dispatch: Dispatch | None
    link: str

    def _repeated(self) -> PlayerLetter:
        if self.dispatch is None:
            return FirstMove(self.game, self.account, self.to)
        return Relay(self.game, self.account, self.dispatch, is_repeated=True)

    def about(self, words: Words) -> str:
        if self.dispatch is None:
            return words("letters.subject.reminder")
        return self._repeated().about(words)

    def lead(self, words: Words) -> str:
        if self.dispatch is None:
            return words("silences.reminder.first", opponent=self.name(self.to.other))
        return self._repeated().lead(words)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        answer = days(self.account.terms.rules.silence_answer_days, words)
        repeated = self._repeated()
        yield words("silences.reminder.copied", **self.account.cited)
        if _is_postal(self.account):
            yield words("silences.reminder.card", opponent=self.name(self.to.other))
            yield from _card_link(self.game, words)
        yield words("silences.reminder.next", days=answer)
        yield from _how_to_give_notice(self.account, self.link, words)
        if self.dispatch is None:
            yield repeated.lead(words)
        yield from repeated.blocks(words, envelope)

    def attached(self, envelope: Envelope) -> b.TextAttachment | None:
        return self._repeated().attached(envelope)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        made = cls(cast.GAME, cast.so_far(), Side.BLACK, cast.dispatch(2), cast.LINK)
        return {
            "reminder": made,
            "reminder_postal": replace(made, account=cast.by_post()),
            "reminder_first": cls(cast.GAME, cast.acc(), Side.WHITE, None, cast.LINK),
        }


class LeaderCopyKind(StrEnum):
    """Why the leader gets a copy (§ 6.8.3)."""

    REMINDED = "reminded"
    ANSWERED = "answered"


@letter("silence_copy")
class SilenceCopy(LeaderReport):
    """To the leader: what the silent player was sent, or what he answered (§ 6.8.3); no address
    that takes moves. ``by``: who was silent."""

    why: LeaderCopyKind
    by: Side
    dispatch: Dispatch | None

    def about(self, words: Words) -> str:
        return words(f"silences.copy_subject.{self.why.value}", player=self.name(self.by))

    def lead(self, words: Words) -> str:
        named = {"player": self.name(self.by), "opponent": self.name(self.by.other)}
        return words(f"silences.copy.{self.why.value}", **named, **self.account.cited)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        answer = days(self.account.terms.rules.silence_answer_days, words)
        if self.dispatch is None:
            yield words("silences.copy.first_move")
        else:
            yield words("letters.over.last", moves=both_forms(self.dispatch.plies, words))
        yield words(f"silences.copy_next.{self.why.value}", days=answer)
        if _is_postal(self.account) and self.why is LeaderCopyKind.REMINDED:
            yield words("silences.copy_card")
        yield from deadline_facts(self.account, None, words)
        yield board_view(self.account, None, words)
        yield from account_blocks(self.account, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        reminded, now = LeaderCopyKind.REMINDED, cast.so_far()
        copy = cls(cast.GAME, now, reminded, Side.BLACK, cast.dispatch(2))
        return {
            "copy": copy,
            "copy_first": cls(cast.GAME, cast.acc(), reminded, Side.WHITE, None),
            "copy_answered": replace(copy, why=LeaderCopyKind.ANSWERED, by=Side.WHITE),
            "copy_postal": replace(copy, account=cast.by_post()),
        }


class SilenceStep(StrEnum):
    """What was done for the waiting player."""

    REMINDED = "reminded"
    LEADER_TOLD = "leader_told"


@letter("silence_told")
class SilenceTold(PlayerLetter):
    """To the waiting player, who need do nothing: what the server did for him (§ 6.3.4)."""

    step: SilenceStep

    def about(self, words: Words) -> str:
        return words(f"silences.told_subject.{self.step.value}")

    def lead(self, words: Words) -> str:
        return words(f"silences.told.{self.step.value}", opponent=self.name(self.to.other))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        opponent, key = self.name(self.to.other), f"silences.told_more.{self.step.value}"
        yield words(key, opponent=opponent, **self.account.cited)
        if _is_postal(self.account):
            yield words("silences.told_card", opponent=opponent)
            yield from _card_link(self.game, words)
        yield from deadline_facts(self.account, self.to, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        told = cls(cast.GAME, cast.so_far(), Side.WHITE, SilenceStep.REMINDED)
        return {
            "told_reminded": told,
            "told_leader": replace(told, step=SilenceStep.LEADER_TOLD),
            "told_postal": replace(told, account=cast.by_post()),
        }


@letter("think_warning")
class ThinkWarning(PlayerLetter):
    """To the player, before anything is charged: notice will be needed (§ 6.3.4), with the one
    click that gives it (``link``).

    ``free_until``: the last day that needs none.
    """

    free_until: date | None
    link: str

    def lead(self, words: Words) -> str:
        return words("silences.think.lead", opponent=self.name(self.to.other))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.free_until is not None:
            yield words("silences.think.until", day=words.day(self.free_until))
        yield words("silences.think.rule")
        yield from _how_to_give_notice(self.account, self.link, words)
        yield from deadline_facts(self.account, self.to, words)
        yield board_view(self.account, self.to, words)
        yield from answer_blocks(self.account, envelope.reply_to, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        day = date(2026, 12, 19)
        return {
            "think_warning": cls(cast.GAME, cast.so_far(), Side.BLACK, day, cast.LINK),
            "think_still": cls(cast.GAME, cast.by_post(), Side.BLACK, None, cast.LINK),
        }


@letter("long_think")
class LongThink(PlayerLetter):
    """Notice of more than 14 days on a move, to the opponent or to the player: nobody is reminded,
    time runs on (§ 6.3.4)."""

    by: Side
    message: str | None = None

    @property
    def _role(self) -> str:
        return "own" if self.to is self.by else "theirs"

    def about(self, words: Words) -> str:
        return words(f"silences.noticed_subject.{self._role}")

    def lead(self, words: Words) -> str:
        named = {"player": self.name(self.by), "opponent": self.name(self.by.other)}
        return words(f"silences.noticed.{self._role}", **named)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("silences.noticed.runs")
        if self._role == "theirs":
            yield from message_blocks(self.message, self.name(self.by), words)
        yield from deadline_facts(self.account, self.to, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        said = f"På ferie {cast.OTHER_KEY}"
        return {
            "long_think": cls(cast.GAME, cast.so_far(), Side.WHITE, Side.BLACK, said),
            "long_think_own": cls(cast.GAME, cast.so_far(), Side.BLACK, Side.BLACK),
        }


@letter("control_warning")
class ControlWarning(PlayerLetter):
    """To the player: few days are left before the control, and how to answer in time (§ 6.3.3.1,
    § 6.8.6).

    ``supposed``: the earliest day a card whose receipt is not reported can have arrived.
    """

    days_left: int
    supposed: date | None = None

    def about(self, words: Words) -> str:
        left, move = days(self.days_left, words), self.account.state.next_control(self.to)
        return words("letters.subject.control_warning", days=left, move=move)

    def lead(self, words: Words) -> str:
        return words(
            f"silences.control.{'lead' if self.supposed is None else 'lead_supposed'}",
            days=days(self.days_left, words),
            move=self.account.state.next_control(self.to),
            opponent=self.name(self.to.other),
        )

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        limit = self.account.state.limit_of(self.to)
        yield words("silences.control.rule", limit=days(limit, words), **self.account.cited)
        if self.supposed is not None:
            day = words.day(self.supposed)
            yield words("silences.control.supposed", day=day, **self.account.cited)
            yield from _card_link(self.game, words)
        yield from deadline_facts(self.account, self.to, words)
        yield board_view(self.account, self.to, words)
        yield from answer_blocks(self.account, envelope.reply_to, words)
        yield from account_blocks(self.account, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        day = date(2026, 12, 5)
        return {
            "control": cls(cast.GAME, cast.pressed(), Side.BLACK, 3),
            "control_supposed": cls(cast.GAME, cast.by_post(), Side.BLACK, 3, day),
        }


@letter("offline")
class OfflineReport(LeaderReport):
    """To the leader, to rule on: a player is out of reach for more than 30 days (§ 6.8.1)."""

    by: Side
    since: date

    def about(self, words: Words) -> str:
        return words("letters.subject.offline", player=self.name(self.by))

    def lead(self, words: Words) -> str:
        player, since = self.name(self.by), words.day(self.since)
        return words("silences.offline.lead", player=player, day=since)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        person = self.game.player(self.by)
        told = {"days": days(OFFLINE_DAYS, words), **self.account.cited}
        yield words("silences.offline.rule", **told)
        if person.email is not None:
            yield b.AddressLine(words("letters.silence.address"), person.email)
        yield board_view(self.account, None, words)
        yield from account_blocks(self.account, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {"offline": cls(cast.GAME, cast.so_far(), Side.BLACK, date(2026, 12, 5))}


@letter("long_transit")
class LongTransit(LeaderReport):
    """To the leader, who may correct the days: a move was under way for more than a day (§ 6.8.2).

    ``stated``: the day of sending that differs from the one counted; ``received``: a day of receipt
    later than the usual one. Both as the sender of the dispatch gives them.
    """

    dispatch: Dispatch
    stated: date | None = None
    received: date | None = None

    def lead(self, words: Words) -> str:
        player, moves = self.name(self.dispatch.by), both_forms(self.dispatch.plies, words)
        return words("silences.transit.lead", player=player, moves=moves)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        row = dated_row(self.account, self.dispatch)
        for name, day in (("sent", self.stated), ("received", self.received)):
            counted = None if row is None else getattr(row.dates, name)
            if day is not None and counted is not None:
                said = {"stated": words.day(day), "counted": words.day(counted)}
                yield words(f"silences.transit.{name}", **said)
        yield words("silences.transit.rule", **self.account.cited)
        yield from account_blocks(self.account, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        days = date(2026, 12, 1), date(2026, 12, 4)
        return {"long_transit": cls(cast.GAME, cast.so_far(), cast.dispatch(2), *days)}


def _leave_words(player: str, first: date, last: date, words: Words) -> dict[str, str]:
    return {"player": player, "first": words.day(first), "last": words.day(last)}


@letter("leave_shorter")
class LeaveShorter(GameLetter):
    """To the opponent and the leader: leave shortened for the player on leave. His own time runs
    again; the opponent keeps the announced stop (§ 6.3.6)."""

    by: Side
    first: date
    last: date
    until: date

    @property
    def _kind(self) -> str:
        return "given_up" if self.until < self.first else "shortened"

    def about(self, words: Words) -> str:
        until = f"{words.short_day(self.until)} {self.until.year}"
        return words(f"silences.shorter_subject.{self._kind}", until=until)

    def lead(self, words: Words) -> str:
        told, kind = _leave_words(self.name(self.by), self.first, self.last, words), self._kind
        return words(f"silences.shorter.{kind}", **told, until=words.day(self.until))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        told = _leave_words(self.name(self.by), self.first, self.last, words)
        role, until = "leader" if self.to is None else "opponent", words.day(self.until)
        yield words(f"silences.keeps.{role}", **told, until=until)
        yield from deadline_facts(self.account, self.to, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        days = (Side.BLACK, date(2027, 1, 8), date(2027, 1, 15))
        return {
            "shorter": cls(cast.GAME, cast.so_far(), Side.WHITE, *days, date(2027, 1, 10)),
            "given_up": cls(cast.GAME, cast.so_far(), None, *days, date(2027, 1, 7)),
        }


# The letter telling a leader about a leave and its games. NOT for booking it.


@letter("leave_told")
class LeaveTold(LeaderFootLetter):
    """To the leader of the games (§ 6.3.6.1, § 6.8.8); ``until``: the player's own last day if he
    shortened it."""

    player: str
    first: date
    last: date
    leave_type: LeaveType
    until: date | None
    games: tuple[LetterGame, ...]

    def subject(self, words: Words) -> str:
        about = leave_subject(self.first, self.last, self.leave_type, words)
        return words("letters.leave.of_player", player=plain(self.player), about=about)

    def lead(self, words: Words) -> str:
        told = _leave_words(plain(self.player), self.first, self.last, words)
        if self.until is None:
            return words(f"letters.leave.notice.{self.leave_type.value}", **told)
        kind = "given_up" if self.until < self.first else "shortened"
        return words(f"silences.shorter.{kind}", until=words.day(self.until), **told)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.until is None:
            yield words("letters.leave.stands_still")
        else:
            told = _leave_words(plain(self.player), self.first, self.last, words)
            yield words("silences.keeps.leader", **told)
        yield words("letters.leave.games")
        yield b.Bullets(
            tuple(
                f"{plain(game.name)}: {plain(game.white.name)} – {plain(game.black.name)}"
                for game in self.games
            )
        )
        yield words("letters.leave.opponents_told")

    @classmethod
    def samples(cls) -> dict[str, Self]:
        games = (cast.GAME, replace(cast.GAME, name="K-26-01/9"))
        leave = (date(2027, 1, 8), date(2027, 1, 15), LeaveType.PERSONAL)
        led = (cast.LEADER.name, cast.LEADER, cast.ZONE)
        told = cls(*led, cast.BLACK.name, *leave, None, games)
        return {
            "leave_told": told,
            "leave_told_shorter": replace(told, until=date(2027, 1, 10)),
        }


# The daily letter in words: each game with its moves, days, position, deadline and address.


@letter("digest")
class Digest(ServerLetter):
    """To a player who gets one letter a day: his games in the given order, those that wait first.

    ``settings`` is the page where he chose that.
    """

    games: tuple[OwnGameFacts, ...]
    settings: str

    takes_commands = True
    series = "daily"

    @property
    def open(self) -> tuple[OwnGameFacts, ...]:
        """The games waiting for the reader."""
        return tuple(one for one in self.games if one.reply_to is not None)

    @property
    def reply_to(self) -> str | None:
        """Where a plain reply goes: the only waiting game; None if there is not exactly one."""
        return self.open[0].reply_to if len(self.open) == 1 else None

    def lead(self, words: Words) -> str:
        count = len(self.open)
        return words("digest.lead", n=count) if count else words("digest.none")

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.open:
            yield words("digest.how")
        for one in self.games:
            yield from _game(one, words)
        yield b.SmallPrint(words("digest.why"))
        yield b.LinkLine(words("digest.settings"), self.settings, is_second=True)

    def write(self, words: Words, envelope: Envelope) -> b.LetterContent:
        """The letter in words, of the envelope's day."""
        is_answered = self.reply_to is not None and self.reply_to == envelope.reply_to
        key, day = "digest.subject" if self.open else "digest.news", envelope.date.date()
        return b.LetterContent(
            subject=words(key, n=len(self.open), day=words.day(day)),
            blocks=self._body(words, envelope),
            foot=self.foot(words),
            cut_line=words("letters.cut_line") if is_answered else None,
        )

    @classmethod
    def samples(cls) -> dict[str, Self]:
        game, now, first = cast.GAME, cast.so_far(), cast.acc(cast.E4)
        said = RelayedDispatch(cast.dispatch(2), now, cast.SAID)
        waits = OwnGameFacts(game, Side.BLACK, now, cast.KEY, (said,))
        fresh = RelayedDispatch(cast.dispatch(0), first, None)
        other = replace(game, name="K-26-01/5")
        second = OwnGameFacts(other, Side.BLACK, first, cast.SECOND, (fresh,))
        own = RelayedDispatch(cast.dispatch(3), cast.acc(*cast.EVENTS), "Hej")
        answered = OwnGameFacts(game, Side.BLACK, cast.acc(*cast.EVENTS), None, (own,))
        told = {"daily": (waits,), "daily_two": (waits, second), "daily_none": (answered,)}
        page = f"{cast.SITE}/settings/letters"
        return {
            name: cls(cast.BLACK.name, cast.OPERATOR, games, page) for name, games in told.items()
        }


def _game(one: OwnGameFacts, words: Words) -> Blocks:
    game, account = one.game, one.account
    yield own_heading(one, words)
    for passed in one.passed:
        yield from _write_move_summary(passed, one, words)
    if account.state.awaits_decision:
        yield words("letters.claim.rests")
    elif account.state.result is None:
        yield from deadline_facts(account, one.side, words)
    rows = [(side_name(side, words), write_days_used(account, side, words)) for side in Side]
    rows.append(leader_row(game.leader, words))
    yield b.FactList(tuple(rows))
    if one.reply_to is not None:
        yield board_view(account, one.side, words)
        yield from _answer(one, one.reply_to, words)
    yield from web_link(game, words)


def _answer(one: OwnGameFacts, reply_to: str, words: Words) -> Blocks:
    """The address; with a series or a draw offer also what to write (§ 6.2.5)."""
    state = one.account.state
    if state.proposal or state.draw_offer is one.side.other:
        yield words("digest.lines")
        yield from list_line_examples(one.account, words)
    yield from address_blocks(reply_to, words)


def _write_move_summary(passed: RelayedDispatch, one: OwnGameFacts, words: Words) -> Blocks:
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
    yield line
    yield from series_blocks(passed.account, dispatch, words, is_own=is_own)
    if not is_own:
        yield from message_blocks(passed.message, opponent, words)
