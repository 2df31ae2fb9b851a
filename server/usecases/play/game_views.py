"""What people look at: a game, their games, all groups; and who sees a game. Read-only.

Everything about time comes from the account of the ledger. Everybody sees a finished game. A
running one is for its players, their officials and their captains; where its tournament lets
everybody follow (store/groups.py), everybody sees it as an onlooker (kskak.statement.account). Not
for HTML or JSON, nor for who may act in a game, nor for a group (groups/group_tables.py).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Generic, Protocol, TypeVar

from sqlalchemy import Connection

from kskak.archive.past_game import Hand, PgnFacts, StartRatings, pgn
from kskak.board.positions import MOST_PLIES, Opening, OpeningTable, classify, read_opening_table
from kskak.game.game_events import Event, GamePaused
from kskak.ledger.ledger_files import JsonObject, JsonValue
from kskak.ledger.stored_events import load_state, unread_entries
from kskak.play.events_in_force import in_force, turned_back
from kskak.play.evolve_game import advance, replay
from kskak.play.game_state import GameState, RecentPly
from kskak.regulation.days import local_day
from kskak.regulation.editions import PauseReason, Result, Side
from kskak.statement.account import Account, account, build_follower_view, discreet, has_leave
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store.divisions import HandRow
from server.store.divisions import list_board_players as list_stored_players
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us, value_of
from server.store.group_results import Sight, Tally
from server.store.groups import GroupRow
from server.store.mail import outages as outage_rows
from server.store.mail.outages import GroupOutage, OutageState
from server.store.play import games as game_rows
from server.store.play import notes_and_messages as note_rows
from server.store.play import people as person_rows
from server.store.play.games import EventRow, GameRow, compute_public_version, read_events, turns_in
from server.store.play.notes_and_messages import MessageRow
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.games.game_units import read_account
from server.usecases.rights import Rights, rights, rights_in

# A game whose ledger has an entry that can't be read: what its officials are shown of it.


@dataclass(frozen=True, slots=True)
class UnreadLedger:
    """A game, its entries as they are kept, and the numbers of those that can't be read."""

    game: GameRow
    entries: tuple[EventRow, ...]
    unread: tuple[int, ...]

    def as_json(self) -> JsonObject:
        """What the API answers in the game's place."""
        entries: list[JsonValue] = [
            {
                "seq": row.seq,
                "at": from_us(row.at_us).isoformat(),
                "channel": row.channel,
                "text": row.body,
            }
            for row in self.entries
        ]
        game = self.game
        said: JsonObject = {"id": game.id, "name": game.name, "unread": list(self.unread)}
        return said | {"white": game.white, "black": game.black, "entries": entries}


async def unread_ledger(core: Core, person: PersonRow | None, game_id: int) -> UnreadLedger | None:
    """The ledger for an official of the game's group; None for everybody else."""
    if person is None:
        return None
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        held = await rights_in(conn, person, core.now_us)
        if game is None or not held.oversees(game.group_id) or game.group_id in held.plays:
            return None
        rows = await game_rows.history(conn, game_id)
    return UnreadLedger(game, rows, unread_entries(row.body for row in rows))


# Who played a league game from which move (§ 6.7.4.3), and the day a game ended.


def list_board_players(
    conn: Connection, games: Sequence[GameRow], histories: Mapping[int, Sequence[EventRow]]
) -> dict[int, tuple[Hand, ...]]:
    """The hands of games in which a side had more than one; other games are left out."""
    by_side: dict[tuple[int, bool], list[HandRow]] = {}
    for row in list_stored_players(conn, [game.id for game in games]):
        by_side.setdefault((row.game_id, row.is_white), []).append(row)
    found: dict[int, tuple[Hand, ...]] = {}
    for game in games:
        for side in Side:
            rows = by_side.get((game.id, side is Side.WHITE), [])
            made = _list_side_players(game, side, rows, histories[game.id])
            if len(made) > 1:
                found[game.id] = (*found.get(game.id, ()), *made)
    return found


