"""The letters that a game's events cause: which, to whom, and with which facts when they are sent.

Not for words (mail.game_letters), nor for letters about cards (postal/scans.py),
takeovers (starts/takeover.py) or no single game (beside what causes them).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from kskak.game import game_events as ev
from kskak.game.game_commands import Refusal
from kskak.play.due_days import days_left, last_free_day, last_reminder, used_since
from kskak.play.game_state import AccountCharge, GameState
from kskak.regulation.editions import Channel, Regulation, Side
from mail.game_letters.card_letters import EmailWord
from mail.game_letters.letter_parts import Letter
from mail.game_letters.move_letters import (
    AnnulmentNotice,
    ClaimFiled,
    Confirmation,
    DrawNotice,
    DrawWord,
    FirstMove,
    GameOver,
    LeaveNotice,
    OverstepWarning,
    PositionLetter,
    Reaches,
    Relay,
    SilenceReport,
)
from mail.game_letters.no_move_letters import (
    AskBack,
    ConfirmableAction,
    HeldConfirm,
    LateAsk,
    MailHoldKind,
    MailTrouble,
    NotMade,
    SeriesNotice,
)
from mail.game_letters.time_letters import (
    ControlWarning,
    LeaderCopyKind,
    LeaveShorter,
    LeaveTold,
    LongThink,
    LongTransit,
    OfflineReport,
    Reminder,
    SilenceCopy,
    SilenceStep,
    SilenceTold,
    ThinkWarning,
)
from mail.text.letter_facts import Dispatch
from server.store.mail.outbox import NewOutbox
from server.store.play.games import GameRow
from server.usecases.context import Core
from server.usecases.games.outbox_letters import Poster, QuestionKind, ReplyPosition, think_key
from server.usecases.letter_facts import (
    GAME_LOADERS,
    GameFacts,
    NoLetter,
    Params,
    day,
    loads_game,
    refusal_of,
    text,
    texts,
)
from server.usecases.preferences import Pace

# Which letters a game's events cause, as outbox rows in the events' own transaction.


@dataclass(frozen=True, slots=True)
class MailNotes:
    """What a mail says beside its move: lines not understood, days of its own (§ 6.8.2).

    ``stated``: a day of sending that differs from the one counted; ``received``: a day of receipt
    later than the usual. ``is_long``: under way for more than a day by these: the leader is told.
    """

    unread: tuple[str, ...] = ()
    stated: date | None = None
    received: date | None = None
    is_long: bool = False

    @property
    def days(self) -> dict[str, object]:
        """The days as facts of a letter."""
        days = {"stated": self.stated, "received": self.received}
        return {name: day.isoformat() for name, day in days.items() if day is not None}


NO_NOTES = MailNotes()


def letters_of(
    poster: Poster,
    game: GameRow,
    events: tuple[ev.Event, ...],
    first_seq: int,
    states: tuple[GameState, GameState],
    notes: MailNotes = NO_NOTES,
    is_warned: bool = False,
) -> tuple[NewOutbox, ...]:
    """The letters that a game's new events cause; ``states`` are before and after.

    ``is_warned``: all were told of the overstep when the time ran out.
    """
    before, after = states
    ply = after.position.ply
    over = before.result is None and after.result is not None
    # Who is told of a claim is told of the overstep by it (§ 6.3.3.5).
    is_warned = is_warned or any(isinstance(event, ev.OverstepClaimed) for event in events)
    out: list[NewOutbox] = []
    for offset, event in enumerate(events):
        at = (first_seq + offset, ply)
        out += (
            poster.about_game(kind, game, to, at, params)
            for kind, to, params in _letters_of_event(event, notes, is_over=over)
        )
        out += _build_leave_letter(poster, game, event, after)
        if isinstance(event, ev.MoveSent) and not over and last_reminder(before) is not None:
            # The answer to a reminder goes to the leader too (§ 6.8.3).
            why: dict[str, object] = {"why": "answered"}
            out.append(poster.about_game(SilenceCopy, game, None, at, why))
    if (kind := _find_position_letter(events, states)) is not None:
        at = (first_seq + len(events) - 1, ply)
        out.append(poster.about_game(kind, game, after.mover, at))
    if before.overstep is None and after.overstep is not None and not (over or is_warned):
        at = (first_seq + len(events) - 1, ply)
        out += [poster.about_game(OverstepWarning, game, s, at) for s in (*Side, None)]
    if over:
        at = (first_seq + len(events) - 1, ply)
        out += [poster.about_game(GameOver, game, s, at) for s in (*Side, None)]
    return tuple(out)


def _find_position_letter(
    events: tuple[ev.Event, ...], states: tuple[GameState, GameState]
) -> type[PositionLetter | FirstMove] | None:
    """The letter to who moves by e-mail and has none to answer: a ruling or a correction changed
    the position, and an answer to an older letter is not about this one (FIDE 7.5).
    """
    before, after = states
    is_by_mail = after.terms.regulation is Regulation.EMAIL or after.means.is_agreed
    if after.to_move is None or after.rests or not is_by_mail:
        return None
    kinds = {type(one.effect if isinstance(one, ev.RulingApplied) else one) for one in events}
    if not kinds & {ev.GameSetBack, ev.RulingAnnulled}:
        return None
    is_new = before.board.fen() != after.board.fen()
    if not is_new and after.position.ply != 0:
        return None
    # A game that ended, and goes on, before anybody had moved is as it was.
    return PositionLetter if is_new or ev.GameSetBack in kinds else FirstMove


def _letters_of_event(  # noqa: C901 - one arm per event
    event: ev.Event, notes: MailNotes, *, is_over: bool
) -> Iterator[tuple[type[Letter], Side | None, dict[str, object]]]:
    """The letters of one event: which, to whom (None: the leader) and with which facts.

    The result has letters of its own; whom to tell of a card depends on who entered it.
    """
    match event:
        case ev.EmailAnswered(by=by):
            yield EmailWord, by.other, {}
        case ev.MoveSent(by=by, channel=channel) if channel is not Channel.POST:
            unread: dict[str, object] = {"unread": list(notes.unread)} if notes.unread else {}
            yield Confirmation, by, unread | notes.days
            if not is_over:
                yield Relay, by.other, notes.days
            if notes.is_long:
                yield LongTransit, None, notes.days
        case ev.SeriesAdded():
            yield from ((SeriesNotice, reader, {}) for reader in Side)
        case ev.DrawDeclined(by=by):
            yield DrawNotice, by.other, {"word": "declined"}
        case ev.DrawClaimFailed(by=by):
            yield DrawNotice, by.other, {"word": "claimed"}
        case ev.LeaveBooked(by=by):
            yield LeaveNotice, by.other, {}
        case ev.LeaveShortened(by=by):
            yield LeaveShorter, by.other, {}
        case ev.OverstepFound() | ev.OverstepClaimed():
            kind = OverstepWarning if isinstance(event, ev.OverstepFound) else ClaimFiled
            yield from ((kind, reader, {}) for reader in (*Side, None))
        case ev.LongThinkNotified(by=by):
            yield LongThink, by.other, {}
        case ev.OpponentReminded(by=by):
            yield Reminder, by.other, {}
            yield SilenceCopy, None, {"why": "reminded"}
            yield SilenceTold, by, {"step": "reminded"}
        case ev.LeaderTold(by=by):
            yield SilenceReport, None, {}
            yield SilenceTold, by, {"step": "leader_told"}


def _build_leave_letter(
    poster: Poster, game: GameRow, event: ev.Event, after: GameState
) -> list[NewOutbox]:
    """The leader's letter about a leave: the same for each of its games, so kept once (§ 6.3.6)."""
    if not isinstance(event, ev.LeaveBooked | ev.LeaveShortened):
        return []
    same = [
        one.booked
        for one in after.bookings
        if isinstance(one.booked, ev.LeaveBooked)
        and (one.booked.by, one.booked.first, one.booked.last)
        == (event.by, event.first, event.last)
    ]
    player, kind = game.person_of(event.by), same[-1].leave_type.value
    days: dict[str, object] = {"first": event.first.isoformat(), "last": event.last.isoformat()}
    if isinstance(event, ev.LeaveShortened):
        days["until"] = event.until.isoformat()
    # A leave given up and booked again is another leave, and reported again.
    unique = ".".join(map(str, (player, kind, len(same), *days.values())))
    params = {"player": player, "type": kind, **days}
    return [poster.to_person(LeaveTold, game.tl_id, unique, params)]


