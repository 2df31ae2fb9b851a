"""Ratings computed from tournaments: calculations, who was rated, and a mark on such ratings.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TOLD_AGAIN = """
UPDATE people SET k_rating = (
    SELECT value FROM ratings
    WHERE person_id = people.id AND kind = 'k' AND NOT is_computed
    ORDER BY on_day DESC LIMIT 1
) WHERE id IN (SELECT person_id FROM ratings WHERE is_computed)
"""
OLD_KEY = ["person_id", "kind", "on_day"]


def _calculations() -> None:
    op.create_table(
        "rating_calculations",
        sa.Column("id", ID, nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("is_last", sa.Boolean(), nullable=False),
        sa.Column("is_void", sa.Boolean(), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("start", sa.String(length=10), nullable=False),
        sa.Column("first_us", sa.BigInteger(), nullable=False),
        sa.Column("seal", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("starts", sa.Text(), nullable=False),
        sa.Column("reason", sa.String(length=12), nullable=False),
        sa.Column("made_us", sa.BigInteger(), nullable=False),
        sa.Column("made_by", ID, nullable=True),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_rating_calculations_group_id_groups"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_rating_calculations"),
        sa.UniqueConstraint("group_id", "number", name="uq_rating_calculations_group_id"),
    )
    op.create_index("ix_rating_calculations_day", "rating_calculations", ["day"])


def _players() -> None:
    op.create_table(
        "rated_players",
        sa.Column("group_id", ID, autoincrement=False, nullable=False),
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("first_us", sa.BigInteger(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("basis", sa.String(length=12), nullable=False),
        sa.Column("registered", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_id"], ["groups.id"], name="fk_rated_players_group_id_groups"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_rated_players_person_id_people"
        ),
        sa.PrimaryKeyConstraint("group_id", "person_id", name="pk_rated_players"),
    )
    op.create_index("ix_rated_players_day", "rated_players", ["day"])
    op.create_index("ix_rated_players_person_id", "rated_players", ["person_id", "day"])


def upgrade() -> None:
    _calculations()
    _players()
    with op.batch_alter_table("ratings") as ratings:
        ratings.add_column(
            sa.Column("is_computed", sa.Boolean(), server_default=sa.false(), nullable=False)
        )
        ratings.drop_constraint("uq_ratings_person_id", type_="unique")
        ratings.create_unique_constraint("uq_ratings_person_id", [*OLD_KEY, "is_computed"])


def downgrade() -> None:
    """Drop computed ratings: the older program would take them for entered ones."""
    op.execute(TOLD_AGAIN)
    op.execute("DELETE FROM ratings WHERE is_computed")
    with op.batch_alter_table("ratings") as ratings:
        ratings.drop_constraint("uq_ratings_person_id", type_="unique")
        ratings.drop_column("is_computed")
        ratings.create_unique_constraint("uq_ratings_person_id", OLD_KEY)
    for table in ("rated_players", "rating_calculations"):
        op.drop_table(table)