def _list_side_players(
    game: GameRow, side: Side, rows: Sequence[HandRow], history: Sequence[EventRow]
) -> list[Hand]:
    """A side's hands: the first has no ply, a later one that of its first possible move."""
    end = game.ended_us
    played = [row for row in rows[1:] if end is None or row.from_us <= end]
    first = [Hand(side, row.name) for row in rows[:1]]
    return first + [Hand(side, row.name, _ply(game, history, row.from_us) + 1) for row in played]


def _ply(game: GameRow, history: Sequence[EventRow], at_us: int) -> int:
    """The plies played before an instant."""
    stands = in_force(read_events(history))
    events = [event for place, event in stands if history[place].at_us < at_us]
    return replay(game.terms, events, is_decided=True).position.ply


class HasEnd(Protocol):
    """A game's row, whichever columns were selected."""

    @property
    def ended_us(self) -> int | None:
        """When it ended; None while it runs."""

    @property
    def zone(self) -> str:
        """The time zone whose days count."""


def end_day(game: HasEnd) -> date | None:
    """The local day on which the game ended; None while it runs."""
    return None if game.ended_us is None else local_day(from_us(game.ended_us), game.zone)


# The table of openings that this server knows, read once from eco.tsv in this folder.


@cache
def openings() -> OpeningTable:
    """The table; reading it takes less than a tenth of a second, once in a process."""
    text = (files("server.usecases.play") / "eco.tsv").read_text(encoding="utf-8")
    return read_opening_table(text.splitlines())


def find_game_opening(known: Account) -> Opening | None:
    """The opening of a game on this server, from the moves so far; in less than a millisecond."""
    moves = tuple(row.move for row in known.rows[:MOST_PLIES])
    return classify(openings(), known.terms.fen, moves)


# What people look at: a game, their games, all groups. Read-only.


@dataclass(frozen=True, slots=True)
class GameView:
    """A game with everything a page or letter about it shows."""

    game: GameRow
    group: GroupRow
    tl: PersonRow
    white: PersonRow
    black: PersonRow
    rows: tuple[EventRow, ...]
    account: Account
    messages: dict[int, MessageRow]
    today: date
    board_players: tuple[Hand, ...] = ()
    """In the league, who played a side from which ply, if more than one did (§ 6.7.4.3)."""
    is_onlooker: bool = False
    """Whether it is running and shown without what is private to its players (below)."""
    is_for_strangers: bool = False
    """Whether leave is shown without its type (§ 6.3.6.4), as it already is in the account."""
    outages: tuple[GroupOutage, ...] = ()
    """While it runs, the outages that last, wait or were declined, for those who see it in full."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, as far as it is shown."""
        return self.account.events

    def player(self, side: Side) -> PersonRow:
        """Who plays a colour."""
        return self.white if side is Side.WHITE else self.black

    def side_of(self, person_id: int) -> Side | None:
        """The colour a person plays."""
        return self.game.side_of(person_id)

    @property
    def stamp(self) -> str:
        """What a form carries of the position that it is for."""
        return self.stamp_at(self.account.state.position.ply)

    def stamp_at(self, ply: int) -> str:
        """The plies, and the entry that last set the game back: since then they may tell of
        another position (FIDE 7.5)."""
        turned = turned_back(enumerate(self.events, 1))
        return f"{ply}-{turned[-1].seq}" if turned else str(ply)

    def ply_of(self, stamp: str) -> int:
        """The plies in a form's stamp; -1, which no game has, if it is of before a set-back."""
        ply = stamp.partition("-")[0]
        is_plies = ply.isascii() and ply.isdigit() and len(ply) < 10
        return int(ply) if is_plies and stamp == self.stamp_at(int(ply)) else -1

    @property
    def heard(self) -> int:
        """The version that a page of this game knows, as its stream counts (play/games.py)."""
        game = self.game
        if not self.is_onlooker:
            return game.seq
        return compute_public_version(
            game.ply, game.result, turns_in(row.body for row in self.rows)
        )


