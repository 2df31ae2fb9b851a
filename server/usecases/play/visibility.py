"""Who sees a game: the one rule, for a single game, a list or a stream (CONTRACTS).

Everybody sees a finished game. A running one is for its players, their officials and their
captains; where its tournament lets everybody follow (store/groups.py), everybody sees it
as an onlooker (kskak.statement.public_view). Not for who may act in it.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from kskak.archive.past_game import Hand, PgnFacts, pgn
from kskak.regulation.editions import Side
from kskak.statement.account import Account, account
from kskak.statement.public_view import build_follower_view, discreet, has_leave
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.engine.connection import AsyncConnection
from server.store.group_results import Sight
from server.store.groups import GroupRow
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.games.due_work import read_account
from server.usecases.play.game_views import (
    GameView,
    end_day,
    find_game_opening,
    list_board_players,
    unless_undone,
)
from server.usecases.rights import Rights, rights, rights_in


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
    shown = build_follower_view(view.account, view.events, view.today)
    return replace(
        view,
        game=replace(view.game, seq=len(shown.events)),
        events=shown.events,
        account=shown.account,
        messages={},
        outages=(),
        is_onlooker=True,
    )


def account_on(view: GameView, on: date) -> Account:
    """The account on another day; an onlooker is shown no future day."""
    day = min(on, view.today) if view.is_onlooker else on
    known = read_account(view.game.terms, (row.body for row in view.rows), day)
    found = unless_undone(known.account, known.events, view.outages)
    if view.is_onlooker:
        found = build_follower_view(found, known.events, view.today).account
    return discreet(found) if view.is_for_strangers else found


def find_public_flag_day(game: GameRow) -> str | None:
    """The first day that is too late in a running game, as a list shows it to onlookers (ISO)."""
    running = replace(game.state(), proposal=()).running()
    flag_on = None if running is None else running.flag_on
    return None if flag_on is None else flag_on.isoformat()


@dataclass(frozen=True, slots=True)
class GamePage:
    """Games in order of id; ``more``: whether there are any after the last one.

    ``inside``: the ids of those that are shown in full, not as to an onlooker.
    """

    games: tuple[GameRow, ...]
    more: bool
    inside: frozenset[int]


async def visible_games(core: Core, viewer: PersonRow, after: int, most: int) -> GamePage:
    """A page of the games that a person may see, after the game ``after`` (0: the first page)."""
    async with core.store.read() as conn:
        held = await rights_in(conn, viewer, core.now_us)
        rows = await result_rows.page(conn, sight_of(held), after, most + 1)
    shown = rows[:most]
    inside = frozenset(r.id for r in shown if r.result is not None or is_inside(held, r))
    return GamePage(shown, len(rows) > most, inside)


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
        return "\n".join([await transcript(conn, group, row) for row in rows])


async def transcript(conn: AsyncConnection, group: GroupRow, row: GameRow) -> str:
    """A game of a group, without checking who may see it."""
    history = await game_rows.history(conn, row.id)
    hands: tuple[Hand, ...] = ()
    if group.class_ == "league":
        found = await conn.run_sync(list_board_players, [row], {row.id: history})
        hands = found.get(row.id, ())
    told = account(row.terms, game_rows.read_events(history), is_decided=True)
    return pgn(told, build_pgn_facts(group.tournament, row, told, hands))


def build_pgn_facts(
    tournament: str, row: GameRow, told: Account, hands: tuple[Hand, ...] = ()
) -> PgnFacts:
    """What every PGN of a game says besides its moves, wherever it is published."""
    return PgnFacts(
        tournament,
        round=str(row.round),
        end=end_day(row),
        game=row.name,
        hands=hands,
        opening=find_game_opening(told),
    )
