"""A silent player's case, with its decision drafted for the leader (§ 6.3.4, § 6.8.3, § 6.2.8).

What the ledger knows stands in the form: the findings, the loss, the reasons. Nothing is decided
by it: the leader changes what he will, sees the letter and sends it. Not for other cases.
"""

from collections.abc import Mapping
from datetime import date

from kskak import events as ev
from kskak.case_events import CaseKind
from kskak.quantities import Result, Side
from server.usecases.views import GameView
from server.web.caselook import Look
from server.web.casewords import CaseWords


def drafted(view: Look, d: CaseWords) -> Mapping[str, str]:
    """The decision form's fields for an undecided silence; none for what is not one."""
    game = view.view
    if (
        game is None
        or view.case.kind != CaseKind.SILENCE
        or not view.can.lead
        or view.state.decided
    ):
        return {}
    side = game.side_of(view.case.person_id or 0)
    told = [one for one in game.events if isinstance(one, ev.LeaderTold)]
    if side is None or not told or told[-1].by is side:
        return {}
    return {
        "deed": "decide",
        "facts": _facts(game, side, told[-1], d),
        f"result-{game.game.id}": Result.won_by(side.other).value,
        "reasons": d("silent.reasons", name=game.player(side).name),
    }


def _facts(game: GameView, side: Side, told: ev.LeaderTold, d: CaseWords) -> str:
    """A line a day: the last move, the reminder, the leader told."""
    place = {"name": game.player(side).name, "other": game.player(side.other).name}
    moves = [_sent(one) for one in game.events if isinstance(one, ev.MoveSent)]
    reminders = [one.on for one in game.events if isinstance(one, ev.Reminded)]
    known = (("moved", moves[-1:]), ("reminded", reminders[-1:]), ("told", [told.on]))
    return "\n".join(
        d(f"silent.{key}", day=d.words.day(days[0]), **place)
        for key, days in known
        if days and days[0] is not None
    )


def _sent(move: ev.MoveSent) -> date | None:
    """The day a move was sent; None for a card whose dates nobody can read (§ 6.3.2)."""
    card = move.sent
    return card if isinstance(card, date) else card.postmark or card.stated
