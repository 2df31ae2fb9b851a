"""What entering a card would do: shown before it is written. Nothing is stored.

Not for writing it (cards.py).
"""

from dataclasses import dataclass, replace

from kskak.game.events import Event, MoveSent
from kskak.game.refusals import Refusal
from kskak.play.account_log import Charge, Row
from kskak.play.corrections import correct_entry
from kskak.play.decide import decide
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from kskak.statement.account import Account, account
from mail.text.facts import MoveText, move_texts
from server.usecases.play.game_views import GameView
from server.usecases.play.reading import TextProblem
from server.usecases.postal.cards import CardKind, Entry, command_of


@dataclass(frozen=True, slots=True)
class CardPreview:
    """The moves on a card, its dated row, any charges besides; the events, and the account then."""

    moves: tuple[MoveText, ...]
    row: Row | None
    charges: tuple[Charge, ...]
    events: tuple[Event, ...]
    told: Account

    @property
    def after(self) -> GameState:
        """The state after it."""
        return self.told.state


def corrected_view(
    view: GameView, seq: int, author: Side | None, *, is_final: bool
) -> GameView | Refusal:
    """The game as it is once an entry is void; ``author`` None: an official asks (§ 6.2.4)."""
    back = correct_entry(view.account.state, view.events, seq, author, is_final=is_final)
    if isinstance(back, Refusal):
        return back
    events = (*view.events, back)
    return replace(view, events=events, account=account(view.game.terms, events, view.today))


def preview_card(
    view: GameView, entry: Entry, author: Side | None, lang: str
) -> CardPreview | Refusal | TextProblem:
    """The card as it would be counted today, or why it can't be entered."""
    state, today = view.account.state, view.today
    if entry.kind is CardKind.NOTHING:
        return CardPreview((), None, (), (), view.account)
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
        events=tuple(events),
        told=told,
    )
