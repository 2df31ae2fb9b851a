"""A game's cards, and its disputed dispatches with what proves their dates (§ 6.3.2, § 6.8.2).

For a dispatch the card, the mail that brought it, and the letters by which each player learned of
a move, with their delivery. A player is shown his own mails, and only the record of the opponent's;
others than the players and officials are shown the cards alone. Not for the papers of the case
(case_views.py), nor for the case file, which has the raw mails (case_file.py).
"""

import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import chess

from kskak.board.notation import MoveRead, read_move
from kskak.cases.case import Actor, BoardSeat, CaseState
from kskak.cases.case_events import Instance
from kskak.game.game_events import CardDates, Event, MoveSent
from kskak.play.events_in_force import dispatches, find_arrival_day, side_now
from kskak.play.game_state import AccountLine
from kskak.regulation.editions import Side
from mail.game_letters.card_letters import CardEntered
from mail.game_letters.move_letters import Relay
from mail.grammar.move_lines import list_move_words
from mail.incoming.mime import split_headers
from mail.incoming.parse_mail import bounce_token_of
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow, UnknownCase
from server.store.cases.papers import CardRow
from server.store.mail import inbox as inbox_rows
from server.store.mail.inbox import GameMailRow
from server.store.mail.outbox import GameLetterRow
from server.store.play.games import EventRow
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.games.case_hearers import panel_of
from server.usecases.games.case_opening import state_of
from server.usecases.games.outbox_letters import read_bounce_token
from server.usecases.play.game_views import GameView
from server.usecases.rights import Rights, rights_in, team_of

# A person's standing in a case: a party, an official, or a stranger who learns nothing.


@dataclass(frozen=True, slots=True)
class Access:
    """A person's standing in a case; ``team``: a captain's players in the group.

    ``panel``: who sits, where it is before the Board (§ 1.3.9).
    """

    person: PersonRow
    rights: Rights
    case: CaseRow
    state: CaseState
    team: frozenset[int] = frozenset()
    panel: tuple[BoardSeat, ...] = ()

    @property
    def is_party(self) -> bool:
        """Whether the person is a party or concerned: heard in it, and may appeal (§ 6.4.3)."""
        return self.person.id in self.state.may_appeal

    @property
    def is_captain(self) -> bool:
        """Whether it concerns a player of the captain's team: captains read and speak (§ 6.7.6)."""
        return bool(self.team & self.state.may_appeal)

    @property
    def is_official(self) -> bool:
        """Whether the person reads it by office."""
        return self.rights.reads_case(self.case, self.state.may_appeal)

    @property
    def may_see(self) -> bool:
        """Whether the person may know of the case."""
        return self.is_party or self.is_official or self.is_captain

    @property
    def actor(self) -> Actor:
        """The person as the actor of a command."""
        own = self.rights.actor(self.case.group_id)
        return replace(own, team=self.team, panel=self.panel)


async def access(core: Core, person: PersonRow, case_id: int) -> Access:
    """A person's standing. Raises UnknownCase if there is no such case that they may see."""
    async with core.store.read() as conn:
        case = await case_rows.load(conn, case_id)
        if case is None:
            raise UnknownCase(case_id)
        held = await rights_in(conn, person, core.now_us)
        state = state_of(await case_rows.list_events(conn, case_id))
        team = await team_of(conn, person, held, case.group_id)
        panel: tuple[BoardSeat, ...] = ()
        if state.instance is Instance.BOARD:
            panel = await conn.run_sync(panel_of, case, state, core.now_us)
    found = Access(person, held, case, state, team, panel)
    if not found.may_see:
        raise UnknownCase(case_id)
    return found


# A game's cards, and its disputed dispatches with what proves their dates (§ 6.3.2, § 6.8.2).

_TELLING = (Relay.kind, CardEntered.kind)
"""The letters by which a player learns of a move."""
_REPORTS = ("undelivered", "delayed")
"""The outcomes of mails that report on a letter of ours (usecases/mail/bounces.py)."""
_WORD = re.compile(r"(?:\b(?P<number>\d{1,3}) ?\.{1,3}(?:\s+|(?=\D)))?(?P<word>\S+)")
"""A word and the move's number before it: "2. Sf3", "1... e5"."""
_MOST_MOVE_WORDS = 12
"""As many different moves are looked for among the cards; the first that are named."""


