"""What people do in a case apart from deciding it: open, speak, ask, suspend, close (§ 6.4.1).

Each is one transaction with its letters; a refusal names its paragraph. Not for decisions
(deciding.py), appeals (appealing.py) nor pages (views.py).
"""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from kskak.cases import commands as cc
from kskak.cases.events import CaseKind, PaperKind
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import CaseState
from kskak.regulation.objections import may_object
from kskak.regulation.quantities import Regulation
from mail.game_letters.claims import PARAGRAPHS
from server.store.cases import publications as publication_rows
from server.store.cases.cases_and_events import CaseRow
from server.store.cases.papers import NewPaper
from server.store.engine.errors import UnknownGame
from server.store.groups import groups_and_seats as group_rows
from server.store.mail import batch as ledger
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases import takeover_objections
from server.usecases.cases.access import Access, access
from server.usecases.cases.silence import heard_from
from server.usecases.cases.transaction import Deed, Done, Step, carry_out, filing, notices_to_others
from server.usecases.core.case_opening import Opening, evidence, open_in
from server.usecases.core.case_record import CaseWord, Notice, notices, officials_in
from server.usecases.core.context import Core, poster_of
from server.usecases.core.offices import NoSuch, NotAllowed, rights
from server.usecases.core.team_captains import captains_in

Outcome = Done | CaseRefusal


def statement(person_id: int | None, text: str, at_us: int, title: str = "") -> NewPaper:
    """What somebody says, as a paper."""
    kind = PaperKind.STATEMENT.value
    return NewPaper(kind=kind, title=title, body=text.encode(), at_us=at_us, person_id=person_id)


async def open_case(
    core: Core, person: PersonRow, opening: Opening, text: str = ""
) -> CaseRow | CaseRefusal:
    """Open a case: by a party's objection or protest, or by an official (§ 6.4.1).

    ``text`` is a statement. Raises NotAllowed for others, NoSuch for a wrong game or party.
    """
    held = await rights(core, person)
    if person.id not in opening.parties and not held.speaks_for(opening.group_id):
        raise NotAllowed
    now, now_us = core.clock.now(), core.now_us
    if opening.kind is CaseKind.RESULT and not held.speaks_for(opening.group_id):
        late = await _late_objection(core, opening)
        if late is not None:
            return late
    async with core.store.read() as conn:
        games = await game_rows.load_many(conn, opening.games)
        seated = {seat.person_id for seat in await group_rows.seats_of(conn, opening.group_id)}
    if len(games) != len(set(opening.games)) or any(g.group_id != opening.group_id for g in games):
        raise NoSuch("games")
    if not {*opening.parties, *opening.concerned} <= seated:
        raise NoSuch("parties")

    def work(conn: Connection) -> CaseRow | CaseRefusal:
        papers = [evidence(conn, game, now, None) for game in games]
        if text.strip():
            papers.append(statement(person.id, text.strip(), now_us))
        opened = open_in(conn, opening, now, held.actor(opening.group_id), papers)
        if isinstance(opened, CaseRefusal):
            return opened
        case, state = opened
        tell_opened(conn, core, case, state, Notice(CaseWord.OPENED, person.id, text=text.strip()))
        return case

    return await core.writer.transact(work)


async def _late_objection(core: Core, opening: Opening) -> CaseRefusal | None:
    """The refusal of an objection to a result published more than 14 days ago (§ 6.4.5)."""
    async with core.store.read() as conn:
        day = await publication_rows.objections_until(conn, opening.group_id, opening.games)
    until = None if day is None else date.fromisoformat(day)
    if until is None or may_object(until, core.today(opening.zone)):
        return None
    return CaseRefusal(CaseReason.OBJECTION_LATE, until)


