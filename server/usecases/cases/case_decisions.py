"""A decision: the case's event, the games' ledgers, sanctions and letters in one transaction.

§ 6.4.1-6.4.3. The text is drafted from the decision, edited by whoever decides, and sent to all
concerned; delivery of a letter starts its reader's time for appeal (appeals.py). Not for
whether it may be decided (kskak.cases.decide_case) nor for trying facts (case_views.py).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from kskak.board.positions import Position, side_to_move
from kskak.cases.aftermath import Withdrawal, aftermath, claims_upheld, clash, ledger_events
from kskak.cases.case import (
    CaseReason,
    CaseRefusal,
    CaseStage,
    CaseState,
    CiteDecision,
    CloseHearing,
    Decide,
    next_ref,
)
from kskak.cases.case_events import (
    AppealEnd,
    Decision,
    FactFound,
    GameOrder,
    HearingClosed,
    Instance,
    PaperKind,
    SanctionOrder,
    effects,
)
from kskak.cases.decide_case import apply_case_events, is_over, may_act
from kskak.cases.what_if import read_game_outcome
from kskak.play.events_in_force import is_swapped
from kskak.statement.account import account
from mail.office_letters.case_letters import (
    EarlierDecision,
    RuledGame,
    RulingFacts,
    draft,
    game_lines,
)
from mail.text.catalogue import LANGUAGES, Words
from server.store.cases.cases import CaseRow
from server.store.cases.papers import NewPaper
from server.store.mail import batch as batch_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases.case_transaction import (
    CaseOutcome,
    CaseRefusedError,
    Step,
    filing,
    run_transaction,
)
from server.usecases.cases.evidence import Access, access
from server.usecases.cases.expulsion import (
    NOTHING,
    PARAGRAPH,
    DepartureEffects,
    find_withdrawal_effects,
    follow_of,
    put_before_leader,
    set_free,
    taking_in,
    widen_by_departure,
)
from server.usecases.cases.sanctions import (
    add_cited_decisions,
    foresee,
    note_elsewhere,
    take_effect,
)
from server.usecases.context import Core, poster_of
from server.usecases.games.case_opening import captains_in, decision_letter, officials_in
from server.usecases.rights import NotAllowed

# What an official decides, before it is a decision of the case (§ 6.4.1-6.4.3).


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What an official decides; for the fields see ``kskak.cases.case_events.Decision``."""

    paragraphs: tuple[str, ...]
    reasons: str
    facts: tuple[FactFound, ...] = ()
    games: tuple[GameOrder, ...] = ()
    sanctions: tuple[SanctionOrder, ...] = ()
    annuls: tuple[str, ...] = ()
    restores: tuple[str, ...] = ()
    grants: tuple[int, ...] = ()
    prizes_lost: tuple[int, ...] = ()
    appeal: AppealEnd | None = None
    leaving: tuple[Withdrawal, ...] = ()
    """Not part of the decision: withdrawals judged by the half rule, whose games the case takes
    in and whose letter tells it (§ 6.2.8)."""
    unheard: str = ""
    """Nor this: why the case is decided though the parties have not been heard out (§ 6.4.1)."""

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
        return Decision(
            ref=next_ref(case.number, state),
            instance=state.instance,
            on=on,
            paragraphs=self.paragraphs,
            reasons=self.reasons,
            facts=self.facts,
            games=(*self.games, *claims_upheld(state, ordered, on)),
            sanctions=self.sanctions,
            annuls=state.in_question if is_sent_back else self.annuls,
            restores=self.restores,
            grants=self.grants,
            prizes_lost=self.prizes_lost,
            appeal=self.appeal,
            votes=state.votes,
        )


# What a decision would do to its games and persons, for its letter (§ 6.4.1-6.4.3).


@dataclass(frozen=True, slots=True)
class PreparedDecision:
    """A decision ready for its letter: its case, its games and what becomes of them.
    ``leaving``: the withdrawals whose games it judges by the half rule (§ 6.2.8)."""

    state: CaseState
    decision: Decision
    games: Mapping[int, RuledGame]
    rows: Mapping[int, GameRow]
    leaving: tuple[Withdrawal, ...] = ()
    left: DepartureEffects = NOTHING
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
    left: DepartureEffects = NOTHING,
) -> PreparedDecision | CaseRefusal:
    """The decision with its games as they would become, or why one of them can't (§ 6.4.1)."""
    touched = ledger_events(decision, state)
    async with core.store.read() as conn:
        rows = {row.id: row for row in await game_rows.load_many(conn, touched)}
        past = {game: await game_rows.history(conn, game) for game in rows}
    games: dict[int, RuledGame] = {}
    for game, new in touched.items():
        events = game_rows.read_events(past[game])
        after = aftermath(rows[game].terms, events, new, decision.on)
        if isinstance(after, CaseRefusal):
            return after
        changes = is_swapped([*events, *new]) is not is_swapped(events)
        row = rows[game].with_colours_changed() if changes else rows[game]
        games[game] = replace(ruled_game(row), after=after)
    return PreparedDecision(state, decision, games, rows, leaving, left)


