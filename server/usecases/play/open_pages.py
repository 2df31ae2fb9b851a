"""Who listens in this process and what each has not heard yet: pages, as long as they are open.

A stream hears that a game has changed, never how: the page asks for itself anew, with its own
rights. Held in memory and nowhere else; a page that comes back says what it knew (``Cursor``), and
so hears of all that it missed, from any process. Not for finding the changes (jobs/live.py).
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from server.store.play import changes
from server.store.play.changes import Changed, told_number
from server.usecases.core.context import Core

PER_VISITOR = 12
"""Streams of one person, or of one address of the net where nobody is signed in; one more takes
the oldest's place."""
IN_ALL = 2000
FOLLOWERS = 1000
"""Of these for who only follows: a game that many look at shuts no player out."""
UNHEARD = 64
"""Games that wait for a slow page; after more it is told to look at everything."""


@dataclass(frozen=True, slots=True)
class GameNews:
    """A game has changed; ``cursor`` is what the page knows when it has heard this."""

    cursor: str
    game_id: int
    seq: int


@dataclass(frozen=True, slots=True)
class Missed:
    """Something has changed, and nobody knows any more what: look at everything."""

    cursor: str


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing more comes: the server stops, or a newer page of the visitor has the place."""

    is_replaced: bool = False


News = GameNews | Missed | Over


@dataclass(slots=True, eq=False)
class Stream:
    """What one open page hears. ``game_id`` None: all games of ``person_id``.

    ``follows``: the game's group, where he hears of it for no other reason than that everybody may
    follow it; then nothing is heard but moves and the end. ``known`` is each game's version that
    the page has heard of; ``is_gone`` tells whether it has hung up, which no stream notices while
    it has nothing to say.
    """

    visitor: int | str
    person_id: int | None
    game_id: int | None
    known: dict[int, int] = field(default_factory=dict)
    follows: int | None = None
    is_gone: Callable[[], bool] = lambda: False
    _unheard: OrderedDict[int, Changed] = field(default_factory=OrderedDict)
    _has_missed: bool = False
    _over: Over | None = None
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def cursor(self) -> str:
        """What the page knows: of one game its version, of many a digest of all versions."""
        if self.game_id is not None:
            return str(self.known.get(self.game_id, 0))
        return cursor_of(self.known)

    def offer(self, changed: Changed) -> None:
        """A game has changed."""
        self._unheard[changed.id] = changed
        if len(self._unheard) > UNHEARD:
            self.miss()
        self._wake.set()

    def miss(self) -> None:
        """Something has passed unheard."""
        self._has_missed = True
        self._unheard.clear()
        self._wake.set()

    @property
    def is_over(self) -> bool:
        """Whether nothing comes any more."""
        return self._over is not None

    def end(self, *, is_replaced: bool = False) -> None:
        """Nothing comes any more."""
        self._over = Over(is_replaced)
        self._wake.set()

    async def wait(self, seconds: float) -> bool:
        """Until there is something to take, or the time has passed; whether there is."""
        if self.is_over:
            return True
        try:
            await asyncio.wait_for(self._wake.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def take(self) -> list[News]:
        """All that has come, each game once; nothing that the page knows already."""
        self._wake.clear()
        if self._over is not None and self.follows is not None:
            return [self._over]  # what came last is no longer his to hear
        news: list[News] = []
        if self._has_missed:
            self._has_missed = False
            news.append(Missed(self.cursor))
        while self._unheard:
            game_id, changed = self._unheard.popitem(last=False)
            number = self.number_of(changed)
            if number > self.known.get(game_id, 0):
                self._know(changed)
                told = changed.seq if self.follows is None else number
                news.append(GameNews(self.cursor, game_id, told))
        return [*news, self._over] if self._over is not None else news

    def number_of(self, changed: Changed) -> int:
        """What the page knows of a game as it stands."""
        if self.follows is not None:
            return told_number(changed.ply, changed.result)
        return changed.version_for(self.visitor)

    def _know(self, changed: Changed) -> None:
        """Of a person's games only those that run are known: an ended one is no more news."""
        self.known[changed.id] = self.number_of(changed)
        if self.game_id is None and changed.result is not None:
            del self.known[changed.id]


def cursor_of(known: Mapping[int, int]) -> str:
    """A digest of a person's running games and their versions: the same while nothing is new."""
    said = ",".join(f"{game}:{known[game]}" for game in sorted(known))
    return blake2b(said.encode(), digest_size=9).hexdigest()


