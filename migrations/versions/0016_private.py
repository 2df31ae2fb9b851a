"""A player's own things around a game: private analysis, notes, quiet thread, delayed moves.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _column(name: str, kind: object, *, null: bool = False) -> sa.Column:
    return sa.Column(name, kind, nullable=null)


def _to(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}_{target}"
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name)


def _analysis() -> None:
    op.create_table(
        "private_lines",
        _column("id", ID),
        _column("game_id", ID),
        _column("person_id", ID),
        _column("ply", sa.Integer()),
        _column("fen", sa.Text()),
        _column("moves", sa.Text()),
        _column("comment", sa.Text()),
        _column("changed_us", sa.BigInteger()),
        _to("private_lines", "game_id", "games"),
        _to("private_lines", "person_id", "people"),
        sa.PrimaryKeyConstraint("id", name="pk_private_lines"),
    )
    op.create_index("ix_private_lines_game_id_person_id", "private_lines", ["game_id", "person_id"])
    op.create_table(
        "private_notes",
        _column("game_id", ID),
        _column("person_id", ID),
        _column("text", sa.Text()),
        _column("stamp", sa.Integer()),
        _column("changed_us", sa.BigInteger()),
        _to("private_notes", "game_id", "games"),
        _to("private_notes", "person_id", "people"),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_private_notes"),
    )


def _thread() -> None:
    op.create_table(
        "quiet_messages",
        _column("id", ID),
        _column("game_id", ID),
        _column("author_id", ID),
        _column("text", sa.Text()),
        _column("at_us", sa.BigInteger()),
        _column("key", sa.String(length=64)),
        _to("quiet_messages", "game_id", "games"),
        _to("quiet_messages", "author_id", "people"),
        sa.PrimaryKeyConstraint("id", name="pk_quiet_messages"),
        sa.UniqueConstraint("author_id", "key", name="uq_quiet_messages_author_id_key"),
    )
    op.create_index("ix_quiet_messages_game_id", "quiet_messages", ["game_id"])
    op.create_table(
        "quiet_marks",
        _column("game_id", ID),
        _column("person_id", ID),
        _column("seen_id", ID),
        _column("is_quiet", sa.Boolean()),
        _to("quiet_marks", "game_id", "games"),
        _to("quiet_marks", "person_id", "people"),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_quiet_marks"),
    )


def _delayed() -> None:
    op.create_table(
        "delayed_moves",
        _column("game_id", ID),
        _column("person_id", ID),
        _column("ply", sa.Integer()),
        _column("fen", sa.Text()),
        _column("moves", sa.Text()),
        _column("text", sa.Text()),
        _column("message", sa.Text()),
        _column("offers_draw", sa.Boolean()),
        _column("lang", sa.String(length=2)),
        _column("key", sa.String(length=64)),
        _column("entered_us", sa.BigInteger()),
        _column("due_us", sa.BigInteger()),
        _column("wake_us", sa.BigInteger(), null=True),
        _column("dropped", sa.String(length=24), null=True),
        _column("last_error", sa.Text(), null=True),
        _to("delayed_moves", "game_id", "games"),
        _to("delayed_moves", "person_id", "people"),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_delayed_moves"),
    )
    op.create_index("ix_delayed_moves_person_id", "delayed_moves", ["person_id"])
    op.create_index("ix_delayed_moves_wake_us", "delayed_moves", ["wake_us"])


def upgrade() -> None:
    _analysis()
    _thread()
    _delayed()


def downgrade() -> None:
    gone = ("delayed_moves", "quiet_marks", "quiet_messages", "private_notes", "private_lines")
    for table in gone:
        op.drop_table(table)
