"""Who is listening in this process and what each has not yet heard: pages, while they are open.

A stream hears that a game has changed, never how: the page fetches itself again, with its own
rights. Held in memory only; a page that reconnects says what it knew (``cursor``), and so hears
of everything it missed, from any process. Not for finding the changes (jobs/notify.py).
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from server.store.play import games as game_rows
from server.store.play.games import ChangedGame, compute_public_version
from server.usecases.context import Core

PER_VISITOR = 12
"""Streams of one person, or of one network address where nobody is signed in; one more replaces
the oldest."""
IN_ALL = 2000
FOLLOWERS = 1000
"""Of these, for mere followers: a game that many watch shuts no player out."""
UNHEARD = 64
"""Games queued for a slow page; beyond that it is told to look at everything."""


@dataclass(frozen=True, slots=True)
class GameNews:
    """A game has changed; ``cursor`` is what the page knows when it has heard this."""

    cursor: str
    game_id: int
    seq: int


@dataclass(frozen=True, slots=True)
class MissedNews:
    """Something has changed, but it is no longer known what: look at everything."""

    cursor: str


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """The stream has ended; ``is_replaced``: a newer page of the visitor may have its place."""

    is_replaced: bool = False


News = GameNews | MissedNews | StreamEnd


@dataclass(slots=True, eq=False)
class Stream:
    """What one open page hears. ``game_id`` None: all games of ``person_id``.

    ``follows``: the game's group, if the page hears of it only because everybody may follow it;
    it then hears of nothing but moves and the end. ``known``: each game's version that the page
    has heard of; ``is_gone``: whether it has disconnected, which a stream does not notice while it
    has nothing to send.
    """

    visitor: int | str
    person_id: int | None
    game_id: int | None
    known: dict[int, int] = field(default_factory=dict)
    follows: int | None = None
    is_gone: Callable[[], bool] = lambda: False
    _unheard: OrderedDict[int, ChangedGame] = field(default_factory=OrderedDict)
    _has_missed: bool = False
    _over: StreamEnd | None = None
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def about(self) -> tuple[str, int]:
        """What it hears of: a game, or a person's games."""
        is_game = self.game_id is not None
        return ("game", self.game_id or 0) if is_game else ("person", self.person_id or 0)

    @property
    def cursor(self) -> str:
        """What the page knows: one game's version, or a digest of many games' versions."""
        if self.game_id is not None:
            return str(self.known.get(self.game_id, 0))
        return cursor_of(self.known)

    def offer(self, changed: ChangedGame) -> None:
        """A game has changed."""
        self._unheard[changed.id] = changed
        if len(self._unheard) > UNHEARD:
            self.miss()
        self._wake.set()

    def miss(self) -> None:
        """Something was missed."""
        self._has_missed = True
        self._unheard.clear()
        self._wake.set()

    @property
    def is_over(self) -> bool:
        """Whether the stream has ended."""
        return self._over is not None

    def end(self, *, is_replaced: bool = False) -> None:
        """End the stream."""
        self._over = StreamEnd(is_replaced)
        self._wake.set()

    async def wait(self, seconds: float) -> bool:
        """Wait until there is something to take or time is up; return whether there is."""
        if self.is_over:
            return True
        try:
            await asyncio.wait_for(self._wake.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def take(self) -> list[News]:
        """All pending news, each game once; nothing that the page already knows."""
        self._wake.clear()
        if self._over is not None and self.follows is not None:
            return [self._over]  # a follower may no longer hear what came last
        news: list[News] = []
        if self._has_missed:
            self._has_missed = False
            news.append(MissedNews(self.cursor))
        while self._unheard:
            game_id, changed = self._unheard.popitem(last=False)
            number = self.number_of(changed)
            if number > self.known.get(game_id, 0):
                self._know(changed)
                version = changed.seq if self.follows is None else number
                news.append(GameNews(self.cursor, game_id, version))
        return [*news, self._over] if self._over is not None else news

    def number_of(self, changed: ChangedGame) -> int:
        """The game's present version, as this page counts."""
        if self.follows is not None:
            return compute_public_version(changed.ply, changed.result, changed.turns)
        return changed.version_for(self.visitor)

    def _know(self, changed: ChangedGame) -> None:
        """Of a person's games only running ones stay known: an ended one makes no more news."""
        self.known[changed.id] = self.number_of(changed)
        if self.game_id is None and changed.result is not None:
            del self.known[changed.id]


def cursor_of(known: Mapping[int, int]) -> str:
    """A digest of a person's running games and their versions: unchanged while nothing is new."""
    said = ",".join(f"{game}:{known[game]}" for game in sorted(known))
    return blake2b(said.encode(), digest_size=9).hexdigest()


class Hub:
    """The open streams of this process."""

    def __init__(self) -> None:
        self._about: dict[tuple[str, int], set[Stream]] = {}
        """The streams of a game, and those of a person's games."""
        self._mine: dict[int | str, dict[Stream, None]] = {}
        """Each visitor's streams, the oldest first."""
        self._all: set[Stream] = set()
        self._is_over = False

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self._all)

    def open(self, stream: Stream) -> bool:
        """Let a stream hear from now on; False when there are too many in all, or the hub is shut.

        A visitor at the limit loses the streams whose page is gone, or else the oldest: the page
        being opened now is the one being looked at.
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
        follows = sum(one.follows is not None for one in self._all)
        if stream.follows is not None and follows >= FOLLOWERS:
            return False
        self._mine.setdefault(stream.visitor, {})[stream] = None
        self._all.add(stream)
        self._about.setdefault(stream.about, set()).add(stream)
        return True

    def _sweep(self, streams: Iterable[Stream]) -> None:
        """Drop the streams whose page is gone."""
        for one in streams:
            if one.is_gone():
                self._replace(one)

    def _replace(self, stream: Stream) -> None:
        """Free a stream's place at once, without waiting for its handler to notice."""
        stream.end(is_replaced=True)
        self.close(stream)

    def close(self, stream: Stream) -> None:
        """Remove a stream: its page is gone."""
        if stream not in self._all:
            return
        self._all.remove(stream)
        mine = self._mine[stream.visitor]
        del mine[stream]
        if not mine:
            del self._mine[stream.visitor]
        about = self._about[stream.about]
        about.discard(stream)
        if not about:
            del self._about[stream.about]

    def tell(self, changed: Iterable[ChangedGame]) -> None:
        """Games have changed: tell the streams of their players and of the games."""
        for one in changed:
            names = (("game", one.id), ("person", one.white_id), ("person", one.black_id))
            for stream in [each for name in names for each in self._about.get(name, ())]:
                stream.offer(one)

    @property
    def games(self) -> frozenset[int]:
        """The games that an open page is about, or knows of."""
        about = {one.game_id for one in self._all if one.game_id is not None}
        return frozenset(about.union(*(one.known for one in self._all)))

    @property
    def followed(self) -> frozenset[int]:
        """The groups that somebody listens to as a mere follower."""
        return frozenset(one.follows for one in self._all if one.follows is not None)

    def shut(self, group_ids: Collection[int]) -> None:
        """These groups are no longer open to everybody: end the streams of mere followers."""
        for stream in self._all:
            if stream.follows in group_ids:
                stream.end()

    def miss(self) -> None:
        """Something was missed: tell every stream."""
        for stream in self._all:
            stream.miss()

    def end(self) -> None:
        """The server is stopping: end every stream at once, and open no more."""
        self._is_over = True
        for stream in self._all:
            stream.end()


async def begin(core: Core, stream: Stream, heard: str) -> None:
    """Start from what the page knew; to be called once the hub has the stream.

    What has changed since ``heard`` is news at once; if it is empty, the page knows everything.
    """
    if stream.game_id is None:
        stream.known = await core.store.look(
            lambda conn: game_rows.list_game_versions(conn, stream.person_id or 0)
        )
        if heard and heard != stream.cursor:
            stream.miss()
        return
    game_id = stream.game_id
    now = await core.store.look(lambda conn: game_rows.find_changed(conn, game_id))
    number = 0 if now is None else stream.number_of(now)
    stream.known = {game_id: number}
    if not heard or heard == stream.cursor:
        return
    if now is not None and heard.isascii() and heard.isdigit():
        stream.known = {game_id: min(int(heard[:18]), number)}
        stream.offer(now)
    else:
        stream.miss()