# The letters that carry a move or tell how a game stands, with their facts.


def _think_link(core: Core, found: GameFacts) -> str:
    """The reader's link to give notice of a long think on the current move."""
    position = ReplyPosition(found.row.id, found.state.position.ply, found.side)
    return core.url(f"/think/{think_key(core.secret, position)}")


def _day_if(params: Params, name: str) -> date | None:
    return day(params, name) if name in params else None


def _sent(found: GameFacts, params: Params) -> Dispatch:
    """The dispatch, with the day of sending that its mail gave if it is another (§ 6.8.2)."""
    return replace(found.sent(), stated=_day_if(params, "stated"))


_PLAIN: dict[type[Letter], Callable[[Core, GameFacts, Params], Letter]] = {
    FirstMove: lambda _, found, __: FirstMove(*found.to_player),
    PositionLetter: lambda _, found, __: PositionLetter(*found.to_player, found.last_dispatch()),
    Relay: lambda _, found, params: Relay(
        *(found.game, found.account, _sent(found, params), found.message), results=found.results
    ),
    SeriesNotice: lambda _, found, __: SeriesNotice(*found.to_player, found.last_dispatch()),
    LongTransit: lambda _, found, params: LongTransit(
        found.game,
        found.account,
        found.sent(),
        *(_day_if(params, n) for n in ("stated", "received")),
    ),
    DrawNotice: lambda _, found, params: DrawNotice(
        *found.to_player, DrawWord(text(params, "word"))
    ),
    OverstepWarning: lambda _, found, __: OverstepWarning(*found.to_reader),
    AnnulmentNotice: lambda _, found, params: AnnulmentNotice(
        *found.to_reader, tuple(map(int, texts(params, "seqs")))
    ),
    Reminder: lambda core, found, __: Reminder(
        *found.to_player, found.last_dispatch(), _think_link(core, found)
    ),
    SilenceTold: lambda _, found, params: SilenceTold(
        *found.to_player, SilenceStep(text(params, "step"))
    ),
    ThinkWarning: lambda core, found, __: ThinkWarning(
        *found.to_player, last_free_day(found.state), _think_link(core, found)
    ),
    LongThink: lambda _, found, __: LongThink(*found.to_player, found.state.mover, found.message),
    OfflineReport: lambda _, found, params: OfflineReport(
        found.game, found.account, found.state.mover, day(params, "since")
    ),
}
GAME_LOADERS.update({kind.kind: load for kind, load in _PLAIN.items()})


