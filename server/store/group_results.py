"""Stored titles, each with its source, and how a tied DM was settled (§ 6.5.2, § 6.6.1.5).

Not for who has earned one (kskak.groups.placing, server/usecases/results/titles.py).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    case,
    delete,
    exists,
    false,
    func,
    insert,
    or_,
    select,
    true,
    union,
    update,
)

from kskak.regulation.editions import Result
from server.store import entries as entry_rows
from server.store.cases.publications import PublicationKind
from server.store.divisions import forget as divisions_forget
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow, columns_of, rows_of, values_of
from server.store.groups import PUBLIC_GROUPS, GroupRow
from server.store.mail.outbox import OutboxState
from server.store.play.games import SELECT_GAME, GameRow
from server.store.tables.base import (
    IS_HELD,
    confirmations,
    events,
    games,
    groups,
    messages,
    outbox,
    people,
    seats,
)
from server.store.tables.cases import cards, cases, offices, prizes, publications
from server.store.tables.people import (
    challenges,
    delayed_moves,
    follows,
    looks,
    private_notes,
    private_trees,
    push_told,
    quiet_marks,
    quiet_messages,
    sheet_words,
    webhook_told,
    xfcc_notes,
    xfcc_numbers,
)
from server.store.tables.tournaments import (
    cup_groups,
    league_divisions,
    live_groups,
    past_games,
    past_players,
    title_ties,
    titles,
)

# A player's scores by group, opponent and opening: one query, however many games there are.

_WINS = {True: Result.WHITE_WINS, False: Result.BLACK_WINS}
_HALVES = {
    True: (Result.DRAW, Result.WHITE_HALF),
    False: (Result.DRAW, Result.BLACK_HALF),
}


@dataclass(frozen=True, slots=True)
class Tally:
    """Games won, drawn and lost (both may lose, § 6.3.3.4), and those still running."""

    won: int
    drawn: int
    lost: int
    running: int

    @staticmethod
    def of(played: Sequence[AnyRow]) -> "Tally":
        """Of games by ``is_white`` and ``result``."""
        ended = [one for one in played if one.result is not None]
        won = sum(one.result == _WINS[one.is_white] for one in ended)
        drawn = sum(one.result in _HALVES[one.is_white] for one in ended)
        return Tally(won, drawn, len(ended) - won - drawn, len(played) - len(ended))

    @property
    def finished(self) -> int:
        """Games that are over."""
        return self.won + self.drawn + self.lost

    @property
    def halves(self) -> int:
        """The score, in half points."""
        return 2 * self.won + self.drawn


@dataclass(frozen=True, slots=True)
class InGroup:
    """A player's score in a group; ``class_`` «league»: a division.

    ``is_live``: everybody may follow its games.
    """

    id: int
    is_live: bool
    name: str
    tournament: str
    class_: str
    start: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class OpponentTally:
    """A player's score against an opponent."""

    person_id: int
    name: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class OpeningTally:
    """A player's score with an ECO code and a colour; ``code`` "" or None: no known opening.

    ``days``: those that he used for his ``moves``.
    """

    code: str | None
    is_white: bool
    tally: Tally
    days: int
    moves: int


def _mine(me: int) -> ColumnElement[bool]:
    return or_(games.c.white_id == me, games.c.black_id == me)


async def in_group(conn: AsyncConnection, person_id: int, group_id: int) -> Tally:
    """A player's score in one group."""
    query = select((games.c.white_id == person_id).label("is_white"), games.c.result)
    query = query.where(_mine(person_id), games.c.group_id == group_id)
    return Tally.of((await conn.execute(query)).all())


