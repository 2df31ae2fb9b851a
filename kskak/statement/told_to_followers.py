"""A running game as shown to everyone, where its tournament lets everyone follow.

Reading: moves, days and rulings are shown as for a finished game. What a player intends is private
while it stands: a proposed series (§ 6.2.5), a draw offer (FIDE 9.1), leave that has not begun
(§ 6.3.6). The limit is then shown without the series, but nobody is shown as late who is not.
Pure; not for who may look (the server's).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import chess

from kskak.game import events as ev
from kskak.play.standing_events import in_force
from kskak.play.state import GameState, Running
from kskak.reflection.leave import Warning_
from kskak.statement.account import Account

_OF_AN_OFFER = ev.DrawOfferPrepared | ev.DrawDeclined | ev.DrawClaimFailed


@dataclass(frozen=True, slots=True)
class Told:
    """What everyone may know of a running game: its events, and their account."""

    events: tuple[ev.Event, ...]
    account: Account


def told_to_all(known: Account, events: Sequence[ev.Event], today: date) -> Told:
    """A running game's events and account without what is private to its players.

    ``known`` is the account of all ``events``; ``today`` tells which leave has begun. The account's
    remarks are those on the events shown.
    """
    kept = list(_kept(events, known.state.proposal, today))
    places = {entry: place for place, (entry, _) in enumerate(kept)}
    return Told(tuple(event for _, event in kept), _account(known, places))


def _kept(
    events: Sequence[ev.Event], series: tuple[chess.Move, ...], today: date
) -> Iterator[tuple[int, ev.Event]]:
    """The events shown, with their place among all of them."""
    proposed = [n for n, e in in_force(events) if isinstance(e, ev.MoveSent) and e.proposes]
    standing = proposed[-1] if proposed and series else None
    for entry, event in enumerate(events):
        if isinstance(event, _OF_AN_OFFER) or _is_to_come(event, today):
            continue
        if isinstance(event, ev.MoveSent):
            # What was answered of the series is on the board; the rest still stands (§ 6.2.5).
            cut = len(event.proposes) - len(series) if entry == standing else None
            event = replace(event, proposes=event.proposes[:cut], offers_draw=False)
        yield entry, event


def _is_to_come(event: ev.Event, today: date) -> bool:
    """Whether this is about a player's leave that has not begun."""
    effect = event.effect if isinstance(event, ev.Ruled) else event
    return isinstance(effect, ev.LeaveBooked | ev.LeaveShortened) and effect.first > today


def _account(known: Account, places: Mapping[int, int]) -> Account:
    state = replace(known.state, proposal=(), draw_offer=None, prepared_offer=None)
    return replace(
        known,
        state=state,
        running=_running(known, state),
        warnings=tuple(
            Warning_(entry=places[one.entry], code=one.code)
            for one in known.warnings
            if one.entry in places
        ),
        rulings=tuple(
            replace(one, entry=places[one.entry]) for one in known.rulings if one.entry in places
        ),
    )


def _running(known: Account, state: GameState) -> Running | None:
    """The running account without the series, unless it would show someone as late who is not."""
    told, live = state.running(), known.live
    if told is None or told.flag_on is None or live is None or known.overstep is not None:
        return told
    return known.running if told.flag_on <= live.on else told