_REACHES = {Pace.MOVES: Reaches.MAIL, Pace.DAILY: Reaches.DAILY, Pace.DEADLINES: Reaches.WEB}


@loads_game(Confirmation)
def _confirmation(_: Core, found: GameFacts, params: Params) -> Confirmation:
    unread = tuple(texts(params, "unread"))
    sent = _sent(found, params)
    return Confirmation(found.game, found.account, sent, unread, _REACHES[found.pace])


@loads_game(GameOver)
def _game_over(_: Core, found: GameFacts, __: Params) -> GameOver:
    event = found.event
    is_agreed = isinstance(event, ev.DrawMade) and found.state.draw_offer is event.by.other
    return GameOver(*found.to_reader, found.dispatch(), is_agreed)


@loads_game(LeaveNotice)
def _leave_notice(_: Core, found: GameFacts, __: Params) -> LeaveNotice:
    event = found.event_as(ev.LeaveBooked)
    return LeaveNotice(*found.to_reader, event.by, event.first, event.last, event.leave_type)


@loads_game(LeaveShorter)
def _leave_shorter(_: Core, found: GameFacts, __: Params) -> LeaveShorter:
    event = found.event_as(ev.LeaveShortened)
    return LeaveShorter(*found.to_reader, event.by, event.first, event.last, event.until)