async def read_scores(
    conn: AsyncConnection, person_id: int
) -> tuple[tuple[InGroup, ...], tuple[OpponentTally, ...], tuple[OpeningTally, ...]]:
    """A player's scores by group, newest first; by opponent, most frequent first; and in finished
    games by opening and colour, as the archive has indexed them."""
    is_white = games.c.white_id == person_id
    query = (
        select(is_white.label("is_white"), games.c.result, people.c.id, people.c.name)
        .add_columns(groups.c.id.label("group_id"), groups.c.name.label("group"))
        .add_columns(groups.c.id.in_(PUBLIC_GROUPS).label("is_live"))
        .add_columns(groups.c.tournament, groups.c["class"].label("class_"), groups.c.start)
        .add_columns(*past_games.c["own_id", "code", "plies", "white_days", "black_days"])
        .join(groups, groups.c.id == games.c.group_id)
        .join(people, people.c.id == case((is_white, games.c.black_id), else_=games.c.white_id))
        .outerjoin(past_games, past_games.c.own_id == games.c.id)
        .where(_mine(person_id))
        .order_by(groups.c.start.desc(), groups.c.name, people.c.name, people.c.id)
    )
    by_group, by_opponent, by_opening = (defaultdict[Any, list[AnyRow]](list) for _ in range(3))
    for row in await conn.execute(query):
        by_group[row.group_id].append(row)
        by_opponent[row.id].append(row)
        if row.result is not None and row.own_id is not None:
            by_opening[row.code, row.is_white].append(row)
    most = sorted(by_opponent.values(), key=lambda some: (-len(some), some[0].name, some[0].id))
    openings = [_opening(code, side, some) for (code, side), some in by_opening.items()]
    openings.sort(key=lambda one: (one.code is not None, one.code or "", one.is_white))
    openings.sort(key=lambda one: -one.tally.finished)
    in_groups = (
        InGroup(
            one.group_id, one.is_live, one.group, one.tournament, one.class_, one.start,
            Tally.of(some),
        )
        for some in by_group.values() for one in some[:1]
    )  # fmt: skip
    opponents = (OpponentTally(some[0].id, some[0].name, Tally.of(some)) for some in most)
    return tuple(in_groups), tuple(opponents), tuple(openings)


