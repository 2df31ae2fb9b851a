"""A reading tried on the case page: the account recomputed, nothing saved (§ 6.4.1).

Not for which facts are tried (what_if_form.py) nor for deciding (deciding.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from kskak.cases.decisions import GameOrder
from kskak.cases.what_if import Impossible, what_if
from kskak.cases.what_if_compared import Comparison, Outcome
from kskak.cases.what_if_orders import effects_from
from kskak.play.contradictions import Misfit
from kskak.regulation.quantities import Side
from server.usecases.play.game_views import GameView
from server.web.cases.what_if_form import Tried, tried


@dataclass(frozen=True, slots=True)
class Trial:
    """What was tried and what it gives. ``comparison`` None: nothing tried, or impossible.

    ``orders`` would carry it into the game; ``is_exact`` whether they give just that account.
    """

    tried: Tried
    comparison: Comparison | None = None
    impossible: Misfit | None = None
    orders: tuple[GameOrder, ...] = ()
    annuls: tuple[str, ...] = ()
    is_exact: bool = True

    @property
    def totals(self) -> tuple[tuple[Side, int, int], ...]:
        """Each player's total before and after."""
        compared = self.comparison
        return () if compared is None else tuple((side, *compared.totals(side)) for side in Side)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """How the game stands before and after; empty when nothing was tried."""
        return () if self.comparison is None else self.comparison.outcomes


def trial(given: Mapping[str, str], view: GameView, in_question: tuple[str, ...] = ()) -> Trial:
    """Try what the fields say on a game, as of its local today.

    It begins without the decisions ``in_question``, but for those that are to stay (§ 6.4.3).
    """
    found = tried(given, view, in_question)
    if not found.supposed:
        return Trial(found)
    terms, events, today = view.game.terms, view.events, view.today
    compared = what_if(terms, events, found.supposed, today)
    if isinstance(compared, Impossible):
        return Trial(found, impossible=compared.why)
    carried = effects_from(terms, events, found.supposed, compared, today)
    orders = tuple(GameOrder(view.game.id, effect) for effect in carried.effects)
    return Trial(found, compared, None, orders, carried.annuls, carried.is_exact)