def tell_opened(
    conn: Connection, core: Core, case: CaseRow, state: CaseState, notice: Notice
) -> None:
    """The letters of a new case: to the parties, their captains, and its officials (§ 6.4.1)."""
    parties = state.opened.parties
    captains = captains_in(conn, case.group_id, parties, core.now_us)
    told = [*parties, *officials_in(conn, case, state, core.now_us), *captains]
    ledger.write_outbox(conn, notices(poster_of(core), case, notice, told))


@dataclass(frozen=True, slots=True)
class Objection:
    """What a player protests against in a game: the days, a charge, a result (§ 6.4.1, § 6.4.5)."""

    game_id: int
    kind: CaseKind
    text: str


_PARAGRAPHS = {
    CaseKind.OVERSTEP: ("6.3.3",),
    CaseKind.DAYS: ("6.3.1",),
    CaseKind.FAULTY: ("6.3.5.1", "6.8.6"),
    CaseKind.SILENCE: ("6.3.4", "6.8.3"),
    CaseKind.WITHDRAWAL: ("6.2.8",),
    CaseKind.ADJUDICATION: ("6.2.7",),
    CaseKind.CONDUCT: ("6.4.2",),
    CaseKind.LEAVE: ("6.3.6",),
    CaseKind.RESULT: ("6.4.5",),
    CaseKind.OFFLINE: ("6.8.1",),
    CaseKind.TAKEOVER: takeover_objections.PARAGRAPHS,
    CaseKind.OTHER: ("6.4.1",),
}


def paragraphs_of(kind: CaseKind) -> tuple[str, ...]:
    """The paragraphs a case of a kind is about by default (§ 6.4.1)."""
    return _PARAGRAPHS[kind]


def paragraphs_in(game: GameRow, kind: CaseKind) -> tuple[str, ...]:
    """The same for a case about one game: for a disputed overstep, the game's rule set decides."""
    if kind is CaseKind.OVERSTEP:
        return PARAGRAPHS[Regulation(game.regulation)]
    return paragraphs_of(kind)


async def object_to(core: Core, person: PersonRow, objection: Objection) -> CaseRow | CaseRefusal:
    """A player's objection in their own game, or an official's (§ 6.4.1).

    Raises UnknownGame if there is no such game that they may speak about.
    """
    async with core.store.read() as conn:
        game = await game_rows.load(conn, objection.game_id)
    if game is None:
        raise UnknownGame(objection.game_id)
    if objection.kind is CaseKind.TAKEOVER:
        return await takeover_objections.object_to(core, person, game, objection.text)
    opening = Opening(
        kind=objection.kind,
        group_id=game.group_id,
        zone=game.zone,
        parties=(game.white_id, game.black_id),
        question=f"@{objection.kind.value}",
        paragraphs=paragraphs_in(game, objection.kind),
        games=(game.id,),
    )
    try:
        return await open_case(core, person, opening, objection.text)
    except NotAllowed:
        raise UnknownGame(objection.game_id) from None


@dataclass(frozen=True, slots=True)
class Complaint:
    """A complaint about a person in a group, covering all that person's games there (§ 6.4.2)."""

    group_id: int
    about: int
    kind: CaseKind
    text: str


async def complain(core: Core, person: PersonRow, complaint: Complaint) -> CaseRow | CaseRefusal:
    """A complaint by another player of the group, or an official's own case (§ 6.4.2).

    The person's opponents are concerned: it may affect their games. Raises NotAllowed for
    somebody with no part in the group, NoSuch if the person has no game.
    """
    group_id, about = complaint.group_id, complaint.about
    held = await rights(core, person)
    is_official = held.speaks_for(group_id)
    if not is_official and (group_id not in held.plays or person.id == about):
        raise NotAllowed
    async with core.store.read() as conn:
        rows = await game_rows.of_group(conn, group_id)
    games = [row for row in rows if about in (row.white_id, row.black_id)]
    if not games:
        raise NoSuch("person")
    parties = (about,) if is_official else (person.id, about)
    others = {row.white_id for row in games} | {row.black_id for row in games}
    opening = Opening(
        kind=complaint.kind,
        group_id=group_id,
        zone=games[0].zone,
        parties=parties,
        question=f"@{complaint.kind.value}",
        paragraphs=paragraphs_of(complaint.kind),
        games=tuple(row.id for row in games),
        concerned=tuple(sorted(others - set(parties))),
        about=about,
    )
    return await open_case(core, person, opening, complaint.text)