async def read_ruling_facts(core: Core, prepared: PreparedDecision) -> RulingFacts:
    """The facts for the letter, with the names of those it is about."""
    decision, state = prepared.decision, prepared.state
    imposed = await foresee(core, decision, state)
    named = {order.person for order, _ in imposed} | set(decision.prizes_lost)
    named |= {vote.member for vote in decision.votes}
    named |= {left.player for left in prepared.leaving}
    people = await core.store.query(person_rows.by_ids, named)
    earlier = {ref: EarlierDecision(ref, known.on) for ref, known in state.known.items()}
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
        imposed=imposed,
        back_to=latest.instance if latest is not None and is_sent_back else None,
        departures=prepared.left.departures,
    )


def hold_to_letter(conn: Connection, prepared: PreparedDecision) -> None:
    """Raise Refused if a game, now decided, differs from the letter: play went on meanwhile."""
    for game, events in batch_rows.histories(conn, prepared.games).items():
        told, terms = prepared.games[game].after, prepared.rows[game].terms
        found = read_game_outcome(account(terms, events, prepared.decision.on))
        if told is not None and found is not told.outcome:
            raise CaseRefusedError(CaseRefusal(CaseReason.CHANGED, game=terms.game))


# A decision: the case's event, the games' ledgers, sanctions and letters in one transaction.


def _unknown(order: Order, state: CaseState) -> CaseReason | None:
    """Why no text can be drafted: the order names something outside the case (§ 6.4.1)."""
    if not {one.game for one in order.games} <= set(state.opened.games):
        return CaseReason.OTHER_GAME
    if not {one.person for one in order.sanctions} | set(order.prizes_lost) <= state.may_appeal:
        return CaseReason.OTHER_PERSON
    return None if set(order.named) <= state.known.keys() else CaseReason.UNKNOWN_DECISION


async def find_departure_effects(core: Core, case: CaseRow, order: Order) -> DepartureEffects:
    """What follows from an order's expulsions or withdrawals (§ 6.4.2, § 6.2.8)."""
    if order.leaving:
        return await find_withdrawal_effects(core, order.leaving)
    return await follow_of(core, case, order.sanctions, order.games, order.annuls)


def complete_order(order: Order, left: DepartureEffects) -> Order:
    """The order with what follows from its expulsions; idempotent."""
    if not left.departures:
        return order
    paragraphs = tuple(dict.fromkeys((*order.paragraphs, PARAGRAPH)))
    return replace(order, paragraphs=paragraphs, games=(*order.games, *left.orders))


async def prepare_order(
    core: Core, case: CaseRow, state: CaseState, order: Order, left: DepartureEffects
) -> PreparedDecision | CaseRefusal:
    """What an order would decide, with cited decisions of other cases brought in.

    Also with those whom its departures concern. Else the refusal: nothing is drafted that the games
    would contradict.
    """
    wrong = is_over(state)
    if wrong is not None:
        return CaseRefusal(wrong)
    today = core.today(case.zone)
    cited = await add_cited_decisions(core, case, order.as_heard(state, today), order.named)
    if isinstance(cited, CaseRefusal):
        return cited
    wider = widen_by_departure(cited, left, case, core)
    wrong = _unknown(order, wider)
    if wrong is not None:
        return CaseRefusal(wrong)
    decision = order.decision(case, wider, today)
    wrong = clash(decision, wider)
    if wrong is not None:
        return CaseRefusal(wrong)
    return await prepare(core, decision, wider, order.leaving, left)


async def _ready(
    core: Core, found: Access, order: Order
) -> tuple[Order, PreparedDecision] | CaseRefusal:
    """The completed order and the decision it would make, or why it can't be made."""
    left = await find_departure_effects(core, found.case, order)
    whole = complete_order(order, left)
    made = await prepare_order(core, found.case, found.state, whole, left)
    return made if isinstance(made, CaseRefusal) else (whole, made)


@dataclass(frozen=True, slots=True)
class DecisionDraft:
    """A decision's letter as it would be sent; ``games``: what becomes of each, by id;
    ``upheld``: the decision that it leaves standing as it is."""

    text: str
    games: tuple[tuple[int, str], ...]
    upheld: str | None = None


