"""A decision: the case's event, the games' ledgers, sanctions and letters in one transaction.

§ 6.4.1-6.4.3. The text is drafted from the decision, edited by whoever decides, and sent to all
concerned; delivery of a letter starts its reader's time for appeal (appeals.py). Not for
whether it may be decided (kskak.cases.decide_case) nor for trying facts (case_views.py).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from kskak.cases.aftermath import Withdrawal, withdrawal_orders
from kskak.cases.case import (
    SERVER,
    CaseRefusal,
    CiteDecision,
    CloseHearing,
    Decide,
    SettleCase,
    WidenCase,
)
from kskak.cases.case_events import (
    CaseKind,
    Instance,
    PaperKind,
    SanctionKind,
    SanctionOrder,
    effects,
)
from kskak.cases.decide_case import may_act
from kskak.cases.holdings import HoldingKind
from kskak.entries.entry import Signature
from mail.office_letters.case_letters import CaseWord
from mail.office_letters.rulings import RulingFacts, draft, game_lines
from mail.office_letters.service_letters import StartAnnulled
from mail.text.catalogue import LANGUAGES, Words
from server.store import cup as cup_rows
from server.store import entries as entry_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases import holdings as holding_rows
from server.store.cases.cases import CaseRow
from server.store.cases.papers import NewPaper
from server.store.entries import EntryRuling
from server.store.groups import GroupRow, SeatRow
from server.store.mail import batch as batch_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases import case_actions
from server.usecases.cases.case_transaction import (
    CaseOutcome,
    Step,
    act_in,
    filing,
    list_officials,
    notify,
    run_transaction,
)
from server.usecases.cases.decision_preparing import (
    Order,
    PreparedDecision,
    hold_to_letter,
    judge_departure,
    prepare_order,
    read_ruling_facts,
    read_surroundings,
)
from server.usecases.cases.evidence import Access, access
from server.usecases.cases.expulsion import PARAGRAPH, put_before_leader, set_free, taking_in
from server.usecases.cases.sanctions import (
    SANCTIONS,
    give_back,
    lighten,
    note_elsewhere,
    take_effect,
    take_holdings,
)
from server.usecases.context import Core, in_turn, poster_of
from server.usecases.games import case_opening
from server.usecases.games.case_closing import RULED, list_matters
from server.usecases.games.case_hearers import officials_in
from server.usecases.games.game_units import NewClaim
from server.usecases.rights import NoSuch, NotAllowed, rights


@dataclass(frozen=True, slots=True)
class DecisionDraft:
    """A decision's letter as it would be sent, with the facts it tells."""

    made: PreparedDecision
    facts: RulingFacts
    words: Words

    @property
    def text(self) -> str:
        """The letter."""
        return draft(self.facts, self.words)

    @property
    def games(self) -> tuple[tuple[int, str], ...]:
        """What becomes of each game, by id."""
        return tuple(game_lines(self.facts, self.words))

    @property
    def upheld(self) -> str | None:
        """The decision that it leaves standing as it is."""
        facts = self.facts
        return None if facts.upheld is None or facts.changes else facts.upheld.ref


async def draft_letter(
    core: Core, person: PersonRow, case_id: int, order: Order, lang: str
) -> DecisionDraft | CaseRefusal:
    """The decision's letter as the server would send it, to be edited; nothing is saved.

    Raises UnknownCase; NotAllowed for a person who does not read the case by office.
    """
    found = await access(core, person, case_id)
    if not found.is_official:
        raise NotAllowed
    made = await prepare_order(core, found.case, found.state, order)
    if isinstance(made, CaseRefusal):
        return made
    return DecisionDraft(made, await read_ruling_facts(core, made), Words.load(lang))


