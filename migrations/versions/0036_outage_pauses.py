"""The pause that an outage asks for in each group, and who settled it; who recorded an outage.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    with op.batch_alter_table("outages") as batch:
        batch.add_column(sa.Column("by_id", _ID, nullable=True))
        batch.create_foreign_key("fk_outages_by_id_people", "people", ["by_id"], ["id"])
    op.create_table(
        "outage_pauses",
        sa.Column("id", _ID, nullable=False),
        sa.Column("outage_id", _ID, nullable=False),
        sa.Column("group_id", _ID, nullable=False),
        sa.Column("first", sa.String(10), nullable=False),
        sa.Column("last", sa.String(10), nullable=False),
        sa.Column("decision", sa.String(8), nullable=True),
        sa.Column("by_id", _ID, nullable=True),
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("decided_us", sa.BigInteger(), nullable=True),
        sa.Column("done_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["outage_id"], ["outages.id"], name="fk_outage_pauses_outage_id_outages"
        ),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_outage_pauses_group_id_groups"
        ),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_outage_pauses_by_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_outage_pauses"),
        sa.UniqueConstraint("outage_id", "group_id", name="uq_outage_pauses_outage_id"),
    )
    op.create_index("ix_outage_pauses_group_id", "outage_pauses", ["group_id"])


def downgrade() -> None:
    op.drop_table("outage_pauses")
    with op.batch_alter_table("outages") as batch:
        batch.drop_constraint("fk_outages_by_id_people", type_="foreignkey")
        batch.drop_column("by_id")
