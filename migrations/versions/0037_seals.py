"""The notes that offices, the accounts' entries and received fees are held against.

What there is of them already is noted as it stands. Frozen history: imports none of our code.
"""

import hashlib
import json
import time

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_FEE = ("id", "fee_day", "fee_by", "fee_us")
_SEALED = {
    "offices": ("id", "person_id", "office", "group_id", "from_us", "to_us", "appointed_by"),
    "account_entries": (
        *("id", "tournament", "kind", "day", "ore", "party", "text", "by_id", "at_us"),
        *("reverses", "publication_id", "key"),
    ),
    "entries": _FEE,
    "team_entries": _FEE,
}


def upgrade() -> None:
    seals = op.create_table(
        "seals",
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("of_table", sa.String(20), nullable=False),
        sa.Column("row_id", _ID, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_seals"),
    )
    conn, now_us = op.get_bind(), time.time_ns() // 1000
    seq, last = 0, bytes(32)
    for name, columns in _SEALED.items():
        table = sa.table(name, *map(sa.column, columns))
        query = sa.select(table).order_by(table.c.id)
        if columns is _FEE:
            query = query.where(table.c.fee_day.is_not(None))
        for row in conn.execute(query).all():
            seq += 1
            text = json.dumps(dict(row._mapping), sort_keys=True, separators=(",", ":"))
            digest = hashlib.sha256(text.encode()).hexdigest()
            body = f"{name} {row.id} {digest}"
            last = hashlib.sha256(b"%s0\n%d\n%d\n%s" % (last, seq, now_us, body.encode())).digest()
            note = {"seq": seq, "at_us": now_us, "of_table": name, "row_id": row.id}
            conn.execute(seals.insert().values(note | {"digest": digest, "hash": last}))
    settings = sa.table("settings", sa.column("name"), sa.column("value"))
    conn.execute(settings.insert().values(name="seals", value=f"{seq} {last.hex()}"))


def downgrade() -> None:
    op.drop_table("seals")
    settings = sa.table("settings", sa.column("name"), sa.column("value"))
    op.get_bind().execute(settings.delete().where(settings.c.name == "seals"))
