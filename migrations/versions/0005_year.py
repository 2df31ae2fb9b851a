"""The controller's year and the tournaments' accounts.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _year() -> None:
    op.create_table(
        "year_deeds",
        sa.Column("id", ID, nullable=False),
        sa.Column("form", sa.String(length=16), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_year_deeds_by_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_year_deeds"),
    )
    op.create_index("ix_year_deeds_season", "year_deeds", ["season"])
    op.create_table(
        "year_told",
        sa.Column("form", sa.String(length=16), nullable=False),
        sa.Column("season", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("step", sa.String(length=16), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("stage", sa.String(length=8), nullable=False),
        sa.Column("told_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("form", "season", "step", "day", "stage", name="pk_year_told"),
    )


def _accounts() -> None:
    op.create_table(
        "account_entries",
        sa.Column("id", ID, nullable=False),
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("ore", sa.BigInteger(), nullable=False),
        sa.Column("party", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("reverses", ID, nullable=True),
        sa.Column("publication_id", ID, nullable=True),
        sa.Column("key", sa.String(length=80), nullable=True),
        sa.ForeignKeyConstraint(["by_id"], ["people.id"], name="fk_account_entries_by_id_people"),
        sa.ForeignKeyConstraint(
            ["reverses"], ["account_entries.id"], name="fk_account_entries_reverses_account_entries"
        ),
        sa.ForeignKeyConstraint(
            ["publication_id"],
            ["publications.id"],
            name="fk_account_entries_publication_id_publications",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_account_entries"),
        sa.UniqueConstraint("reverses", name="uq_account_entries_reverses"),
        sa.UniqueConstraint("key", name="uq_account_entries_key"),
    )
    op.create_index("ix_account_entries_tournament", "account_entries", ["tournament"])


def upgrade() -> None:
    _year()
    _accounts()


def downgrade() -> None:
    for table in ("account_entries", "year_told", "year_deeds"):
        op.drop_table(table)
