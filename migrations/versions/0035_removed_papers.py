"""When the content of a case's paper was removed: else a lost one can't be told from it.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("case_papers", sa.Column("removed_us", sa.BigInteger(), nullable=True))
    op.execute("UPDATE case_papers SET removed_us = at_us WHERE body IS NULL")


def downgrade() -> None:
    op.drop_column("case_papers", "removed_us")