async def decide(
    core: Core, person: PersonRow, case_id: int, order: Order, text: str | None = None
) -> CaseOutcome | CaseRefusal:
    """Decide a case. ``text`` is the letter as edited; None: as drafted, in each reader's language.

    Raises UnknownCase. All is written, in every game, or nothing.
    """
    found = await access(core, person, case_id)
    bar = may_act(found.state, found.actor)
    made = bar or await prepare_order(core, found.case, found.state, order)
    if isinstance(made, CaseRefusal):
        return made
    now = core.clock.now()
    papers = await _papers(core, person, made, text)

    def then(conn: Connection, done: CaseOutcome) -> Iterable[NewOutbox]:
        hold_to_letter(conn, made)
        take_effect(conn, done, core.now_us)
        lighten(conn, made.carried_out, core.now_us)
        by = person.id, done.case.number
        give_back(conn, core, made.carried_out, by)
        take_holdings(conn, core, made.carried_out, by)
        _let_stand(conn, made, person.id, core.now_us)
        elsewhere = note_elsewhere(conn, core, done, now)
        set_free(conn, core, done, now)
        put_before_leader(conn, core, made.left.unfinished, found.actor, now)
        close_other_cases(conn, core, done, made.order.leaving)
        take_on_rest(conn, core, done, is_left=bool(made.order.leaving))
        touched = [one.holding for one in made.carried_out if one.holding is not None]
        led = holding_rows.list_leaders(conn, touched)
        return _letters(conn, core, done, elsewhere, led)

    filed = (filing(paper, found.actor) for paper in papers)
    steps = (*_steps(found, made), *filed)
    games = [row.id for row in made.left.games]
    return await run_transaction(core, case_id, steps, person.id, papers, then, games)


def _let_stand(conn: Connection, made: PreparedDecision, by: int, now_us: int) -> None:
    """Note with each entry that a sanction lets stand that it is judged without that (§ 6.4.2)."""
    order = made.order
    office = Signature.LEADER if order.instance is Instance.LEADER else Signature.CONTROLLER
    word = EntryRuling(SANCTIONS, office, by, order.stands_why, now_us, "")
    for one in made.follows:
        if one.key in order.lets_stand and one.holding and one.holding.kind is HoldingKind.ENTRY:
            entry_rows.add_ruling(conn, one.holding.number, word)


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


def _steps(found: Access, made: PreparedDecision) -> Iterator[Step]:
    """Close the hearing if that is ordered, bring in what it rests on elsewhere, decide the case
    as it then stands."""
    cited, order, on = made.state, made.order, made.decision.on
    heard = order.as_heard(found.state, on)
    if heard is not found.state:
        yield CloseHearing(order.unheard), found.actor
    for decision in cited.cited[len(heard.cited) :]:
        yield CiteDecision(decision), found.actor
    yield from taking_in(heard, cited)
    yield (lambda state, case: Decide(order.decision(case, state, on))), found.actor


def _letters(
    conn: Connection, core: Core, done: CaseOutcome, elsewhere: Iterable[int], led: Iterable[int]
) -> Iterator[NewOutbox]:
    """To everybody concerned, their captains, the officials of this instance and those below.

    Copies to whom a sanction is told, and to the leaders of what it takes or gives back (``led``).
    The papers are the letter in each language, or one for all.
    """
    latest = done.state.latest
    assert latest is not None
    poster, case = poster_of(core), done.case
    concerned = sorted(done.state.may_appeal)
    captains = case_opening.captains_in(conn, case.group_id, concerned, core.now_us)
    officials = list_officials(conn, case, done.state, core.now_us)
    readers = [*concerned, *officials, *captains, *elsewhere]
    copied = {*_list_copied(conn, done, core.now_us), *led} - {*readers}
    readers += sorted(copied)
    known = person_rows.with_ids(conn, readers)
    for person in dict.fromkeys(readers):
        is_known = len(done.paper_ids) > 1 and known[person].lang in LANGUAGES
        index = LANGUAGES.index(known[person].lang) if is_known else 0
        paper, is_copy = done.paper_ids[index], person in copied
        yield case_opening.decision_letter(poster, case, latest.ref, person, paper, is_copy=is_copy)


