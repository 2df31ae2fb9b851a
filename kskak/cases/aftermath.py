"""How games stand after a decision, while a case is pending, and when a player leaves."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from kskak.cases import case_events
from kskak.cases.case import CaseReason, CaseRefusal, CaseState
from kskak.cases.case_events import AppealEnd, Decision, GameOrder, effects, game_events
from kskak.cases.what_if import GameOutcome, read_game_outcome
from kskak.game import game_events as ev
from kskak.game.game_commands import lawful_days, unlawful_day
from kskak.game.game_events import ResultRuled
from kskak.play.events_in_force import is_swapped
from kskak.play.evolve_game import LedgerEntryFault, replay
from kskak.play.game_state import GameState, LedgerFault, Terms
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import DISPUTES, PauseReason, Result, Side
from kskak.statement.account import Account, account

# Games that stand still while a case is pending: what a suspension does to them (§ 6.4.1).


def lift_suspension(state: CaseState, now: date) -> tuple[case_events.SuspensionLifted, ...]:
    """The end of any suspension in force."""
    return (case_events.SuspensionLifted(now, state.suspended),) if state.suspended else ()


def rest_after(
    decision: Decision, state: CaseState
) -> tuple[case_events.GamesSuspended | case_events.SuspensionLifted, ...]:
    """What a decision does to the suspension: it ends, unless the case is sent back (§ 6.4.1).

    Reading: then the games that the lapsed decisions ruled on stand still until it is decided
    anew, for time that ran meanwhile would be charged to a player.
    """
    if decision.appeal is not AppealEnd.SENT_BACK:
        return lift_suspension(state, decision.on)
    ruled = {game for ref in decision.annuls for game in effects(state.known[ref], state.known)}
    new = tuple(sorted(ruled - {*state.suspended}))
    return (case_events.GamesSuspended(decision.on, new, "6.4.1"),) if new else ()


def suspension_effects(event: case_events.CaseEvent) -> dict[int, ev.Event]:
    """The event for each game's ledger when it is suspended or resumed; empty for other events.

    Time stands still from the day of the suspension to the day before it is lifted (§ 6.4.1).
    """
    match event:
        case case_events.GamesSuspended(on, games, _):
            return {game: ev.GamePaused(on, None, PauseReason.DISPUTE) for game in games}
        case case_events.SuspensionLifted(on, games):
            return {game: ev.PauseEnded(PauseReason.DISPUTE, on - ONE_DAY) for game in games}
        case case_events.ClaimClosed(on, game, end=case_events.ClaimEnd.WITHDRAWN):
            return {game: ev.PauseEnded(PauseReason.DISPUTE, on - ONE_DAY)}
        case _:
            return {}


def claims_upheld(state: CaseState, ordered: Iterable[int], on: date) -> tuple[GameOrder, ...]:
    """The claims that a decision upholds by ordering nothing.

    Reading of § 6.4.1: what the account shows stands unless the decision changes it. One that
    rules on other games of the player leaves the claims open that it does not name (below).
    ``ordered``: the games that the decision has an order for.
    """
    known = set(ordered)
    if known and len(state.opened.games) > 1:
        return ()
    return tuple(
        GameOrder(claim.game, ev.ClaimStands(claim.late, on))
        for claim in state.claims
        if claim.game not in known
    )


def list_open_claims(decision: Decision, state: CaseState) -> tuple[case_events.GameClaimed, ...]:
    """The claims that a decision says nothing of: questions that go on in another case."""
    ruled = effects(decision, state.known)
    return tuple(claim for claim in state.claims if claim.game not in ruled)


def drop_claims(before: CaseState, event: case_events.CaseEvent) -> dict[int, ev.Event]:
    """The claims dropped when a case closes undecided: their games go on (§ 6.4.1)."""
    if isinstance(event, case_events.ClaimClosed):
        is_over = event.end is not case_events.ClaimEnd.WITHDRAWN
        return {} if is_over else {event.game: ev.ClaimDropped(event.on)}
    if not isinstance(event, case_events.CaseWithdrawn | case_events.CaseSettled):
        return {}
    return {claim.game: ev.ClaimDropped(event.on) for claim in before.claims}


# How a game stands after a decision, or why the decision can't be carried out (§ 6.4.1).


@dataclass(frozen=True, slots=True)
class TurnDays:
    """Days used on the move that a game resumes with: before the decision, and after it."""

    by: Side
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Aftermath:
    """A game after a decision, on its day. ``turn`` only where the decision resumes it."""

    outcome: GameOutcome
    turn: TurnDays | None = None


def clash(decision: Decision, state: CaseState) -> CaseReason | None:
    """How a decision contradicts itself, whatever has happened in the games (§ 6.4.1)."""
    if set(decision.annuls) & set(decision.restores):
        return CaseReason.TWO_ANSWERS
    for ordered in effects(decision, state.known).values():
        kinds = {type(effect) for effect in ordered}
        if ev.ResultRuled in kinds and kinds & {ev.GameResumed, ev.GameSetBack}:
            return CaseReason.RESULT_AND_RESUME
        if ev.GameSetBack in kinds and ev.GameResumed not in kinds:
            return CaseReason.SET_BACK_UNDATED
        answers = dict[object, object]()
        for about, what in (pair for effect in ordered for pair in _sayings(effect)):
            if answers.setdefault(about, what) != what:
                return CaseReason.TWO_ANSWERS
    return None


def _sayings(effect: ev.RulingEffect) -> Iterator[tuple[object, object]]:
    """What an effect fixes, as pairs of subject and value: each subject can have only one value."""
    match effect:
        case ev.ResultRuled(result):
            yield "result", result
        case ev.GameResumed(on):
            yield "resume", on
        case ev.GameSetBack(ply, _, swaps_colours):
            yield "set_back", (ply, swaps_colours)
        case ev.TotalsSet(white, black):
            sides = zip(Side, (white, black), strict=True)
            yield from ((side, total) for side, total in sides if total is not None)
        case ev.DispatchCorrected(ply, sent, received):
            days = (("sent", sent), ("received", received))
            yield from (((ply, name), day) for name, day in days if day is not None)


def ledger_events(decision: Decision, state: CaseState) -> dict[int, tuple[ev.Event, ...]]:
    """The events for the games a decision rules on, including those of their suspension."""
    out = game_events(decision, state.known)
    for rest in rest_after(decision, state):
        for game, event in suspension_effects(rest).items():
            if game in out:
                out[game] = (*out[game], event)
    return out


def aftermath(
    terms: Terms, events: Sequence[ev.Event], new: Sequence[ev.Event], on: date
) -> Aftermath | CaseRefusal:
    """The game after a decision's events, or why they don't achieve what it orders."""
    ordered = [one.effect for one in new if isinstance(one, ev.RulingApplied)]
    outside = unlawful_day(tuple(ordered), terms.start, on)
    names_nobody = all(
        isinstance(one, ev.GameResumed) or (isinstance(one, ev.GameSetBack) and one.ply == 0)
        for one in ordered
    )
    if not names_nobody and is_swapped([*events, *new]) is not is_swapped(events):
        return CaseRefusal(CaseReason.COLOURS_ALONE, game=terms.game)
    try:
        # Nothing is counted with a mistyped year: its bounds are those of the game as it is.
        after = account(terms, [*events, *new] if outside is None else events, on)
    except (LedgerEntryFault, LedgerFault):
        return CaseRefusal(CaseReason.IMPOSSIBLE, game=terms.game)
    wrong = _find_misdated_day(ordered, after, on)
    if wrong is None and outside is not None:
        since, until = lawful_days(terms.start, on)
        wrong = CaseRefusal(CaseReason.GAME_DATES, until, None, since, outside, terms.game)
    if wrong is not None:
        return wrong
    refs = {one.ruling for one in new if isinstance(one, ev.RulingApplied)}
    if not _took_effect(ordered, after, refs):
        return CaseRefusal(CaseReason.STILL_OVER, game=terms.game)
    resumed = [effect for effect in ordered if isinstance(effect, ev.GameResumed)]
    if not resumed:
        return Aftermath(read_game_outcome(after))
    others = [event for event in new if not isinstance(event, ev.RulingApplied)]
    now = _days_on_turn(after.state, on)
    if any(isinstance(effect, ev.GameSetBack) for effect in ordered):  # another turn than before
        return Aftermath(read_game_outcome(after), TurnDays(after.state.mover, now, now))
    now += sum(getattr(one, "days", 0) for one in ordered if getattr(one, "reason", "") == KEPT)
    before = _days_on_turn(replay(terms, [*events, *others]), on)
    return Aftermath(read_game_outcome(after), TurnDays(after.state.mover, before, now))


KEPT = "kept"
"""The reason of the charge by which the days used on a move count when the game is resumed."""


def keep_days(
    terms: Terms, events: Sequence[ev.Event], ordered: Sequence[ev.RulingEffect], on: date
) -> ev.DaysCharged | None:
    """The days used on the move that a game is resumed with, to be counted on (§ 6.3.1, § 6.4.1).

    Reading: a game goes on as it stood when it was stopped. None where nothing was used, and
    where the decision sets the total, another turn, or aside the very days that were too many.
    ``events``: with the annulment of the decisions that it annuls.
    """
    resumed = next((one for one in ordered if isinstance(one, ev.GameResumed)), None)
    if resumed is None or any(isinstance(one, ev.GameSetBack) for one in ordered):
        return None
    gone = {one.ruling for one in events if isinstance(one, ev.RulingAnnulled)}
    stopped = [
        one.effect.on
        for one in events
        if isinstance(one, ev.RulingApplied) and one.ruling in gone
        and isinstance(one.effect, ev.ResultRuled | ev.GameResumed)
    ]  # fmt: skip
    until = min([on, resumed.on, *stopped])
    rest = [ev.RulingApplied("trial", one) for one in ordered if one is not resumed]
    try:
        found = account(terms, [*events, *rest], until)
    except (LedgerEntryFault, LedgerFault):
        return None  # the decision is refused for it anyway
    state, by = found.state, found.state.mover
    totals = (one for one in ordered if isinstance(one, ev.TotalsSet))
    is_set = any((one.white, one.black)[by is Side.BLACK] is not None for one in totals)
    is_over = state.result is not None or found.overstep is not None
    if is_set or is_over or state.receipt is None:
        return None
    days = state.live_watch.days(state.receipt, until)
    return ev.DaysCharged(by, on, days, "6.4.1", KEPT) if days > 0 else None


def _days_on_turn(state: GameState, on: date) -> int:
    """The days that count which the side to move has used on the current move."""
    overstep, total = state.overstep, state.clock(state.mover).total
    if overstep is not None and overstep.by is state.mover and overstep.used > total:
        return overstep.used - total
    return 0 if state.receipt is None else state.live_watch.days(state.receipt, on)


def _took_effect(ordered: Sequence[ev.RulingEffect], after: Account, refs: Set[str]) -> bool:
    """Whether the orders took effect: nothing but a result changes a game that is over."""
    state = after.state
    if any(isinstance(one, ev.GameResumed) for one in ordered) and state.result is not None:
        return False
    charged = [one for one in ordered if isinstance(one, ev.DaysCharged)]
    if len([one for one in after.charges if one.ruling in refs]) < len(charged):
        return False
    set_to: dict[Side, int] = {}
    for one in ordered:
        if isinstance(one, ev.TotalsSet):
            totals = zip(Side, (one.white, one.black), strict=True)
            set_to |= {side: total for side, total in totals if total is not None}
        elif isinstance(one, ev.DaysCharged) and one.by in set_to:
            set_to[one.by] += one.days
    return all(state.clock(side).total == total for side, total in set_to.items())


def _find_misdated_day(
    ordered: Sequence[ev.RulingEffect], after: Account, on: date
) -> CaseRefusal | None:
    """The first day of a decision that lies outside what the game allows, with its bounds."""
    for effect in ordered:
        for day, first, last in _bounds(effect, after, on):
            if not first <= day <= last:
                reason, game = CaseReason.GAME_DATES, after.terms.game
                return CaseRefusal(reason, until=last, since=first, day=day, game=game)
    return None


def _bounds(effect: ev.RulingEffect, after: Account, on: date) -> Iterator[tuple[date, date, date]]:
    """Each day of an effect, with the first and the last that make sense."""
    start, ahead = after.terms.start, on + timedelta(days=DISPUTES.ahead_days)
    match effect:
        case ev.GameResumed(day):
            soon = on + timedelta(days=DISPUTES.resume_ahead_days)
            yield day, after.state.turn.opponent_sent or start, soon
        case ev.DispatchCorrected(ply, sent, received):
            if received is not None:
                yield received, _find_answered_day(ply, after), on
            if sent is not None:
                yield sent, start, on
        case ev.DaysCharged(on=day) | ev.ResultRuled(on=day):
            yield day, start, on
        case ev.LeaveBooked(first=first, last=last):
            yield last, max(first, start), ahead
        case ev.GamePaused(first, last, _):
            yield first, start, ahead
            if last is not None:
                yield last, first, ahead
        case ev.PauseEnded(_, last):
            yield last, start - ONE_DAY, ahead


def _find_answered_day(ply: int, after: Account) -> date:
    """The day the move answered by the dispatch at a ply was sent; the start for the first."""
    sent = [row.dates.sent for row in after.rows if row.ply < ply and row.dates.sent is not None]
    return sent[-1] if sent else after.terms.start


# What becomes of a player's games when they leave their group (§ 6.2.8).


@dataclass(frozen=True, slots=True)
class GroupGame:
    """A game of the group; ``result`` None while it is played.

    ``by``: the ruling by which the result stands, "" for one of the board. ``is_departed``: that
    ruling is about a player who left, and the result was ``before`` (§ 6.2.8).
    """

    game: int
    white: int
    black: int
    result: Result | None
    by: str = ""
    is_departed: bool = False
    before: Result | None = None
    group: str = ""

    @property
    def players(self) -> tuple[int, int]:
        """Both players."""
        return self.white, self.black

    @property
    def own_result(self) -> Result | None:
        """The result without what § 6.2.8 made of it; None: its players have not finished it."""
        return self.before if self.is_departed else self.result

    def side_of(self, player: int) -> Side | None:
        """The player's side, None when he is not in the game."""
        if player == self.white:
            return Side.WHITE
        return Side.BLACK if player == self.black else None


