"""A decision prepared: the facts around it, what it rests on, what follows, what becomes of games.

§ 6.4.1-6.4.3, § 6.2.8. The facts are read as kskak.cases.consequences asks for them; an order is
completed by what follows from it and becomes the decision that a letter is drafted from. Nothing
is saved; not for what follows (kskak.cases.consequences) nor for deciding (case_decisions.py).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain

from sqlalchemy import Connection

from kskak.board.positions import Position, side_to_move
from kskak.cases import aftermath
from kskak.cases.case import CaseReason, CaseRefusal, CaseStage, CaseState, next_ref
from kskak.cases.case_events import (
    AppealEnd,
    CaseDecided,
    CaseKind,
    Decision,
    GameOrder,
    Ground,
    HearingClosed,
    ImposedSanction,
    Instance,
    Sanction,
    SanctionKind,
    SanctionOrder,
    effects,
    is_in_register,
)
from kskak.cases.consequences import (
    GROWN,
    HALF_RULE,
    CaseConsequence,
    CaseDeed,
    ConsequenceKind,
    DeedKind,
    NeighbourCase,
    Surroundings,
    carry_out,
    find_consequences,
    grounds_of,
)
from kskak.cases.decide_case import apply_case_events, is_over, may_annul
from kskak.cases.holdings import Holding, HoldingKind
from kskak.cases.what_if import GameOutcome, read_game_outcome
from kskak.game import game_events
from kskak.play.events_in_force import is_swapped
from kskak.regulation.editions import Result
from kskak.statement.account import account
from kskak.values import recast
from mail.office_letters.rulings import RuledGame, RulingFacts
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases import holdings as holding_rows
from server.store.cases import publications as publication_rows
from server.store.cases.cases import CaseRow
from server.store.cases.publications import SanctionRow
from server.store.engine.connection import AsyncConnection
from server.store.mail import batch as batch_rows
from server.store.play import game_lists
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.usecases.cases import expulsion
from server.usecases.cases.case_transaction import CaseRefusedError
from server.usecases.cases.sanctions import (
    add_cited_decisions,
    foresee,
    name_heirs,
    orders_of,
    read_form,
    sanction_of,
)
from server.usecases.context import Core
from server.usecases.games.case_opening import readable

REPEATED, JUDGED = "6.4.2", "6.2.7"

# The facts around a deed: games with the rulings behind their results, cases, sanctions.


async def read_surroundings(
    conn: AsyncConnection, group_ids: Collection[int], on: date
) -> Surroundings:
    """The facts of some groups on a day: their games, cases and the sanctions of their rulings."""
    groups = sorted(set(group_ids))
    rows = await game_lists.list_games_by_group(conn, groups)
    known = {row.id: row for row in await case_rows.list_cases(conn, group_ids=groups)}
    found = (
        NeighbourCase(known[case].number, known[case].group, known[case].person_id, state)
        for case, events in (await case_rows.events_of_all(conn, known)).items()
        if (state := readable(events)) is not None
    )
    facts = Surroundings(on, cases=tuple(found))
    in_force = [decision for _, decision in facts.in_force]
    ordered = ((one, made) for made in in_force for one in made.games)
    ruled = {
        one.game: made for one, made in ordered if isinstance(one.effect, game_events.ResultRuled)
    }
    made_in = {ref: made for case in facts.cases for ref, made in case.state.known.items()}
    people = {order.person for made in in_force for order in orders_of(made, made_in)}
    games = {row.id: read_game(row, ruled) for own in rows.values() for row in own}
    return Surroundings(
        on,
        games,
        facts.cases,
        {person: await _register(conn, person) for person in sorted(people)},
        leaves=tuple(ground for _, made in facts.in_force for ground in made.leaves),
    )


async def _register(conn: AsyncConnection, person: int) -> tuple[Sanction, ...]:
    return tuple(map(sanction_of, await publication_rows.list_person_sanctions(conn, person)))


def read_game(row: GameRow, ruled: Mapping[int, Decision]) -> aftermath.GroupGame:
    """A game with the last ruling on its result, if one stands; by its group's name."""
    result = None if row.result is None else Result(row.result)
    group = row.name.rpartition("/")[0]
    made = ruled.get(row.id)
    if made is None or result is None:
        return aftermath.GroupGame(row.id, row.white_id, row.black_id, result, group=group)
    left = [one for one in made.grounds if one.game == row.id and one.paragraph == HALF_RULE]
    before = left[0].result if left else None
    return aftermath.GroupGame(
        row.id, row.white_id, row.black_id, result, made.ref, bool(left), before, group
    )


