"""The letters that carry a move or tell how a game stands.

Confirmation, relay, results, the thread.
"""

from dataclasses import field
from datetime import date
from enum import StrEnum
from typing import Self

from kskak.game import game_events as ev
from kskak.play.due_days import used_since
from kskak.play.evolve_game import replay
from kskak.play.game_state import AccountLine
from kskak.regulation.editions import Ending, LeaveType, OverstepFinding, Result, Side
from kskak.statement.account import Account
from mail.game_letters import cast
from mail.game_letters.letter_parts import (
    Blocks,
    GameLetter,
    GameNote,
    LeaderReport,
    PlayerLetter,
    account_blocks,
    address_blocks,
    answer_blocks,
    board_view,
    both_forms,
    deadline_facts,
    in_one_form,
    letter,
    may_agree,
    plain,
    plays_by_card,
    quote_person,
    record,
    unread_blocks,
    web_link,
    word_row,
    write_move,
)
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import (
    days,
    days_left,
    explain,
    overstep_lines,
    side_name,
    write_charge,
    write_row,
    write_span,
    write_totals,
)
from mail.text.letter_facts import Dispatch, dispatch_of

# The letters that carry a move: the first one, the sender's confirmation, the relay.


@letter("first_move")
class FirstMove(PlayerLetter):
    """To the player who begins: what to write where, by example."""

    def lead(self, words: Words) -> str:
        color = side_name(self.to, words).lower()
        return words("letters.first.lead", color=color, opponent=self.name(self.to.other))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("letters.first.how")
        yield from answer_blocks(self.account, envelope.reply_to, words)
        yield from self._facts(words)
        yield from _reach(self, words)
        yield from deadline_facts(self.account, self.to, words)
        yield board_view(self.account, self.to, words)
        yield from web_link(self.game, words)

    def _facts(self, words: Words) -> Blocks:
        """Which game this is, who plays it, and by what rules (§ 6.5.2.1)."""
        terms = self.account.terms
        yield b.Heading(words("letters.game.heading"))
        yield b.FactList(
            (
                (words("letters.game.tournament"), plain(self.game.tournament)),
                (words("letters.game.name"), plain(self.game.name)),
                *((side_name(side, words), self.name(side)) for side in Side),
                (words("letters.game.start"), words.day(terms.start)),
                (words("letters.game.rules"), words(f"letters.rules.{terms.regulation.value}")),
                (words("letters.game.laws"), words("letters.laws", year=terms.laws_year)),
            )
        )

    def attached(self, envelope: Envelope) -> b.TextAttachment | None:
        return record(self.game, self.account, self.to, envelope)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {"first_move": cls(cast.GAME, cast.acc(), Side.WHITE)}


class Reaches(StrEnum):
    """How a move reaches the opponent: by a mail of its own, by a daily one, on the web alone."""

    MAIL = "lead"
    DAILY = "daily"
    WEB = "web"