async def game_view(core: Core, game_id: int) -> GameView | None:
    """A game as of now; None when there is none."""
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        if game is None:
            return None
        group = await group_rows.find(conn, game.group_id)
        rows = await game_rows.history(conn, game_id)
        messages = await note_rows.messages_of_game(conn, game_id)
        ids = (game.tl_id, game.white_id, game.black_id)
        found = await person_rows.by_ids(conn, ids)
        assert group is not None
        is_league = group.class_ == "league"
        board_players = (
            await conn.run_sync(list_board_players, [game], {game_id: rows}) if is_league else {}
        )
        asked = (game.group_id, core.now_us)
        is_over = game.result is not None
        outages = () if is_over else await conn.run_sync(outage_rows.list_group_outages, *asked)
    today = core.today(game.zone)
    known = read_account(game.terms, (row.body for row in rows), today)
    return GameView(
        game=game,
        group=group,
        tl=found[game.tl_id],
        white=found[game.white_id],
        black=found[game.black_id],
        rows=rows,
        account=unless_undone(known, outages),
        messages={message.seq: message for message in messages},
        today=today,
        board_players=board_players.get(game_id, ()),
        outages=outages,
    )


def unless_undone(found: Account, outages: Sequence[GroupOutage]) -> Account:
    """The account without an overstep by days of outages that nobody has settled yet (§ 6.8.5).

    It is not found, nor can it be claimed (game_requests.py ``carry_out``), so it is not shown
    either.
    """
    days = [one for one in outages if one.standing is not OutageState.DECLINED]
    if not days or found.overstep is None or found.state.overstep is not None:
        return found
    pauses = [GamePaused(one.first, one.last, PauseReason.OUTAGE) for one in days]
    running = advance(found.state, pauses, len(found.events), lambda: found.events).running()
    flag_on = None if running is None else running.flag_on
    stands = found.live is not None and flag_on is not None and flag_on <= found.live.on
    return found if stands else replace(found, overstep=None)


async def scores(core: Core, view: GameView) -> dict[Side, Tally]:
    """How both players stand in the game's group, as far as its games are over."""
    async with core.store.read() as conn:
        return {
            side: await result_rows.in_group(conn, view.player(side).id, view.group.id)
            for side in Side
        }


@dataclass(frozen=True, slots=True)
class GameSummaryView:
    """One of a person's games in a list. Days are reflection days."""

    game: GameRow
    side: Side
    opponent: str
    is_my_move: bool
    my_total: int
    my_limit: int
    opponent_total: int
    opponent_limit: int
    days_used: int
    since: date | None
    flag_on: date | None
    days_left: int | None
    last: RecentPly | None
    is_draw_offered: bool
    result: Result | None
    today: date
    rests: bool = False


def read_page_state(game: GameRow) -> GameState:
    """A game's state for a page, from its snapshot; never to be changed, with its board, on which
    not even a move may be written: chess plays it and takes it back.
    """
    return load_state(game.terms, value_of(game.snapshot))


def summary(game: GameRow, person_id: int, today: date) -> GameSummaryView:
    """A game from its snapshot: no ledger is read."""
    return summary_of(game, read_page_state(game), person_id, today)


def summary_of(game: GameRow, state: GameState, person_id: int, today: date) -> GameSummaryView:
    """The same for callers that already have the state."""
    side = Side.WHITE if game.white_id == person_id else Side.BLACK
    running = state.running()
    used = state.days_on(running, today) if running is not None else 0
    mine = running is not None and running.by is side
    my_total = state.clock(side).total + (used if mine else 0)
    other_total = state.clock(side.other).total + (used if running and not mine else 0)
    flag_on = None if running is None else running.flag_on
    left = None if running is None else running.limit - state.clock(running.by).total - used
    return GameSummaryView(
        game=game,
        side=side,
        opponent=game.black if side is Side.WHITE else game.white,
        is_my_move=state.to_move is side,
        my_total=my_total,
        my_limit=state.limit_of(side),
        opponent_total=other_total,
        opponent_limit=state.limit_of(side.other),
        days_used=used,
        since=None if running is None else running.since,
        flag_on=flag_on,
        days_left=left,
        last=state.recent[-1] if state.recent else None,
        is_draw_offered=state.draw_offer is side.other,
        result=state.result,
        today=today,
        rests=state.rests,
    )


