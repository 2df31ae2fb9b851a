"""Letters that failed and people by role: a desk looks at those it shows alone.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

_FAILED = sa.text("last_error IS NOT NULL")


def upgrade() -> None:
    op.create_index(
        "ix_outbox_failed",
        "outbox",
        ["game_id"],
        sqlite_where=_FAILED,
        postgresql_where=_FAILED,
    )
    op.create_index("ix_people_role", "people", ["role"])


def downgrade() -> None:
    op.drop_index("ix_people_role", "people")
    op.drop_index("ix_outbox_failed", "outbox")
