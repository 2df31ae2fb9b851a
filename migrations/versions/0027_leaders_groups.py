"""A leader's groups by an index: who is signed in and what he may do is asked on every page.

Frozen history: imports none of our code.
"""

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_groups_tl_id", "groups", ["tl_id"])


def downgrade() -> None:
    op.drop_index("ix_groups_tl_id", "groups")
