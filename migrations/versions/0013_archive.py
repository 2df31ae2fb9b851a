"""The archive of past tournaments; past results from a file, which nobody entered.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _names() -> None:
    op.create_table(
        "past_events",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("key", sa.String(length=240), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_past_events"),
        sa.UniqueConstraint("key", name="uq_past_events_key"),
    )
    op.create_table(
        "past_players",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("number", sa.String(length=120), nullable=False),
        sa.Column("key", sa.String(length=240), nullable=False),
        sa.Column("person_id", ID, nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_past_players_person_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_past_players"),
        sa.UniqueConstraint("name", "number", name="uq_past_players_name_number"),
    )
    op.create_index("ix_past_players_key", "past_players", ["key"])
    op.create_index("ix_past_players_person_id", "past_players", ["person_id"])


def _imports() -> None:
    op.create_table(
        "past_imports",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("bytes", ID, nullable=False),
        sa.Column("added", sa.Integer(), nullable=False),
        sa.Column("known", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("started_us", sa.BigInteger(), nullable=False),
        sa.Column("finished_us", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_past_imports"),
        sa.UniqueConstraint("digest", name="uq_past_imports_digest"),
    )


def _games() -> None:
    op.create_table(
        "past_games",
        sa.Column("id", ID, nullable=False),
        sa.Column("event_id", ID, nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("white_id", ID, nullable=False),
        sa.Column("black_id", ID, nullable=False),
        sa.Column("result", sa.String(length=8), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("moves", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("round", sa.Text(), nullable=False),
        sa.Column("fen", sa.Text(), nullable=True),
        sa.Column("eco", sa.String(length=3), nullable=False),
        sa.Column("end", sa.String(length=10), nullable=False),
        sa.Column("white_club", sa.Text(), nullable=False),
        sa.Column("black_club", sa.Text(), nullable=False),
        sa.Column("white_elo", sa.Integer(), nullable=True),
        sa.Column("black_elo", sa.Integer(), nullable=True),
        sa.Column("ledger", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["past_events.id"], name="fk_past_games_event_id_past_events"
        ),
        sa.ForeignKeyConstraint(
            ["white_id"], ["past_players.id"], name="fk_past_games_white_id_past_players"
        ),
        sa.ForeignKeyConstraint(
            ["black_id"], ["past_players.id"], name="fk_past_games_black_id_past_players"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_past_games"),
    )
    for name in ("white_id", "black_id", "digest"):
        op.create_index(f"ix_past_games_{name}", "past_games", [name])
    op.create_index("ix_past_games_day_id", "past_games", ["day", "id"])
    op.create_index("ix_past_games_event_id_day", "past_games", ["event_id", "day"])


def _standings() -> None:
    op.create_table(
        "past_standings",
        sa.Column("id", ID, nullable=False),
        sa.Column("event_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("wish", sa.String(length=16), nullable=False),
        sa.Column("finished", sa.String(length=10), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("halves", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("semi_held", sa.Boolean(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("result_id", ID, nullable=True),
        sa.ForeignKeyConstraint(
            ["event_id"], ["past_events.id"], name="fk_past_standings_event_id_past_events"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["past_players.id"], name="fk_past_standings_player_id_past_players"
        ),
        sa.ForeignKeyConstraint(
            ["result_id"], ["past_results.id"], name="fk_past_standings_result_id_past_results"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_past_standings"),
    )
    for name in ("event_id", "player_id"):
        op.create_index(f"ix_past_standings_{name}", "past_standings", [name])


def upgrade() -> None:
    _names()
    _imports()
    _games()
    _standings()
    with op.batch_alter_table("past_results") as table:
        table.alter_column("entered_by", existing_type=ID, nullable=True)


def downgrade() -> None:
    tables = ("past_standings", "past_games", "past_imports", "past_players", "past_events")
    for table in tables:
        op.drop_table(table)
    op.execute("DELETE FROM past_results WHERE entered_by IS NULL")
    with op.batch_alter_table("past_results") as altered:
        altered.alter_column("entered_by", existing_type=ID, nullable=False)