async def draft_letter(
    core: Core, person: PersonRow, case_id: int, order: Order, lang: str
) -> DecisionDraft | CaseRefusal:
    """The decision's letter as the server would send it, to be edited; nothing is saved.

    Raises UnknownCase; NotAllowed for a person who does not read the case by office.
    """
    found = await access(core, person, case_id)
    if not found.is_official:
        raise NotAllowed
    ready = await _ready(core, found, order)
    if isinstance(ready, CaseRefusal):
        return ready
    order, made = ready
    facts, words = await read_ruling_facts(core, made), Words.load(lang)
    upheld = None if facts.upheld is None or facts.changes else facts.upheld.ref
    return DecisionDraft(draft(facts, words), tuple(game_lines(facts, words)), upheld)


Follow = Callable[[Connection, CaseOutcome], None]


def _nothing(_: Connection, __: CaseOutcome) -> None:
    """Nothing else follows."""


async def decide(
    core: Core,
    person: PersonRow,
    case_id: int,
    order: Order,
    text: str | None = None,
    follow: Follow = _nothing,
) -> CaseOutcome | CaseRefusal:
    """Decide a case. ``text`` is the letter as edited; None: as drafted, in each reader's language.
    ``follow`` runs in the same transaction and may raise Refused. Raises UnknownCase. All is
    written, in every game, or nothing.
    """
    found = await access(core, person, case_id)
    ready = may_act(found.state, found.actor) or await _ready(core, found, order)
    if isinstance(ready, CaseRefusal):
        return ready
    order, made = ready
    now = core.clock.now()
    papers = await _papers(core, person, made, text)

    def then(conn: Connection, done: CaseOutcome) -> Iterable[NewOutbox]:
        hold_to_letter(conn, made)
        take_effect(conn, done, core.now_us)
        elsewhere = note_elsewhere(conn, core, done, now)
        set_free(conn, core, done, now)
        put_before_leader(conn, core, made.left.unfinished, found.actor, now)
        follow(conn, done)
        return _letters(conn, core, done, elsewhere)

    filed = (filing(paper, found.actor) for paper in papers)
    steps = (*_steps(found, made.state, order, made.decision.on), *filed)
    games = [row.id for row in made.left.games]
    return await run_transaction(core, case_id, steps, person.id, papers, then, games)


async def _papers(
    core: Core, person: PersonRow, made: PreparedDecision, edited: str | None
) -> tuple[NewPaper, ...]:
    """The letter as sent: once if edited, else once per language."""
    facts = await read_ruling_facts(core, made)
    texts = [edited or draft(facts, Words.load(lang)) for lang in LANGUAGES]
    kind, ref = PaperKind.LETTER.value, made.decision.ref
    return tuple(
        NewPaper(kind=kind, title=ref, body=one.encode(), at_us=core.now_us, person_id=person.id)
        for one in dict.fromkeys(texts)
    )


def _steps(found: Access, cited: CaseState, order: Order, on: date) -> Iterator[Step]:
    """Close the hearing if that is ordered, bring in what it rests on elsewhere, decide the case
    as it then stands."""
    heard = order.as_heard(found.state, on)
    if heard is not found.state:
        yield CloseHearing(order.unheard), found.actor
    for decision in cited.cited[len(heard.cited) :]:
        yield CiteDecision(decision), found.actor
    yield from taking_in(heard, cited)
    yield (lambda state, case: Decide(order.decision(case, state, on))), found.actor


def _letters(
    conn: Connection, core: Core, done: CaseOutcome, elsewhere: Iterable[int]
) -> Iterator[NewOutbox]:
    """To everybody concerned, their captains, the officials of this instance and those below.

    The papers are the letter in each language, or one for all.
    """
    latest = done.state.latest
    assert latest is not None
    poster, case = poster_of(core), done.case
    concerned = sorted(done.state.may_appeal)
    captains = captains_in(conn, case.group_id, concerned, core.now_us)
    officials = _officials(conn, done, core.now_us)
    readers = [*concerned, *officials, *captains, *elsewhere]
    spoken = person_rows.languages(conn, readers)
    for person in dict.fromkeys(readers):
        is_known = len(done.paper_ids) > 1 and spoken[person] in LANGUAGES
        index = LANGUAGES.index(spoken[person]) if is_known else 0
        yield decision_letter(poster, case, latest.ref, person, done.paper_ids[index])


def _officials(conn: Connection, done: CaseOutcome, now_us: int) -> list[int]:
    """Officials of this instance and those below, and whoever has decided before (§ 6.4.3)."""
    found: list[int] = []
    for instance in Instance:
        below = replace(done.state, instance=instance)
        found += officials_in(conn, done.case, below, now_us)
        if instance is done.state.instance:
            break
    return [*found, *(row.by for row in done.state.decided)]