async def find_sanction_grounds(
    conn: AsyncConnection, imposed: Iterable[tuple[SanctionOrder, ImposedSanction]]
) -> tuple[Ground, ...]:
    """The earlier rulings on which sanctions rest: by which they became more than was ordered
    (§ 4.1.19), or an offence a repeated one (§ 6.4.2)."""
    found = []
    for order, becomes in imposed:
        is_grown = becomes.was_warning or becomes.is_repeated
        if not is_grown and order.kind is not SanctionKind.EXPULSION:
            continue
        paragraph = GROWN if is_grown else REPEATED
        for row in await publication_rows.list_person_sanctions(conn, order.person):
            counts = is_in_register(sanction_of(row), becomes.first)
            ref = await _ref_of(conn, row) if counts else None
            if ref is not None:
                found.append(Ground(paragraph, order.person, ref=ref))
    return tuple(dict.fromkeys(found))


async def _ref_of(conn: AsyncConnection, row: SanctionRow) -> str | None:
    """The decision that imposed a sanction of the register."""
    state = readable(await case_rows.list_events(conn, row.case_id))
    made: Iterable[CaseDecided] = () if state is None else state.decided
    return next(
        (
            one.decision.ref
            for one in made
            if one.decision.on.isoformat() == row.from_day
            and row.person_id in {order.person for order in one.decision.sanctions}
        ),
        None,
    )


def judge_departure(
    player: int, facts: Surroundings, *, has_reason: bool, is_silent: bool = False
) -> aftermath.Withdrawal:
    """What § 6.2.8 makes of the games of a player of a group's facts, and of who left before."""
    games = tuple(facts.games.values())
    losers = facts.losers(games[0].group) - {player} if games else frozenset()
    return aftermath.withdraw(
        player, games, has_reason=has_reason, is_silent=is_silent, losers=losers
    )


# What an official decides, before it is a decision of the case (§ 6.4.1-6.4.3).


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Decision):
    """What an official decides: a decision not yet named, dated or voted on."""

    ref: str = ""
    instance: Instance = Instance.LEADER
    on: date = date.min
    leaving: tuple[aftermath.Withdrawal, ...] = ()
    """Not part of the decision: withdrawals judged by the half rule, whose games the case takes
    in and whose letter tells it (§ 6.2.8)."""
    unheard: str = ""
    """Nor this: why the case is decided though the parties have not been heard out (§ 6.4.1)."""
    resume: date | None = None
    """The day from which all the games go on that it opens again; None: its own day (§ 6.4.1)."""
    fresh: tuple[int, ...] = ()
    """The games that go on without the days used on the move; of all others they count on."""
    lets_stand: tuple[str, ...] = ()
    """What it lets stand: rulings that rest on what it annuls, what a sanction would take."""
    stands_why: str = ""
    """Why those sanctioned keep what they keep."""
    places: tuple[Holding, ...] = ()
    """The places in cup rounds not drawn yet, which a sanction takes too."""

    @property
    def has_terms(self) -> bool:
        """Whether each quarantine has its months; the case refuses one without (§ 6.4.2)."""
        return all(it.months or it.kind is not SanctionKind.QUARANTINE for it in self.sanctions)

    @property
    def named(self) -> tuple[str, ...]:
        """The earlier decisions that it annuls or restores."""
        return (*self.annuls, *self.restores)

    def as_heard(self, state: CaseState, on: date) -> CaseState:
        """The case when the order has closed its hearing, where it is to."""
        if not self.unheard or state.is_heard(on):
            return state
        return apply_case_events(state, (HearingClosed(on, None, self.unheard),))

    def decision(self, case: CaseRow, state: CaseState, on: date) -> Decision:
        """The decision of the instance that the case is now before.

        A claim of overstep about which it orders nothing is upheld (§ 6.4.1, reading). One that
        sends the case back annuls the decisions appealed against (§ 6.4.3).
        """
        known, is_sent_back = state.known, self.appeal is AppealEnd.SENT_BACK
        again = (known[ref] for ref in self.restores if ref in known)
        ordered = {game for one in again for game in effects(one, known)}
        ordered |= {order.game for order in self.games}
        return recast(
            Decision,
            self,
            ref=next_ref(case.number, state),
            instance=state.instance,
            on=on,
            games=(*self.games, *aftermath.claims_upheld(state, ordered, on)),
            votes=state.votes,
            annuls=state.in_question if is_sent_back else self.annuls,
        )


