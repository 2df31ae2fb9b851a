"""What an entered card would come to: shown before it is written. Nothing is kept.

Not for writing it (postal.py).
"""

from dataclasses import dataclass

from kskak.decide import decide
from kskak.events import MoveSent
from kskak.log import Charge, Row
from kskak.quantities import Side
from kskak.refusals import Refusal
from kskak.state import GameState
from kskak.statement import account
from mail.facts import MoveText, move_texts
from server.usecases.postal import Entry, command_of
from server.usecases.texts import TextProblem
from server.usecases.views import GameView


@dataclass(frozen=True, slots=True)
class CardPreview:
    """The moves a card makes, its dated row, what it costs beside, the totals after it."""

    moves: tuple[MoveText, ...]
    row: Row | None
    charges: tuple[Charge, ...]
    after: GameState


def preview_card(
    view: GameView, entry: Entry, author: Side | None, lang: str
) -> CardPreview | Refusal | TextProblem:
    """The card as it would be counted today, or why it can't be entered."""
    state, today = view.account.state, view.today
    command = command_of(entry, state, author, lang, today)
    if isinstance(command, Refusal | TextProblem):
        return command
    events = decide(state, command, today, state.terms.rules)
    if isinstance(events, Refusal):
        return events
    told = account(view.game.terms, (*view.events, *events))
    made = told.rows[len(view.account.rows) :]
    moves = tuple(row.move for row in made)
    is_move = any(isinstance(event, MoveSent) for event in events)
    own = next((row for row in reversed(made) if row.by is entry.by), None)
    return CardPreview(
        moves=move_texts(state.board, moves) if is_move else (),
        row=own,
        charges=told.charges[len(view.account.charges) :],
        after=told.state,
    )
