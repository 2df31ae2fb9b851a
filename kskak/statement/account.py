"""The account of a game: every day charged and every day exempt, with its paragraph.

One engine: the server, ``kskak clock`` and the pages all show this. As values here; as JSON
in ledger/ledger_out.py, as the ICCF layout of § 6.8.2 in iccf_table.py. Not for deciding anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kskak.game.events import Event
from kskak.play.account_log import AccountLog, Charge, Row
from kskak.play.evolve import replay
from kskak.play.standing_events import RulingShown, rulings_shown
from kskak.play.state import GameState, Running, Terms
from kskak.reflection.control import Overstep
from kskak.reflection.leave import Warning_
from kskak.regulation.days import Span
from kskak.regulation.quantities import Finding


@dataclass(frozen=True, slots=True)
class Live:
    """The running account on a day: days on this move, total, and what is exempt."""

    on: date
    days: int
    total: int
    exempt: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """A game's account, explained. ``live`` only when asked for a day.

    ``rulings`` holds every ruling's effects, annulled ones too; rows and charges that a ruling
    made name it.
    """

    state: GameState
    rows: tuple[Row, ...]
    charges: tuple[Charge, ...]
    warnings: tuple[Warning_, ...]
    running: Running | None
    live: Live | None
    overstep: Overstep | None
    rulings: tuple[RulingShown, ...] = ()

    @property
    def terms(self) -> Terms:
        """The terms the game is played under."""
        return self.state.terms


def _live(state: GameState, running: Running, on: date) -> Live:
    days = state.days_on(running, on)
    exempt = state.live_watch.explain(running.since, on)
    return Live(on, days, state.clock(running.by).total + days, exempt)


def _flagged(state: GameState, running: Running | None, live: Live | None) -> Overstep | None:
    """The overstep that stands, or the live one on the day asked for (§ 6.3.3.1)."""
    if state.overstep is not None or running is None or live is None:
        return state.overstep
    if running.flag_on is None or live.on < running.flag_on:
        return None
    control = state.next_control(running.by)
    return Overstep(running.by, control, running.limit, live.total, running.flag_on, Finding.OPEN)


def account(
    terms: Terms, events: Sequence[Event], on: date | None = None, *, is_decided: bool = False
) -> Account:
    """The account of a game. Raises EntryFault for events that can't have happened.

    ``is_decided``: they were decided in this game, which need not be proven again.
    """
    log = AccountLog()
    state = replay(terms, events, log, is_decided=is_decided)
    running = state.running()
    live = None if running is None or on is None else _live(state, running, on)
    warnings = sorted(log.warnings, key=lambda warning: warning.entry)
    return Account(
        state=state,
        rows=tuple(log.rows),
        charges=tuple(log.charges),
        warnings=tuple(warnings),
        running=running,
        live=live,
        overstep=_flagged(state, running, live),
        rulings=rulings_shown(events),
    )