# What a decision would do to its games and persons, for its letter (§ 6.4.1-6.4.3).


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedDecision:
    """An order completed with what follows from it, and the decision it makes of its case.

    ``games``: what becomes of each; ``left``: what follows from those who go (§ 6.4.2);
    ``follows``: all that follows in other cases, carried out or let stand.
    """

    order: Order
    state: CaseState
    decision: Decision
    games: Mapping[int, RuledGame]
    rows: Mapping[int, GameRow]
    left: expulsion.DepartureEffects
    follows: tuple[CaseConsequence, ...] = ()

    @property
    def results(self) -> dict[int, Result | None]:
        """The result of each game as the decision leaves it; None: it goes on."""
        games = self.games.items()
        return {game: _RESULTS.get(one.after.outcome) for game, one in games if one.after}

    @property
    def carried_out(self) -> tuple[CaseConsequence, ...]:
        """What follows and is done with it; not what it lets stand (§ 6.4.3)."""
        return tuple(one for one in self.follows if one.key not in self.order.lets_stand)


def ruled_game(game: GameRow) -> RuledGame:
    """A game as a decision names it."""
    start = Position.start(game.fen).board
    first = (side_to_move(start), start.fullmove_number)
    return RuledGame(game.name, game.white, game.black, first, rules=game.terms.rules)


async def _judge_games(
    core: Core, decision: Decision, state: CaseState, facts: Surroundings
) -> tuple[dict[int, RuledGame], dict[int, GameRow]] | CaseRefusal:
    """The games as they would become, with their rows, or why one of them can't (§ 6.4.1)."""
    touched = aftermath.ledger_events(decision, state)
    async with core.store.read() as conn:
        rows = {row.id: row for row in await game_rows.load_many(conn, touched)}
        past = {game: await game_rows.history(conn, game) for game in rows}
    games: dict[int, RuledGame] = {}
    for game, new in touched.items():
        events = game_rows.read_events(past[game])
        after = aftermath.aftermath(rows[game].terms, events, new, decision.on)
        if isinstance(after, CaseRefusal):
            return after
        changes = is_swapped([*events, *new]) is not is_swapped(events)
        row = rows[game].with_colours_changed() if changes else rows[game]
        stood, left = facts.games.get(game), {one.game for one in decision.grounds}
        replaced = None
        if stood is not None and stood.by not in ("", *decision.annuls) and stood.result:
            replaced = stood.result, stood.by
        games[game] = replace(
            ruled_game(row), after=after, is_departed=game in left, stood=replaced
        )
    return games, rows


async def read_ruling_facts(core: Core, prepared: PreparedDecision) -> RulingFacts:
    """The facts for the letter, with the names of those it is about."""
    decision, state, leaving = prepared.decision, prepared.state, prepared.order.leaving
    imposed = await foresee(core, decision, state)
    named = {order.person for order, _ in imposed} | set(decision.prizes_lost)
    annulled = [state.known[ref] for ref in decision.annuls if ref in state.known]
    named |= {one.person for old in annulled for one in old.sanctions}
    named |= {person for old in annulled for person in old.prizes_lost}
    seats = {one for vote in decision.votes for one in (vote.member, vote.instead_of)}
    named |= {one for one in seats if one is not None}
    named |= {left.player for left in leaving}
    named |= {one.person for one in prepared.follows if one.person is not None}
    held = (one.holding for one in prepared.follows if one.holding is not None)
    named |= {one.heir for one in held if one.heir is not None}
    people = await core.store.query(person_rows.by_ids, named)
    latest = state.latest if state.stage is CaseStage.APPEALED else None
    is_sent_back = decision.appeal is AppealEnd.SENT_BACK
    is_upheld = latest is not None and latest.ref not in decision.annuls
    return RulingFacts(
        decision,
        prepared.games,
        {person.id: person.name for person in people.values()},
        state.known,
        upheld=latest if is_upheld else None,
        leaving=leaving,
        imposed=imposed,
        back_to=latest.instance if latest is not None and is_sent_back else None,
        departures=prepared.left.departures,
        follows=prepared.carried_out,
        left_standing=tuple(one for one in prepared.follows if one not in prepared.carried_out),
        stands_why=prepared.order.stands_why,
        is_answer=state.opened.kind is CaseKind.QUESTION,
    )


