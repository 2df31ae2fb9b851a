"""The day since when a member is in arrears (§ 1.3.10)."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A day, or null: not in arrears."""
    op.add_column("members", sa.Column("arrears", sa.String(10)))


def downgrade() -> None:
    """As before."""
    op.drop_column("members", "arrears")
