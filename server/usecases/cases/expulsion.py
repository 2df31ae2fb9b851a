"""An expelled player leaves the tournament with all games there (§ 6.4.2, § 6.2.8, § 6.4.3).

The half rule is proposed group by group, as for a player leaving without valid reason; the
decider's own orders take precedence. The other players are concerned: notified, and free to
appeal. On an appeal to the Board all these games stand still. Not for who may expel
(cases/decide_case.py) nor for how long an expulsion keeps somebody out (kskak.cases.case_events).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from sqlalchemy import Connection

from kskak.cases.aftermath import Withdrawal, withdraw, withdrawal_orders
from kskak.cases.case import SERVER, Actor, CaseRefusal, CaseState, SettleCase, WidenCase
from kskak.cases.case_events import (
    CaseKind,
    CaseWidened,
    Decision,
    GameOrder,
    SanctionKind,
    SanctionOrder,
    effects,
)
from kskak.cases.consequences import CaseDeed, DeedKind, Surroundings, carry_out, carry_out_all
from kskak.cases.decide_case import apply_case_events
from kskak.game import game_events as ev
from kskak.play.due_days import call_in_from, long_games
from kskak.regulation.days import local_day, months_later
from kskak.regulation.editions import DISPUTES
from mail.office_letters.case_letters import CaseWord
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us
from server.store.mail import batch as batch_rows
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases import case_actions
from server.usecases.cases.case_transaction import (
    CaseOutcome,
    CaseRefusedError,
    Step,
    act_in,
    notify,
)
from server.usecases.context import Core
from server.usecases.games.case_opening import DEATH, CaseNews, evidence, state_of
from server.usecases.rights import NotAllowed, rights

# Unfinished games put before the leader: overlong ones, and those of a player who left (§ 6.2.7).

HEARING_DAYS = 21
"""Days both players have for claim and analysis; a reading: the same as for an appeal."""


@dataclass(frozen=True, slots=True)
class LongGameView:
    """A running game that may be called in from ``since`` on (§ 6.2.7); ``case`` if it was."""

    game: GameRow
    start: date
    since: date
    case: CaseRow | None


async def long_running(core: Core, person: PersonRow) -> list[LongGameView]:
    """The games of an official's groups that have lasted 18 months, the longest first.

    Raises NotAllowed for a person without a desk.
    """
    held = await rights(core, person)
    if not held.is_official:
        raise NotAllowed
    today = core.today(core.settings.clock.zone)
    before = months_later(today, -DISPUTES.long_game_months) + timedelta(days=1)
    everywhere = held.is_kc or held.is_admin or held.leads_all
    async with core.store.read() as conn:
        rows = await game_rows.running_since(
            conn, before.isoformat(), None if everywhere else held.led
        )
        found = []
        for row in rows:
            if held.oversees(row.group_id):
                kind, start = CaseKind.ADJUDICATION.value, row.terms.start
                called = await case_rows.list_game_cases(conn, row.id, kind=kind)
                case = called[-1] if called else None
                found.append((start, LongGameView(row, start, call_in_from(start), case)))
    return long_games(found, today)


async def call_in(
    core: Core, person: PersonRow, game_ids: Sequence[int]
) -> list[CaseRow | CaseRefusal]:
    """Call in several games (§ 6.2.7), a case for each. Those already called in are skipped.

    For the leader or a deputy. Raises NotAllowed for a game that may not be called in, before
    anything is done.
    """
    listed = {item.game.id: item for item in await long_running(core, person)}
    held = await rights(core, person)
    if any(g not in listed or not held.leads(listed[g].game.group_id) for g in game_ids):
        raise NotAllowed
    wanted = [listed[game] for game in dict.fromkeys(game_ids)]
    return [await adjudicate(core, person, item.game) for item in wanted if item.case is None]


async def adjudicate(core: Core, person: PersonRow, game: GameRow) -> CaseRow | CaseRefusal:
    """Put an unfinished game before the leader: both are heard, time stands still (§ 6.2.7).

    Raises NotAllowed for a person who does not act as an official in the group.
    """
    held = await rights(core, person)
    if not held.speaks_for(game.group_id):
        raise NotAllowed
    actor, now = held.actor(game.group_id), core.clock.now()

    def work(conn: Connection) -> CaseRow:
        batch_rows.lock_games(conn, [game.id])
        return adjudicate_in(conn, core, game, actor, now)

    try:
        return await core.writer.transact(work)
    except CaseRefusedError as refused:
        return refused.refusal


def adjudicate_in(
    conn: Connection, core: Core, game: GameRow, actor: Actor, now: datetime
) -> CaseRow:
    """The same within a transaction that has locked the game. Raises Refused."""
    opening = case_actions.opening_of(CaseKind.ADJUDICATION, [game])
    asked, papers = (opening, actor, now), [evidence(conn, game, now, None)]
    return case_actions.open_and_hear(conn, core, asked, papers, HEARING_DAYS, game.id)


# An expelled player leaves the tournament with all games there (§ 6.4.2, § 6.2.8, § 6.4.3).

NO_LONGER_OUT = "@not_expelled"
"""Why an adjudication was dropped, as a key of the catalogues."""
_RULED = ev.ResultRuled | ev.GameResumed
PARAGRAPH = "6.2.8"
_ADJUDICATION = CaseKind.ADJUDICATION.value


@dataclass(frozen=True, slots=True)
class DepartureEffects:
    """What follows from a decision's expulsions, or from a withdrawal; empty without any.

    ``departures``: what § 6.2.8 makes of an expelled player's games, by group; ``games``: the
    affected games of those who leave; ``orders``: what is proposed in them for the expelled;
    ``unfinished``: those that go to adjudication.
    """

    departures: tuple[tuple[str, Withdrawal], ...] = ()
    games: tuple[GameRow, ...] = ()
    orders: tuple[GameOrder, ...] = ()
    unfinished: tuple[GameRow, ...] = ()

    @property
    def players(self) -> dict[int, str]:
        """The names of everybody in these games, by id."""
        white = {row.white_id: row.white for row in self.games}
        return white | {row.black_id: row.black for row in self.games}


NOTHING = DepartureEffects()


def expelled_by(sanctions: Iterable[SanctionOrder]) -> tuple[int, ...]:
    """The persons whom these sanctions expel."""
    found = (one.person for one in sanctions if one.kind is SanctionKind.EXPULSION)
    return tuple(dict.fromkeys(found))


async def find_groups_concerned(
    conn: AsyncConnection, case: CaseRow, decision: Decision
) -> frozenset[int]:
    """The groups that a decision may touch: the case's own, and those of whom it expels.

    Reading: «the tournament» is every group of the same tournament in which the expelled plays.
    """
    found = {case.group_id}
    own = await group_rows.the_group(conn, case.group_id)
    for person in expelled_by(decision.sanctions):
        known = await group_rows.list_person_groups(conn, person)
        found |= {one.id for one in known if one.tournament == own.tournament}
    return frozenset(found)


async def follow_of(core: Core, decision: Decision, facts: Surroundings) -> DepartureEffects:
    """What follows from a decision's expulsions, besides its own orders in games (§ 6.4.2).

    In every group of ``facts`` in which the expelled still plays, or whose games the same decision
    reopens by what it annuls.
    """
    persons = expelled_by(decision.sanctions)
    ruled = {one.game for one in decision.games if isinstance(one.effect, _RULED)}
    annulment = CaseDeed(DeedKind.ANNULMENT, facts.on, refs=decision.annuls)
    now = carry_out(annulment, facts)
    deeds = [CaseDeed(DeedKind.EXPULSION, facts.on, person) for person in persons]
    leaving = carry_out_all(deeds, now)
    found = NOTHING
    for one in leaving.leaving:
        own = [game for game in now.games.values() if game.group == one.group]
        losers = leaving.losers(one.group) - {one.person}
        outcome = withdraw(one.person, own, has_reason=False, losers=losers)
        proposed = [o for o in withdrawal_orders(outcome, facts.on) if o.game not in ruled]
        judged = {fate.game for fate in outcome.fates if fate.is_adjudicated} - ruled
        mine = {fate.game for fate in outcome.fates} & ruled
        rows = await core.store.query(
            game_rows.load_many, {one.game for one in proposed} | judged | mine
        )
        found = DepartureEffects(
            (*found.departures, (one.group, outcome)),
            (*found.games, *rows),
            (*found.orders, *proposed),
            (*found.unfinished, *(row for row in rows if row.id in judged)),
        )
        ruled |= {order.game for order in proposed}
    return found


async def find_withdrawal_effects(core: Core, leaving: tuple[Withdrawal, ...]) -> DepartureEffects:
    """What follows from withdrawals already judged by the half rule: all the games are concerned.

    What becomes of them is in the decision's own orders.
    """
    outcomes = {outcome.game: outcome for one in leaving for outcome in one.fates}
    rows = await core.store.query(game_rows.load_many, outcomes)
    return DepartureEffects(
        games=rows, unfinished=tuple(row for row in rows if outcomes[row.id].is_adjudicated)
    )


async def add_games(core: Core, left: DepartureEffects, games: Collection[int]) -> DepartureEffects:
    """The same with further games that a decision's consequences reach (§ 6.4.3)."""
    rows = await core.store.query(game_rows.load_many, games)
    return replace(left, games=(*left.games, *(row for row in rows if row not in left.games)))


