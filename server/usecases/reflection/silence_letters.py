"""Letters caused by the passing of time, from an outbox row and a game's facts (§ 6.3.4, § 6.8.3).

Not for when they are due (core/due_work.py) nor for wording (mail.game_letters.silences).
"""

from collections.abc import Callable

from kskak.game import events as ev
from kskak.play.due_days import days_left, last_free_day, last_reminder, used_since
from mail.compose import OfGame
from mail.game_letters import facts as lt
from mail.game_letters import silence_facts as sl
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import GameFacts, NoLetter
from server.usecases.core.letter_params import Params, day, text
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.reply_keys import Position, think_key


def _think_link(core: Core, found: GameFacts) -> str:
    """The reader's link to give notice of a long think on the current move."""
    position = Position(found.row.id, found.state.position.ply, found.side)
    return core.url(f"/think/{think_key(core.secret, position)}")


def _reminder(core: Core, found: GameFacts, _: Params) -> OfGame:
    link = _think_link(core, found)
    return sl.Reminder(found.game, found.account, found.side, found.last_dispatch(), link)


def _copy(_: Core, found: GameFacts, params: Params) -> OfGame:
    why = sl.Copied(text(params, "why"))
    mover = found.state.mover
    silent = mover if why is sl.Copied.REMINDED else mover.other
    dispatch = found.last_dispatch()
    if why is sl.Copied.ANSWERED and dispatch is not None:
        silent = dispatch.by
    return sl.SilenceCopy(found.game, found.account, why, silent, dispatch)


def _told(_: Core, found: GameFacts, params: Params) -> OfGame:
    step = sl.Step(text(params, "step"))
    return sl.SilenceTold(found.game, found.account, found.side, step)


def _report(_: Core, found: GameFacts, __: Params) -> OfGame:
    reminded = last_reminder(found.state)
    if reminded is None:
        raise NoLetter("nobody was reminded")
    return lt.SilenceReport(found.game, found.account, reminded)


def _think_warning(core: Core, found: GameFacts, _: Params) -> OfGame:
    link, free = _think_link(core, found), last_free_day(found.state)
    return sl.ThinkWarning(found.game, found.account, found.side, free, link)


def _long_think(_: Core, found: GameFacts, __: Params) -> OfGame:
    by = found.state.mover
    return sl.LongThink(found.game, found.account, found.side, by, found.message)


def _control_warning(_: Core, found: GameFacts, __: Params) -> OfGame:
    account, state = found.account, found.state
    if state.to_move is None:
        raise NoLetter("no time runs")
    supposed = used_since(state) if state.receipt is None else None
    used = state.live_watch.days(used_since(state), found.today)
    return sl.ControlWarning(
        found.game, account, found.side, max(days_left(state) - used, 0), supposed
    )


def _offline(_: Core, found: GameFacts, params: Params) -> OfGame:
    since = day(params, "since")
    return sl.OfflineReport(found.game, found.account, found.state.mover, since)


def _leave_shorter(_: Core, found: GameFacts, __: Params) -> OfGame:
    event = found.event
    if not isinstance(event, ev.LeaveShortened):
        raise NoLetter("the event is no shortened leave")
    days = (event.first, event.last, event.until)
    return sl.LeaveShorter(found.game, found.account, found.reader, event.by, *days)


SILENCE_LETTERS: dict[Kind, Callable[[Core, GameFacts, Params], OfGame]] = {
    Kind.REMINDER: _reminder,
    Kind.SILENCE_COPY: _copy,
    Kind.SILENCE_TOLD: _told,
    Kind.SILENCE: _report,
    Kind.THINK_WARNING: _think_warning,
    Kind.LONG_THINK: _long_think,
    Kind.CONTROL_WARNING: _control_warning,
    Kind.OFFLINE: _offline,
    Kind.LEAVE_SHORTER: _leave_shorter,
}
