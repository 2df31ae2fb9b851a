"""What if: an official of a case tries other facts on a stored game; nothing is saved.

§ 6.4.1, Kendelse 38, 59, 107. Not for what the facts do (kskak.cases.what_if).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from kskak.cases.decisions import Instance
from kskak.cases.state import CaseStage
from kskak.cases.what_if import Impossible, RulingOut, Supposition, what_if
from kskak.cases.what_if_compared import Comparison
from kskak.cases.what_if_orders import Carried, effects_from
from kskak.game.lawful_days import unlawful_day
from kskak.play.contradictions import Misfit
from server.store.cases import cases_and_events as case_rows
from server.store.cases import game_cases
from server.store.engine.connection import AsyncConnection
from server.store.engine.errors import UnknownGame
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.core.case_record import readable
from server.usecases.core.context import Core
from server.usecases.core.offices import rights_in


@dataclass(frozen=True, slots=True)
class Tried:
    """A game's account beside the supposed one, and the orders that would bring it about."""

    game: GameRow
    on: date
    comparison: Comparison
    carried: Carried


async def try_facts(
    core: Core,
    person: PersonRow,
    game_id: int,
    supposed: Sequence[Supposition],
    on: date | None = None,
) -> Tried | Impossible:
    """Try facts on a game as of a day (today). Raises UnknownGame for a non-official.

    For officials of the group, and the Board in its cases; read-only. Decisions under appeal to
    the person's own instance are left out from the start (§ 6.4.3).
    """
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        if game is None:
            raise UnknownGame(game_id)
        held = await rights_in(conn, person, core.now_us)
        if not held.may_watch(game_id, game.group_id):
            raise UnknownGame(game_id)
        events = game_rows.events_of(await game_rows.history(conn, game_id))
        appealed = await _appealed_to(conn, held.instances(game.group_id), game_id)
    today = core.today(game.zone)
    day = on or today
    if unlawful_day(day, game.terms.start, today) is not None:
        return Impossible(f"on: {day} is outside the game", Misfit.DAY_OUTSIDE)
    supposed = (*(RulingOut(ref) for ref in appealed), *supposed)
    tried = what_if(game.terms, events, supposed, day)
    if isinstance(tried, Impossible):
        return tried
    return Tried(game, day, tried, effects_from(game.terms, events, supposed, tried, day))


async def _appealed_to(
    conn: AsyncConnection, instances: Collection[Instance], game_id: int
) -> tuple[str, ...]:
    """The decisions about a game that are under appeal to one of these instances."""
    refs: list[str] = []
    for case in await game_cases.of_game(conn, game_id):
        if case.state == CaseStage.APPEALED and case.instance in instances:
            state = readable(await case_rows.events_of(conn, case.id))
            refs += () if state is None else state.in_question
    return tuple(refs)
