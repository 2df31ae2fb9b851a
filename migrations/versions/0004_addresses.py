"""Postal addresses of players, for those who send them cards.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "addresses",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("changed_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_addresses_person_id_people"),
        sa.PrimaryKeyConstraint("person_id", name="pk_addresses"),
    )


def downgrade() -> None:
    op.drop_table("addresses")
