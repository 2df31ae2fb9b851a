"""What a decision would do to its games and persons, for its letter (§ 6.4.1-6.4.3).

Worked out on the games as they stand; nothing is saved. Not for the words
(mail.office_letters.rulings) nor for deciding (deciding.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from kskak.board.moves import Position, side_to_move
from kskak.cases.aftermath import aftermath, ledger_events
from kskak.cases.decisions import AppealEnd, Decision
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import CaseStage, CaseState
from kskak.cases.what_if_compared import outcome_of
from kskak.cases.withdrawal import Withdrawal
from kskak.play.standing_events import is_swapped
from kskak.statement.account import account
from mail.office_letters.rulings import Earlier, RuledGame, RulingFacts
from server.store.mail import batch as ledger
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.usecases.cases.expulsion import NOTHING, Departed
from server.usecases.cases.sanctions import foresee
from server.usecases.cases.transaction import Refused
from server.usecases.core.context import Core


@dataclass(frozen=True, slots=True)
class Prepared:
    """A decision ready for its letter: its case, its games and what becomes of them.
    ``leaving``: the withdrawals whose games it judges by the half rule (§ 6.2.8)."""

    state: CaseState
    decision: Decision
    games: Mapping[int, RuledGame]
    rows: Mapping[int, GameRow]
    leaving: tuple[Withdrawal, ...] = ()
    left: Departed = NOTHING
    """What follows from its expulsions (§ 6.4.2)."""


def ruled_game(game: GameRow) -> RuledGame:
    """A game as a decision names it."""
    start = Position.start(game.fen).board
    first = (side_to_move(start), start.fullmove_number)
    return RuledGame(game.name, game.white, game.black, first)


async def prepare(
    core: Core,
    decision: Decision,
    state: CaseState,
    leaving: tuple[Withdrawal, ...] = (),
    left: Departed = NOTHING,
) -> Prepared | CaseRefusal:
    """The decision with its games as they would become, or why one of them can't (§ 6.4.1)."""
    touched = ledger_events(decision, state)
    async with core.store.read() as conn:
        rows = {row.id: row for row in await game_rows.load_many(conn, touched)}
        past = {game: await game_rows.history(conn, game) for game in rows}
    games: dict[int, RuledGame] = {}
    for game, new in touched.items():
        events = game_rows.events_of(past[game])
        after = aftermath(rows[game].terms, events, new, decision.on)
        if isinstance(after, CaseRefusal):
            return after
        changes = is_swapped([*events, *new]) is not is_swapped(events)
        row = rows[game].with_colours_changed() if changes else rows[game]
        games[game] = replace(ruled_game(row), after=after)
    return Prepared(state, decision, games, rows, leaving, left)


async def facts_of(core: Core, prepared: Prepared) -> RulingFacts:
    """The facts for the letter, with the names of those it is about."""
    decision, state = prepared.decision, prepared.state
    imposed = await foresee(core, decision, state)
    named = {one.order.person for one in imposed} | set(decision.prizes_lost)
    named |= {vote.member for vote in decision.votes}
    named |= {left.player for left in prepared.leaving}
    async with core.store.read() as conn:
        people = await person_rows.by_ids(conn, named)
    earlier = {ref: Earlier(ref, known.on) for ref, known in state.known.items()}
    latest = state.latest if state.stage is CaseStage.APPEALED else None
    is_sent_back = decision.appeal is AppealEnd.SENT_BACK
    is_upheld = latest is not None and latest.ref not in decision.annuls
    return RulingFacts(
        decision,
        prepared.games,
        {person.id: person.name for person in people.values()},
        earlier,
        upheld=earlier[latest.ref] if latest is not None and is_upheld else None,
        leaving=prepared.leaving,
        imposed=tuple((one.order, one.imposed) for one in imposed),
        back_to=latest.instance if latest is not None and is_sent_back else None,
        departures=tuple((one.group, one.outcome) for one in prepared.left.departures),
    )


def hold_to_letter(conn: Connection, prepared: Prepared) -> None:
    """Raise Refused if a game, now decided, differs from the letter: play went on meanwhile."""
    for game, events in ledger.histories(conn, prepared.games).items():
        told, terms = prepared.games[game].after, prepared.rows[game].terms
        found = outcome_of(account(terms, events, prepared.decision.on))
        if told is not None and found is not told.outcome:
            raise Refused(CaseRefusal(CaseReason.CHANGED, game=terms.game))
