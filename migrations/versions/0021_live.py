"""Groups whose running games everybody may follow, and who switched this on and off.

Frozen history: imports none of our code. No existing group is open: nobody asked for it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
STANDING = sa.text("until_us IS NULL")


def upgrade() -> None:
    op.create_table(
        "live_groups",
        sa.Column("id", ID, nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("from_us", sa.BigInteger(), nullable=False),
        sa.Column("from_by", ID, nullable=True),
        sa.Column("until_us", sa.BigInteger(), nullable=True),
        sa.Column("until_by", ID, nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_live_groups_group_id_groups"),
        sa.ForeignKeyConstraint(["from_by"], ["people.id"], name="fk_live_groups_from_by_people"),
        sa.ForeignKeyConstraint(["until_by"], ["people.id"], name="fk_live_groups_until_by_people"),
        sa.PrimaryKeyConstraint("id", name="pk_live_groups"),
    )
    op.create_index("ix_live_groups_group_id", "live_groups", ["group_id"])
    op.create_index(
        "uq_live_groups_standing",
        "live_groups",
        ["group_id"],
        unique=True,
        sqlite_where=STANDING,
        postgresql_where=STANDING,
    )


def downgrade() -> None:
    op.drop_table("live_groups")
