"""A player's lines on a game become one tree of variations, kept as PGN.

Each line becomes a game of the text that begins with its FEN, as the program reads several games
into one tree. Frozen history: imports none of our code.
"""

from itertools import groupby

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
LINES = sa.table(
    "private_lines",
    *(sa.column(name) for name in ("game_id", "person_id", "id", "ply", "fen", "moves")),
    sa.column("comment"),
    sa.column("changed_us"),
)


def _game(row: sa.Row) -> str:
    first, _, others = row.moves.partition(" ")
    said = " ".join(row.comment.replace("{", "(").replace("}", ")").split())
    comment = f" {{{said}}}" if said else ""
    return f'[FEN "{row.fen}"]\n[SetUp "1"]\n\n{first}{comment} {others}'.rstrip() + " *\n"


def upgrade() -> None:
    trees = op.create_table(
        "private_trees",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("stamp", sa.Integer(), nullable=False),
        sa.Column("changed_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_private_trees_game_id_games"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_private_trees_person_id_people"
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_private_trees"),
    )
    connection = op.get_bind()
    order = (LINES.c.game_id, LINES.c.person_id, LINES.c.ply, LINES.c.id)
    rows = connection.execute(sa.select(LINES).order_by(*order)).all()
    for (game, person), lines in groupby(rows, key=lambda row: (row.game_id, row.person_id)):
        kept = list(lines)
        new = {
            "game_id": game,
            "person_id": person,
            "text": "\n".join(map(_game, kept)),
            "stamp": 1,
            "changed_us": max(row.changed_us for row in kept),
        }
        connection.execute(trees.insert().values(new))
    op.drop_table("private_lines")


def downgrade() -> None:
    op.create_table(
        "private_lines",
        sa.Column("id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("fen", sa.Text(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("changed_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_private_lines_game_id_games"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_private_lines_person_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_private_lines"),
    )
    op.create_index("ix_private_lines_game_id_person_id", "private_lines", ["game_id", "person_id"])
    op.drop_table("private_trees")
