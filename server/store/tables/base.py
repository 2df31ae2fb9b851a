"""The tables, in SQLAlchemy Core: what the store keeps, not how.

Instants are UTC microseconds in integers (SQLite drops zones); days are ISO text. The ledger
(``events``) is the only truth about a game: ``games`` holds its snapshot, rebuilt by replay.
Personal data is kept apart: removing it breaks no hash chain. Migrations create all this.
What an index is limited to is said here for SQLite alone: PostgreSQL's word loads its dialect.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    select,
    text,
)
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import PackedColumn, PackedLaterColumn, insert_of, quiet_insert

_Kind = TypeEngine[Any] | type[TypeEngine[Any]]
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
Id = BigInteger().with_variant(Integer, "sqlite")
Micros = BigInteger


def table(name: str, *parts: SchemaItem, **options: Any) -> Table:
    """A table of the database, with its columns, indexes and constraints."""
    return Table(name, metadata, *parts, **options)


def row_table(name: str, *parts: SchemaItem, **options: Any) -> Table:
    """A table whose rows have a number of their own, ``id``."""
    return table(name, Column("id", Id, primary_key=True), *parts, **options)


def required(kind: _Kind, *names: str) -> list[Column[Any]]:
    """Columns of one type that always have a value."""
    return [Column(name, kind, nullable=False) for name in names]


def optional(kind: _Kind, *names: str) -> list[Column[Any]]:
    """Columns of one type that may be empty."""
    return [Column(name, kind) for name in names]


settings = table(
    "settings",
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

people = row_table(
    "people",
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False, unique=True),
    Column("lang", String(2), nullable=False, server_default="da"),
    Column("role", String(16), nullable=False, server_default="player"),
    Column("club", Text),
    Column("member", Text, index=True),
    Column("rating", Integer),
    Column("k_rating", Integer, index=True),
    Column("birth", String(10)),
    Column("citizen", Boolean),
    Column("created_us", Micros, nullable=False),
    Column("email_proved_us", Micros),
    Index("ix_people_name_id", "name", "id"),
    Index("ix_people_role", "role"),
)
"""``role``: player, tl, kc, admin. ``email`` is lower-case and unique; ``email_proved_us`` is when
the person last signed in by a link sent to it, which proves that the address is theirs."""

groups = row_table(
    "groups",
    Column("name", Text, nullable=False, unique=True),
    Column("tournament", Text, nullable=False),
    Column("class", String(16), nullable=False, index=True),
    Column("regulation", String(8), nullable=False, index=True),
    Column("edition", String(8), nullable=False),
    Column("laws", Integer, nullable=False),
    Column("start", String(10), nullable=False),
    Column("zone", String(64), nullable=False),
    Column("claims", String(8), nullable=False),
    *required(Boolean, "is_double", "is_drawn"),
    *optional(Text, "seed", "fen"),
    Column("post_days", Integer, nullable=False),
    Column("regulation_url", Text),
    Column("tl_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("created_us", Micros, nullable=False, index=True),
    *optional(Text, "override", "override_reason"),
    Column("no_programs_us", Micros),
)
"""``override``: the paragraphs of § 6.5 deliberately overridden at its start, with the reason.
``no_programs_us``: since when no program may move in it by a token (Kendelse 120); null: it may."""

FRIENDLY = "friendly"
"""The class of two players' own game, by challenge."""
IS_HELD = groups.c["class"] != FRIENDLY
"""A group that the Union holds: published, rated, listed; not two players' own friendly game."""