@loads_game(ClaimFiled)
def _claim(_: Core, found: GameFacts, __: Params) -> ClaimFiled:
    event = found.event_as(ev.OverstepClaimed)
    return ClaimFiled(*found.to_reader, event.by, event.on, found.case)


# The answers to mails that have made no move yet (mail/mail_actions.py and mail/handle_mail.py).


def _charge(params: Params) -> AccountCharge | None:
    value = params.get("charge")
    if not isinstance(value, dict):
        return None
    day, side = date.fromisoformat(value["on"]), Side(value["by"])
    return AccountCharge(side, day, value["days"], value["paragraph"], value["reason"])


def _link(core: Core, params: Params) -> str:
    """The page of the question that a letter asks."""
    return core.url(f"/c/{text(params, 'key')}")


@loads_game(NotMade)
def _not_made(core: Core, found: GameFacts, params: Params) -> NotMade:
    is_refusal, is_claim = params.get("is_refusal") is True, params.get("is_claim") is True
    why: MailTrouble | Refusal
    why = refusal_of(params) if is_refusal else MailTrouble(text(params, "why"))
    written, opens = params.get("written"), params.get("open")
    return NotMade(
        *found.to_player,
        why=why,
        written=written if isinstance(written, str) else None,
        candidates=found.choices(texts(params, "candidates")),
        charge=_charge(params),
        unread=tuple(texts(params, "unread")),
        asks=(_link(core, params), day(params, "arrived")) if "key" in params else None,
        open=tuple((str(kind), str(move)) for kind, move in opens)
        if isinstance(opens, list)
        else (),
        raise_case=core.url(f"/games/{found.row.id}/object?kind=overstep") if is_claim else None,
        guesses=tuple(texts(params, "guesses")),
    )


@loads_game(AskBack)
def _ask_back(core: Core, found: GameFacts, params: Params) -> AskBack:
    asked, words = text(params, "question"), text(params, "words") if "words" in params else ""
    question = ConfirmableAction("accept_draw" if asked == QuestionKind.DRAW_YES else asked)
    first, last = (_day_if(params, name) for name in ("first", "last"))
    series = found.texts(texts(params, "plies"))
    return AskBack(*found.to_player, question, _link(core, params), words, first, last, series)


@loads_game(HeldConfirm)
def _held(core: Core, found: GameFacts, params: Params) -> HeldConfirm:
    words = params.get("words")
    return HeldConfirm(
        *found.to_player,
        why=MailHoldKind(text(params, "why")),
        plies=found.texts(texts(params, "plies")),
        arrived=day(params, "arrived"),
        link=_link(core, params),
        words=words if isinstance(words, str) else "",
    )


@loads_game(LateAsk)
def _late_ask(core: Core, found: GameFacts, params: Params) -> LateAsk:
    link, plies = _link(core, params), found.texts(texts(params, "plies"))
    links = (f"{link}?reply=claim", f"{link}?reply=waive")
    return LateAsk(*found.to_player, plies, day(params, "arrived"), *links)


# What the passing of time causes (§ 6.3.4, § 6.8.3); warnings: reflection/silence_and_outages.py.


@loads_game(SilenceCopy)
def _copy(_: Core, found: GameFacts, params: Params) -> SilenceCopy:
    why, mover = LeaderCopyKind(text(params, "why")), found.state.mover
    silent, dispatch = mover, found.last_dispatch()
    if why is LeaderCopyKind.ANSWERED:
        silent = mover.other if dispatch is None else dispatch.by
    return SilenceCopy(found.game, found.account, why, silent, dispatch)


@loads_game(SilenceReport)
def _silence(_: Core, found: GameFacts, __: Params) -> SilenceReport:
    reminded = last_reminder(found.state)
    if reminded is None:
        raise NoLetter("nobody was reminded")
    return SilenceReport(found.game, found.account, reminded)


@loads_game(ControlWarning)
def _control_warning(_: Core, found: GameFacts, __: Params) -> ControlWarning:
    state = found.state
    if state.to_move is None:
        raise NoLetter("no time runs")
    supposed = used_since(state) if state.receipt is None else None
    used = state.live_watch.days(used_since(state), found.today)
    return ControlWarning(*found.to_player, max(days_left(state) - used, 0), supposed)
