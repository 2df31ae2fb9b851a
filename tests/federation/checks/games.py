"""Each game in play: days never decrease, no limit is passed unseen, a replay gives the state.

The limits are stated here a second time, from § 6.3.3 and § 6.8.6. Not for tables or ratings.
"""

from collections.abc import Sequence
from datetime import date

from kskak.game.game_events import Event, MoveSent, TotalsSet
from kskak.play.game_state import GameState, Terms
from kskak.regulation.editions import Regulation, Side
from kskak.statement.account import Account, account
from tests.federation.trouble import expect

_DAYS_A_MOVE = {Regulation.POSTAL: 3, Regulation.EMAIL: 4}
_CONTROL = 10


def _allowed(own_before: int, own_after: int, terms: Terms) -> int:
    """Days allowed to a player who sends these moves (§ 6.3.3.1-6.3.3.2, § 6.8.6)."""
    control = own_before - own_before % _CONTROL + _CONTROL
    return _DAYS_A_MOVE[terms.regulation] * max(own_after, control)


def check_step(
    name: str, before: GameState, events: Sequence[Event], after: GameState, day: date
) -> None:
    """What every step other than a ruling must observe (§ 6.3.1, § 6.3.3)."""
    for side in Side:
        was, now = before.clock(side), after.clock(side)
        expect(was.total <= now.total, day, name, f"{side} has fewer days used than before")
        expect(was.moves <= now.moves, day, name, f"{side} has fewer moves than before")
        has_sent = any(isinstance(one, MoveSent) and one.by is side for one in events)
        limit = _allowed(was.moves, now.moves, after.terms)
        if has_sent and now.total > limit:
            is_known = after.overstep is not None
            expect(is_known, day, name, f"{side}: {now.total} days of {limit}, and no overstep")
    is_sooner = before.result is not None and after.result is None
    expect(not is_sooner, day, name, "a result is gone without a ruling")


def check_game(name: str, state: GameState, events: Sequence[Event], day: date) -> Account:
    """The ledger, replayed from its first entry, gives the state, day for day (§ 6.3)."""
    told = account(state.terms, events)
    expect(told.state == state, day, name, "a replay of the ledger is not the state")
    has_set_totals = any(
        isinstance(shown.effect, TotalsSet) and not shown.is_annulled for shown in told.rulings
    )
    for side in () if has_set_totals else Side:  # a ruling's totals are not a sum (Kendelse 59)
        rows = sum(row.dates.days for row in told.rows if row.by is side)
        charged = sum(one.days for one in told.charges if one.by is side)
        total = state.clock(side).total
        expect(rows + charged == total, day, name, f"{side}: {rows} + {charged} is not {total}")
    return told


def check_time(name: str, state: GameState, day: date) -> None:
    """A running game: nobody has passed the limit without being found out (§ 6.3.3.1)."""
    flag_on = state.flag_to_find
    is_found = state.result is not None or flag_on is None or flag_on > day
    expect(is_found, day, name, f"time was up on {flag_on}, and nobody was warned")


def check_withdrawal(name: str, results: Sequence[tuple[bool, bool | None]], day: date) -> None:
    """A player who leaves with at most half of his games finished has lost them all (§ 6.2.8).

    For each of his games: whether it was finished before, and whether it gives him points now.
    """
    finished = sum(was_over for was_over, _ in results)
    expect(all(has is not None for _, has in results), day, name, "a game is left unfinished")
    has_lost_all = not any(has for _, has in results)
    is_half = 2 * finished <= len(results)
    expect(has_lost_all or not is_half, day, name, f"{finished} finished, and he has points")
