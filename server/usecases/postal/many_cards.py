"""Several cards in one go: what the account makes of each, one on top of the other (§ 6.3.2).

For the officials of postal games. Nothing is stored. Not for entering them (cards.py), which each
is on its own, nor for one card alone (card_preview.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kskak.game.refusals import Refusal
from kskak.regulation.quantities import Regulation, Side
from server.store.cases import cards as card_rows
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import Rights, desk_groups, rights
from server.usecases.play.game_views import GameView, game_view
from server.usecases.play.reading import TextProblem
from server.usecases.postal.card_preview import CardPreview, preview_card
from server.usecases.postal.cards import CardKind, Entry

NEAR_DAYS = 5
"""Days left from which it is said that they are few."""
MOST_NAMED = 500
"""Games whose names the page offers."""


class Doubt(StrEnum):
    """What to look at again before a card counts."""

    ILLEGIBLE = "illegible"
    """No postmark: the sender's own date counts."""
    DIFFERS = "differs"
    """The sender writes another day than the postmark (Kendelse 38)."""
    NOT_RECEIVED = "not_received"
    """It is not told when the sender had the card that it answers."""
    OVER = "over"
    """The limit is passed: all are told, and a case is opened."""
    NEAR = "near"


@dataclass(frozen=True, slots=True)
class Tried:
    """A card as it would count. ``view``: the game before it, the cards above it counted.

    ``made`` None: it can't be entered, ``problem`` says why; None too: no such game.
    """

    view: GameView | None
    by: Side | None = None
    entry: Entry | None = None
    made: CardPreview | None = None
    problem: Refusal | TextProblem | None = None
    doubts: tuple[Doubt, ...] = ()

    @property
    def used(self) -> tuple[int, int]:
        """Days used, of how many, by its sender: at the control where they are passed."""
        assert self.made is not None and self.by is not None
        after = self.made.after
        over = after.overstep
        if over is not None and over.by is self.by:
            return over.used, over.limit
        return after.clock(self.by).total, after.limit_of(self.by)

    @property
    def left(self) -> int:
        """Days left; below 0 when the limit is passed."""
        used, limit = self.used
        return limit - used


async def postal_games(core: Core, held: Rights) -> tuple[GameRow, ...]:
    """The running postal games that an official may enter cards for, by name."""
    async with core.store.read() as conn:
        mine = await desk_groups(conn, held, is_everywhere=held.leads_all or held.is_kc)
        return await card_rows.running_postal(conn, mine, MOST_NAMED)


async def try_all(core: Core, person: PersonRow, asked: Sequence[tuple[str, Entry]]) -> list[Tried]:
    """What each card would come to, by the name of its game; the later ones after the earlier."""
    held, views, found = await rights(core, person), dict[str, GameView | None](), list[Tried]()
    for name, entry in asked:
        if name not in views:
            views[name] = await _view(core, held, name)
        one = _tried(views[name], entry, person.lang)
        if one.view is not None and one.made is not None:
            events = (*one.view.events, *one.made.events)
            views[name] = replace(one.view, events=events, account=one.made.told)
        found.append(one)
    return found


async def _view(core: Core, held: Rights, name: str) -> GameView | None:
    async with core.store.read() as conn:
        row = await game_rows.by_name(conn, name)
    if row is None or row.terms.regulation is not Regulation.POSTAL:
        return None
    return await game_view(core, row.id) if held.speaks_for(row.group_id) else None


def _tried(view: GameView | None, entry: Entry, lang: str) -> Tried:
    """The card of the side to move, as of the position that the cards above it lead to."""
    if view is None:
        return Tried(None)
    state = view.account.state
    by = state.to_move or state.mover
    card = replace(entry, by=by, ply=state.position.ply)
    made = preview_card(view, card, None, lang)
    if not isinstance(made, CardPreview):
        return Tried(view, by, card, problem=made)
    one = Tried(view, by, card, made)
    return replace(one, doubts=tuple(_doubts(one, card)))


def _doubts(one: Tried, card: Entry) -> Iterator[Doubt]:
    assert one.view is not None and one.made is not None
    if card.kind is CardKind.MOVE:
        if card.postmark is None:
            yield Doubt.ILLEGIBLE
        elif card.stated not in (None, card.postmark):
            yield Doubt.DIFFERS
        if card.received is None and card.ply and one.view.account.state.receipt is None:
            yield Doubt.NOT_RECEIVED
    if one.left < 0:
        yield Doubt.OVER
    elif one.left <= NEAR_DAYS:
        yield Doubt.NEAR