def widen_by_departure(
    state: CaseState, follow: DepartureEffects, case: CaseRow, core: Core
) -> CaseState:
    """The case with the games and persons that a departure adds; nothing is saved."""
    opened = state.opened
    games = tuple(row.id for row in follow.games if row.id not in opened.games)
    dead = {case.person_id} if opened.question == DEATH else set()
    concerned = tuple(p for p in follow.players if p not in {*state.may_appeal, *dead})
    if not games and not concerned:
        return state
    return apply_case_events(
        state, (CaseWidened(core.today(case.zone), None, games, (), concerned),)
    )


def taking_in(before: CaseState, wider: CaseState) -> tuple[Step, ...]:
    """The step that brings in what ``widen_by_departure`` added.

    Taken by the server, as it follows.
    """
    games = wider.opened.games[len(before.opened.games) :]
    concerned = wider.opened.concerned[len(before.opened.concerned) :]
    return ((WidenCase(games, (), concerned), SERVER),) if games or concerned else ()


def put_before_leader(
    conn: Connection, core: Core, games: Iterable[GameRow], actor: Actor, now: datetime
) -> None:
    """Unfinished games of a player whose results stand go to adjudication, once (§ 6.2.8).

    Not one in which the same decision upheld a claim.
    """
    rows = {row.id: row for row in games}
    for game in case_rows.games_in(conn, rows):
        if (
            game.result is None
            and case_rows.open_case(conn, game_id=game.id, kind=_ADJUDICATION) is None
        ):
            adjudicate_in(conn, core, game, actor, now)