@dataclass(frozen=True, slots=True)
class GameFate:
    """What becomes of one of his games; ``result`` None: it goes to adjudication.

    ``by``: the ruling by which it stood until now.
    """

    game: int
    before: Result | None
    result: Result | None
    by: str = ""

    @property
    def is_adjudicated(self) -> bool:
        """Whether the leader has to judge the position."""
        return self.result is None

    @property
    def is_changed(self) -> bool:
        """Whether the result is new or differs from the one before."""
        return self.result is not None and self.result is not self.before


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The consequences of a withdrawal under § 6.2.8.

    Without a valid reason the right to a prize is lost and a quarantine is possible (§ 6.4.2).
    """

    player: int
    finished: int
    games: int
    loses_all: bool
    without_reason: bool
    fates: tuple[GameFate, ...]

    @property
    def loses_prize(self) -> bool:
        """Whether his right to a prize is lost (§ 6.2.8)."""
        return self.without_reason

    @property
    def may_be_quarantined(self) -> bool:
        """Whether the official may impose a quarantine (§ 6.2.8)."""
        return self.without_reason


def loses_all(finished: int, games: int) -> bool:
    """Whether he loses every game: at most half of them are finished (§ 6.2.8)."""
    return finished * DISPUTES.withdrawal_parts <= games


def withdraw(
    player: int,
    group: Sequence[GroupGame],
    *,
    has_reason: bool,
    is_silent: bool = False,
    losers: Set[int] = frozenset(),
) -> Withdrawal:
    """What becomes of a player's games when he leaves the group (§ 6.2.8).

    A silent player counts as withdrawn without a valid reason. ``losers``: the others who left
    and count as losers of all their games. Readings: a game already lost by both (§ 6.3.3.4)
    stays so; between two who lose all it is lost by both, for losing is not the other's winning;
    a game that only another's departure ended was not finished by its players. ValueError for a
    player without a game.
    """
    own = [(row, side) for row in group if (side := row.side_of(player)) is not None]
    if not own:
        raise ValueError("the player has no game in the group")
    finished = sum(row.own_result is not None for row, _ in own)
    is_all_lost = loses_all(finished, len(own))
    outcomes = tuple(
        GameFate(
            row.game,
            row.result,
            lost_result(row, side, losers) if is_all_lost else row.result,
            row.by,
        )
        for row, side in own
    )
    return Withdrawal(
        player, finished, len(own), is_all_lost, is_silent or not has_reason, outcomes
    )


def lost_result(game: GroupGame, side: Side, losers: Set[int]) -> Result:
    """The result of a game that ``side`` loses by leaving: both lose to an other who does too."""
    other = game.black if side is Side.WHITE else game.white
    is_both = game.own_result is Result.BOTH_LOSE or other in losers
    return Result.BOTH_LOSE if is_both else Result.won_by(side.other)


def withdrawal_orders(withdrawal: Withdrawal, on: date) -> tuple[GameOrder, ...]:
    """The results for a decision on the withdrawal to rule; the rest is to be adjudicated."""
    return tuple(
        GameOrder(outcome.game, ResultRuled(outcome.result, on, "", ""))
        for outcome in withdrawal.fates
        if outcome.is_changed and outcome.result is not None
    )


# What the game's edition of FIDE's laws asks when something was wrong with the position.


class Irregularity(StrEnum):
    """What was wrong."""

    WRONG_START = "wrong_start"
    WRONG_COLOURS = "wrong_colours"
    DISPLACED = "displaced"
    ILLEGAL = "illegal"


class Remedy(StrEnum):
    """What the laws ask: a new game, the game as it is, or the position before the fault."""

    ANEW = "anew"
    GO_ON = "go_on"
    SET_BACK = "set_back"


@dataclass(frozen=True, slots=True)
class LawsRemedy:
    """The remedy, and the article of the edition that gives it."""

    article: str
    remedy: Remedy


_ARTICLES = {
    2009: ("7.1", "7.2", "7.3", "7.4"),
    2014: ("7.2", "7.3", "7.4", "7.5"),
    2018: ("7.2", "7.3", "7.4", "7.5"),
}
_COLOURS_MOVES = {2018: 10}
"""Moves by each player from which reversed colours stay (FIDE 7.3); before 2018 they always do."""


def laws_remedy(what: Irregularity, laws_year: int, plies: int) -> LawsRemedy:
    """What the edition asks once ``plies`` have been played (FIDE 7.1-FIDE 7.5).

    Reading: the tenth move is made when both have made it. Wrong colours by a wrong pairing can't
    be changed once the game has begun, in any edition (Kendelse 47).
    """
    article = _ARTICLES[laws_year][list(Irregularity).index(what)]
    match what:
        case Irregularity.WRONG_START:
            remedy = Remedy.ANEW
        case Irregularity.WRONG_COLOURS:
            is_early = plies // 2 < _COLOURS_MOVES.get(laws_year, 0)
            remedy = Remedy.ANEW if is_early else Remedy.GO_ON
        case _:
            remedy = Remedy.SET_BACK
    return LawsRemedy(article, remedy)
