"""When a game's newest event was; how many processes in a row died holding a queued row.

Frozen history: imports none of our code. Existing games get it from their events (dates in a
game never run backwards, § 6.8.6); rows already queued start with no deaths.
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

QUEUES = ("inbox", "outbox", "deadlines")
NEWEST = "UPDATE games SET last_us = (SELECT max(at_us) FROM events WHERE game_id = games.id)"


def upgrade() -> None:
    op.add_column("games", sa.Column("last_us", sa.BigInteger(), nullable=True))
    op.execute(NEWEST)
    for queue in QUEUES:
        deaths = sa.Column("deaths", sa.Integer(), nullable=False, server_default="0")
        op.add_column(queue, deaths)


def downgrade() -> None:
    for queue in QUEUES:
        with op.batch_alter_table(queue) as table:
            table.drop_column("deaths")
    with op.batch_alter_table("games") as games:
        games.drop_column("last_us")
