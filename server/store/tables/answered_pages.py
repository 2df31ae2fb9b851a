"""The table of pages that answered a form, kept for a while so that they can be reloaded.

On the same metadata as base.py and by the same rules. A page is removed with the session it was
made for, and is sealed: its key is nowhere but in the browser's address bar.
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
"""``session`` null: it was made for a visitor not signed in."""
