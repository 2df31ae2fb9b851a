"""GetMyGames: a person's running games, and those that ended in the last two weeks.

Days are whole: what is left until the next control, as if answered today (§ 6.3.3.1). Moves are in
English letters on one line, with no comment and no result, which all programs can read. Names are
as registered: programs recognize a game by them. Not for who asks (service.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from kskak.game.events import MoveSent
from kskak.ledger.stored_events import UnreadEntry
from kskak.play.account_log import Row
from kskak.play.standing_events import in_force
from kskak.regulation.quantities import Side
from kskak.statement.account import account
from mail.text.words import Words
from server.store.account import xfcc_notes
from server.store.engine.types import DAY_US
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.play import games_together, xfcc_numbers
from server.store.play.games import EventRow, events_of, set_backs_in
from server.store.play.games_together import WholeGames
from server.store.play.messages import MessageRow
from server.store.play.people import PersonRow
from server.store.play.quiet_thread import QuietMessage
from server.usecases.core.context import Core
from server.usecases.play.game_views import GameSummary, summary
from server.xfcc.results import standing
from server.xfcc.soap import element, plain

SHOWN_US = 14 * DAY_US
"""How long a finished game is still listed, so that programs keep its result."""
SITE = "K-skak"
_DAY_S = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Told:
    """What a person's list is made of."""

    own: WholeGames
    groups: Mapping[int, GroupRow]
    notes: Mapping[int, str]
    told_us: Mapping[int, int]
    """When the program was last told something about each game, as far as kept."""
    numbers: Mapping[int, int]
    """The numbers by which programs know the games."""


async def facts(core: Core, person: PersonRow) -> Told:
    """The list's facts from the database: as many queries for one game as for a thousand."""
    async with core.store.read() as conn:
        own = await games_together.of_person(conn, person.id, core.now_us - SHOWN_US)
        groups = await group_rows.by_ids(conn, {row.group_id for row in own.games})
        notes = await xfcc_notes.of_person(conn, person.id)
        told_us = await xfcc_notes.told_us(conn, person.id)
        numbers = await xfcc_numbers.of_games(conn, [row.id for row in own.games])
    new = {row.id for row in own.games} - numbers.keys()
    if new:
        async with core.store.write() as conn:
            await xfcc_numbers.give(conn, new)
            numbers |= await xfcc_numbers.of_games(conn, new)
    return Told(own, groups, notes, told_us, numbers)


async def note_listed(core: Core, person: PersonRow, told: Told) -> None:
    """Keep that the list showed games as they are since they were set back (FIDE 7.5)."""
    unknown = [
        row.id
        for row in told.own.games
        if knows_not(told.own.events[row.id], person.id, told.told_us.get(row.id, 0))
    ]
    if unknown:
        async with core.store.write() as conn:
            for game in unknown:
                await xfcc_notes.note(conn, person.id, game, "", core.now_us, keeps=True)


def knows_not(events: Sequence[EventRow], person_id: int, told_us: int) -> bool:
    """Whether a person's program may not know yet that a game was set back.

    It knows if it was told anything since (``told_us``), or if he has moved since.
    """
    backs = set_backs_in(events)
    if not backs or told_us >= backs[-1].at_us:
        return False
    later = (row for row in events if row.seq > backs[-1].seq and row.actor_id == person_id)
    return not any(isinstance(row.event, MoveSent) for row in later)


def listed(core: Core, person: PersonRow, told: Told) -> str:
    """The list as XML. Goes through every game's ledger: not for the event loop."""
    words = Words.load(person.lang)
    out: list[str] = []
    for row in told.own.games:
        result = standing(row.state())
        if result is not None:
            shown = summary(row, person.id, core.today(row.zone))
            try:
                fields = "".join(_fields(core, shown, told, result, words))
            except UnreadEntry:
                continue  # its page says why; the other games are shown
            out.append(f"<XfccGame>{fields}</XfccGame>")
    return "".join(out)


def _fields(core: Core, shown: GameSummary, told: Told, result: str, words: Words) -> Iterator[str]:
    row = shown.game
    group, events = told.groups[row.group_id], told.own.events[row.id]
    state = row.state()
    rules = state.terms.rules
    opponent = row.person_of(shown.side.other)
    said = last_said(events, told.own.messages[row.id], told.own.threads[row.id], opponent)
    yield element("id", told.numbers[row.id])
    yield element("white", plain(row.white))
    yield element("black", plain(row.black))
    yield element("event", plain(f"{group.tournament} {group.name}"))
    yield element("site", SITE)
    yield element("myTurn", shown.is_my_move)
    yield element("hasWhite", shown.side is Side.WHITE)
    yield from _time("Player", shown.my_limit - shown.my_total)
    yield from _time("Opponent", shown.opponent_limit - shown.opponent_total)
    rows = account(row.terms, events_of(events), is_decided=True).rows
    yield element("moves", movetext(rows))
    yield element("drawOffered", shown.is_draw_offered)
    yield element("result", result)
    yield element("eventDate", _dotted(row.start))
    yield element("message", plain(said))
    yield element("serverInfo", plain(told.notes.get(row.id) or _server_info(shown, words)))
    yield element("gameLink", core.url(f"/games/{row.id}"))
    yield element("round", str(row.round))
    control = rules.control_limit(rules.moves_per_control) * _DAY_S
    yield element("timeControl", f"{rules.moves_per_control}/{control}")
    yield element("variant", "chess")
    yield element("setup", row.fen is not None)
    yield element("fen", row.fen or "")


def _time(whose: str, left: int) -> Iterator[str]:
    """Days until the control; programs require all three fields, none below 0."""
    yield element(f"days{whose}", max(0, left))
    yield element(f"hours{whose}", 0)
    yield element(f"minutes{whose}", 0)


def _dotted(iso: str) -> str:
    return f"{date.fromisoformat(iso):%Y.%m.%d}"


def movetext(rows: Sequence[Row]) -> str:
    """``1.e4 e5 2.Nf3``; a game that begins with Black's move ``1...e5 2.Nf3``."""
    parts = []
    for index, row in enumerate(rows):
        if row.by is Side.WHITE:
            parts.append(f"{row.number}.{row.san}")
        else:
            parts.append(row.san if index else f"{row.number}...{row.san}")
    return " ".join(parts)


def last_said(
    events: Sequence[EventRow],
    messages: Sequence[MessageRow],
    thread: Sequence[QuietMessage],
    by: int,
) -> str:
    """What the opponent wrote with his last move and after it; "" when he wrote nothing."""
    stands = [(events[place], event) for place, event in in_force(events_of(events))]
    moved = [row for row, event in stands if row.actor_id == by and isinstance(event, MoveSent)]
    seq, at_us = (moved[-1].seq, moved[-1].at_us) if moved else (0, 0)
    counts = {row.seq for row, _ in stands if row.seq >= seq}
    written = [one.text for one in messages if one.author_id == by and one.seq in counts][-1:]
    return " / ".join(
        [*written, *(one.text for one in thread if one.author_id == by and one.at_us >= at_us)]
    )


def _server_info(shown: GameSummary, words: Words) -> str:
    """What a program has no field for: a series to answer, an overstep to respond to."""
    state = shown.game.state()
    if state.result is not None or not shown.is_my_move:
        return ""
    if state.overstep is not None and state.overstep.by is shown.side.other:
        return words("xfcc.info.overstep")
    return words("xfcc.info.series") if state.proposal else ""
