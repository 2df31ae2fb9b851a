"""Who has died, to whom nothing is sent any more (§ 6.2.8); which clubs are no more (§ 6.7.3)."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0037"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "deaths",
        sa.Column("person_id", ID, nullable=False, autoincrement=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", name="pk_deaths"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_deaths_person_id_people"),
    )
    op.add_column("clubs", sa.Column("ended", sa.String(10)))


def downgrade() -> None:
    op.drop_column("clubs", "ended")
    op.drop_table("deaths")