async def _do(
    core: Core,
    found: Access,
    command: cc.CaseCommand,
    notice: Notice | None = None,
    papers: tuple[NewPaper, ...] = (),
) -> Outcome:
    """One command with its papers; the others in the case are notified."""
    actor = found.actor
    steps = (Step(lambda _, __: command, actor), *(filing(paper, actor) for paper in papers))
    return await carry_out(core, deed_of(core, found, steps, papers, notice))


def deed_of(
    core: Core,
    found: Access,
    steps: tuple[Step, ...],
    papers: tuple[NewPaper, ...] = (),
    notice: Notice | None = None,
) -> Deed:
    """Steps as one deed; ``notice`` goes to all others in the case if anything happened."""
    poster = poster_of(core)

    def letters(conn: Connection, done: Done) -> tuple[NewOutbox, ...]:
        if notice is None or not done.events:
            return ()
        return notices_to_others(conn, poster, done, notice)

    return Deed(found.case.id, steps, found.person.id, papers, letters)


async def speak(core: Core, person: PersonRow, case_id: int, text: str, title: str = "") -> Outcome:
    """A statement by a party or an official, sent to the others (§ 6.4.1).

    Raises UnknownCase; ValueError for an empty text.
    """
    if not text.strip():
        raise ValueError("text")
    found = await access(core, person, case_id)
    paper = statement(person.id, text.strip(), core.now_us, title)
    notice = Notice(CaseWord.SAID, person.id, text=text.strip())
    steps = (filing(paper, found.actor),)
    done = await carry_out(core, deed_of(core, found, steps, (paper,), notice))
    await heard_from(core, person.id)
    return done


async def ask_parties(
    core: Core, person: PersonRow, case_id: int, until: date, asked: tuple[int, ...] = ()
) -> Outcome:
    """Ask the parties for statements by a day, that day included (§ 6.4.1)."""
    found = await access(core, person, case_id)
    notice = Notice(CaseWord.HEARING, person.id, until=until)
    return await _do(core, found, cc.AskParties(until, asked), notice)


async def close_hearing(core: Core, person: PersonRow, case_id: int, reason: str = "") -> Outcome:
    """End the hearing: all have spoken, their time is up, or for the reason given."""
    found = await access(core, person, case_id)
    return await _do(core, found, cc.CloseHearing(reason))


async def suspend(core: Core, person: PersonRow, case_id: int, games: tuple[int, ...]) -> Outcome:
    """Stop time in games of the case while it is pending (§ 6.4.1)."""
    found = await access(core, person, case_id)
    return await _do(core, found, cc.SuspendGames(games), Notice(CaseWord.SUSPENDED, person.id))


async def lift(core: Core, person: PersonRow, case_id: int) -> Outcome:
    """Let time run again from today (§ 6.4.1)."""
    found = await access(core, person, case_id)
    return await _do(core, found, cc.LiftSuspension(), Notice(CaseWord.LIFTED, person.id))


async def settle(core: Core, person: PersonRow, case_id: int, note: str) -> Outcome:
    """Close the case without a decision, with a note saying why (§ 6.4.1)."""
    found = await access(core, person, case_id)
    return await _do(core, found, cc.SettleCase(note), Notice(CaseWord.SETTLED, person.id, note))


async def withdraw(core: Core, person: PersonRow, case_id: int) -> Outcome:
    """Withdraw the case, as its claimant; one opened by the server, as whoever leads it."""
    found = await access(core, person, case_id)
    return await _do(core, found, cc.WithdrawCase(), Notice(CaseWord.WITHDRAWN, person.id))
