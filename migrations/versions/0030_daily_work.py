"""What the daily duties look for, by an index: what ended, came, was said or falls due lately.

Frozen history: imports none of our code.
"""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

INDEXES = (
    ("games", "ended_us"),
    ("groups", "created_us"),
    ("groups", "class"),
    ("groups", "regulation"),
    ("cases", "is_suspended"),
    ("cases", "opened_us"),
    ("cases", "closed_us"),
    ("case_events", "at_us"),
    ("publications", "prizes_until"),
    ("publications", "kind", "objections_until"),
    ("publications", "kind", "done_us"),
    ("login_links", "expires_us"),
    ("sessions", "expires_us"),
    ("confirmations", "expires_us"),
    ("idempotency", "created_us"),
)


def _name(table: str, columns: list[str]) -> str:
    return "_".join(["ix", table, *columns])


def upgrade() -> None:
    for table, *columns in INDEXES:
        op.create_index(_name(table, columns), table, columns)


def downgrade() -> None:
    for table, *columns in INDEXES:
        op.drop_index(_name(table, columns), table)
