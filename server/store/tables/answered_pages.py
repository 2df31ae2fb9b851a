"""The table of pages that answered a form, kept for a while so that they can be loaded again.

On the same metadata as base.py and by the same rules. A page goes with the session it was made
for, and is sealed: the key to it stands nowhere but in the browser's address.
"""

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, Table

from server.store.tables.base import Micros, metadata

answered_pages = Table(
    "answered_pages",
    metadata,
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
"""``session`` null: it was made for who is not signed in."""
