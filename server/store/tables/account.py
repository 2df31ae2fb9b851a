"""The tables of personal credentials: passkeys, their challenges, chess programs' keys and data.

Not for sessions, links and API tokens (base.py), which are older.
"""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, String, Table, Text

from server.store.tables.base import Id, Micros, metadata

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", Id, primary_key=True),
    Column("person_id", Id, ForeignKey("people.id"), nullable=False, index=True),
    Column("credential", LargeBinary(1023), nullable=False, unique=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("transports", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("created_us", Micros, nullable=False),
    Column("used_us", Micros),
)
"""``credential`` is the authenticator's id for the key, up to 1023 bytes (WebAuthn, 4)."""

passkey_challenges = Table(
    "passkey_challenges",
    metadata,
    Column("bound", LargeBinary(32), primary_key=True),
    Column("purpose", String(8), primary_key=True),
    Column("challenge", LargeBinary(64), nullable=False),
    Column("expires_us", Micros, nullable=False),
)
"""``bound`` is the digest of the session or of the cookie that asked; ``purpose`` register or
signin. Taken once: reading removes it."""

xfcc_keys = Table(
    "xfcc_keys",
    metadata,
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("digest", LargeBinary(32), nullable=False, unique=True),
    Column("created_us", Micros, nullable=False),
    Column("used_day", String(10)),
)

xfcc_numbers = Table(
    "xfcc_numbers",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("game_id", Id, ForeignKey("games.id"), nullable=False, unique=True),
    sqlite_autoincrement=True,
)
"""The number chess programs know a game by."""

xfcc_notes = Table(
    "xfcc_notes",
    metadata,
    Column("person_id", Id, ForeignKey("people.id"), primary_key=True, autoincrement=False),
    Column("game_id", Id, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("said", Text, nullable=False),
    Column("noted_us", Micros, nullable=False),
)
"""Why a chess program's last attempt in a game was refused, in its owner's language."""
