"""The letters that answer a mail: what was understood, what was wrong, what to write instead.

Rows for the outbox with the facts the letter needs; the words come later. Not for deciding.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from kskak.game.refusals import Reason, Refusal
from kskak.ledger.ledger_out import JsonObject
from kskak.play.state import GameState
from kskak.reflection.faulty import PARAGRAPH
from kskak.regulation.quantities import Fault, Side
from mail.grammar.keywords import Word
from mail.grammar.understood import ProblemKind, Reading
from server.store.mail.outbox import NewOutbox
from server.store.play.questions import ConfirmationRow
from server.usecases.core.game_work import LockedGame
from server.usecases.core.outbox_letters import Kind, Poster
from server.usecases.core.questions import ASKED_OF, Question

_WAITING = (Reason.AT_REST, Reason.OUTAGE_UNSETTLED)
"""Claims refused for what is decided elsewhere: no case is begun about them."""


def charge_of(
    before: GameState, after: GameState, side: Side, fault: Fault, on: str
) -> JsonObject | None:
    """The days that a faulty move cost; None when it cost nothing."""
    days = after.clock(side).total - before.clock(side).total
    if days == 0:
        return None
    paragraph = PARAGRAPH[after.terms.regulation]
    charge: JsonObject = {"by": side.value, "on": on, "days": days}
    return charge | {"paragraph": paragraph, "reason": fault.value}


@dataclass(frozen=True, slots=True)
class Answers:
    """Makes the answers to one mail.

    ``unique`` names the mail, so that each gets one answer, and none is silent; what ends the talk
    of two robots is a number a day (core/reply_limits.py). ``words`` names what it says, and the
    day: copies of a mail that made its move get one answer together.
    """

    locked: LockedGame
    side: Side
    poster: Poster
    unique: str
    words: str

    def _letter(
        self, kind: Kind, params: dict[str, object], unique: str = "", after: int = 0
    ) -> NewOutbox:
        """``after``: how many new events the letter takes into account."""
        at = (self.locked.row.seq + after, self.locked.state.position.ply)
        return self.poster.about_game(
            kind, self.locked.row, self.side, at, params, unique or self.unique
        )

    def _not_made(self, why: str, reading: Reading | None, **more: object) -> NewOutbox:
        rest = [] if reading is None else list(reading.rest)
        return self._letter(Kind.NOT_MADE, {"why": why, "unread": rest, **more})

    def spent(self) -> NewOutbox:
        """The position is past: what stands now, and where to write."""
        params: dict[str, object] = {"why": "spent_key", "unread": []}
        return self._letter(Kind.NOT_MADE, params, f"spent.{self.words}")

    def refused(self, refusal: Refusal, reading: Reading | None) -> NewOutbox:
        """Which rule stood in the way."""
        earliest = refusal.earliest.isoformat() if refusal.earliest else None
        is_claim = reading is not None and reading.asks(Word.CLAIM_TIME)
        return self._not_made(
            refusal.reason.value,
            reading,
            is_refusal=True,
            is_claim=is_claim and refusal.reason not in _WAITING,
            earliest=earliest,
            days=refusal.days,
        )

    def problem(self, reading: Reading, **asked: str) -> NewOutbox:
        """What could not be read as one move; it costs nothing.

        ``asked``: the ``key`` of the question whether the one candidate was meant, and the day on
        which the mail ``arrived``.
        """
        problem = reading.problem
        assert problem is not None
        candidates = [move.uci() for move in problem.candidates]
        return self._not_made(
            problem.kind.value,
            reading,
            written=problem.token,
            candidates=candidates,
            **asked,
        )

    def nothing_understood(self, reading: Reading) -> NewOutbox:
        """No move and no keyword at all."""
        return self._not_made(ProblemKind.NOT_UNDERSTOOD.value, reading)

    def faulty(
        self, fault: Fault, reading: Reading, charge: JsonObject | None, events: int
    ) -> NewOutbox:
        """An invalid move and what it cost (§ 6.8.6); totals and last day are those after it."""
        params: dict[str, object] = {
            "why": fault.value,
            "unread": list(reading.rest),
            "written": None if reading.problem is None else reading.problem.token,
            "charge": charge,
        }
        return self._letter(Kind.NOT_MADE, params, after=events)

    def offer_noted(self) -> NewOutbox:
        """An offer that goes with the next move (FIDE 9.1)."""
        return self._letter(Kind.DRAW, {"word": "noted"})

    def long_think_noted(self) -> NewOutbox:
        """The notice of a long think was accepted, and the opponent told (§ 6.3.4)."""
        return self._letter(Kind.LONG_THINK, {})

    def which(self, pending: Sequence[ConfirmationRow], *, is_offered: bool) -> NewOutbox:
        """A «ja» or «nej» to nothing that is known for sure: what is open, and what to write."""
        opens = [[q.kind, str(json.loads(q.params).get("words", ""))] for q in pending]
        opens += [["offer", ""]] if is_offered else []
        digests = [q.digest.hex() for q in pending]
        why, more = "which" if opens else "not_asked", {ASKED_OF: digests}
        return self._not_made(why, None, open=opens, **more)

    def answered_no(self) -> NewOutbox:
        """«nej» to a question: nothing was done."""
        return self._not_made("answered_no", None)

    def ask_back(self, question: Question, key: str) -> NewOutbox:
        """«Do you resign?», «do you accept?»."""
        return self._letter(Kind.ASK_BACK, {"question": question.value, "key": key})

    def late(self, plies: list[str], key: str, arrived: str) -> NewOutbox:
        """The opponent overstepped: claim, or not?"""
        params: dict[str, object] = {"plies": plies, "key": key, "arrived": arrived}
        return self._letter(Kind.LATE_ASK, params)
