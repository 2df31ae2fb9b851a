"""A decision: the case's event, the games' ledgers, sanctions and letters in one transaction.

§ 6.4.1-6.4.3. The text is drafted from the decision, edited by whoever decides, and sent to all
concerned; delivery of a letter starts its reader's time for appeal (appealing.py). Not for
whether it may be decided (kskak.cases.decide) nor for trying facts (what_if.py).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from kskak.cases.aftermath import clash
from kskak.cases.commands import CloseHearing, Decide
from kskak.cases.decisions import Decision, Instance
from kskak.cases.events import PaperKind
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import CaseState
from kskak.cases.verdicts import is_over, may_act
from mail.office_letters.rulings import draft, game_lines
from mail.text.languages import LANGUAGES
from mail.text.words import Words
from server.store.cases.cases_and_events import CaseRow
from server.store.cases.papers import NewPaper
from server.store.mail.outbox import NewOutbox
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.cases.access import Access, access
from server.usecases.cases.citing import citing, note_elsewhere, with_cited
from server.usecases.cases.decision_facts import Prepared, facts_of, hold_to_letter, prepare
from server.usecases.cases.expulsion import PARAGRAPH as HALF_RULE
from server.usecases.cases.expulsion import (
    Departed,
    carry_out_expulsion,
    follow_of,
    of_withdrawals,
    taking_in,
    widened,
)
from server.usecases.cases.order import Order
from server.usecases.cases.sanctions import take_effect
from server.usecases.cases.transaction import Deed, Done, Step, carry_out, filing
from server.usecases.core.case_record import decision_letter, officials_in
from server.usecases.core.context import Core, poster_of
from server.usecases.core.offices import NotAllowed
from server.usecases.core.team_captains import captains_in


def _unknown(order: Order, state: CaseState) -> CaseReason | None:
    """Why no text can be drafted: the order names something outside the case (§ 6.4.1)."""
    if not {one.game for one in order.games} <= set(state.opened.games):
        return CaseReason.OTHER_GAME
    if not {one.person for one in order.sanctions} | set(order.prizes_lost) <= state.may_appeal:
        return CaseReason.OTHER_PERSON
    return None if set(order.named) <= state.known.keys() else CaseReason.UNKNOWN_DECISION


async def followed(core: Core, case: CaseRow, order: Order) -> Departed:
    """What follows from an order's expulsions or withdrawals (§ 6.4.2, § 6.2.8)."""
    if order.leaving:
        return await of_withdrawals(core, order.leaving)
    return await follow_of(core, case, order.sanctions, order.games, order.annuls)


def completed(order: Order, left: Departed) -> Order:
    """The order with what follows from its expulsions; idempotent."""
    if not left.departures:
        return order
    paragraphs = tuple(dict.fromkeys((*order.paragraphs, HALF_RULE)))
    return replace(order, paragraphs=paragraphs, games=(*order.games, *left.orders))


async def prepared(
    core: Core, case: CaseRow, state: CaseState, order: Order, left: Departed
) -> Prepared | CaseRefusal:
    """What an order would decide, with cited decisions of other cases brought in.

    Also with those whom its departures concern. Else the refusal: nothing is drafted that the games
    would contradict.
    """
    wrong = is_over(state)
    if wrong is not None:
        return CaseRefusal(wrong)
    today = core.today(case.zone)
    cited = await with_cited(core, case, order.as_heard(state, today), order.named)
    if isinstance(cited, CaseRefusal):
        return cited
    wider = widened(cited, left, case, core)
    wrong = _unknown(order, wider)
    if wrong is not None:
        return CaseRefusal(wrong)
    decision = order.decision(case, wider, today)
    wrong = clash(decision, wider)
    if wrong is not None:
        return CaseRefusal(wrong)
    return await prepare(core, decision, wider, order.leaving, left)


async def _ready(core: Core, found: Access, order: Order) -> tuple[Order, Prepared] | CaseRefusal:
    """The completed order and the decision it would make, or why it can't be made."""
    left = await followed(core, found.case, order)
    whole = completed(order, left)
    made = await prepared(core, found.case, found.state, whole, left)
    return made if isinstance(made, CaseRefusal) else (whole, made)


@dataclass(frozen=True, slots=True)
class Draft:
    """A decision's letter as it would be sent; ``games``: what becomes of each, by id;
    ``upheld``: the decision that it leaves standing as it is."""

    text: str
    games: tuple[tuple[int, str], ...]
    upheld: str | None = None