def hold_to_letter(conn: Connection, prepared: PreparedDecision) -> None:
    """Raise Refused if a game, now decided, differs from the letter: play went on meanwhile."""
    for game, events in batch_rows.histories(conn, prepared.games).items():
        foreseen, terms = prepared.games[game].after, prepared.rows[game].terms
        found = read_game_outcome(account(terms, events, prepared.decision.on))
        if foreseen is not None and found is not foreseen.outcome:
            raise CaseRefusedError(CaseRefusal(CaseReason.CHANGED, game=terms.game))


# An order with all that follows from it, as the decision it makes (§ 6.4.1-6.4.3).


def _unknown(order: Order, state: CaseState) -> CaseReason | None:
    """Why no text can be drafted: the order names something outside the case (§ 6.4.1)."""
    if not {one.game for one in order.games} <= set(state.opened.games):
        return CaseReason.OTHER_GAME
    if not {one.person for one in order.sanctions} | set(order.prizes_lost) <= state.may_appeal:
        return CaseReason.OTHER_PERSON
    return None if set(order.named) <= state.known.keys() else CaseReason.UNKNOWN_DECISION


async def prepare_order(
    core: Core, case: CaseRow, state: CaseState, order: Order
) -> PreparedDecision | CaseRefusal:
    """What an order would decide, with cited decisions of other cases brought in.

    With what follows from its expulsions or withdrawals, from what it annuls, and those whom that
    concerns (§ 6.4.2, § 6.2.8, § 6.4.3). Else the refusal: nothing is drafted that the games would
    contradict.
    """
    if over := is_over(state):
        return CaseRefusal(over)
    today, order = core.today(case.zone), replace(order, instance=state.instance)
    async with core.store.read() as conn:
        concerned = await expulsion.find_groups_concerned(conn, case, order)
        facts = await read_surroundings(conn, concerned, today)
        facts = await conn.run_sync(_add_holdings, facts, order, state, core.now_us)
    follows: dict[CaseConsequence, None] = {}
    reached: frozenset[int] = frozenset()
    while True:
        made = await _prepare(core, case, state, order, facts, reached)
        if isinstance(made, CaseRefusal) or not order.has_terms:
            return made
        registers = await _registers_after(core, made, case)
        first, *others = _deeds_of(made, case, registers)
        follows |= dict.fromkeys(find_consequences(first, facts, others))
        kept = {it.key for it in follows if it.holding is not None} & {*order.lets_stand}
        if kept and not order.stands_why.strip():
            return CaseRefusal(CaseReason.NO_REASONS)
        more = _orders_of(follows, order, facts)
        games = {one.game for one in more.games[len(order.games) :]}
        # An annulment may open what rests on others.
        reached |= games | {it.game for it in facts.games.values() if it.by in more.annuls}
        more = replace(more, games=(*more.games, *_resumed(made, more)))
        more = replace(more, games=(*more.games, *await _keep_days(core, made, more)))
        if more == order:
            return replace(made, follows=tuple(follows))
        order = more


def _add_holdings(
    conn: Connection, facts: Surroundings, order: Order, state: CaseState, now_us: int
) -> Surroundings:
    """The facts with what those sanctioned hold, those of restored decisions too, and with what
    rulings took."""
    own = replace(order, restores=tuple(ref for ref in order.restores if ref in state.known))
    people = {it.person for it in orders_of(own, state.known)}
    held = name_heirs(conn, holding_rows.list_holdings(conn, people, now_us), facts.on)
    took = [(made.ref, one) for _, made in facts.in_force for one in made.takes]
    goes_on, places = {(one.person, one.number) for one in order.places}, frozenset(order.places)
    taken = tuple(
        replace(it, holding=replace(it.holding, form=read_form(it.holding.form)))
        for it in holding_rows.list_taken(conn, took)
        if it.holding.kind is not HoldingKind.CUP_PLACE
        or it.is_drawn
        or (it.holding.person, it.holding.number) in goes_on
    )
    dead = publication_rows.list_dead(conn, [it.holding.person for it in taken])
    holdings = places.union(held)
    return replace(facts, holdings=holdings, earned=places, taken=taken, dead=frozenset(dead))


