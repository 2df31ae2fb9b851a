"""What the daily duties look for, by an index: what ended, came, was said or falls due lately.

Frozen history: imports none of our code.
"""

from alembic import op

revision = "0030"
down_revision = "0027"
branch_labels = None
depends_on = None

INDEXES = (
    ("games", "ended_us"),
    ("groups", "created_us"),
    ("groups", "class"),
    ("groups", "regulation"),
    ("cases", "is_suspended"),
    ("case_events", "at_us"),
    ("publications", "prizes_until"),
)


def upgrade() -> None:
    for table, column in INDEXES:
        op.create_index(f"ix_{table}_{column}", table, [column])


def downgrade() -> None:
    for table, column in INDEXES:
        op.drop_index(f"ix_{table}_{column}", table)