def urgency(item: GameSummaryView) -> tuple[bool, bool, int, int]:
    """The order of a list: own move first, by days left to the control; finished games last."""
    left = item.days_left if item.days_left is not None else 10**6
    return item.result is not None, not item.is_my_move, left, item.game.id


async def my_games(core: Core, person_id: int, *, running: bool = False) -> list[GameSummaryView]:
    """A person's games: own move first, by days left; finished ones last."""
    rows = await core.store.query(game_rows.list_person_games, person_id, running=running)
    found = [summary(row, person_id, core.today(row.zone)) for row in rows]
    return sorted(found, key=urgency)


# What a list shows of games' states: read once, and kept by the ledger's last hash.

T = TypeVar("T")
_MOST = 8192
"""How many games' facts are kept."""


class ByHead(Generic[T]):
    """A few facts of each game, as ``read_account`` finds them in its state."""

    def __init__(self, facts_of: Callable[[GameState], T]) -> None:
        self._facts_of = facts_of
        self._kept: dict[bytes, T] = {}

    async def of(self, conn: AsyncConnection, heads: Mapping[int, bytes]) -> dict[int, T]:
        """Of games by id, each with the last hash of its ledger; those that exist."""
        kept = self._kept
        found = {number: kept[head] for number, head in heads.items() if head in kept}
        if len(found) == len(heads):
            return found
        new = [number for number in heads if number not in found]
        if len(kept) + len(new) > _MOST:
            self._kept = kept = {}
        for game in await game_rows.load_many(conn, new):
            found[game.id] = kept[game.head] = self._facts_of(read_page_state(game))
        return found


class ViewableGame(Protocol):
    """What decides who may see a game."""

    @property
    def id(self) -> int: ...
    @property
    def group_id(self) -> int: ...
    @property
    def result(self) -> str | None: ...
    def side_of(self, person_id: int) -> Side | None: ...


def may_see(held: Rights | None, game: ViewableGame, live: Collection[int]) -> bool:
    """Whether somebody may see a game; ``live``: the groups that everybody may follow (ids)."""
    return game.result is not None or game.group_id in live or is_inside(held, game)


def is_inside(held: Rights | None, game: ViewableGame) -> bool:
    """Whether somebody sees a game in full, running or not: players, officials, captains."""
    if held is None:
        return False
    is_player = game.side_of(held.person_id) is not None
    is_captain = game.id in held.team_games
    return is_player or is_captain or held.may_watch(game.id, game.group_id)


async def stands_open(core: Core, group_id: int) -> bool:
    """Whether everybody may follow a group now."""
    async with core.store.read() as conn:
        return bool(await group_rows.find_public_groups(conn, (group_id,)))


async def enters(core: Core, viewer: PersonRow | None, game: ViewableGame) -> bool:
    """Whether the viewer sees a game in full; offices are looked up only where they decide."""
    if viewer is None:
        return False
    return game.side_of(viewer.id) is not None or is_inside(await rights(core, viewer), game)


async def _way(core: Core, viewer: PersonRow | None, game: ViewableGame) -> bool | None:
    """How a running game is seen: in full (True), as an onlooker (False), not at all (None)."""
    if await enters(core, viewer, game):
        return True
    return False if await stands_open(core, game.group_id) else None


async def restrict_view(core: Core, viewer: PersonRow | None, view: GameView) -> GameView | None:
    """A game as the viewer may see it; None: not at all. Strangers see leave without its type."""
    if view.game.result is None:
        way = await _way(core, viewer, view.game)
        return None if way is None else view if way else _for_strangers(as_onlooker(view))
    if not has_leave(view.events) or await enters(core, viewer, view.game):
        return view
    return _for_strangers(view)


def _for_strangers(view: GameView) -> GameView:
    """A game with leave of both types shown alike (§ 6.3.6.4)."""
    return replace(view, account=discreet(view.account), is_for_strangers=True)


def as_onlooker(view: GameView) -> GameView:
    """A running game as everybody sees it: nothing that is private to its players.

    ``rows`` is still the whole ledger; what is shown is made from ``events`` and ``account``.
    """
    shown = build_follower_view(view.account, view.today)
    return replace(
        view,
        game=replace(view.game, seq=len(shown.events)),
        account=shown,
        messages={},
        outages=(),
        is_onlooker=True,
    )