def set_free(conn: Connection, core: Core, done: CaseOutcome, now: datetime) -> None:
    """Close the adjudications that followed from a departure now annulled (§ 6.4.3)."""
    latest = done.state.latest
    assert latest is not None
    kept = set(_list_leavers(latest))
    for ref in latest.annuls:
        gone = done.state.known[ref]
        if not set(_list_leavers(gone)) - kept:
            continue
        for game in done.state.opened.games:
            known = case_rows.open_case(conn, game_id=game, kind=_ADJUDICATION)
            if known is None or local_day(from_us(known.opened_us), known.zone) < gone.on:
                continue
            case = case_rows.lock(conn, known.id)
            if not state_of(case_rows.history(conn, case.id)).decided:
                over = act_in(conn, core, case, [(SettleCase(NO_LONGER_OUT), SERVER)], now)
                notice = CaseNews(CaseWord.SETTLED, None, NO_LONGER_OUT)
                batch_rows.write_outbox(conn, notify(conn, core, over.case, over.state, notice))


def _list_leavers(decision: Decision) -> tuple[int | None, ...]:
    """Those whom a decision expels, or whose games it counts by the half rule (§ 6.2.8)."""
    counted = (one.person for one in decision.grounds if one.paragraph == PARAGRAPH)
    return (*expelled_by(decision.sanctions), *counted)


async def stopped_by_appeal(core: Core, case: CaseRow, state: CaseState) -> tuple[int, ...]:
    """The games of excluded players that stand still on appeal to the Board (§ 6.4.3).

    Those still running in the group or the case, and those that the expulsion ended.
    """
    shut = {o.person for o in state.standing_sanctions() if o.kind is not SanctionKind.WARNING}
    in_force = (row.decision for row in state.decided if row.decision.ref not in state.annulled)
    expelling = (effects(one, state.known) for one in in_force if expelled_by(one.sanctions))
    made = ((game, one) for by_game in expelling for game, all_ in by_game.items() for one in all_)
    ended = {game for game, one in made if isinstance(one, ev.ResultRuled)}
    async with core.store.read() as conn:
        rows = [
            *await game_rows.list_group_games(conn, case.group_id),
            *await game_rows.load_many(conn, state.opened.games),
        ]
    stopped = (row for row in rows if row.result is None or row.id in ended)
    return tuple(dict.fromkeys(row.id for row in stopped if shut & {row.white_id, row.black_id}))
