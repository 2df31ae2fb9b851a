"""Bulletins and their subscribers, and a group's prizes.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _bulletins() -> None:
    op.create_table(
        "bulletins",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("first", sa.String(length=10), nullable=False),
        sa.Column("last", sa.String(length=10), nullable=False),
        sa.Column("foreword", sa.Text(), nullable=False),
        sa.Column("chosen", sa.Text(), nullable=False),
        sa.Column("made_by", ID, nullable=False),
        sa.Column("made_us", sa.BigInteger(), nullable=False),
        sa.Column("issued_by", ID, nullable=True),
        sa.Column("issued_us", sa.BigInteger(), nullable=True),
        sa.Column("objections_until", sa.String(length=10), nullable=True),
        sa.Column("facts", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["made_by"], ["people.id"], name="fk_bulletins_made_by_people"),
        sa.ForeignKeyConstraint(["issued_by"], ["people.id"], name="fk_bulletins_issued_by_people"),
        sa.PrimaryKeyConstraint("number", name="pk_bulletins"),
    )


def _readers() -> None:
    op.create_table(
        "bulletin_readers",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("since_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_bulletin_readers_person_id_people"
        ),
        sa.PrimaryKeyConstraint("person_id", name="pk_bulletin_readers"),
    )


def _prizes() -> None:
    op.create_table(
        "prizes",
        sa.Column("group_id", ID, autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name="fk_prizes_group_id_groups"),
        sa.PrimaryKeyConstraint("group_id", "place", name="pk_prizes"),
    )


def upgrade() -> None:
    _bulletins()
    _readers()
    _prizes()


def downgrade() -> None:
    for table in ("prizes", "bulletin_readers", "bulletins"):
        op.drop_table(table)
