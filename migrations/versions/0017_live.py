"""Browsers enrolled for notifications of moves, and PostgreSQL's notice of a changed game.

The notice is sent with the commit that changed the game, whichever program wrote it. SQLite needs
none: its one writer's order of events suffices. Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

SAY = """
CREATE FUNCTION kskak_say_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('kskak_games', NEW.id::text);
    RETURN NULL;
END
$$
"""
ON_CHANGE = """
CREATE TRIGGER kskak_say_game AFTER INSERT OR UPDATE OF seq ON games
FOR EACH ROW EXECUTE FUNCTION kskak_say_game()
"""


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "push_browsers",
        sa.Column("id", number, nullable=False),
        sa.Column("person_id", number, nullable=False),
        sa.Column("session", sa.LargeBinary(length=32), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("key", sa.LargeBinary(length=65), nullable=False),
        sa.Column("auth", sa.LargeBinary(length=16), nullable=False),
        sa.Column("browser", sa.String(length=40), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("ok_us", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_push_browsers"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_push_browsers_person_id_people"
        ),
        sa.ForeignKeyConstraint(
            ["session"],
            ["sessions.digest"],
            name="fk_push_browsers_session_sessions",
            ondelete="CASCADE",
        ),
        sa.UniqueConstraint("endpoint", name="uq_push_browsers_endpoint"),
    )
    op.create_index("ix_push_browsers_person_id", "push_browsers", ["person_id"])
    op.create_index("ix_push_browsers_session", "push_browsers", ["session"])
    op.create_table(
        "push_told",
        sa.Column("browser_id", number, nullable=False, autoincrement=False),
        sa.Column("game_id", number, nullable=False, autoincrement=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("due_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("browser_id", "game_id", name="pk_push_told"),
        sa.ForeignKeyConstraint(
            ["browser_id"],
            ["push_browsers.id"],
            name="fk_push_told_browser_id_push_browsers",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_push_told_game_id_games"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(SAY)
        op.execute(ON_CHANGE)


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER kskak_say_game ON games")
        op.execute("DROP FUNCTION kskak_say_game()")
    op.drop_table("push_told")
    op.drop_table("push_browsers")