async def draft_letter(
    core: Core, person: PersonRow, case_id: int, order: Order, lang: str
) -> Draft | CaseRefusal:
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
    facts, words = await facts_of(core, made), Words.load(lang)
    upheld = None if facts.upheld is None or facts.changes else facts.upheld.ref
    return Draft(draft(facts, words), tuple(game_lines(facts, words)), upheld)


Follow = Callable[[Connection, Done], None]


def _nothing(_: Connection, __: Done) -> None:
    """Nothing else follows."""


async def decide(
    core: Core,
    person: PersonRow,
    case_id: int,
    order: Order,
    text: str | None = None,
    follow: Follow = _nothing,
) -> Done | CaseRefusal:
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
    texts = await _texts(core, made, text)
    papers = _papers(person, made.decision, texts, core.now_us)
    elsewhere: list[int] = []

    def after(conn: Connection, done: Done) -> None:
        hold_to_letter(conn, made)
        take_effect(conn, done, core.now_us)
        elsewhere[:] = note_elsewhere(conn, core, done, now)
        carry_out_expulsion(conn, core, done, (made.left, found.actor, now))
        follow(conn, done)

    deed = Deed(
        case_id=case_id,
        steps=_steps(found, made.state, order, papers, made.decision.on),
        by=person.id,
        papers=papers,
        letters=lambda conn, done: _letters(conn, core, done, _Told(papers, texts, elsewhere)),
        follow=after,
        games=tuple(row.id for row in made.left.games),
    )
    return await carry_out(core, deed)


def _steps(
    found: Access, cited: CaseState, order: Order, papers: tuple[NewPaper, ...], on: date
) -> tuple[Step, ...]:
    """Close the hearing if that is ordered, bring in what it rests on elsewhere, decide the case
    as it then stands, file the letters."""

    def build(state: CaseState, case: CaseRow) -> Decide:
        return Decide(order.decision(case, state, on))

    actor = found.actor
    filed = (filing(paper, actor) for paper in papers)
    heard = order.as_heard(found.state, on)
    closed = (Step(lambda _, __: CloseHearing(order.unheard), actor),)
    brought = (*citing(heard, cited, actor), *taking_in(heard, cited))
    return (*(closed if heard is not found.state else ()), *brought, Step(build, actor), *filed)


async def _texts(core: Core, made: Prepared, edited: str | None) -> dict[str, str]:
    """The letter by language: as edited, or as drafted."""
    facts = await facts_of(core, made)
    return {lang: edited or draft(facts, Words.load(lang)) for lang in LANGUAGES}


def _papers(
    person: PersonRow, decision: Decision, texts: dict[str, str], now_us: int
) -> tuple[NewPaper, ...]:
    """The letter as sent: once if edited, else once per language."""
    bodies = list(dict.fromkeys(texts.values()))
    return tuple(
        NewPaper(
            kind=PaperKind.LETTER.value,
            title=decision.ref,
            body=body.encode(),
            at_us=now_us,
            person_id=person.id,
        )
        for body in bodies
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """What was written: the papers, the texts by language, the persons concerned in other cases."""

    papers: tuple[NewPaper, ...]
    texts: Mapping[str, str]
    elsewhere: Sequence[int]


def _letters(conn: Connection, core: Core, done: Done, told: _Told) -> Iterable[NewOutbox]:
    """To everybody concerned, their captains, the officials of this instance and those below."""
    latest = done.state.latest
    assert latest is not None
    poster, case, langs = poster_of(core), done.case, tuple(told.texts)
    concerned = sorted(done.state.may_appeal)
    captains = captains_in(conn, case.group_id, concerned, core.now_us)
    officials = _officials(conn, done, core.now_us)
    readers = [*concerned, *officials, *captains, *told.elsewhere]
    spoken = person_rows.languages(conn, readers)
    for person in dict.fromkeys(readers):
        is_known = len(told.papers) > 1 and spoken[person] in langs
        index = langs.index(spoken[person]) if is_known else 0
        yield decision_letter(poster, case, latest.ref, person, done.paper_ids[index])


def _officials(conn: Connection, done: Done, now_us: int) -> list[int]:
    """Officials of this instance and those below, and whoever has decided before (§ 6.4.3)."""
    found: list[int] = []
    for instance in Instance:
        below = replace(done.state, instance=instance)
        found += officials_in(conn, done.case, below, now_us)
        if instance is done.state.instance:
            break
    return [*found, *(row.by for row in done.state.decided)]