class Hub:
    """The open streams of this process."""

    def __init__(self) -> None:
        self._of_game: dict[int, set[Stream]] = {}
        self._of_person: dict[int, set[Stream]] = {}
        self._mine: dict[int | str, dict[Stream, None]] = {}
        """Each visitor's streams, the oldest first."""
        self._all: set[Stream] = set()
        self._is_over = False

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self._all)

    def open(self, stream: Stream) -> bool:
        """Let a stream hear from now on; False when there are too many in all.

        A visitor who has them all loses those whose page is gone, or else the oldest: the page
        that is opened now is the one he looks at.
        """
        mine = self._mine.get(stream.visitor, {})
        if len(mine) >= PER_VISITOR:
            self._sweep(tuple(mine))
        if len(mine) >= PER_VISITOR:
            self._replace(next(iter(mine)))
        if self.count >= min(IN_ALL, FOLLOWERS):
            self._sweep(tuple(self._all))
        if self._is_over or self.count >= IN_ALL:
            return False
        if stream.follows is not None and self._followers() >= FOLLOWERS:
            return False
        self._mine.setdefault(stream.visitor, {})[stream] = None
        self._all.add(stream)
        self._shelf(stream).add(stream)
        return True

    def _sweep(self, streams: Iterable[Stream]) -> None:
        """Let go of those whose page is gone."""
        for one in streams:
            if one.is_gone():
                self._replace(one)

    def _replace(self, stream: Stream) -> None:
        """A stream loses its place at once, not first when its handler has noticed."""
        stream.end(is_replaced=True)
        self.close(stream)

    def close(self, stream: Stream) -> None:
        """The page is gone."""
        if stream not in self._all:
            return
        self._all.remove(stream)
        mine = self._mine[stream.visitor]
        del mine[stream]
        if not mine:
            del self._mine[stream.visitor]
        shelf = self._shelf(stream)
        shelf.discard(stream)
        if not shelf:
            self._drop(stream)

    def _shelf(self, stream: Stream) -> set[Stream]:
        if stream.game_id is not None:
            return self._of_game.setdefault(stream.game_id, set())
        return self._of_person.setdefault(stream.person_id or 0, set())

    def _drop(self, stream: Stream) -> None:
        if stream.game_id is not None:
            del self._of_game[stream.game_id]
        else:
            del self._of_person[stream.person_id or 0]

    def tell(self, changed: Iterable[Changed]) -> None:
        """Games have changed: their players' streams hear it, and those of the games."""
        for one in changed:
            for stream in (
                *self._of_game.get(one.id, ()),
                *self._of_person.get(one.white_id, ()),
                *self._of_person.get(one.black_id, ()),
            ):
                stream.offer(one)

    def _followers(self) -> int:
        return sum(one.follows is not None for one in self._all)

    @property
    def followed(self) -> frozenset[int]:
        """The groups that somebody listens to because everybody may follow them."""
        return frozenset(one.follows for one in self._all if one.follows is not None)

    def shut(self, group_ids: Collection[int]) -> None:
        """Not everybody may follow these groups any more: who heard them for that hears no more."""
        for stream in self._all:
            if stream.follows in group_ids:
                stream.end()

    def miss(self) -> None:
        """Something has passed unheard: every stream is told."""
        for stream in self._all:
            stream.miss()

    def end(self) -> None:
        """The server stops: every stream ends at once, and none is opened."""
        self._is_over = True
        for stream in self._all:
            stream.end()


async def begin(core: Core, stream: Stream, heard: str) -> None:
    """Set out from what the page knew; to be called when the hub has the stream already.

    What has changed since ``heard`` is news at once; an empty one knows all that there is now.
    """
    if stream.game_id is None:
        stream.known = await core.store.look(
            lambda conn: changes.standing_of(conn, stream.person_id or 0)
        )
        if heard and heard != stream.cursor:
            stream.miss()
        return
    game_id = stream.game_id
    now = await core.store.look(lambda conn: changes.one(conn, game_id))
    number = 0 if now is None else stream.number_of(now)
    stream.known = {game_id: number}
    if not heard or heard == stream.cursor:
        return
    if now is not None and heard.isascii() and heard.isdigit():
        stream.known = {game_id: min(int(heard[:18]), number)}
        stream.offer(now)
    else:
        stream.miss()


async def cursor(core: Core, person_id: int) -> str:
    """What a page of a person's games knows that is made now; asked for before its games are."""
    return cursor_of(await core.store.look(lambda conn: changes.standing_of(conn, person_id)))