@dataclass(frozen=True, slots=True)
class CaseCard:
    """A card as it was entered: who sent it, its dates, and the row it became.

    ``dates`` and ``row`` None: it brought no move. ``entered_by`` None: not a player or the leader.
    """

    seen: CardRow
    by: Side
    entered_by: PersonRow | None
    dates: CardDates | None = None
    row: AccountLine | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """A letter that told a player of a move, and the report that came back for it.

    ``answer``: what the receiving server said; "" if nothing, or if the letter is not the viewer's.
    """

    letter: GameLetterRow
    report: GameMailRow | None
    answer: str


@dataclass(frozen=True, slots=True)
class MailEvidence:
    """The mail that brought a move. ``subject`` is "" unless the viewer may read the mail."""

    mail: GameMailRow
    may_read: bool
    subject: str


@dataclass(frozen=True, slots=True)
class DispatchEvidence:
    """A dispatch in dispute. ``row`` is the account's, of its last own ply, as dates stand.

    ``event`` has the dates as they were told; ``entry``: when and by which channel it was entered
    here; ``arrived``: the day on which the receiver says that he had it. ``before``: the letter
    that told the sender of the move which it answers; ``after``: the one that told the opponent.
    """

    event: MoveSent
    entry: EventRow
    row: AccountLine
    arrived: date | None
    card: CaseCard | None
    mail: MailEvidence | None
    before: Delivery | None
    after: Delivery | None
    message: str


def case_cards(view: GameView, cards: Sequence[CardRow]) -> tuple[CaseCard, ...]:
    """A game's cards in the order of its events."""
    begins = {place: ply for ply, place in dispatches(view.events).items()}
    places = {row.seq: place for place, row in enumerate(view.rows)}
    known = {one.id: one for one in (view.white, view.black, view.tl)}
    found: list[CaseCard] = []
    for card in cards:
        place = places[card.seq]
        event: Event = view.events[place]
        by: Side | None = getattr(event, "by", None)
        if by is not None:
            move = _move_of(view, event, begins.get(place)) if isinstance(event, MoveSent) else ()
            by = side_now(view.events, place, by)
            found.append(CaseCard(card, by, known.get(card.entered_by), *move))
    return tuple(found)


def named_plies(
    view: GameView, cards: Sequence[CaseCard], statements: Sequence[str]
) -> frozenset[int]:
    """The moves typed from paper that the parties' words say were others (§ 6.2.4, § 6.4.1).

    Reading: a move is named as it was typed, or as one that could have stood on the card instead,
    with its number or without. Where both are named only what fits both counts; where the note on
    a card has the words, that card; else all that the words fit, so that none is left out.
    """
    typed = _typed_plies(view)
    if not typed:
        return frozenset()
    words = _list_named_moves(statements)
    notes = {
        one.row.ply: {move for _, move in _list_named_moves([one.seen.note])}
        for one in cards
        if one.row
    }
    as_typed, instead, noted = set[int](), set[int](), set[int]()
    board = chess.Board() if view.game.terms.fen is None else chess.Board(view.game.terms.fen)
    for row in view.account.rows:
        for number, word in words if row.ply in typed else ():
            read = read_move(board, word) if number in (None, row.number) else None
            if isinstance(read, MoveRead):
                (as_typed if read.move == row.move else instead).add(row.ply)
                noted |= {row.ply} if word in notes.get(row.ply, ()) else set()
        board.push(row.move)
    return frozenset(noted or as_typed & instead or as_typed | instead)


def _typed_plies(view: GameView) -> set[int]:
    """The own moves of dispatches that came on a card, or with a game taken over."""
    found: set[int] = set()
    for begin, place in dispatches(view.events).items():
        event = view.events[place]
        is_taken_over = view.rows[place].channel == "import"
        if isinstance(event, MoveSent) and (isinstance(event.sent, CardDates) or is_taken_over):
            found |= set(range(begin, begin + len(event.plies), 2))
    return found


def _list_named_moves(texts: Iterable[str]) -> list[tuple[int | None, str]]:
    """The different moves in texts, with the numbers before them, in order."""
    found: dict[tuple[int | None, str], None] = {}
    for one in (one for text in texts for one in _WORD.finditer(text)):
        number = one["number"]
        for word in list_move_words(one["word"]):
            found[None if number is None else int(number), word] = None
    return list(found)[:_MOST_MOVE_WORDS]


