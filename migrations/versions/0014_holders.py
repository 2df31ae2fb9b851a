"""Which process holds a claimed row, and which processes are at work.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

CLAIMED = ("deadlines", "inbox", "outbox")


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("holder", sa.String(length=16), nullable=False),
        sa.Column("born", sa.Text(), nullable=False),
        sa.Column("seen_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("holder", name="pk_processes"),
    )
    for table in CLAIMED:
        op.add_column(table, sa.Column("holder", sa.String(length=16), nullable=True))


def downgrade() -> None:
    for table in CLAIMED:
        op.drop_column(table, "holder")
    op.drop_table("processes")
