"""Cups with their rounds, titles, and how ties for first in the DM were settled.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _key(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=f"fk_{table}_{column}_{other}")


def _cups() -> None:
    op.create_table(
        "cups",
        sa.Column("id", ID, nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("list_id", ID, nullable=False),
        sa.Column("semi_list_id", ID, nullable=True),
        sa.Column("opened_by", ID, nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        _key("cups", "list_id", "entry_lists"),
        _key("cups", "semi_list_id", "entry_lists"),
        _key("cups", "opened_by", "people"),
        sa.PrimaryKeyConstraint("id", name="pk_cups"),
        sa.UniqueConstraint("edition", name="uq_cups_edition"),
        sa.UniqueConstraint("list_id", name="uq_cups_list_id"),
        sa.UniqueConstraint("semi_list_id", name="uq_cups_semi_list_id"),
    )
    op.create_table(
        "cup_draws",
        sa.Column("cup_id", ID, nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("start", sa.String(length=10), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        _key("cup_draws", "cup_id", "cups"),
        _key("cup_draws", "by_id", "people"),
        sa.PrimaryKeyConstraint("cup_id", "stage", name="pk_cup_draws"),
    )


def _rounds() -> None:
    op.create_table(
        "cup_groups",
        sa.Column("group_id", ID, autoincrement=False, nullable=False),
        sa.Column("cup_id", ID, nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        _key("cup_groups", "group_id", "groups"),
        _key("cup_groups", "cup_id", "cups"),
        sa.PrimaryKeyConstraint("group_id", name="pk_cup_groups"),
    )
    op.create_index("ix_cup_groups_cup_id", "cup_groups", ["cup_id"])
    op.create_table(
        "cup_places",
        sa.Column("cup_id", ID, nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("way", sa.String(length=12), nullable=False),
        sa.Column("group_id", ID, nullable=True),
        sa.Column("from_group_id", ID, nullable=True),
        sa.Column("from_place", sa.Integer(), nullable=True),
        sa.Column("strength", sa.Integer(), nullable=True),
        sa.Column("entry_id", ID, nullable=True),
        _key("cup_places", "cup_id", "cups"),
        _key("cup_places", "person_id", "people"),
        _key("cup_places", "group_id", "groups"),
        _key("cup_places", "from_group_id", "groups"),
        _key("cup_places", "entry_id", "entries"),
        sa.PrimaryKeyConstraint("cup_id", "stage", "number", name="pk_cup_places"),
    )
    op.create_index("ix_cup_places_person_id", "cup_places", ["person_id"])
    op.create_index("ix_cup_places_group_id", "cup_places", ["group_id"])


def _titles() -> None:
    op.create_table(
        "title_ties",
        sa.Column("group_id", ID, autoincrement=False, nullable=False),
        sa.Column("playoff_id", ID, nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        _key("title_ties", "group_id", "groups"),
        _key("title_ties", "playoff_id", "groups"),
        _key("title_ties", "by_id", "people"),
        sa.PrimaryKeyConstraint("group_id", name="pk_title_ties"),
        sa.UniqueConstraint("playoff_id", name="uq_title_ties_playoff_id"),
    )
    op.create_table(
        "titles",
        sa.Column("id", ID, nullable=False),
        sa.Column("title", sa.String(length=20), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("person_id", ID, nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("group_id", ID, nullable=True),
        sa.Column("is_shared", sa.Boolean(), nullable=False),
        sa.Column("paragraph", sa.String(length=20), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("entered_by", ID, nullable=True),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("removed_by", ID, nullable=True),
        sa.Column("removed_us", sa.BigInteger(), nullable=True),
        _key("titles", "person_id", "people"),
        _key("titles", "group_id", "groups"),
        _key("titles", "entered_by", "people"),
        _key("titles", "removed_by", "people"),
        sa.PrimaryKeyConstraint("id", name="pk_titles"),
    )
    op.create_index("ix_titles_person_id", "titles", ["person_id"])
    op.create_index("ix_titles_group_id", "titles", ["group_id"])


def upgrade() -> None:
    _cups()
    _rounds()
    _titles()


def downgrade() -> None:
    for table in ("titles", "title_ties", "cup_places", "cup_groups", "cup_draws", "cups"):
        op.drop_table(table)
