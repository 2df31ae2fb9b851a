"""Which of a game's new events open a case, or close one (§ 6.3.3.5, § 6.3.4, § 6.8.7).

Whatever channel they came through, and in their own transaction. Not for the cases themselves
(case_opening.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from kskak.cases.events import CaseKind
from kskak.game.events import (
    ClaimStands,
    Event,
    LeaderTold,
    LeaveBooked,
    OverstepClaimed,
    OverstepFound,
    Paused,
    Ruled,
    RulingAnnulled,
)
from kskak.play.state import GameState
from kskak.reflection.leave import has_bounced
from kskak.regulation.days import local_day
from kskak.regulation.quantities import LeaveType, Side
from server.store.play.games import GameRow
from server.usecases.core.game_work import ClaimAdmitted, NewClaim, SilenceBroken
from server.usecases.core.outbox_letters import Poster

States = tuple[GameState, GameState]
"""A game before and after its new events."""


@dataclass(frozen=True, slots=True)
class Causes:
    """The game, who asked (None: the server), and the instant that counts."""

    game: GameRow
    actor_id: int | None
    at: datetime
    poster: Poster

    def claims(self, events: Sequence[Event], states: States) -> tuple[NewClaim, ...]:
        """The cases that events open (§ 6.3.3.5, § 6.3.4, § 6.8.7)."""
        out: list[NewClaim] = []
        for event in events:
            match event:
                case OverstepClaimed(by=by):
                    rests = any(isinstance(one, Paused) for one in events)
                    is_claimed = event.awaits_decision
                    late = by.other
                    kind = CaseKind.OVERSTEP
                    out.append(
                        NewClaim(
                            self.game, self.actor_id, late, self.at, self.poster, kind,
                            is_claimed=is_claimed, rests=rests,
                        )
                    )  # fmt: skip
                case OverstepFound(by=by):
                    out.append(self._server(by))
                case LeaderTold(by=by):
                    out.append(self._server(by.other, CaseKind.SILENCE))
        return (*out, *self._shown(events, states))

    def _server(self, late: Side, kind: CaseKind = CaseKind.OVERSTEP) -> NewClaim:
        return NewClaim(self.game, None, late, self.at, self.poster, kind)

    def _shown(self, events: Sequence[Event], states: States) -> tuple[NewClaim, ...]:
        """The case of an overstep that entering a card or a charge reveals (§ 6.3.3.5).

        The server could not find it on its day, not knowing what the card says. The effects of a
        ruling belong to the ruling's own case.
        """
        before, late = states[0].overstep, states[1].overstep
        if before is not None or late is None:
            return ()
        own = OverstepClaimed | OverstepFound | Ruled | RulingAnnulled
        if any(isinstance(event, own) for event in events):
            return ()
        return (self._server(late.by),)

    def admitted(self, events: Sequence[Event]) -> tuple[ClaimAdmitted, ...]:
        """The late player's admission that the claim is right, if there is one (§ 6.3.3.5)."""
        is_said = any(isinstance(event, ClaimStands) for event in events)
        return (ClaimAdmitted(self.game, self.at, self.poster),) if is_said else ()

    def broken(self, events: Sequence[Event], states: States) -> tuple[SilenceBroken, ...]:
        """The end of a silence or absence known to the leader: by an answer, or the game's end.

        Or by special leave of the silent player that covers today (§ 6.3.6.4).
        """
        before, after = states
        if not (before.turn.said.leader_told or has_bounced(before.bookings)):
            return ()
        if after.position.ply != before.position.ply or after.result is not None:
            is_end = after.result is not None
            return (SilenceBroken(self.game, self.at, self.poster, is_end=is_end),)
        today = local_day(self.at, self.game.zone)
        excused = any(
            isinstance(event, LeaveBooked)
            and event.leave_type is LeaveType.SPECIAL
            and event.by is before.mover
            and event.first <= today <= event.last
            for event in events
        )
        return (SilenceBroken(self.game, self.at, self.poster, is_leave=True),) if excused else ()
