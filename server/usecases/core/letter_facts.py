"""The facts of a game's letters, from the ledger up to the event they are about.

Not for which letter (letters/game_letters.py) nor for words (mail.writing).
"""

from dataclasses import dataclass
from datetime import date
from functools import cached_property

import chess

from kskak.game.events import Event, MoveSent
from kskak.play.standing_events import dispatches
from kskak.play.state import GameState
from kskak.regulation.days import local_day
from kskak.regulation.quantities import Side
from kskak.statement.account import Account
from mail.text import facts
from server.settings.model import UNNAMED
from server.store.engine.types import from_us
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play import preferences as preference_rows
from server.store.play import up_to_event
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.core.account_cache import Told, told
from server.usecases.core.chained import row_at
from server.usecases.core.context import Core
from server.usecases.core.outbox_letters import Kind
from server.usecases.core.preferences import Pace, read


class NoLetter(ValueError):
    """The row names something that does not exist: the letter can't be written."""


@dataclass(frozen=True)
class GameFacts:
    """A game as it stood after the letter's event, each player on his side then.

    ``reader`` is the side, None for the leader.

    Played out when first asked, so that a game can be read in one place and played in another.
    """

    row: GameRow
    game: facts.Game
    history: tuple[str, ...]
    message: str | None
    reader: Side | None
    today: date
    pace: Pace = Pace.MOVES
    """Of a confirmation: what the opponent chose to be sent of moves."""

    @cached_property
    def known(self) -> Told:
        """The events and their account. Raises EntryFault for events that can't have happened."""
        # The same for both players' letters about a move, and often for the page that sent it.
        return told(self.row.terms, self.history, self.today)

    def play(self) -> None:
        """Play the game out, if it is not. Raises EntryFault."""
        _ = self.known

    @property
    def account(self) -> Account:
        """The account after the event."""
        return self.known.account

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, the event last."""
        return self.known.events

    @property
    def state(self) -> GameState:
        """The state after the event."""
        return self.account.state

    @property
    def event(self) -> Event:
        """The event the letter is about."""
        return self.events[-1]

    @property
    def side(self) -> Side:
        """The reader's side."""
        if self.reader is None:
            raise NoLetter("the leader plays no side")
        return self.reader

    def dispatch(self) -> facts.Dispatch | None:
        """The dispatch the letter is about, if its event is one."""
        return self.last_dispatch() if isinstance(self.event, MoveSent) else None

    def last_dispatch(self) -> facts.Dispatch | None:
        """The last dispatch of the game so far; None before the first move."""
        sent = dispatches(self.events)
        if not sent:
            return None
        last = self.events[max(sent.values())]
        assert isinstance(last, MoveSent)
        return facts.dispatch_told(self.account, last)

    def texts(self, ucis: list[str]) -> tuple[facts.MoveText, ...]:
        """Moves from the current position in every notation, up to the first illegal one."""
        lawful: list[chess.Move] = []
        board = self.state.board.copy(stack=False)
        for uci in ucis:
            move = chess.Move.from_uci(uci)
            if not board.is_legal(move):
                break
            lawful.append(move)
            board.push(move)
        return facts.move_texts(self.state.board, tuple(lawful))

    def choices(self, ucis: list[str]) -> tuple[facts.MoveText, ...]:
        """Alternative moves, each of which could be meant in the current position."""
        moves = [chess.Move.from_uci(uci) for uci in ucis]
        board = self.state.board
        return tuple(facts.move_texts(board, (m,))[0] for m in moves if board.is_legal(m))


def official(core: Core) -> facts.Official:
    """Whoever runs the server; the name is empty until one is set: letters then say the role."""
    name = core.settings.official.name
    return facts.Official("" if name == UNNAMED else name, core.settings.responsible_email)


def person(row: PersonRow) -> facts.Person:
    """A player as opponents see them (§ 6.8.2)."""
    return facts.Person(row.name, row.email)


def leader(row: PersonRow) -> facts.Official:
    """A tournament leader as named in letters (§ 6.1.1)."""
    return facts.Official(row.name, row.email)


def game_of(core: Core, row: GameRow, group: GroupRow, people: dict[int, PersonRow]) -> facts.Game:
    """A game as every letter names it."""
    return facts.Game(
        name=row.name,
        group=group.name,
        tournament=group.tournament,
        white=person(people[row.white_id]),
        black=person(people[row.black_id]),
        leader=leader(people[row.tl_id]),
        zone=row.zone,
        url=core.url(f"/games/{row.id}"),
    )


async def game_facts(core: Core, letter: OutboxRow) -> GameFacts:
    """Everything a letter about a game needs. Raises NoLetter."""
    assert letter.game_id is not None and letter.seq is not None
    async with core.store.read() as conn:
        row = await game_rows.load(conn, letter.game_id)
        if row is None:
            raise NoLetter("no such game")
        if letter.seq < row.seq:
            row = row_at(row, await game_rows.history(conn, row.id), letter.seq)
        group = await group_rows.find(conn, row.group_id)
        history = await up_to_event.bodies(conn, row.id, letter.seq)
        message = await up_to_event.message(conn, row.id, letter.seq)
        people = await person_rows.by_ids(conn, (row.tl_id, row.white_id, row.black_id))
        other = None
        if letter.kind == Kind.CONFIRMATION:
            other = row.black_id if letter.person_id == row.white_id else row.white_id
        kept = () if other is None else await conn.run_sync(preference_rows.of, other)
    assert group is not None
    reader = None if letter.person_id is None else row.side_of(letter.person_id)
    return GameFacts(
        row=row,
        game=game_of(core, row, group, people),
        history=history,
        message=message,
        reader=reader,
        today=local_day(from_us(letter.created_us), row.zone),
        pace=read(kept).letters,
    )
