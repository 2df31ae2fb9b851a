"""Groups deliberately started against a paragraph: which paragraph, and why.

Frozen history: imports none of our code. Existing groups have none: nobody was asked.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("groups") as batch:
        batch.add_column(sa.Column("override", sa.Text(), nullable=True))
        batch.add_column(sa.Column("override_reason", sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("groups") as batch:
        batch.drop_column("override_reason")
        batch.drop_column("override")
