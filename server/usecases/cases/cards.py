"""The post cards of a game as evidence in its case: stamps, dates, what was found (§ 6.3.2).

Not for their pictures (web/postal/cards.py) nor for entering them (postal/cards.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kskak.cases.what_if import dispatches
from kskak.game.events import Card, Event, MoveSent
from kskak.play.account_log import Row
from kskak.regulation.quantities import Side
from server.store.cases.cards import CardSeen
from server.store.play.people import PersonRow
from server.usecases.play.game_views import GameView


@dataclass(frozen=True, slots=True)
class CaseCard:
    """A card as it was entered: who sent it, its dates, and the row it became.

    ``dates`` and ``row`` None: it brought no move. ``entered_by`` None: not a player or the leader.
    """

    seen: CardSeen
    by: Side
    entered_by: PersonRow | None
    dates: Card | None = None
    row: Row | None = None


def case_cards(view: GameView, cards: Sequence[CardSeen]) -> tuple[CaseCard, ...]:
    """A game's cards in the order of its events."""
    begins = {place: ply for ply, place in dispatches(view.events).items()}
    places = {row.seq: place for place, row in enumerate(view.rows)}
    known = {one.id: one for one in (view.white, view.black, view.tl)}
    found: list[CaseCard] = []
    for card in cards:
        place = places[card.seq]
        event: Event = view.rows[place].event
        by: Side | None = getattr(event, "by", None)
        if by is not None:
            told = _move(view, event, begins.get(place)) if isinstance(event, MoveSent) else ()
            found.append(CaseCard(card, by, known.get(card.entered_by), *told))
    return tuple(found)


def _move(view: GameView, move: MoveSent, begins: int | None) -> tuple[Card | None, Row | None]:
    """The stamps of a move's card, and the account's row of its last ply."""
    last = None if begins is None else begins + len(move.plies) - 1
    row = next((row for row in view.account.rows if row.ply == last), None)
    return (move.sent if isinstance(move.sent, Card) else None), row