async def _prepare(
    core: Core,
    case: CaseRow,
    state: CaseState,
    order: Order,
    facts: Surroundings,
    reached: Collection[int] = (),
) -> PreparedDecision | CaseRefusal:
    """The order with the games of those who go, those ``reached``, and what it rests on."""
    left = await (
        expulsion.find_withdrawal_effects(core, order.leaving)
        if order.leaving
        else expulsion.follow_of(core, order, facts)
    )
    if left.departures:
        paragraphs = tuple(dict.fromkeys((*order.paragraphs, expulsion.PARAGRAPH)))
        order = replace(order, paragraphs=paragraphs, games=(*order.games, *left.orders))
    left = await expulsion.add_games(core, left, reached)
    cited = await add_cited_decisions(core, case, order.as_heard(state, facts.on), order.named)
    if isinstance(cited, CaseRefusal):
        return cited
    wider = expulsion.widen_by_departure(cited, left, case, core)
    if unknown := _unknown(order, wider):
        return CaseRefusal(unknown)
    order = replace(order, grounds=await _grounds_of(core, order, wider, left, facts))
    decision = order.decision(case, wider, facts.on)
    if wrong := aftermath.clash(decision, wider):
        return CaseRefusal(wrong)
    found = await _judge_games(core, decision, wider, facts)
    if isinstance(found, CaseRefusal):
        return found
    games, rows = found
    return PreparedDecision(
        order=order, state=wider, decision=decision, games=games, rows=rows, left=left
    )


async def _grounds_of(
    core: Core,
    order: Order,
    state: CaseState,
    going: expulsion.DepartureEffects,
    facts: Surroundings,
) -> tuple[Ground, ...]:
    """What an order rests on: the games that the half rule counts, the sanctions before it, the
    departure for which a game is adjudicated."""
    leaving = [*order.leaving, *(outcome for _, outcome in going.departures)]
    now = carry_out(CaseDeed(DeedKind.ANNULMENT, facts.on, refs=order.annuls), facts)
    counted = (
        grounds_of(one.player, (now.games[fate.game] for fate in one.fates)) for one in leaving
    )
    imposed = await foresee(core, replace(order, on=facts.on), state) if order.has_terms else ()
    grown = await core.store.query(find_sanction_grounds, imposed)
    judged = () if state.opened.kind is not CaseKind.ADJUDICATION else state.opened.games
    left = (
        Ground(JUDGED, one.person, ground.game, ref=one.ref)
        for one in now.departures
        for ground in one.grounds
        if one.ref and ground.game in judged
    )
    counts = chain.from_iterable(counted)
    return tuple(dict.fromkeys((*order.grounds, *counts, *grown, *left)))


async def _registers_after(
    core: Core, made: PreparedDecision, case: CaseRow
) -> dict[int, tuple[Sanction, ...]]:
    """The registers of those sanctioned, with what is imposed on them (§ 6.4.2)."""
    found: dict[int, tuple[Sanction, ...]] = {}
    imposed = await foresee(core, made.decision, made.state)
    async with core.store.read() as conn:
        group = await group_rows.find(conn, case.group_id)
        form = None if group is None else read_form(group.class_)
        for order, new in imposed:
            known = found.get(order.person) or await _register(conn, order.person)
            found[order.person] = (*known, Sanction(new.kind, new.first, new.last, event=form))
    return found


def _deeds_of(
    made: PreparedDecision, case: CaseRow, registers: Mapping[int, tuple[Sanction, ...]]
) -> list[CaseDeed]:
    """A prepared decision as deeds, for what follows from it: who goes, then what it rules."""
    decision = made.decision
    going = [(it.player, case.group, DeedKind.WITHDRAWAL) for it in made.order.leaving]
    going += [(it.player, group, DeedKind.EXPULSION) for group, it in made.left.departures]
    own = (case.number, decision.ref)
    deeds = [CaseDeed(kind, decision.on, who, group, *own) for who, group, kind in going]
    kind = DeedKind.ANNULMENT if decision.annuls else DeedKind.RULING
    ruling = CaseDeed(kind, decision.on, None, "", *own, results=made.results)
    first, *others = (*deeds, ruling)
    return [replace(first, refs=decision.annuls, sanctions=registers), *others]


_RESULTS = {
    GameOutcome.WHITE_WINS: Result.WHITE_WINS,
    GameOutcome.BLACK_WINS: Result.BLACK_WINS,
    GameOutcome.DRAW: Result.DRAW,
    GameOutcome.BOTH_LOSE: Result.BOTH_LOSE,
}


