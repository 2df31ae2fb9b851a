"""A game's cards, and its disputed dispatches with what proves their dates (§ 6.3.2, § 6.8.2).

For a dispatch the card, the mail that brought it, and the letters by which each player learned of
a move, with their delivery. A player is shown his own mails, and only the record of the opponent's;
others than the players and officials are shown the cards alone. Not for the papers of the case
(case_views.py), nor for the case file, which has the raw mails (case_file.py).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import chess

from kskak.board.notation import MoveRead, read_move
from kskak.cases.case import Actor, CaseState
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
from server.store.engine.connection import AsyncConnection
from server.store.mail import inbox as inbox_rows
from server.store.mail.inbox import GameMailRow
from server.store.mail.outbox import GameLetterRow
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.games.case_opening import state_of
from server.usecases.games.outbox_letters import read_bounce_token
from server.usecases.play.game_views import GameView
from server.usecases.rights import Rights, rights_in, team_of

# A person's standing in a case: a party, an official, or a stranger who learns nothing.


@dataclass(frozen=True, slots=True)
class Access:
    """A person's standing in a case; ``team``: a captain's players in the group."""

    person: PersonRow
    rights: Rights
    case: CaseRow
    state: CaseState
    team: frozenset[int] = frozenset()

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
        return replace(self.rights.actor(self.case.group_id), team=self.team)


async def access(core: Core, person: PersonRow, case_id: int) -> Access:
    """A person's standing. Raises UnknownCase if there is no such case that they may see."""
    async with core.store.read() as conn:
        case = await case_rows.load(conn, case_id)
        if case is None:
            raise UnknownCase(case_id)
        held = await rights_in(conn, person, core.now_us)
        state = state_of(await case_rows.list_events(conn, case_id))
        team = await team_of(conn, person, held, case.group_id)
    found = Access(person, held, case, state, team)
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

    ``sent`` and ``received`` are as they were told; ``find_arrival_day``: the day on which the
    receiver says that he had it. ``at_us``: when it was entered here, by ``channel``. ``before``:
    the letter that told the sender of the move which it answers; ``after``: the one that told the
    opponent of it.
    """

    row: AccountLine
    sent: date | CardDates
    received: date | None
    arrived: date | None
    at_us: int
    channel: str
    card: CaseCard | None
    mail: MailEvidence | None
    before: Delivery | None
    after: Delivery | None
    message: str


@dataclass(frozen=True, slots=True)
class _Dispatch:
    """A disputed dispatch by its place among the events; ``previous``: the one it answers."""

    place: int
    event: MoveSent
    row: AccountLine
    previous: int | None


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
            told = _move_of(view, event, begins.get(place)) if isinstance(event, MoveSent) else ()
            by = side_now(view.events, place, by)
            found.append(CaseCard(card, by, known.get(card.entered_by), *told))
    return tuple(found)


def named_plies(view: GameView, cards: Sequence[CaseCard], said: Sequence[str]) -> frozenset[int]:
    """The moves typed from paper that the parties' words say were others (§ 6.2.4, § 6.4.1).

    Reading: a move is named as it was typed, or as one that could have stood on the card instead,
    with its number or without. Where both are named only what fits both counts; where the note on
    a card has the words, that card; else all that the words fit, so that none is left out.
    """
    typed = _typed_plies(view)
    if not typed:
        return frozenset()
    words = _list_named_moves(said)
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
    sent = list(_list_dispatches(view, plies))
    if not sent:
        return ()
    side = view.side_of(found.person.id)
    reads = found.is_official or side is not None
    rows, mails, letters = view.rows, tuple[GameMailRow, ...](), tuple[GameLetterRow, ...]()
    places = {place for one in sent for place in (one.place, one.previous) if place is not None}
    brought = {number for one in sent if (number := rows[one.place].inbox_id) is not None}
    async with core.store.read() as conn:
        if reads:
            game, seqs = view.game.id, [rows[place].seq for place in places]
            mails = await inbox_rows.mails_among(conn, list(brought), game, _REPORTS)
            letters = await inbox_rows.letters_on(conn, game, seqs, _TELLING)
        mine = brought & {mail.id for mail in mails if _may_read(mail, found)}
        subjects = {one: await _subject(conn, one) for one in mine}
    reports = _reports(core, mails)
    told = [_delivery(one, reports, found) for one in letters]
    known = {one.seen.seq: one for one in cards}
    return tuple(
        DispatchEvidence(
            row=one.row,
            sent=one.event.sent,
            received=one.event.received,
            arrived=find_arrival_day(view.events, one.place),
            at_us=rows[one.place].at_us,
            channel=rows[one.place].channel,
            card=known.get(rows[one.place].seq),
            mail=_came(rows[one.place].inbox_id, mails, subjects),
            before=_find_delivery(view, told, one.previous, one.event.by),
            after=_find_delivery(view, told, one.place, one.event.by.other),
            message=_message(view, one.place) if reads else "",
        )
        for one in sent
    )


def _list_dispatches(view: GameView, plies: frozenset[int]) -> Iterator[_Dispatch]:
    """The disputed dispatches, each once, in order."""
    begins = dispatches(view.events)
    wanted = {max((b for b in begins if b <= ply), default=0) for ply in plies}
    rows = {row.ply: row for row in view.account.rows}
    for begin in sorted(wanted & begins.keys()):
        event = view.events[begins[begin]]
        assert isinstance(event, MoveSent)
        earlier = [ply for ply in begins if ply < begin]
        previous = begins[max(earlier)] if earlier else None
        yield _Dispatch(begins[begin], event, rows[begin + len(event.plies) - 1], previous)


def _may_read(mail: GameMailRow, found: Access) -> bool:
    """Officials read every mail of the game; a player only his own, and no report to us."""
    is_own = mail.person_id == found.person.id and mail.outcome not in _REPORTS
    return found.is_official or is_own


async def _subject(conn: AsyncConnection, mail_id: int) -> str:
    row = await inbox_rows.find(conn, mail_id)
    return "" if row is None else split_headers(row.raw).text("subject", 200)


def _reports(core: Core, mails: Sequence[GameMailRow]) -> dict[int, GameMailRow]:
    """The newest report on each letter, by the letter's number in its return path."""
    settings = core.settings.mail
    found: dict[int, GameMailRow] = {}
    for mail in mails:
        for address in json.loads(mail.rcpt_to) if mail.outcome in _REPORTS else ():
            token = bounce_token_of(address, settings.local, settings.domain)
            letter = None if token is None else read_bounce_token(core.secret, token)
            if letter is not None:
                found[letter] = mail
    return found


def _delivery(letter: GameLetterRow, reports: Mapping[int, GameMailRow], found: Access) -> Delivery:
    report = reports.get(letter.id)
    answer = (report.note if report else letter.last_error) or ""
    is_his = found.is_official or letter.person_id == found.person.id
    return Delivery(letter, report, answer if is_his else "")


def _came(
    number: int | None, mails: Sequence[GameMailRow], subjects: Mapping[int, str]
) -> MailEvidence | None:
    mail = next((one for one in mails if one.id == number), None)
    if mail is None:
        return None
    return MailEvidence(mail, mail.id in subjects, subjects.get(mail.id, ""))


def _find_delivery(
    view: GameView, told: Sequence[Delivery], place: int | None, to: Side
) -> Delivery | None:
    """The letter about a dispatch to a side; to whoever played it then (§ 6.7.4.3)."""
    others = (view.player(to.other).id, view.tl.id)
    seq = None if place is None else view.rows[place].seq
    about = (one for one in told if one.letter.seq == seq)
    return next((one for one in about if one.letter.person_id not in others), None)


def _message(view: GameView, place: int) -> str:
    """What its sender wrote with it."""
    message = view.messages.get(view.rows[place].seq)
    return "" if message is None else message.text