@letter("confirmation")
class Confirmation(PlayerLetter):
    """To the sender of a move: what was played, the days and why, both totals, what comes next
    (§ 6.2.1, § 6.8.2).

    ``unread`` are lines of his mail that were not understood, quoted back; ``reaches``: how his
    opponent gets to know of the move.
    """

    to: Side = field(init=False)
    dispatch: Dispatch
    unread: tuple[str, ...] = ()
    reaches: Reaches = Reaches.MAIL

    def __post_init__(self) -> None:
        object.__setattr__(self, "to", self.dispatch.by)

    def about(self, words: Words) -> str:
        last = in_one_form(self.dispatch.plies[-1], words)
        return words("letters.subject.confirmation", move=last)

    def lead(self, words: Words) -> str:
        moves = both_forms(self.dispatch.plies, words)
        key = f"letters.confirmation.{self.reaches.value}"
        return words(key, moves=moves, opponent=self.name(self.to.other))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        account = self.account
        yield from series_blocks(account, self.dispatch, words, is_own=True)
        yield from unread_blocks(self.unread, words)
        yield from self._days(words)
        yield from deadline_facts(account, self.to, words)
        if account.state.to_move is self.to:
            yield board_view(account, self.to, words)
            yield from answer_blocks(account, envelope.reply_to, words)
        yield from web_link(self.game, words)
        yield words("letters.confirmation.not_you")

    def _days(self, words: Words) -> Blocks:
        """What the dispatch cost and why, the total and its limit (§ 6.2.1)."""
        account = self.account
        row = dated_row(account, self.dispatch)
        if row is None:
            return
        spans = (write_span(span, words) for span in row.dates.exempt)
        told = " ".join((write_row(row, words), *spans))
        for charge in account.charges:
            if charge.by is self.to and row.dates.received and charge.on >= row.dates.received:
                told += " " + write_charge(charge, words)
        if account.state.result is None:
            limit = days(account.state.limit_of(self.to), words)
            control = account.state.next_control(self.to)
            told += " " + words("letters.confirmation.limit", limit=limit, control=control)
        yield told
        yield from _stated_day(account, self.dispatch, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {
            "confirmation": cls(
                cast.GAME, cast.acc(*cast.EVENTS), cast.dispatch(3), ("Jeg ser på serien",)
            ),
            "confirmation_plain": cls(cast.GAME, cast.so_far(), cast.dispatch(2)),
        }


@letter("relay")
class Relay(PlayerLetter):
    """To the opponent: the move with all that § 6.2.1 and § 6.8.2 require: account, series, offer,
    message, deadline, how to answer.

    ``message`` is the sender's. ``is_repeated``: after 14 days without an answer (§ 6.8.3).
    ``results``: White, Black and result of each game of the group that has ended since the last
    letter with a move to this reader.
    """

    to: Side = field(init=False)
    dispatch: Dispatch
    message: str | None = None
    is_repeated: bool = False
    results: tuple[tuple[str, str, str], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "to", self.dispatch.by.other)

    def about(self, words: Words) -> str:
        """``11... Dc7 – du er i trækket, 47 dage``: the days are those the reader has left."""
        running = self.account.running
        last = in_one_form(self.dispatch.plies[-1], words)
        if running is None or running.by is self.dispatch.by:
            about = "repeated" if self.is_repeated else "played"
            return words(f"letters.subject.{about}", move=last)
        left = days_left(self.account, running)
        about = "repeated" if self.is_repeated else "relay" if left > 0 else "relay_over"
        return words(f"letters.subject.{about}", move=last, days=days(max(0, left), words))

    def lead(self, words: Words) -> str:
        key = "letters.relay.repeated" if self.is_repeated else "letters.relay.lead"
        moves = both_forms(self.dispatch.plies, words)
        return words(key, moves=moves, opponent=self.name(self.to.other))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        account = self.account
        if self.dispatch.declines_draw:
            yield words("letters.draw.declined", opponent=self.name(self.to.other))
        yield from series_blocks(account, self.dispatch, words, is_own=False)
        yield board_view(account, self.to, words)
        yield from deadline_facts(account, self.to, words)
        yield from web_link(self.game, words)
        yield from message_blocks(self.message, self.name(self.to.other), words)
        if account.state.to_move is self.to:
            yield from answer_blocks(account, envelope.reply_to, words)
        yield from days_blocks(account, self.dispatch, words)
        yield from account_blocks(account, words)
        if self.results:
            yield words("letters.relay.results")
            told = (
                f"{plain(white)} \N{EN DASH} {plain(black)}: {result}"
                for white, black, result in self.results
            )
            yield b.Bullets(tuple(told))
        yield from _reach(self, words)

    def attached(self, envelope: Envelope) -> b.TextAttachment | None:
        if self.account.state.to_move is not self.to:
            return None
        is_offered = self.dispatch.offers_draw
        return record(self.game, self.account, self.to, envelope, is_offered=is_offered)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {
            "relay": cls(cast.GAME, cast.so_far(), cast.dispatch(2), cast.SAID),
            "relay_later": cls(
                cast.GAME, cast.acc(*cast.EVENTS), cast.dispatch(3), results=cast.RESULTS
            ),
            "relay_first": cls(cast.GAME, cast.acc(cast.OFFER), cast.dispatch_of_offer()),
            "repeated": cls(cast.GAME, cast.so_far(), cast.dispatch(2), is_repeated=True),
        }


@letter("position")
class PositionLetter(PlayerLetter):
    """To the player to move: the position is another one, by a ruling or a correction (FIDE 7.5).

    The ordinary letter of the position, with why it comes in place of what is news in that.
    ``dispatch`` is the last that stands; None: the game begins anew.
    """

    dispatch: Dispatch | None

    def _ordinary(self) -> GameLetter:
        if self.dispatch is None:
            return FirstMove(self.game, self.account, self.to)
        # His own: a bound answer gave him the move again (§ 6.2.5).
        kind = Confirmation if self.dispatch.by is self.to else Relay
        return kind(self.game, self.account, self.dispatch)

    def lead(self, words: Words) -> str:
        if self.dispatch is None:
            color = side_name(self.to, words).lower()
            return words("letters.position.start", color=color, opponent=self.name(self.to.other))
        moves = both_forms(self.dispatch.plies, words)
        return words("letters.position.lead", moves=moves, name=self.name(self.dispatch.by))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("letters.position.how")
        yield from self._ordinary().blocks(words, envelope)

    def attached(self, envelope: Envelope) -> b.TextAttachment | None:
        return self._ordinary().attached(envelope)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {
            "position": cls(cast.GAME, cast.so_far(), Side.BLACK, cast.dispatch(2)),
            "position_anew": cls(cast.GAME, cast.acc(), Side.WHITE, None),
        }


def _reach(letter: PlayerLetter, words: Words) -> Blocks:
    """The opponent's name and address (§ 6.8.2)."""
    person = letter.game.player(letter.to.other)
    if person.email is not None and not plays_by_card(letter.account):
        yield words("letters.relay.address", name=plain(person.name), email=person.email)


def message_blocks(message: str | None, name: str, words: Words) -> Blocks:
    """What the opponent of that name wrote besides, if anything."""
    if message:
        yield words("letters.relay.message", opponent=name)
        yield b.Quote(quote_person(message))


def series_blocks(account: Account, dispatch: Dispatch, words: Words, *, is_own: bool) -> Blocks:
    """Accepted moves, the bound answer, the series proposed, a draw offered (§ 6.2.5), and whether
    it may be accepted yet (FIDE 5.2)."""
    who = "own" if is_own else "theirs"
    accepted = dispatch.plies[:-1]
    if accepted:
        yield words(f"letters.series.accepted.{who}", moves=both_forms(accepted, words))
    if dispatch.bound is not None:
        yield words(f"letters.series.bound.{who}", move=write_move(dispatch.bound, words))
    if dispatch.proposes:
        yield words(f"letters.series.proposed.{who}", moves=both_forms(dispatch.proposes, words))
    if dispatch.offers_draw:
        yield words(f"letters.draw.offered.{who if is_own or may_agree(account) else 'early'}")


def days_blocks(account: Account, dispatch: Dispatch, words: Words) -> Blocks:
    """Days charged for the dispatch, and every day not charged, with its paragraph."""
    row = dated_row(account, dispatch)
    if row is None:
        return
    yield b.Heading(words("letters.days.heading"))
    yield write_row(row, words)
    if row.dates.exempt:
        yield b.Bullets(tuple(write_span(span, words) for span in row.dates.exempt))
    rules = account.terms.rules
    yield b.SmallPrint(
        words(
            f"letters.days.rule.{account.terms.regulation.value}",
            days=days(rules.control_limit(rules.moves_per_control), words),
            moves=rules.moves_per_control,
            **account.cited,
        )
    )
    yield from _stated_day(account, dispatch, words)


def _stated_day(account: Account, dispatch: Dispatch, words: Words) -> Blocks:
    """Where the sender stated another day than the one that counts: both, and which counts."""
    row = dated_row(account, dispatch)
    if row is not None and dispatch.stated is not None and row.dates.sent is not None:
        stated, counted = words.day(dispatch.stated), words.day(row.dates.sent)
        yield words("letters.days.stated", stated=stated, counted=counted, **account.cited)


def dated_row(account: Account, dispatch: Dispatch) -> AccountLine | None:
    """The row that carries the dispatch's days: the sender's last ply."""
    ply = dispatch.first_ply + len(dispatch.plies) - 1
    return next((row for row in account.rows if row.ply == ply), None)


# Letters about how a game stands: it ended, a draw was declined, time ran out, a claim, leave.


def _full_account(account: Account, words: Words) -> Blocks:
    """The record with every day explained, for whoever has to judge it (§ 6.3.3.5): what the
    table does not show. Of an overstep the letter has told before."""
    rows = (row for row in account.rows if not row.dates.exempt and row.ruling is None)
    told = {write_totals(account, words), *overstep_lines(account, words)}
    told |= {write_row(row, words) for row in rows}
    told |= {write_charge(charge, words) for charge in account.charges}
    yield from account_blocks(account, words)
    lines = tuple(line.strip() for line in explain(account, words) if line not in told)
    if lines:
        yield b.Bullets(lines)


@letter("game_over")
class GameOver(GameLetter):
    """To both players and the leader: the result, how it came about, the last dispatch and the
    whole record (§ 6.2.6, § 6.8.9). ``is_agreed``: the draw was offered and accepted."""

    dispatch: Dispatch | None = None
    is_agreed: bool = False

    @property
    def _result(self) -> str:
        result = self.account.state.result
        return "*" if result is None else result.value

    @property
    def _ended(self) -> str:
        """How it ended; a decided overstep overrides all but a ruling (§ 6.3.3.3)."""
        state = self.account.state
        overstep = state.overstep
        is_decided = overstep is not None and overstep.finding is not OverstepFinding.OPEN
        if is_decided and state.ended is not Ending.RULING:
            return "overstep"
        if state.ended is Ending.DRAW and self.is_agreed:
            return "agreed"
        return state.ended.value if state.ended is not None else "ruling"

    def about(self, words: Words) -> str:
        return words(f"letters.over_subject.{self._ended}", result=self._result)

    def lead(self, words: Words) -> str:
        return words("letters.over.lead", result=self._result)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield from self._how(words)
        if self.dispatch is not None:
            yield words("letters.over.last", moves=both_forms(self.dispatch.plies, words))
        yield b.FactList(tuple((side_name(side, words), self.name(side)) for side in Side))
        yield board_view(self.account, self.to, words)
        if self.dispatch is not None:
            yield from days_blocks(self.account, self.dispatch, words)
        yield from account_blocks(self.account, words)
        key = "letters.over.to_leader" if self.to is None else "letters.over.reported"
        yield words(key, **self.account.cited)
        yield from web_link(self.game, words)

    def _how(self, words: Words) -> Blocks:
        state = self.account.state
        if self._ended == "overstep":
            yield from overstep_lines(self.account, words, self.to)
            return
        losers = {Result.WHITE_WINS: Side.BLACK, Result.BLACK_WINS: Side.WHITE}
        loser = None if state.result is None else losers.get(state.result)
        names = {
            "loser": self.name(loser) if loser else "-",
            "winner": self.name(loser.other) if loser else "-",
        }
        yield words(f"letters.ended.{self._ended}", **names)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        uci = (("e2e4", 30, 11), ("g7g5", 1, 12), ("d2d4", 2, 12), ("f7f6", 3, 12), ("d1h5", 4, 12))
        sides = (Side.WHITE, Side.BLACK)
        played = tuple(cast.move(sides[i % 2], *sent) for i, sent in enumerate(uci))
        over = cast.acc(*played)
        mated = dispatch_of(replay(cast.TERMS, played[:4]).position, played[4])
        drawn = cast.acc(*cast.EVENTS[:3], ev.DrawMade(Side.BLACK, date(2026, 12, 5)))
        return {
            "over": cls(cast.GAME, over, Side.BLACK, mated),
            "over_leader": cls(cast.GAME, over, None, mated),
            "over_agreed": cls(cast.GAME, drawn, Side.WHITE, is_agreed=True),
        }


class DrawWord(StrEnum):
    """What is said about a draw without a move (FIDE 9.1)."""

    DECLINED = "declined"
    NOTED = "noted"
    CLAIMED = "claimed"


@letter("draw")
class DrawNotice(PlayerLetter):
    """A draw declined, an offer noted for the next move, or a wrong claim that stands as an offer,
    and how to answer; the game goes on (FIDE 9.1)."""

    word: DrawWord

    def about(self, words: Words) -> str:
        return words(f"letters.draw_subject.{self.word.value}")

    def lead(self, words: Words) -> str:
        return words(f"letters.draw.{self.word.value}", opponent=self.name(self.to.other))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield from deadline_facts(self.account, self.to, words)
        yield board_view(self.account, self.to, words)
        if self.account.state.to_move is self.to:
            yield from answer_blocks(self.account, envelope.reply_to, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        names = {"declined": DrawWord.DECLINED, "offer-noted": DrawWord.NOTED}
        names["draw-claimed"] = DrawWord.CLAIMED
        return {
            name: cls(cast.GAME, cast.so_far(), Side.WHITE, word) for name, word in names.items()
        }


@letter("annulled")
class AnnulmentNotice(GameLetter):
    """To both and the leader: entries ``seqs`` can't be read and were annulled by a repair; why,
    where the game stands now, and who is to move."""

    seqs: tuple[int, ...]

    def lead(self, words: Words) -> str:
        key = "letters.annulled.single" if len(self.seqs) == 1 else "letters.annulled.several"
        return words(key, seqs=", ".join(map(str, self.seqs)))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        role = "leader" if self.to is None else "player"
        yield words(f"letters.annulled.why.{role}")
        yield from deadline_facts(self.account, self.to, words)
        yield board_view(self.account, self.to, words)
        yield words("letters.annulled.again")
        if envelope.reply_to is not None and self.account.state.mover is self.to:
            yield from answer_blocks(self.account, envelope.reply_to, words)
        yield from account_blocks(self.account, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {
            "annulled": cls(cast.GAME, cast.so_far(), Side.BLACK, (3,)),
            "annulled_leader": cls(cast.GAME, cast.so_far(), None, (3, 4)),
        }


@letter("overstep")
class OverstepWarning(GameLetter):
    """To both and the leader: time has run out, and what each may now do. This letter decides
    nothing (§ 6.3.3)."""

    @property
    def _late(self) -> Side:
        overstep = self.account.overstep
        return overstep.by if overstep is not None else self.account.state.mover

    @property
    def _role(self) -> str:
        return "leader" if self.to is None else "late" if self.to is self._late else "waiting"

    def about(self, words: Words) -> str:
        return words(f"letters.overstep_subject.{self._role}")

    def lead(self, words: Words) -> str:
        color = side_name(self._late, words).lower()
        key = f"letters.overstep_lead.{self._role}"
        return words(key, player=self.name(self._late), color=color)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        role = self._role
        yield from overstep_lines(self.account, words, self.to)
        yield words(f"letters.overstep.{role}")
        if role == "waiting":
            yield b.Example((word_row("claim", words),))
            if envelope.reply_to is not None:
                yield b.AddressLine(words("letters.answer.address"), envelope.reply_to)
        yield board_view(self.account, self.to, words)
        yield from _full_account(self.account, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        readers = {"late": Side.BLACK, "waiting": Side.WHITE, "leader": None}
        return {
            f"overstep_{role}": cls(cast.GAME, cast.overstepped(), to)
            for role, to in readers.items()
        }


@letter("claim")
class ClaimFiled(GameLetter):
    """To the opponent at the same time, and to the leader with the account (§ 6.3.3.5, § 6.8.7).

    ``case`` is the number of the case that the claim opened.
    """

    by: Side
    on: date
    case: str | None = None

    @property
    def _role(self) -> str:
        return "leader" if self.to is None else "own" if self.to is self.by else "late"

    def lead(self, words: Words) -> str:
        named = {"player": self.name(self.by), "opponent": self.name(self.by.other)}
        return words(f"letters.claim_lead.{self._role}", day=words.day(self.on), **named)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        role, rests = self._role, self.account.state.awaits_decision
        yield from overstep_lines(self.account, words, self.to)
        if rests:
            yield words("letters.claim.rests")
        yield words(f"letters.claim.{role}", **self.account.cited)
        if role == "late" and rests:
            yield b.Example((word_row("admit", words),))
            yield from address_blocks(envelope.reply_to, words)
        if self.case is not None:
            yield words("cases.claim", number=self.case)
        yield from _full_account(self.account, words)
        yield from self._thinking(words)
        yield from web_link(self.game, words)

    def _thinking(self, words: Words) -> Blocks:
        """The days of the move that was not sent, and which of them are not counted."""
        state, overstep = self.account.state, self.account.overstep
        if overstep is None or state.mover is not overstep.by:
            return
        since = used_since(state)
        days_of = {"since": words.day(since), "on": words.day(self.on)}
        yield words("letters.claim.counted", by=side_name(overstep.by, words), **days_of)
        spans = state.live_watch.explain(since, self.on)
        if spans:
            yield b.Bullets(tuple(write_span(span, words) for span in spans))

    @classmethod
    def samples(cls) -> dict[str, Self]:
        told = (Side.WHITE, date(2027, 2, 20))
        return {
            "claim": cls(cast.GAME, cast.claimed(), Side.BLACK, *told),
            "claim_own": cls(cast.GAME, cast.claimed(), Side.WHITE, *told),
            "claim_leader": cls(cast.GAME, cast.claimed(), None, *told),
        }


@letter("silence")
class SilenceReport(LeaderReport):
    """To the leader: reminded, and still no answer 7 days after it (§ 6.3.4, § 6.8.3)."""

    reminded: date

    def about(self, words: Words) -> str:
        player = self.name(self.account.state.mover)
        return words("letters.subject.silence", player=player)

    def lead(self, words: Words) -> str:
        return words("letters.silence.lead", player=self.name(self.account.state.mover))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        person = self.game.player(self.account.state.mover)
        day = words.day(self.reminded)
        yield words("letters.silence.reminded", day=day, **self.account.cited)
        if person.email is not None:
            yield b.AddressLine(words("letters.silence.address"), person.email)
        yield words("letters.silence.do")
        yield from deadline_facts(self.account, None, words)
        yield board_view(self.account, None, words)
        yield from account_blocks(self.account, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {"silence": cls(cast.GAME, cast.so_far(), date(2027, 1, 4))}


def leave_subject(first: date, last: date, kind: LeaveType, words: Words) -> str:
    """``ferie 8/1-15/1 2027``, for a subject; with both years where there are two."""
    begins = f" {first.year}" if first.year != last.year else ""
    span = f"{words.short_day(first)}{begins}-{words.short_day(last)} {last.year}"
    return words(f"letters.leave_subject.{kind.value}", span=span)


@letter("leave_notice")
class LeaveNotice(GameLetter):
    """To an opponent, with a copy to the leader: leave as notified, and what it does to the time
    (§ 6.3.6.1, § 6.8.8)."""

    by: Side
    first: date
    last: date
    leave_type: LeaveType

    def about(self, words: Words) -> str:
        return leave_subject(self.first, self.last, self.leave_type, words)

    def lead(self, words: Words) -> str:
        days_of = {"first": words.day(self.first), "last": words.day(self.last)}
        key = f"letters.leave.notice.{self.leave_type.value}"
        return words(key, player=self.name(self.by), **days_of)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("letters.leave.stands_still")
        yield from deadline_facts(self.account, self.to, words)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        told = (Side.BLACK, date(2027, 1, 8), date(2027, 1, 15), LeaveType.PERSONAL)
        return {"leave_notice": cls(cast.GAME, cast.so_far(), Side.WHITE, *told)}


# The letter of the game's quiet thread. NOT for deciding whether it is sent.


@letter("thread")
class ThreadLetter(GameNote):
    """To the other player. ``url`` is where he answers; a reply by mail is never a move."""

    writer: str
    text: str
    url: str

    def about(self, words: Words) -> str:
        return words("letters.thread.subject")

    def lead(self, words: Words) -> str:
        return words("letters.thread.lead", name=plain(self.writer))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield from (line for line in quote_person(self.text).split("\n") if line)
        yield words("letters.thread.no_move")
        yield b.LinkLine(words("letters.thread.answer"), self.url)
        yield b.SmallPrint(words("letters.thread.quiet"))

    @classmethod
    def samples(cls) -> dict[str, Self]:
        said = "Glædelig jul!\n\nPS: jeg er på ferie til den 3/1."
        to, by = (cast.WHITE.name, cast.GAME, Side.WHITE), cast.BLACK.name
        return {"thread": cls(*to, by, said, cast.URL)}