def _move_of(
    view: GameView, move: MoveSent, begins: int | None
) -> tuple[CardDates | None, AccountLine | None]:
    """The stamps of a move's card, and the account's row of its last ply."""
    last = None if begins is None else begins + len(move.plies) - 1
    row = next((row for row in view.account.rows if row.ply == last), None)
    return (move.sent if isinstance(move.sent, CardDates) else None), row


async def disputed_dispatches(
    core: Core, view: GameView, plies: frozenset[int], cards: Sequence[CaseCard], found: Access
) -> tuple[DispatchEvidence, ...]:
    """The dispatches that the disputed plies belong to, in order, with the viewer's evidence."""
    begins, rows = dispatches(view.events), view.rows
    wanted = {max((b for b in begins if b <= ply), default=0) for ply in plies} & begins.keys()
    if not wanted:
        return ()
    # Each disputed dispatch by its place among the events, and the place of the one it answers.
    sent = {one: begins.get(max((b for b in begins if b < one), default=-1)) for one in wanted}
    places = {begins[one] for one in sent} | {one for one in sent.values() if one is not None}
    reads = found.is_official or view.side_of(found.person.id) is not None
    came, letters = await _read_mail_evidence(core, view, places, found) if reads else ({}, [])
    known = {one.seen.seq: one for one in cards}
    by_ply = {row.ply: row for row in view.account.rows}
    evidence = []
    for begin, previous in sorted(sent.items()):
        place = begins[begin]
        event, entry, message = view.events[place], rows[place], view.messages.get(rows[place].seq)
        assert isinstance(event, MoveSent)
        evidence.append(
            DispatchEvidence(
                event=event,
                entry=entry,
                row=by_ply[begin + len(event.plies) - 1],
                arrived=find_arrival_day(view.events, place),
                card=known.get(entry.seq),
                mail=came.get(entry.inbox_id or 0),
                before=_find_delivery(view, letters, previous, event.by),
                after=_find_delivery(view, letters, place, event.by.other),
                message=message.text if message is not None and reads else "",
            )
        )
    return tuple(evidence)


async def _read_mail_evidence(
    core: Core, view: GameView, places: Collection[int], found: Access
) -> tuple[dict[int, MailEvidence], list[Delivery]]:
    """The mails that brought these events, by id, and the letters that told of them.

    Officials read every mail of the game; a player only his own, and no report to us.
    """
    game, events = view.game.id, [view.rows[place] for place in places]
    brought = {row.inbox_id for row in events if row.inbox_id is not None}
    async with core.store.read() as conn:
        mails = await inbox_rows.mails_among(conn, list(brought), game, _REPORTS)
        letters = await inbox_rows.letters_on(conn, game, [row.seq for row in events], _TELLING)
        own = {m.id for m in mails if m.person_id == found.person.id and m.outcome not in _REPORTS}
        mine = brought & ({mail.id for mail in mails} if found.is_official else own)
        raw = {one: row.raw for one in mine if (row := await inbox_rows.find(conn, one))}
    subjects = {one: split_headers(octets).text("subject", 200) for one, octets in raw.items()}
    came = {one.id: MailEvidence(one, one.id in mine, subjects.get(one.id, "")) for one in mails}
    return came, _deliveries(core, mails, letters, found)


def _deliveries(
    core: Core, mails: Sequence[GameMailRow], letters: Sequence[GameLetterRow], found: Access
) -> list[Delivery]:
    """The letters with the newest report on each, by the letter's number in its return path."""
    settings = core.settings.mail
    reports: dict[int, GameMailRow] = {}
    for mail in mails:
        for address in json.loads(mail.rcpt_to) if mail.outcome in _REPORTS else ():
            token = bounce_token_of(address, settings.local, settings.domain)
            number = None if token is None else read_bounce_token(core.secret, token)
            if number is not None:
                reports[number] = mail
    deliveries = []
    for letter in letters:
        report = reports.get(letter.id)
        answer = (report.note if report else letter.last_error) or ""
        is_his = found.is_official or letter.person_id == found.person.id
        deliveries.append(Delivery(letter, report, answer if is_his else ""))
    return deliveries


def _find_delivery(
    view: GameView, deliveries: Sequence[Delivery], place: int | None, to: Side
) -> Delivery | None:
    """The letter about a dispatch to a side; to whoever played it then (§ 6.7.4.3)."""
    others = (view.player(to.other).id, view.tl.id)
    seq = None if place is None else view.rows[place].seq
    about = (one for one in deliveries if one.letter.seq == seq)
    return next((one for one in about if one.letter.person_id not in others), None)
