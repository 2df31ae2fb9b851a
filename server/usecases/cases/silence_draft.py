"""A silent player's case as the leader would decide it: what the ledger knows, in words.

§ 6.3.4, § 6.8.3, § 6.2.8. Nothing is decided by it: it fills the leader's form (web) and stands
in the case's file as his note (silence.py). Not for other cases.
"""

from dataclasses import dataclass
from datetime import date

from kskak.cases.decisions import FactFound, GameOrder
from kskak.cases.withdrawal import Withdrawal
from kskak.game import events as ev
from kskak.regulation.quantities import Result, Side
from mail.text.words import Words
from server.usecases.cases.deciding import Order
from server.usecases.play.game_views import GameView


@dataclass(frozen=True, slots=True)
class SilentDraft:
    """The findings, a line each; the result, None where the position is judged; the reasons."""

    facts: tuple[str, ...]
    result: Result | None
    reasons: str

    def order(self, game: int, paragraphs: tuple[str, ...], on: date) -> Order:
        """The decision that it would be."""
        lost = self.result and GameOrder(game, ev.ResultRuled(self.result, on, "", ""))
        return Order(
            paragraphs=paragraphs,
            reasons=self.reasons,
            facts=tuple(FactFound(paragraphs[0], text) for text in self.facts),
            games=(lost,) if lost else (),
        )


def silent_draft(
    game: GameView, person_id: int, half: Withdrawal | None, words: Words
) -> SilentDraft | None:
    """The draft against a silent player; None when the leader was not told of his silence.

    ``half``: what the half rule makes of his games, for he counts as withdrawn (§ 6.2.8).
    """
    side = game.side_of(person_id)
    told = [one for one in game.events if isinstance(one, ev.LeaderTold)]
    if side is None or half is None or not told or told[-1].by is side:
        return None
    name = game.player(side).name
    key = "loses_all" if half.loses_all else "keeps"
    why = words(f"desk.silent.{key}", finished=half.finished, games=half.games)
    return SilentDraft(
        facts=tuple(_facts(game, side, told[-1], words)),
        result=Result.won_by(side.other) if half.loses_all else None,
        reasons=words("desk.silent.reasons", name=name, half=why),
    )


def _facts(game: GameView, side: Side, told: ev.LeaderTold, words: Words) -> list[str]:
    """A line a day: the last move, the reminder, the leader told."""
    place = {"name": game.player(side).name, "other": game.player(side.other).name}
    moves = [_sent(one) for one in game.events if isinstance(one, ev.MoveSent)]
    reminders = [one.on for one in game.events if isinstance(one, ev.Reminded)]
    known = (("moved", moves[-1:]), ("reminded", reminders[-1:]), ("told", [told.on]))
    return [
        words(f"desk.silent.{key}", day=words.day(days[0]), **place)
        for key, days in known
        if days and days[0] is not None
    ]


def _sent(move: ev.MoveSent) -> date | None:
    """The day a move was sent; None for a card whose dates nobody can read (§ 6.3.2)."""
    card = move.sent
    return card if isinstance(card, date) else card.postmark or card.stated
