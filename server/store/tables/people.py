"""The tables of a player's own things around a game: analysis and notes, the quiet thread, moves
that wait a few minutes before being sent, preferences, notifications, last looks.

None of it belongs to the ledger: no event depends on it and no exported game file contains it,
except the thread in the case file. Not for messages sent with a move (``messages`` in base.py).
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from server.store.tables.base import Id, Micros, optional, required, row_table, table

# The tables of personal credentials: passkeys, their challenges, chess programs' keys and data.

passkeys = row_table(
    "passkeys",
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("credential", LargeBinary(1023), nullable=False, unique=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    *required(Text, "transports", "name"),
    Column("created_us", Micros, nullable=False),
    Column("used_us", Micros),
)
"""``credential`` is the authenticator's id for the key, up to 1023 bytes (WebAuthn, 4)."""

passkey_challenges = table(
    "passkey_challenges",
    Column("bound", LargeBinary(32), primary_key=True),
    Column("purpose", String(8), primary_key=True),
    Column("challenge", LargeBinary(64), nullable=False),
    Column("expires_us", Micros, nullable=False),
)
"""``bound`` is the digest of the session or of the cookie that asked; ``purpose`` register or
signin. Taken once: reading removes it."""

xfcc_keys = table(
    "xfcc_keys",
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("digest", LargeBinary(32), nullable=False, unique=True),
    Column("created_us", Micros, nullable=False),
    Column("used_day", String(10)),
)

xfcc_numbers = table(
    "xfcc_numbers",
    Column("number", Integer, primary_key=True),
    Column("game_id", Id, ForeignKey("games.id"), nullable=False, unique=True),
    sqlite_autoincrement=True,
)
"""The number chess programs know a game by."""

xfcc_notes = table(
    "xfcc_notes",
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("said", Text, nullable=False),
    Column("noted_us", Micros, nullable=False),
)
"""Why a chess program's last attempt in a game was refused, in its owner's language."""


# The tables of a player's own things around a game: analysis and notes, the quiet thread, moves
# that wait a few minutes before being sent, preferences, notifications, last looks.


def _private(name: str, *more: Column[int]) -> Table:
    return table(
        name,
        Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
        Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
        Column("text", Text, nullable=False),
        Column("stamp", Integer, nullable=False),
        Column("changed_us", Micros, nullable=False),
        *more,
    )


private_trees = _private("private_trees", Column("shared_us", Micros))
"""A player's tree of variations on a game, as PGN (kskak.board.analysis_tree); ``shared_us``: since
when he agrees to show it to the other player of the finished game, who does so too."""
private_notes = _private("private_notes")
"""``stamp`` of both counts the edits, from 1: saving states which edit the new text is based on."""

sheet_words = table(
    "sheet_words",
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("changed_us", Micros, nullable=False),
)
"""What a player says of a finished game to all who may see its sheet; no row: nothing."""

quiet_messages = row_table(
    "quiet_messages",
    Column("game_id", Id, ForeignKey("games.id"), nullable=False),
    Column("author_id", Id, ForeignKey("people.id"), nullable=False),
    Column("text", Text, nullable=False),
    Column("at_us", Micros, nullable=False),
    Column("key", String(64), nullable=False),
    Column("hidden_us", Micros),
    UniqueConstraint("author_id", "key", name="uq_quiet_messages_author_id_key"),
    Index("ix_quiet_messages_game_id", "game_id"),
)
"""What players write to each other without a move. ``key``: the form's; sent twice, stored once;
``hidden_us``: when the other player reported it."""

quiet_marks = table(
    "quiet_marks",
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("seen_id", Id, nullable=False),
    Column("is_quiet", Boolean, nullable=False),
)
"""How far a player has read the thread, and whether they want no letters about it."""

