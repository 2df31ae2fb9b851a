"""Claims of overstep: made, admitted, and what is barred while one waits (§ 6.3.3.5, § 6.8.7).

Reading: a claim halts the game until it is decided or admitted. Not for what it does to
the state (other_events.py) nor for the case it opens (the server's).
"""

from datetime import date

from kskak.game import commands as cmd
from kskak.game import events as ev
from kskak.game.refusals import Reason, Refusal
from kskak.play.evolve import evolve
from kskak.play.possible import must_ask
from kskak.play.state import GameState
from kskak.reflection.leave import open_pause
from kskak.regulation.days import ONE_DAY
from kskak.regulation.quantities import PauseReason, Side

Decision = tuple[ev.Event, ...] | Refusal
_BESIDE_PLAY = (
    cmd.BookLeave
    | cmd.GrantLeave
    | cmd.ShortenLeave
    | cmd.ReportReceived
    | cmd.RecordReceipt
    | cmd.AnswerEmail
)
"""What may be reported while a game is halted: it moves no piece and ends nothing."""


def about_overstep(
    state: GameState,
    command: cmd.ClaimOverstep | cmd.WaiveOverstep | cmd.AdmitOverstep,
    now: date,
) -> Decision:
    """A claim is refused when there is nothing to claim (§ 6.8.7), an answer when not asked."""
    if isinstance(command, cmd.AdmitOverstep):
        return _admit(state, command.by, now)
    if state.rests:
        return Refusal(Reason.AT_REST)
    nothing = Refusal(Reason.GAME_OVER if state.result is not None else Reason.NO_OVERSTEP)
    if isinstance(command, cmd.WaiveOverstep):
        is_asked = state.result is None and must_ask(state, command.by)
        return (ev.OverstepWaived(command.by, now),) if is_asked else nothing
    claim = ev.OverstepClaimed(command.by, now, awaits_decision=True)
    if evolve(state, claim, 0).overstep == state.overstep:
        return nothing
    stands_still = open_pause(state.bookings, PauseReason.DISPUTE) is not None
    if state.ended is not None or stands_still:
        return (claim,)
    return (ev.Paused(now, None, PauseReason.DISPUTE), claim)


def at_rest(state: GameState, command: cmd.Command, now: date) -> Decision | None:
    """What becomes of a command in a halted game; None: it is decided as in any game.

    Resigning then admits the claim: that is what the opponent asked for (§ 6.3.3.5).
    """
    if not state.rests or isinstance(command, _BESIDE_PLAY):
        return None
    gives_up = isinstance(command, cmd.Resign)
    if isinstance(command, cmd.RecordEnd):
        gives_up = command.resigns
    if gives_up and isinstance(command, cmd.Resign | cmd.RecordEnd) and _is_late(state, command.by):
        return _admit(state, command.by, now)
    return Refusal(Reason.AT_REST)


def _is_late(state: GameState, side: Side) -> bool:
    return state.overstep is not None and state.overstep.by is side


def _admit(state: GameState, by: Side, now: date) -> Decision:
    """The late player says that the claim is right: he has lost (§ 6.3.3.3)."""
    if not state.awaits_decision or not _is_late(state, by):
        return Refusal(Reason.GAME_OVER if state.result is not None else Reason.NO_CLAIM)
    stands = ev.ClaimStands(by, now)
    if open_pause(state.bookings, PauseReason.DISPUTE) is None:
        return (stands,)
    return (ev.PauseEnded(PauseReason.DISPUTE, now - ONE_DAY), stands)