def account_on(view: GameView, on: date) -> Account:
    """The account on another day; an onlooker is shown no future day."""
    day = min(on, view.today) if view.is_onlooker else on
    known = read_account(view.game.terms, (row.body for row in view.rows), day)
    found = unless_undone(known, view.outages)
    if view.is_onlooker:
        found = build_follower_view(found, view.today)
    return discreet(found) if view.is_for_strangers else found


def find_public_flag_day(game: GameRow) -> str | None:
    """The first day that is too late in a running game, as a list shows it to onlookers (ISO)."""
    running = replace(game.state(), proposal=()).running()
    flag_on = None if running is None else running.flag_on
    return None if flag_on is None else flag_on.isoformat()


async def visible_games(
    core: Core, viewer: PersonRow, after: int, most: int
) -> tuple[tuple[GameRow, ...], bool, frozenset[int]]:
    """A page of the games that a person may see, by id, after the game ``after`` (0: the first).

    Also whether there are more, and the ids of those shown in full, not as to an onlooker.
    """
    async with core.store.read() as conn:
        held = await rights_in(conn, viewer, core.now_us)
        rows = await result_rows.page(conn, sight_of(held), after, most + 1)
    shown = rows[:most]
    inside = frozenset(r.id for r in shown if r.result is not None or is_inside(held, r))
    return shown, len(rows) > most, inside


def sight_of(held: Rights) -> Sight:
    """``may_see`` in the form the store applies to all games at once."""
    return Sight(
        person_id=held.person_id,
        all_others=held.is_kc or held.is_admin or held.leads_all,
        groups=held.led,
        judged=held.judges,
        team_games=held.team_games,
        barred=held.barred,
    )


# A group's games as PGN: the transcripts that the leader keeps (§ 6.2.9).


async def group_pgn(core: Core, name: str, viewer: PersonRow | None) -> str | None:
    """The games of a group that the viewer may see, by round; None: no such group."""
    async with core.store.read() as conn:
        group = await group_rows.by_name(conn, name)
        if group is None:
            return None
        held = None if viewer is None else await rights_in(conn, viewer, core.now_us)
        live = await group_rows.find_public_groups(conn, (group.id,))
        found = await game_rows.list_group_games(conn, group.id)
        rows = [row for row in found if may_see(held, row, live)]
        return "\n".join(await transcripts(conn, group, rows))


async def transcripts(conn: AsyncConnection, group: GroupRow, rows: Sequence[GameRow]) -> list[str]:
    """Games of a group, without checking who may see them."""
    ratings = await member_rows.start_ratings(conn, rows)
    return [await _transcript(conn, group, row, ratings[row.id]) for row in rows]


async def _transcript(
    conn: AsyncConnection, group: GroupRow, row: GameRow, ratings: StartRatings
) -> str:
    history = await game_rows.history(conn, row.id)
    board_players: tuple[Hand, ...] = ()
    if group.class_ == "league":
        found = await conn.run_sync(list_board_players, [row], {row.id: history})
        board_players = found.get(row.id, ())
    known = account(row.terms, game_rows.read_events(history), is_decided=True)
    facts = build_pgn_facts(group.tournament, row, known, ratings)
    return pgn(known, replace(facts, hands=board_players))


async def view_pgn_facts(core: Core, view: GameView) -> PgnFacts:
    """What the PGN of a game that somebody looks at says besides its moves."""
    ratings = (await core.store.query(member_rows.start_ratings, [view.game]))[view.game.id]
    facts = build_pgn_facts(view.group.tournament, view.game, view.account, ratings)
    return replace(facts, hands=view.board_players)


def build_pgn_facts(
    tournament: str, row: GameRow, known: Account, ratings: StartRatings
) -> PgnFacts:
    """What every PGN of a game says besides its moves, wherever it is published."""
    group = row.name.rpartition("/")[0]
    return PgnFacts(
        tournament if group in ("", tournament) else f"{tournament}, {group}",
        round=str(row.round),
        end=end_day(row),
        game=row.name,
        opening=find_game_opening(known),
        ratings=ratings,
    )