def _opening(code: str | None, is_white: bool, played: list[AnyRow]) -> OpeningTally:
    days = sum((one.white_days if is_white else one.black_days) or 0 for one in played)
    moves = sum((one.plies + is_white) // 2 for one in played)
    return OpeningTally(code, is_white, Tally.of(played), days, moves)


# What the front page shows any visitor: the newest finished games and the running groups.

LOOKED_AT = 24
"""Newest copies considered; a game changed by a ruling gets a new copy, though it is old."""
GROUPS_LOOKED_AT = 100
"""Newest groups considered; the running ones among them are shown."""
_G = past_games.c
_white, _black = past_players.alias("white"), past_players.alias("black")


async def list_finished_games(conn: AsyncConnection, most: int) -> tuple[AnyRow, ...]:
    """The most recently finished games, latest first, by ``id``, with ``moves`` as in the archive.

    ``opening``: the named position's key; None for none, and before the copy is indexed.
    """
    newest = select(_G.id).where(_G.own_id.is_not(None)).order_by(_G.id.desc()).limit(LOOKED_AT)
    query = (
        select(*games.c["id", "result", "ended_us"], *past_games.c["moves", "plies", "fen"])
        .add_columns(_G.opening, _white.c.name.label("white"), _black.c.name.label("black"))
        .add_columns(groups.c.name.label("group"), groups.c.tournament, groups.c.zone)
        .select_from(past_games)
        .join(games, games.c.id == _G.own_id)
        .join(groups, groups.c.id == games.c.group_id)
        .join(_white, _white.c.id == _G.white_id)
        .join(_black, _black.c.id == _G.black_id)
        .where(_G.id.in_(newest), games.c.result.is_not(None))
        .order_by(games.c.ended_us.desc(), games.c.id)
        .limit(most)
    )
    return tuple(await conn.execute(query))


async def list_running_groups(conn: AsyncConnection, most: int) -> tuple[GroupRow, ...]:
    """Groups with a running game, newest first."""
    order = (groups.c.start.desc(), groups.c.name)
    newest = select(groups.c.id).order_by(*order).limit(GROUPS_LOOKED_AT)
    plays = exists().where(games.c.group_id == groups.c.id, games.c.to_move_id.is_not(None))
    query = select(*columns_of(GroupRow, groups)).where(groups.c.id.in_(newest), plays, IS_HELD)
    return rows_of(GroupRow, await conn.execute(query.order_by(*order).limit(most)))


# The games a person may see, a page at a time: one query however many there are.


@dataclass(frozen=True, slots=True)
class Sight:
    """What a person may see of running games. Games and groups are ids.

    ``all_others``, ``groups`` and ``judged``: only in groups that they aren't ``barred`` from.
    """

    person_id: int
    all_others: bool
    groups: frozenset[int]
    judged: frozenset[int]
    team_games: frozenset[int]
    barred: frozenset[int]


async def page(conn: AsyncConnection, sight: Sight, after: int, most: int) -> tuple[GameRow, ...]:
    """The next ``most`` games by id, after game ``after`` (0: from the first)."""
    watched = and_(
        games.c.group_id.not_in(sorted(sight.barred)),
        or_(
            true() if sight.all_others else false(),
            games.c.group_id.in_(sorted(sight.groups)),
            games.c.id.in_(sorted(sight.judged)),
        ),
    )
    visible = or_(
        games.c.result.is_not(None),
        games.c.group_id.in_(PUBLIC_GROUPS),
        _mine(sight.person_id),
        games.c.id.in_(sorted(sight.team_games)),
        watched,
    )
    query = SELECT_GAME.where(games.c.id > after, visible).order_by(games.c.id).limit(most)
    return rows_of(GameRow, await conn.execute(query))


# A group's recorded prizes: an amount in øre for each place (§ 6.5.4, § 6.6.4).


async def prizes_of_group(conn: AsyncConnection, group_id: int) -> tuple[int, ...]:
    """The prizes from the first place down, in øre."""
    return (await read_group_prizes(conn, [group_id]))[group_id]


async def read_group_prizes(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> dict[int, tuple[int, ...]]:
    """The prizes of several groups, by group; no query when there are none."""
    found: dict[int, list[int]] = {group_id: [] for group_id in group_ids}
    if found:
        query = select(prizes.c.group_id, prizes.c.amount).order_by(prizes.c.place)
        for group_id, amount in await conn.execute(query.where(prizes.c.group_id.in_(found))):
            found[group_id].append(amount)
    return {group_id: tuple(amounts) for group_id, amounts in found.items()}


async def set_prizes(conn: AsyncConnection, group_id: int, amounts: Sequence[int]) -> None:
    """Record the prizes from the first place down, in øre, replacing any earlier ones."""
    await conn.execute(delete(prizes).where(prizes.c.group_id == group_id))
    rows = [
        {"group_id": group_id, "place": place, "amount": amount}
        for place, amount in enumerate(amounts, 1)
    ]
    if rows:
        await conn.execute(insert(prizes), rows)


# Stored titles, each with its source, and how a tied DM was settled (§ 6.5.2, § 6.6.1.5).


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTitle:
    """A title to store: won in a group here (``group_id``), or entered with its ``source``."""

    title: str
    edition: int
    paragraph: str
    at_us: int
    person_id: int | None = None
    name: str | None = None
    group_id: int | None = None
    is_shared: bool = False
    day: str | None = None
    source: str = ""
    entered_by: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleRow(NewTitle):
    """A valid title; ``name`` is the person's if they are registered, ``group`` its group's."""

    id: int
    name: str
    group: str | None


@dataclass(frozen=True, slots=True)
class TieRow:
    """How a tie for first in a DM group was settled; no ``playoff_id``: shared by agreement."""

    group_id: int
    playoff_id: int | None
    reason: str
    by_id: int
    at_us: int


FINAL = "final"


async def add(conn: AsyncConnection, new: Sequence[NewTitle]) -> tuple[int, ...]:
    """Store titles and return their ids."""
    found = []
    for one in new:
        made = await conn.execute(insert(titles).values(values_of(one)).returning(titles.c.id))
        found.append(int(made.scalar_one()))
    return tuple(found)


async def everything(
    conn: AsyncConnection, /, title: str | None = None, **match: int
) -> tuple[TitleRow, ...]:
    """The valid titles, of this kind and with these columns; newest year first."""
    name = func.coalesce(people.c.name, titles.c.name).label("name")
    query = (
        select(*columns_of(TitleRow, titles, name=name, group=groups.c.name.label("group")))
        .outerjoin(people, people.c.id == titles.c.person_id)
        .outerjoin(groups, groups.c.id == titles.c.group_id)
        .where(titles.c.removed_us.is_(None), *(titles.c[n] == v for n, v in match.items()))
        .order_by(titles.c.edition.desc(), titles.c.title, titles.c.id)
    )
    if title is not None:
        query = query.where(titles.c.title == title)
    return tuple(TitleRow(**row._mapping) for row in await conn.execute(query))


async def find(conn: AsyncConnection, title_id: int) -> TitleRow | None:
    """One valid title."""
    return next(iter(await everything(conn, id=title_id)), None)


async def remove(conn: AsyncConnection, ids: Sequence[int], by_id: int | None, now_us: int) -> None:
    """Revoke titles; they stay on record. ``by_id`` None: the server."""
    query = update(titles).where(titles.c.id.in_(list(ids)), titles.c.removed_us.is_(None))
    await conn.execute(query.values(removed_by=by_id, removed_us=now_us))


async def groups_with_titles(conn: AsyncConnection) -> tuple[int, ...]:
    """The DM groups, cup finals and 1st divisions published as finished (§ 6.4.5.1)."""
    of_title = union(
        select(groups.c.id).where(groups.c["class"] == "DM"),
        select(cup_groups.c.group_id).where(cup_groups.c.stage == FINAL),
        select(league_divisions.c.group_id).where(league_divisions.c.division == 1),
    ).subquery()
    is_published = exists().where(
        publications.c.group_id == of_title.c.id,
        publications.c.kind == PublicationKind.STANDING.value,
    )
    query = select(of_title.c.id).where(is_published).order_by(of_title.c.id)
    return tuple((await conn.execute(query)).scalars())


async def ties_of(
    conn: AsyncConnection, group_ids: Sequence[int] = (), playoff_id: int | None = None
) -> tuple[TieRow, ...]:
    """How the ties of some groups were settled, or the one that a play-off group settles."""
    query = select(*columns_of(TieRow, title_ties))
    if playoff_id is not None:
        query = query.where(title_ties.c.playoff_id == playoff_id)
    elif group_ids:
        query = query.where(title_ties.c.group_id.in_(list(group_ids)))
    else:
        return ()
    return rows_of(TieRow, await conn.execute(query))


async def tie_of(conn: AsyncConnection, group_id: int) -> TieRow | None:
    """How a DM group's tie for first was settled, if it was."""
    return next(iter(await ties_of(conn, [group_id])), None)


async def tie_by_playoff(conn: AsyncConnection, playoff_id: int) -> TieRow | None:
    """The tie that a play-off group settles."""
    return next(iter(await ties_of(conn, playoff_id=playoff_id)), None)


async def list_tie_settlements(conn: AsyncConnection) -> dict[int, int]:
    """When each settled DM tie was settled: at the play-off's last game, or by the agreement."""
    query = (
        select(title_ties.c.group_id, title_ties.c.at_us, func.max(games.c.ended_us))
        .outerjoin(games, games.c.group_id == title_ties.c.playoff_id)
        .group_by(title_ties.c.group_id, title_ties.c.at_us)
        .having(func.count(games.c.id) == func.count(games.c.result))
    )
    return {group: ended or at_us for group, at_us, ended in await conn.execute(query)}


async def add_tie_settlement(conn: AsyncConnection, row: TieRow) -> None:
    """Store how a tie was settled. StoreConflict when it already was."""
    await conn.execute(insert(title_ties).values(values_of(row)))


def forget(conn: Connection, group_id: int) -> None:
    """Forget the tie a group had or settled, as its start is undone: a tie is open again."""
    of_it = or_(title_ties.c.group_id == group_id, title_ties.c.playoff_id == group_id)
    conn.execute(delete(title_ties).where(of_it))


# Undoing the start of a group in which nobody has moved yet.


def is_untouched(
    conn: Connection, group_id: int, *, locks: bool = False, despite_cases: bool = False
) -> bool:
    """Whether nobody has moved and there is no case.

    ``locks``: the games, until the transaction ends; never where it only reads.
    """
    asked = select(games.c.id, games.c.ply, games.c.result).where(games.c.group_id == group_id)
    asked = asked.order_by(games.c.id)
    rows = conn.execute(asked.with_for_update() if locks else asked).all()
    open_cases = select(func.count()).select_from(cases).where(cases.c.group_id == group_id)
    has_moves = any(ply or result is not None for _, ply, result in rows)
    return not has_moves and (despite_cases or not conn.execute(open_cases).scalar_one())


def take_back(conn: Connection, group_id: int) -> None:
    """Remove the group, its games and its unsent letters."""
    of_group = select(games.c.id).where(games.c.group_id == group_id).scalar_subquery()
    waiting = outbox.c.state == OutboxState.QUEUED.value
    conn.execute(delete(outbox).where(outbox.c.game_id.in_(of_group), waiting))
    others = (private_trees, private_notes, sheet_words, quiet_messages, quiet_marks, delayed_moves,
              looks, xfcc_notes, xfcc_numbers, push_told, webhook_told)  # fmt: skip
    for table in (messages, cards, events, confirmations, *others):
        conn.execute(delete(table).where(table.c.game_id.in_(of_group)))
    entry_rows.let_go(conn, group_id)
    divisions_forget(conn, group_id)
    forget(conn, group_id)
    gone = update(challenges).where(challenges.c.group_id == group_id)
    conn.execute(gone.values(group_id=None, state="withdrawn"))
    for table in (publications, games, seats, offices, live_groups, follows):
        conn.execute(delete(table).where(table.c.group_id == group_id))
    entry_rows.return_entries_to_list(conn, group_id)
    entry_rows.return_team_entries(conn, group_id)
    conn.execute(delete(groups).where(groups.c.id == group_id))