challenges = row_table(
    "challenges",
    Column("by_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("to_id", Id, ForeignKey("people.id"), index=True),
    Column("regulation", String(8), nullable=False),
    Column("colour", String(8), nullable=False),
    Column("fen", Text),
    Column("word", Text, nullable=False),
    Column("created_us", Micros, nullable=False),
    Column("state", String(16), nullable=False, index=True),
    Column("group_id", Id, ForeignKey("groups.id"), index=True),
)
"""Who would like a friendly game: with ``to_id``, or with anybody (null). ``colour``: his own,
white, black or any; ``state``: open, played (as ``group_id``), declined, withdrawn."""

follows = row_table(
    "follows",
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("player_id", Id, ForeignKey("people.id"), index=True),
    Column("group_id", Id, ForeignKey("groups.id"), index=True),
    Column("since_us", Micros, nullable=False),
)
"""Who gets a letter when a game of a player ends, or one in a group: one of the two is set."""

delayed_moves = table(
    "delayed_moves",
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("ply", Integer, nullable=False),
    *required(Text, "fen", "moves", "text", "message"),
    Column("offers_draw", Boolean, nullable=False),
    Column("lang", String(2), nullable=False),
    Column("key", String(64), nullable=False),
    *required(Micros, "entered_us", "due_us"),
    Column("wake_us", Micros, index=True),
    Column("dropped", String(24)),
    Column("last_error", Text),
    Index("ix_delayed_moves_person_id", "person_id"),
)
"""A move to be sent at ``due_us`` unless its player takes it back. ``fen`` and ``moves`` (UCI) are
what the player was shown; ``dropped``: why it was not sent, until the player has seen that;
``wake_us`` is null then."""


looks = table(
    "looks",
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("skipped_us", Micros),
)
"""``seq``: of the last event when the player last opened the game's page; ``skipped_us``: when the
player last went on to the next game without moving in this one."""


REMINDERS = "reminders"
"""The only preference that a game's due work reads."""

preferences = table(
    "preferences",
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Only explicit choices are stored; everything else follows the program's defaults."""


push_browsers = row_table(
    "push_browsers",
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column(
        "session",
        LargeBinary(32),
        ForeignKey("sessions.digest", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("endpoint", Text, nullable=False, unique=True),
    Column("key", LargeBinary(65), nullable=False),
    Column("auth", LargeBinary(16), nullable=False),
    Column("browser", String(40), nullable=False),
    Column("created_us", Micros, nullable=False),
    Column("ok_us", Micros),
    Column("failures", Integer, nullable=False, server_default="0"),
)
"""``endpoint``: where the browser vendor accepts messages for it; ``key`` and ``auth`` encrypt
them, so that only this browser can read them. ``browser``: its name in a list."""

push_told = table(
    "push_told",
    Column(
        "browser_id",
        Id,
        ForeignKey("push_browsers.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("ply", Integer, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("due_us", Micros, nullable=False),
)
"""``ply``: the game's length when the browser was last told of it, or enrolled; ``due_us``: not
again before then, the end of a claim or of a wait."""

webhooks = row_table(
    "webhooks",
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column(
        "token",
        LargeBinary(32),
        ForeignKey("api_tokens.digest", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("url", Text, nullable=False),
    Column("created_us", Micros, nullable=False),
    Column("status", Integer),
    Column("failures", Integer, nullable=False, server_default="0"),
)
"""An address that is told of its person's games, while the token that made it stands. ``status``:
of its last answer, null before one and when there was none; ``failures``: since one was taken."""

webhook_told = table(
    "webhook_told",
    Column(
        "webhook_id",
        Id,
        ForeignKey("webhooks.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("due_us", Micros, nullable=False),
)
"""As ``push_told``; ``seq``: the last entry of the ledger that the address has taken."""


# The tables of the register: clubs, main districts, memberships, ratings with their history.

districts = row_table(
    "districts",
    Column("name", Text, nullable=False, unique=True),
)
"""Main districts (hovedkredse); an individual member belongs to one, as does a club (§ 6.7.3)."""

clubs = row_table(
    "clubs",
    Column("number", String(16), unique=True),
    Column("name", Text, nullable=False, unique=True),
    Column("district_id", Id, ForeignKey("districts.id"), index=True),
    Column("ended", String(10)),
)
"""``ended``: the day on which it folded or became part of another."""

members = table(
    "members",
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("kind", String(12), nullable=False),
    Column("club_id", Id, ForeignKey("clubs.id"), index=True),
    Column("district_id", Id, ForeignKey("districts.id"), index=True),
    *optional(String(10), "since", "until", "arrears"),
)
"""``kind``: see MemberKind. ``until``: the last day, null while it lasts; ``arrears``: the day
since when the fee is owed (§ 1.3.10)."""

ratings = row_table(
    "ratings",
    Column("person_id", Id, ForeignKey("people.id"), nullable=False),
    Column("kind", String(4), nullable=False),
    Column("on_day", String(10), nullable=False),
    Column("value", Integer, nullable=False),
    Column("is_provisional", Boolean, nullable=False),
    Column("source", Text, nullable=False),
    Column("entered_us", Micros, nullable=False),
    Column("entered_by", Id),
    Column("is_computed", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("person_id", "kind", "on_day", "is_computed"),
)
"""``kind``: k (K-skak), otb (over the board). Of each kind, the latest day's is in force.
``is_computed``: from tournaments (§ 4.5.4.1); it takes precedence over an entered one that day."""

rating_calculations = row_table(
    "rating_calculations",
    Column("group_id", Id, ForeignKey("groups.id"), nullable=False),
    Column("number", Integer, nullable=False),
    *required(Boolean, "is_last", "is_void"),
    Column("day", String(10), nullable=False, index=True),
    Column("start", String(10), nullable=False),
    Column("first_us", Micros, nullable=False),
    *required(Text, "seal", "facts", "starts"),
    Column("reason", String(12), nullable=False),
    Column("made_us", Micros, nullable=False),
    Column("made_by", Id),
    UniqueConstraint("group_id", "number"),
)
"""A group's calculations, one row each time; ``is_last`` is in force unless ``is_void`` (play has
resumed). ``day``: when its gains are registered; ``first_us``: when it was first calculated, which
gives the order within that day; ``seal`` changes with the games' ledgers. ``facts``: the games and
the players; ``starts``: by person, the rating used and where it is from, the one registered at the
end, the result. Both are JSON and suffice to repeat the calculation."""

rated_players = table(
    "rated_players",
    Column("group_id", Id, ForeignKey("groups.id"), primary_key=True, autoincrement=False),
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("day", String(10), nullable=False, index=True),
    Column("first_us", Micros, nullable=False),
    *required(Integer, "games", "before"),
    Column("basis", String(12), nullable=False),
    *required(Integer, "registered", "rating"),
    Index("ix_rated_players_person_id", "person_id", "day"),
)
"""Who has rated games in a group, according to its calculation in force."""

member_changes = row_table(
    "member_changes",
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("at_us", Micros, nullable=False),
    Column("by_id", Id),
    Column("channel", String(8), nullable=False),
    *required(Text, "reason", "fields"),
)
"""Who changed what and why; ``fields`` is JSON: [[field, before, after], …]. Null ``by_id``: the
operator at the command line. Personal data, removed with the rest."""


# The table of requests to join from people not yet registered (§ 6.1, § 6.4.4.1).

join_requests = row_table(
    "join_requests",
    Column("digest", LargeBinary(32), nullable=False),
    Column("email", Text, nullable=False, index=True),
    Column("lang", String(2), nullable=False),
    Column("name", Text, nullable=False),
    Column("birth", String(10)),
    Column("kind", String(12), nullable=False),
    Column("club", Text),
    Column("member", String(40)),
    Column("address", Text),
    Column("state", String(12), nullable=False),
    Column("asked_us", Micros, nullable=False),
    Column("confirmed_us", Micros),
    Column("person_id", Id, ForeignKey("people.id"), index=True),
    Column("decided_by", Id, ForeignKey("people.id")),
    Column("decided_us", Micros),
    Column("reason", Text),
    UniqueConstraint("digest"),
    Index("ix_join_requests_state_asked_us", "state", "asked_us"),
)
"""``state``: asked (address unproved), confirmed, admitted, declined. ``digest`` is of the mailed
link's secret. ``kind``: club, individual, none, as for members; ``birth``: ISO."""


# The table of pages that answered a form, kept for a while so that they can be reloaded.

answered_pages = table(
    "answered_pages",
    Column("digest", LargeBinary(32), primary_key=True),
    Column(
        "session",
        LargeBinary(32),
        ForeignKey("sessions.digest", ondelete="CASCADE"),
        index=True,
    ),
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("expires_us", Micros, nullable=False, index=True),
)
"""``session`` null: it was made for a visitor not signed in."""
