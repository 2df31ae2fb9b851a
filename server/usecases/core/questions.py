"""What is asked back once before it is done, and how the question is saved.

Resigning, accepting a draw (CONTRACTS "Mail"), a mail from another address, a move after the
opponent's overstep, a move whose number is a slip of the pen (§ 6.8.6). The key is mailed; only
its digest is kept. Not for doing it (mail/answer_question.py).
"""

import json
import secrets
from dataclasses import dataclass
from enum import StrEnum

from server.store.account.ways_in import digest
from server.store.engine.types import DAY_US
from server.store.play.questions import NewConfirmation
from server.usecases.core.reply_keys import Position

TERM_US = 14 * DAY_US
"""How long a question may be answered; a held mail still counts from its arrival."""
_BYTES = 24


class Question(StrEnum):
    """Every question the server asks back."""

    RESIGN = "resign"
    DRAW_YES = "draw_yes"
    HELD = "held"
    LATE = "late"
    MEANT = "meant"


ELSEWHERE = (Question.HELD,)
"""Questions about another mail: what the player writes meanwhile leaves them open."""


ASKED_OF = "asked_of"
"""In the facts of a letter that tells what is open: the questions, by their digests in hex."""


def new_key() -> str:
    """A key for one question."""
    return secrets.token_urlsafe(_BYTES)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question to a player about a position; ``sent_us`` is the instant that counts."""

    question: Question
    key: str
    person_id: int
    position: Position
    sent_us: int
    now_us: int
    inbox_id: int | None = None

    def row(self, **params: object) -> NewConfirmation:
        """The question as a row to save."""
        return NewConfirmation(
            digest=digest(self.key),
            person_id=self.person_id,
            game_id=self.position.game_id,
            ply=self.position.ply,
            kind=self.question.value,
            sent_us=self.sent_us,
            expires_us=self.now_us + TERM_US,
            inbox_id=self.inbox_id,
            params=json.dumps(params, separators=(",", ":")),
        )