def _list_copied(conn: Connection, done: CaseOutcome, now_us: int) -> Iterator[int]:
    """Who has a copy of a sanction: the player's club, and the controller, who keeps the register.

    Reading: § 4.1.7 for the championship, as § 4.1.19 is read into K-skak with its register.
    """
    latest = done.state.latest
    punished = [] if latest is None else [one.person for one in latest.sanctions]
    if punished:
        yield from entry_rows.list_admins_of_members(conn, punished)
        kc = replace(done.state, instance=Instance.CONTROLLER)
        yield from officials_in(conn, done.case, kc, now_us)


def close_other_cases(
    conn: Connection, core: Core, done: CaseOutcome, leaving: Iterable[Withdrawal]
) -> None:
    """Close the other cases that this one has ruled on: about a player's leaving his group, and
    adjudications whose games are over by it, which rest (others: games/case_closing.py).

    Each with the decision's name, of which its people are told in a line.
    """
    latest, undecided = done.state.latest, {"state": case_opening.UNDECIDED}
    assert latest is not None
    about_player = undecided | {"group_id": done.case.group_id, "kind": case_opening.ABOUT_PLAYER}
    answered = [
        case_rows.open_case(conn, None, person_id=left.player, **about_player) for left in leaving
    ]
    for game in effects(latest, done.state.known):
        for case in case_rows.open_cases(conn, game, **undecided):
            is_over = all(one.result is not None for one in case_rows.games_in(conn, case.games))
            if is_over and case.kind == CaseKind.ADJUDICATION:
                answered.append(case)
    for known in {case.id: case for case in answered if case is not None}.values():
        step = (SettleCase(f"{RULED} {latest.ref}"), SERVER)
        other = act_in(conn, core, case_rows.lock(conn, known.id), [step], core.clock.now())
        notice = case_opening.CaseNews(CaseWord.SETTLED, None, f"{RULED} {latest.ref}")
        batch_rows.write_outbox(conn, notify(conn, core, other.case, other.state, notice))


def take_on_rest(conn: Connection, core: Core, done: CaseOutcome, *, is_left: bool) -> None:
    """Open the case in which a player's matters go on that a first decision has not answered.

    The claims that it left open, and games in which he is as silent, absent or late as before.
    """
    before, latest, case = done.before, done.state.latest, done.case
    assert latest is not None
    if before.decided or is_left or case.person_id is None:
        return
    ruled, kinds = effects(latest, done.state.known), case_opening.ABOUT_PLAYER & set(before.kinds)
    claims = {claim.game: claim for claim in before.claims}
    today, poster, at = core.today(case.zone), poster_of(core), core.clock.now()
    opened = set[int]()
    if CaseKind.WITHDRAWAL in kinds and before.joined:
        games, person = case_rows.games_in(conn, before.opened.games), case.person_id
        again = case_actions.opening_of(CaseKind.WITHDRAWAL, games, person, person)
        made = case_opening.open_in(conn, again, at, SERVER)
        opened |= set() if isinstance(made, CaseRefusal) else {made[0].id}
    for game in case_rows.games_in(conn, set(before.opened.games) - ruled.keys()):
        state, claim = game.state(), claims.get(game.id)
        late = game.side_of(case.person_id) if claim is None else claim.late
        matters = [CaseKind.OVERSTEP] if claim else sorted(list_matters(state, today) & kinds)
        for kind in matters if state.result is None else ():
            assert late is not None
            by, is_claimed = (None, False) if claim is None else (claim.by, True)
            case_opening.take_claim(
                conn, NewClaim(game, by, at, poster, late, kind, is_claimed, is_claimed)
            )
            rest = case_opening.find_player_case(conn, game, case.person_id)
            opened |= {rest.id} if rest is not None else set()
    for number in sorted(opened):
        rest = case_rows.lock(conn, number)
        state_now = case_opening.state_of(case_rows.history(conn, number))
        notice = case_opening.CaseNews(CaseWord.OPENED, None, f"@continued {case.number}")
        letters = notify(conn, core, rest, state_now, notice, is_new=True)
        batch_rows.write_outbox(conn, letters)