seats = table(
    "seats",
    Column("group_id", Id, ForeignKey("groups.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
)

games = row_table(
    "games",
    Column("group_id", Id, ForeignKey("groups.id"), nullable=False, index=True),
    Column("name", Text, nullable=False, unique=True),
    Column("round", Integer, nullable=False),
    Column("white_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("black_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("seq", Integer, nullable=False),
    Column("head", LargeBinary(32), nullable=False),
    Column("snapshot", Text, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("to_move_id", Id),
    Column("flag_on", String(10)),
    Column("result", String(8)),
    Column("ended_us", Micros, index=True),
    Column("last_us", Micros),
    Column("due_kind", String(24)),
    *optional(Micros, "due_us", "told_us"),
    Column("due_seq", Integer),
    Column("wake_us", Micros),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("last_error", Text),
    Column("holder", String(16)),
    Column("deaths", Integer, nullable=False, server_default="0"),
    Index("ix_games_white_id_result", "white_id", "result"),
    Index("ix_games_black_id_result", "black_id", "result"),
    Index("ix_games_wake_us", "wake_us", sqlite_where=text("wake_us IS NOT NULL")),
)
"""``id`` is random, ``name`` is «group/number»; ``seq`` counts the events, ``head`` is the
last one's hash, ``last_us`` the latest instant; ``to_move_id`` is null when the game is over. No
index has a column that each move changes: of a page of each, random among all games', every move
would write one.

``due_kind`` to ``deaths`` are what falls due first, if anything does, replaced whenever the game
changes and replaced by what comes next when done. ``due_us`` is the deadline and never changes: the
time of record; ``due_seq`` counted the events when it was set. ``wake_us`` is when to look at it:
the deadline or any instant before it, and later the end of a claim or of a back-off."""

events = table(
    "events",
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at_us", Micros, nullable=False),
    Column("actor_id", Id),
    Column("channel", String(8), nullable=False),
    Column("inbox_id", Id),
    Column("body", Text, nullable=False),
    Column("hash", LargeBinary(32), nullable=False),
)
"""``seq`` from 1; ``body`` is the event's canonical JSON; ``hash`` = SHA-256 over the previous
hash, game, seq, at_us and body. ``actor_id`` null: the server itself."""

messages = table(
    "messages",
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("author_id", Id, ForeignKey("people.id"), nullable=False),
    Column("text", Text, nullable=False),
    Column("hidden_us", Micros),
)
"""What a player wrote to the opponent with the event ``seq``; ``hidden_us``: who got it reported
it."""

inbox = row_table(
    "inbox",
    *required(Micros, "received_us", "first_us"),
    *required(Text, "peer", "mail_from", "rcpt_to"),
    Column("raw", PackedLaterColumn(), nullable=False),
    Column("digest", LargeBinary(32), nullable=False, unique=True),
    Column("message_key", LargeBinary(32), nullable=False, index=True),
    Column("state", String(16), nullable=False),
    Column("outcome", String(24)),
    Column("person_id", Id),
    Column("game_id", Id, index=True),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("due_us", Micros, nullable=False),
    Column("note", Text),
    Column("holder", String(16)),
    Column("deaths", Integer, nullable=False, server_default="0"),
    Index("ix_inbox_state_due", "state", "due_us"),
)
"""``state``: new, done, held (for an official), shunted (an operator must look). ``digest`` is
SHA-256 of envelope and raw mail; ``message_key`` of Message-ID, sender and content;
``first_us`` is the first delivery attempt that our side deferred. ``raw`` is packed a day after
the mail was handled (parsed_mail.py)."""

outbox = row_table(
    "outbox",
    Column("message_id", Text, nullable=False, unique=True),
    Column("kind", String(24), nullable=False),
    Column("person_id", Id),
    Column("to_addr", Text, nullable=False),
    Column("game_id", Id),
    Column("seq", Integer),
    Column("params", Text, nullable=False),
    *required(Micros, "created_us", "due_us"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("state", String(8), nullable=False),
    Column("last_error", Text),
    Column("sent_us", Micros),
    Column("raw", PackedColumn),
    Column("holder", String(16)),
    Column("deaths", Integer, nullable=False, server_default="0"),
    Index("ix_outbox_state_due", "state", "due_us"),
    Index("ix_outbox_game_id_seq", "game_id", "seq"),
)
"""``state``: queued, sent, dead, held, kept. The letter is composed when it is sent, from the
ledger up to ``seq`` and ``params``; ``message_id`` is deterministic: a repeat is harmless.
``raw``: the text of what went out, packed (mail.outgoing.envelope)."""
Index("ix_outbox_failed", outbox.c.game_id, sqlite_where=outbox.c.last_error.is_not(None))

login_links = table(
    "login_links",
    Column("digest", LargeBinary(32), primary_key=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False),
    Column("next_path", Text, nullable=False, server_default="/"),
    Column("expires_us", Micros, nullable=False, index=True),
    Column("used_us", Micros),
)

sessions = table(
    "sessions",
    Column("digest", LargeBinary(32), primary_key=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("csrf", String(64), nullable=False),
    *required(Micros, "created_us", "seen_us"),
    Column("expires_us", Micros, nullable=False, index=True),
    Column("browser", String(40)),
)

api_tokens = table(
    "api_tokens",
    Column("digest", LargeBinary(32), primary_key=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("created_us", Micros, nullable=False),
    Column("used_day", String(10)),
    Column("scopes", String(40), nullable=False, server_default="read play lead decide"),
    Column("ends_us", Micros),
)
"""``scopes``: what it opens, a TokenScope each; ``ends_us`` null: no end."""

confirmations = table(
    "confirmations",
    Column("digest", LargeBinary(32), primary_key=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False),
    Column("game_id", Id, nullable=False, index=True),
    Column("ply", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("inbox_id", Id),
    Column("sent_us", Micros, nullable=False),
    Column("params", Text, nullable=False),
    Column("expires_us", Micros, nullable=False, index=True),
    Column("used_us", Micros),
)
"""A question asked once: ``kind`` resign, draw_yes, held (a mail from another address), late
(a move after the opponent's overstep). ``sent_us`` is the instant that counts."""

idempotency = table(
    "idempotency",
    Column("person_id", Id, primary_key=True, autoincrement=False),
    Column("key", String(128), primary_key=True),
    Column("request", LargeBinary(32), nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("created_us", Micros, nullable=False, index=True),
)

outages = row_table(
    "outages",
    Column("from_us", Micros, nullable=False),
    Column("to_us", Micros),
    Column("reason", Text, nullable=False),
    Column("by_id", Id, ForeignKey("people.id")),
    UniqueConstraint("from_us"),
)
"""``reason``: mail or mailbox, when it stood still alone; else the whole server. ``by_id`` entered
it."""

outage_pauses = row_table(
    "outage_pauses",
    Column("outage_id", Id, ForeignKey("outages.id"), nullable=False),
    Column("group_id", Id, ForeignKey("groups.id"), nullable=False, index=True),
    *required(String(10), "first", "last"),
    Column("decision", String(8)),
    Column("by_id", Id, ForeignKey("people.id")),
    Column("word", Text, nullable=False),
    *optional(Micros, "decided_us", "done_us"),
    UniqueConstraint("outage_id", "group_id"),
)
"""The pause that an outage asks for in a group: its days, ``decision`` granted or declined, and
``done_us`` when it was entered in the games, or declined; until then the outage is unsettled."""

duties = table(
    "duties",
    Column("name", String(48), primary_key=True),
    Column("done_for", String(32), nullable=False),
    Column("done_us", Micros, nullable=False),
)
"""The day a recurring duty was last done for: idempotent, whenever the poller runs."""


# Small values the database itself must remember, such as the server's secret.

SECRET = "secret"  # noqa: S105  (the name of a value)


async def get(conn: AsyncConnection, name: str) -> str | None:
    """A value, None when there is none."""
    query = select(settings.c.value).where(settings.c.name == name)
    value = (await conn.execute(query)).scalar_one_or_none()
    return None if value is None else str(value)


async def put_value(conn: AsyncConnection, name: str, value: str) -> None:
    """Store a value, replacing any earlier one."""
    new = insert_of(conn.dialect.name, settings).values(name=name, value=value)
    await conn.execute(new.on_conflict_do_update(index_elements=["name"], set_={"value": value}))


async def ensure(conn: AsyncConnection, name: str, value: str) -> str:
    """Store a value unless there is one; return what is stored. Of two at once the first wins."""
    await conn.execute(quiet_insert(conn.dialect.name, settings).values(name=name, value=value))
    kept = await get(conn, name)
    assert kept is not None
    return kept


SECRET_MARK = "secret_mark"  # noqa: S105  (the name of a value)
"""Which secret serves, which served before (- for none), and since when, in microseconds."""
COPIED_FROM = "copied_from"
"""What is being copied into this database (`kskak copy`); there until the copy is whole."""
COPY_PROVED = "copy_proved"
"""When the newest copy that was kept was proved (`kskak backup --keep`), in microseconds."""


async def server_secret(conn: AsyncConnection, fresh: str) -> str:
    """The server's secret; ``fresh`` (random, from the caller) becomes it when there was none."""
    return await ensure(conn, SECRET, fresh)


# The table of the processes now working on a database (mail/due_work.py).

processes = table(
    "processes",
    Column("holder", String(16), primary_key=True),
    Column("born", Text, nullable=False),
    Column("seen_us", Micros, nullable=False),
)
"""The processes at work; each row a process has claimed carries its ``holder`` (below)."""
