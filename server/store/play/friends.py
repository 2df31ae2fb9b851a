"""Challenges to friendly games, and who follows whom. Not for the games themselves (groups.py)."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update

from server.store.engine.rows import columns_of, one_of, row_insert, rows_of, values_of
from server.store.tables.base import games, groups, people
from server.store.tables.people import challenges, follows

OPEN, PLAYED, DECLINED, WITHDRAWN = "open", "played", "declined", "withdrawn"
MOST_LISTED = 50
"""Open invitations on the page, the newest."""


@dataclass(frozen=True, slots=True)
class NewChallenge:
    """A challenge to store: by whom, to whom (None: anybody), and on which terms."""

    by_id: int
    to_id: int | None
    regulation: str
    colour: str
    fen: str | None
    word: str
    created_us: int
    state: str = OPEN
    group_id: int | None = None


@dataclass(frozen=True, slots=True)
class ChallengeRow(NewChallenge):
    """A stored challenge, with the name of whoever made it."""

    id: int = 0
    by: str = ""


_C = challenges.c
_SELECT = select(*columns_of(ChallengeRow, challenges, by=people.c.name)).join(
    people, people.c.id == _C.by_id
)


def find(conn: Connection, challenge_id: int) -> ChallengeRow | None:
    """One challenge."""
    return one_of(ChallengeRow, conn.execute(_SELECT.where(_C.id == challenge_id)))


def list_open(conn: Connection, person_id: int) -> tuple[ChallengeRow, ...]:
    """The open challenges that somebody made, has got, or may take up, the newest first."""
    for_him = or_(_C.by_id == person_id, _C.to_id == person_id, _C.to_id.is_(None))
    query = _SELECT.where(_C.state == OPEN, for_him).order_by(_C.id.desc()).limit(MOST_LISTED)
    return rows_of(ChallengeRow, conn.execute(query))


def count_made(conn: Connection, person_id: int, since_us: int) -> int:
    """How many of somebody's challenges are open or were made since an instant."""
    counts = or_(_C.state == OPEN, _C.created_us > since_us)
    query = select(func.count()).select_from(challenges).where(_C.by_id == person_id, counts)
    return int(conn.execute(query).scalar_one())


def find_same(conn: Connection, new: NewChallenge) -> ChallengeRow | None:
    """The open challenge on the same terms that somebody has made already."""
    same = [challenges.c[name] == value for name, value in values_of(new).items()
            if name in ("by_id", "to_id", "regulation", "colour", "fen", "state")]  # fmt: skip
    return one_of(ChallengeRow, conn.execute(_SELECT.where(*same).limit(1)))


def add(conn: Connection, new: NewChallenge) -> int:
    """Store a challenge; its number."""
    return int(conn.execute(row_insert(challenges, values_of(new))).scalar_one())


def close(conn: Connection, challenge_id: int, state: str, group_id: int | None = None) -> bool:
    """Close an open challenge; False when it is open no longer."""
    still = (_C.id == challenge_id, _C.state == OPEN)
    new = update(challenges).where(*still).values(state=state, group_id=group_id)
    return conn.execute(new).rowcount == 1


# Who gets a letter when a game of a player or group ends.


@dataclass(frozen=True, slots=True)
class FollowRow:
    """What somebody follows: a player or a group, with its name."""

    id: int
    player_id: int | None
    group_id: int | None
    player: str | None
    group: str | None


def list_followed(conn: Connection, person_id: int) -> tuple[FollowRow, ...]:
    """What somebody follows, by name."""
    named = people.c.name.label("player"), groups.c.name.label("group")
    query = (
        select(*follows.c["id", "player_id", "group_id"], *named)
        .outerjoin(people, people.c.id == follows.c.player_id)
        .outerjoin(groups, groups.c.id == follows.c.group_id)
        .where(follows.c.person_id == person_id)
        .order_by("player", "group", follows.c.id)
    )
    return rows_of(FollowRow, conn.execute(query))


def _is(person_id: int, player_id: int | None, group_id: int | None) -> list[ColumnElement[bool]]:
    whom = ("person_id", person_id), ("player_id", player_id), ("group_id", group_id)
    return [follows.c[name] == value for name, value in whom]


def follow(
    conn: Connection, person_id: int, player_id: int | None, group_id: int | None, now_us: int
) -> None:
    """Begin to follow a player or a group; twice is once."""
    whose = _is(person_id, player_id, group_id)
    if conn.execute(select(follows.c.id).where(*whose)).first() is None:
        row = {"person_id": person_id, "player_id": player_id, "group_id": group_id}
        conn.execute(insert(follows).values(row | {"since_us": now_us}))


def unfollow(conn: Connection, person_id: int, player_id: int | None, group_id: int | None) -> None:
    """Follow them no longer."""
    conn.execute(delete(follows).where(*_is(person_id, player_id, group_id)))


def unfollow_all(conn: Connection, person_id: int) -> None:
    """Follow nobody any longer."""
    conn.execute(delete(follows).where(follows.c.person_id == person_id))


def take_ended(conn: Connection, until_us: int) -> dict[int, Sequence[int]]:
    """The games that ended before an instant and that a follower has not been told of, by follower.

    From now on he has been told of them; of his own games he knows.
    """
    followed = or_(
        games.c.white_id == follows.c.player_id,
        games.c.black_id == follows.c.player_id,
        games.c.group_id == follows.c.group_id,
    )
    query = (
        select(follows.c.person_id, games.c.id)
        .join(games, followed)
        .where(games.c.result.is_not(None), games.c.ended_us < until_us)
        .where(games.c.ended_us >= follows.c.since_us)
        .where(follows.c.person_id != games.c.white_id, follows.c.person_id != games.c.black_id)
        .distinct()
        .order_by(follows.c.person_id, games.c.id)
    )
    found: dict[int, list[int]] = {}
    for person, game in conn.execute(query):
        found.setdefault(person, []).append(game)
    told = update(follows).where(follows.c.since_us < until_us)
    conn.execute(told.values(since_us=until_us))
    return dict(found)