def _orders_of(follows: Iterable[CaseConsequence], order: Order, facts: Surroundings) -> Order:
    """The order with what follows from it elsewhere, unless it lets that stand (§ 6.4.3).

    Of rulings that rest on what it annuls those fall that it may annul itself.
    """
    ruled = {one.game for one in order.games if isinstance(one.effect, game_events.ResultRuled)}
    games, grounds, leaves = [*order.games], [*order.grounds], [*order.leaves]
    takes = [Ground(one.paragraph, one.person, ref=one.holding.key) for one in follows
             if one.holding and one.takes and one.key not in order.lets_stand]  # fmt: skip
    annuls, gone = [*order.annuls], {*order.annuls}
    made = {decision.ref: decision.instance for _, decision in facts.in_force}
    for one in follows:
        if one.key in order.lets_stand:
            leaves.append(one.ground)
        elif one.kind is ConsequenceKind.COUNTS_ANEW:
            left = (it for it in facts.departures if (it.person, it.ref) == (one.person, one.ref))
            grounds += [it for own in left for it in own.without(gone, facts.games).grounds]
        elif one.kind is ConsequenceKind.RESTS and may_annul(order.instance, made[one.ref]):
            annuls.append(one.ref)
        elif one.result is not None and one.game is not None and one.game not in ruled:
            games.append(GameOrder(one.game, game_events.ResultRuled(one.result, facts.on, "", "")))
    # What a lighter sanction keeps taken is its own to give back.
    back = {one.holding.key for one in follows if one.holding and not one.takes}
    again = [it for _, made in facts.in_force if made.ref in annuls for it in made.takes]
    takes += [it for it in again if order.sanctions and it.ref not in back]
    carried = (one for one in follows if one.kind in _CARRIED and one.key not in order.lets_stand)
    return replace(
        order,
        paragraphs=tuple(dict.fromkeys((*order.paragraphs, *(it.paragraph for it in carried)))),
        games=tuple(games),
        annuls=tuple(dict.fromkeys(annuls)),
        grounds=tuple(dict.fromkeys(grounds)),
        leaves=tuple(dict.fromkeys(leaves)),
        takes=tuple(dict.fromkeys((*order.takes, *takes))),
    )


_CARRIED = (
    ConsequenceKind.LOST,
    ConsequenceKind.COUNTS_ANEW,
    ConsequenceKind.LIGHTER,
)
"""What a decision does elsewhere, by a paragraph that it then rests on too."""


async def _keep_days(core: Core, made: PreparedDecision, order: Order) -> tuple[GameOrder, ...]:
    """The days used on the moves that games go on with, where none of them has been told to
    begin afresh (§ 6.3.1, § 6.4.1)."""
    gone, found = tuple(map(game_events.RulingAnnulled, made.decision.annuls)), list[GameOrder]()
    effects_in: dict[int, list[game_events.RulingEffect]] = {}
    for one in order.games:
        effects_in.setdefault(one.game, []).append(one.effect)
    async with core.store.read() as conn:
        for game, ordered in effects_in.items():
            is_told = any(getattr(one, "reason", "") == aftermath.KEPT for one in ordered)
            if game in order.fresh or is_told or game not in made.rows:
                continue
            terms, past = made.rows[game].terms, await game_rows.history(conn, game)
            events = (*game_rows.read_events(past), *gone)
            kept = aftermath.keep_days(terms, events, ordered, made.decision.on)
            found += [] if kept is None else [GameOrder(game, kept)]
    return tuple(found)


def _resumed(made: PreparedDecision, order: Order) -> tuple[GameOrder, ...]:
    """The games that a decision opens again, from one day (§ 6.4.1).

    Reading: from the decision's own where it names none, for nobody was to move while the game
    was over. Not in a case sent back, in which they rest.
    """
    if made.decision.appeal is not None:
        return ()
    ordered = (*made.order.games, *order.games)
    answers = game_events.GameResumed | game_events.GameSetBack | game_events.ResultRuled
    named = {one.game for one in ordered if isinstance(one.effect, answers)}
    own = made.state.opened.games
    day = order.resume or made.decision.on
    return tuple(
        GameOrder(game, game_events.GameResumed(day))
        for game, one in made.games.items()
        if game in own
        and one.after is not None
        and one.after.outcome is GameOutcome.RUNS
        and made.rows[game].result is not None
        and game not in named
    )
