"""Pictures of cards that an official has put in, until the cards are entered.

Frozen history: imports none of our code. There is nothing to carry over: none were kept.
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "waiting_scans",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("scan", sa.LargeBinary(), nullable=False),
        sa.Column("scan_type", sa.String(length=64), nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_waiting_scans_person_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_waiting_scans"),
    )
    op.create_index("ix_waiting_scans_person_id", "waiting_scans", ["person_id"])
    op.create_index("ix_waiting_scans_at_us", "waiting_scans", ["at_us"])


def downgrade() -> None:
    op.drop_table("waiting_scans")
