"""An operator's repair of a ledger with an entry that can't be read, or counted.

The entry's bytes stay where they are; an event that annuls it is chained on, and the game stands
as if the entry had never been made. Not for a chain that does not hold: that is for a backup.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from kskak.game.events import EntryAnnulled
from kskak.ledger.stored_events import load_events, proven_text, unread_entries
from kskak.play.evolve import EntryFault, replay
from kskak.play.standing_events import is_swapped
from kskak.play.state import GameState, Terms
from kskak.regulation.quantities import Side
from server.store.engine.chain import BrokenChain, verify
from server.store.league.boards_taken_over import hands
from server.store.mail import batch as ledger
from server.store.play import games as game_rows
from server.usecases.core.batch import process
from server.usecases.core.batching import Failed
from server.usecases.core.chained import links_of, starts_of, turns_of
from server.usecases.core.context import Core, poster_of
from server.usecases.core.due_work import due_of
from server.usecases.core.game_work import LockedGame, NewEvent, PlainUnit, Writes
from server.usecases.core.outbox_letters import Kind, Poster

CHANNEL = "repair"


class NoRepair(ValueError):
    """The repair can't be done; the text says why and what to do instead."""


@dataclass(frozen=True, slots=True)
class RepairUnit(PlainUnit):
    """Annuls entries of a ledger of these texts, as a unit of the writer.

    ``swaps_colours``: the players change sides with it, as an entry that goes, or stands again
    with it, had changed them (FIDE 7.3).
    """

    game_id: int
    texts: tuple[str, ...]
    events: tuple[EntryAnnulled, ...]
    poster: Poster
    swaps_colours: bool

    def run(self, locked: LockedGame) -> tuple[Writes, object]:
        """The annulments, the state without the entries, and the letters that tell of it."""
        row, poster = locked.row, self.poster
        if self.swaps_colours:
            row = row.with_colours_changed()
        state = _after(row.terms, self.texts, self.events)
        new = tuple(NewEvent(event, poster.now_us, None, CHANNEL) for event in self.events)
        at = (row.seq + len(new), state.position.ply)
        told: dict[str, object] = {"seqs": [str(event.seq) for event in self.events]}
        letters = tuple(poster.about_game(Kind.ANNULLED, row, to, at, told) for to in (*Side, None))
        due = due_of(row, state)
        turned = (row.id,) if self.swaps_colours else ()
        written = Writes(
            events=new, state=state, outbox=letters, deadlines=due, colours_changed=turned
        )
        return written, None


def _after(terms: Terms, texts: tuple[str, ...], events: Iterable[EntryAnnulled]) -> GameState:
    """The state once these are annulled. Raises EntryFault for what can't have happened then."""
    return replay(terms, load_events((*texts, *map(proven_text, events))))


def _going(terms: Terms, texts: tuple[str, ...], on: date) -> tuple[int, ...]:
    """The entries that can't be read, and those that can't have happened without them."""
    going = set(unread_entries(texts))
    while True:
        try:
            _after(terms, texts, (EntryAnnulled(seq, on) for seq in going))
        except EntryFault as fault:
            if fault.entry + 1 in going:
                raise NoRepair(f"event {fault.entry + 1}: {fault.what}") from fault
            going.add(fault.entry + 1)
        else:
            return tuple(sorted(going))


async def repair(core: Core, name: str, seqs: Collection[int]) -> None:
    """Annul the entries ``seqs`` of the game ``name``: those that can't be read and those that rest
    on them, no more and no fewer. Raises NoRepair; nothing is changed then.
    """
    async with core.store.read() as conn:
        row = await game_rows.by_name(conn, name)
    if row is None:
        raise NoRepair(f"there is no game {name}")
    game_id, today = row.id, core.today(row.zone)

    def work(conn: Connection) -> None:
        ledger.lock_games(conn, [game_id])
        rows = ledger.event_rows(conn, game_id)
        found = ledger.find(conn, [game_id], (), ()).games[game_id]
        try:
            links = links_of(rows, ledger.messages_of(conn, game_id))
            starts = starts_of(found, hands(conn, [game_id]), rows)
            verify(game_id, found.terms, links, (found.seq, bytes(found.head)), starts)
        except BrokenChain as broken:
            raise NoRepair(f"{broken}: its chain does not hold, restore a backup") from broken
        texts = tuple(e.body for e in rows)
        going = _going(found.terms, texts, today) if unread_entries(texts) else ()
        if not going:
            raise NoRepair("every entry can be read: nothing is annulled")
        if set(seqs) != set(going):
            call = " ".join(map(str, going))
            raise NoRepair(f"these go, and what rests on them: `kskak repair {name} {call}`")
        events = tuple(EntryAnnulled(seq, today) for seq in going)
        left = load_events((*texts, *map(proven_text, events)))
        swaps = is_swapped(turns_of(rows)) is not is_swapped(left)
        (answer,) = process(conn, [RepairUnit(game_id, texts, events, poster_of(core), swaps)])
        if isinstance(answer, Failed):
            raise answer.error

    await core.writer.transact(work)