# A player leaving a group, and a start annulled before the first move (§ 6.2.8, § 6.1.1).

LEAVES = case_opening.OF_PLAYER | {CaseKind.WITHDRAWAL}
"""Cases in which a player leaves his group, or counts as having left."""


async def announce(
    core: Core, person: PersonRow, group_id: int, player_id: int, text: str
) -> CaseRow | CaseRefusal:
    """Open a case about a withdrawal, for the player or an official (§ 6.2.8).

    Raises NotAllowed for anybody else, NoSuch if the player has no game.
    """
    rows = await case_actions.games_of(core, group_id, player_id)
    held = await rights(core, person)
    if person.id != player_id and not held.speaks_for(group_id):
        raise NotAllowed
    if not rows:
        raise NoSuch("player")
    opening = case_actions.opening_of(CaseKind.WITHDRAWAL, rows, player_id, player_id)
    known = await core.store.look(
        lambda conn: case_opening.find_player_case(conn, rows[0], player_id)
    )
    if known is None:
        return await case_actions.open_case(core, person, opening, text)
    paper, kind = case_actions.statement(person.id, text.strip(), core.now_us), opening.kind
    steps: list[Step] = [
        (WidenCase(opening.games, (), (player_id, *opening.concerned), (kind,)), SERVER),
        filing(paper, held.actor(group_id)),
    ]
    told = case_opening.CaseNews(CaseWord.SAID, person.id, text=text.strip())
    found = await access(core, person, known.id)
    done = await case_actions.carry_out(core, found, steps, [paper], told)
    return done if isinstance(done, CaseRefusal) else done.case


async def find_undecided_case(core: Core, group_id: int, player_id: int) -> CaseRow | None:
    """The case about this withdrawal that is not decided yet."""
    known = await core.store.query(
        case_rows.list_cases,
        group_ids=[group_id],
        person_id=player_id,
        state=case_opening.UNDECIDED,
    )
    return next((one for one in known if CaseKind.WITHDRAWAL in one.kinds), None)


async def judge_player_withdrawal(
    core: Core, group_id: int, zone: str, player_id: int
) -> Withdrawal:
    """What § 6.2.8 would make of the games of a player of the group who leaves with a reason."""
    facts = await core.store.query(read_surroundings, (group_id,), core.today(zone))
    return judge_departure(player_id, facts, has_reason=True)


@dataclass(frozen=True, slots=True)
class WithdrawalPreview:
    """A player's games in the group, and what § 6.2.8 would make of them."""

    outcome: Withdrawal
    games: tuple[GameRow, ...]


async def leaving_in(
    core: Core, case: CaseRow, *, has_reason: bool = False, is_silent: bool = False
) -> WithdrawalPreview | None:
    """What § 6.2.8 would make of the games of the player that the case is about.

    None for a case of another kind, or without games.
    """
    kinds = set(case.kinds)
    if not kinds & LEAVES or case.person_id is None:
        return None
    rows = await case_actions.games_of(core, case.group_id, case.person_id)
    if not rows:
        return None
    silent = is_silent or CaseKind.WITHDRAWAL not in kinds
    facts = await core.store.query(read_surroundings, (case.group_id,), core.today(case.zone))
    outcome = judge_departure(case.person_id, facts, has_reason=has_reason, is_silent=silent)
    return WithdrawalPreview(outcome, tuple(rows))


@dataclass(frozen=True, slots=True)
class WithdrawalRuling:
    """What the official finds: whether there was a valid reason, and a quarantine's months."""

    has_reason: bool
    reasons: str
    is_silent: bool = False
    quarantine_months: int | None = None
    unheard: str = ""
    """Why it is ruled before the parties have been heard out (§ 6.4.1)."""


