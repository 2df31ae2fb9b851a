"""Whether what was entered from a card may be replaced, and what then goes (§ 6.2.4, § 6.4.1).

Reading: § 6.2.4 binds a player to what he sent, not to what another typed. As long as nobody has
answered it, an entry is put right by whoever typed it for another, or by an official; later a
ruling sets the game back. So it does once a result is final: nobody may object to it any more
(§ 6.4.5). Not for what takes its place (decide_cards.py).
"""

from collections.abc import Sequence
from datetime import date

from kskak.game import events as ev
from kskak.game.refusals import Reason, Refusal
from kskak.play.standing_events import dispatches, standing, void
from kskak.play.state import GameState
from kskak.regulation.quantities import PauseReason, Side


def correct_entry(
    state: GameState,
    events: Sequence[ev.Event],
    seq: int,
    author: Side | None,
    *,
    is_final: bool = False,
) -> ev.GameSetBack | Refusal:
    """What makes the entry with this number void, or why it may not be replaced (§ 6.2.4).

    ``author``: the side of the player who asks; None for an official. ``is_final``: the time to
    object to the game's result is over (§ 6.4.5).
    """
    event = events[seq - 1] if 0 < seq <= len(events) else None
    if seq - 1 in void(events) or not isinstance(
        event, ev.MoveSent | ev.FaultySent | ev.Resigned | ev.DrawMade
    ):
        return Refusal(Reason.CARD_UNKNOWN)
    if event.by is author:
        return Refusal(Reason.CARD_BINDS)
    if state.awaits_decision:
        return Refusal(Reason.AT_REST)
    if is_final and state.result is not None:
        return Refusal(Reason.CARD_FINAL)
    later = [one.event for one in standing(events) if one.entry >= seq]
    closing = (ev.MoveSent, ev.OverstepClaimed, ev.ResultRuled, ev.FaultySent, ev.GameResumed)
    ends = () if isinstance(event, ev.MoveSent) else (ev.Resigned, ev.DrawMade)
    if any(isinstance(one, (*closing, *ends)) for one in later):
        return Refusal(Reason.CARD_ANSWERED)
    if isinstance(event, ev.MoveSent):
        return ev.GameSetBack(next(n for n, at in dispatches(events).items() if at == seq - 1) - 1)
    return ev.GameSetBack(state.position.ply, since=seq)


def time_back(entered: date, today: date) -> ev.Paused:
    """Time stood still while a move or an end that nobody sent was in the book (§ 6.4.1, reading).

    Only where nothing takes its place in the game: a right card has its own dates.
    """
    return ev.Paused(min(entered, today), today, PauseReason.DISPUTE)
