"""A button on a page as a request: its form's key, and the answer kept for a second click.

Shared by a form submitted now (web/play/send_command.py) and a move that waited
(delayed_moves.py), so that the same form is never carried out twice. Not for what is asked.
"""

from datetime import datetime

from kskak.game.refusals import Reason, Refusal
from kskak.regulation.quantities import Channel
from server.store.play.idempotency import IdempotencyKey
from server.usecases.core.game_work import Replayed
from server.usecases.play.ask import Answer, Asked, Build

SENT = 303
REFUSED = 409


def key_of(person_id: int, path: str, key: str) -> IdempotencyKey:
    """The key that identifies a form; ``path`` is where it is posted."""
    return IdempotencyKey.of(person_id, f"web-{key}", "POST", path, b"")


def pressed(
    game_id: int,
    kept: IdempotencyKey,
    build: Build,
    message: str = "",
    at: datetime | None = None,
) -> Asked:
    """The request to a game; ``at`` is the instant that counts, None: now."""
    return Asked(
        game_id=game_id,
        person_id=kept.person_id,
        channel=Channel.WEB.value,
        build=build,
        message=message,
        at=at,
        idempotency=kept,
        respond=_kept,
    )


def _kept(answer: Answer) -> tuple[int, str]:
    """What is stored under the form's key, so that a second click gets the same."""
    if answer.refusal is not None:
        return REFUSED, answer.refusal.reason.value
    return (SENT if answer.problem is None else REFUSED), ""


def heard(outcome: Answer | Replayed) -> Answer | Refusal | None:
    """The outcome; None when the form had already been submitted and carried out."""
    if isinstance(outcome, Answer):
        return outcome
    return None if outcome.status == SENT else Refusal(Reason(outcome.body or Reason.STALE))