async def plan(
    core: Core, person: PersonRow, case_id: int, ruling: WithdrawalRuling
) -> tuple[WithdrawalPreview, Order]:
    """What a ruling on a player's leaving would do; nothing is saved (§ 6.2.8).

    Raises UnknownCase, NotAllowed for a kind of case in which nobody leaves.
    """
    reader = await access(core, person, case_id)
    found = await leaving_in(
        core, reader.case, has_reason=ruling.has_reason, is_silent=ruling.is_silent
    )
    if found is None:
        raise NotAllowed
    outcome, today = found.outcome, core.today(reader.case.zone)
    months = ruling.quarantine_months if outcome.may_be_quarantined else None
    quarantine = SanctionOrder(outcome.player, SanctionKind.QUARANTINE, months)
    order = Order(
        paragraphs=tuple(dict.fromkeys((*reader.state.opened.paragraphs, PARAGRAPH))),
        reasons=ruling.reasons,
        unheard=ruling.unheard,
        games=withdrawal_orders(outcome, today),
        sanctions=(quarantine,) if months else (),
        prizes_lost=(outcome.player,) if outcome.loses_prize else (),
        leaving=(outcome,),
    )
    return found, order


async def rule(
    core: Core, person: PersonRow, case_id: int, ruling: WithdrawalRuling, text: str | None = None
) -> tuple[CaseRow, Withdrawal, tuple[CaseRow, ...]] | CaseRefusal:
    """Rule on a withdrawal case, and open cases for its unfinished games with it (§ 6.2.8).

    The case as decided, what the rule makes of the games, and the cases of the unfinished ones.

    ``text`` is the letter as edited; None: as drafted. All is written or nothing. Raises
    UnknownCase, NotAllowed for another kind of case.
    """
    planned, order = await plan(core, person, case_id, ruling)
    done = await decide(core, person, case_id, order, text)
    if isinstance(done, CaseRefusal):
        return done
    kind, fates = CaseKind.ADJUDICATION.value, planned.outcome.fates
    judged = [fate.game for fate in fates if fate.is_adjudicated]

    def find(conn: Connection) -> list[CaseRow | None]:
        return [case_rows.open_case(conn, game_id=game, kind=kind) for game in judged]

    opened = await core.store.look(find)
    return done.case, planned.outcome, tuple(case for case in opened if case is not None)


class HasBegun(Exception):
    """Somebody has moved, or there is a case: the start stands."""


@in_turn
async def annul_start(core: Core, person: PersonRow, group_id: int, reason: str) -> str:
    """Annul a group's start before its first move and tell all players; returns its name.

    A cup round was drawn as a whole and is annulled as a whole. Raises NotAllowed, NoSuch,
    HasBegun.
    """
    if not (await rights(core, person)).speaks_for(group_id):
        raise NotAllowed
    ids = await core.store.look(lambda conn: cup_rows.groups_drawn_with(conn, group_id))
    together = ids or (group_id,)
    async with core.store.read() as conn:
        groups = {one.id: one for one in await group_rows.with_ids(conn, together)}
        seats = await group_rows.seats_of_all(conn, together)
    if len(groups) < len(together):
        raise NoSuch("group")
    letters: list[NewOutbox] = []
    for one in together:
        letters += _annulling_letters(core, groups[one], seats[one], reason)

    def work(conn: Connection) -> None:
        if not all(result_rows.is_untouched(conn, one, locks=True) for one in together):
            raise HasBegun
        cup_rows.forget(conn, group_id)
        for one in together:
            result_rows.take_back(conn, one)
        batch_rows.write_outbox(conn, letters)

    await core.writer.transact(work)
    return groups[group_id].name


def _annulling_letters(
    core: Core, group: GroupRow, seats: Iterable[SeatRow], reason: str
) -> list[NewOutbox]:
    """Letters to everybody in the group and its leader."""
    params: dict[str, object] = {"group": group.name, "tl": group.tl_id, "reason": reason}
    unique, poster = f"{group.name}.{group.created_us}", poster_of(core)
    recipients = dict.fromkeys([*(seat.person_id for seat in seats), group.tl_id])
    return [poster.to_person(StartAnnulled, p, unique, params) for p in recipients]
