"""The register: clubs, main districts, memberships, ratings with history, recorded changes.

The relevant data in ``people`` is copied into the new tables and also stays where it was.
Frozen history: imports none of our code.
"""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
SOURCE = "overtaget fra den tidligere liste"
BATCH = 500


def _clubs() -> None:
    op.create_table(
        "districts",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_districts"),
        sa.UniqueConstraint("name", name="uq_districts_name"),
    )
    op.create_table(
        "clubs",
        sa.Column("id", ID, nullable=False),
        sa.Column("number", sa.String(length=16), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("district_id", ID, nullable=True),
        sa.ForeignKeyConstraint(
            ["district_id"], ["districts.id"], name="fk_clubs_district_id_districts"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_clubs"),
        sa.UniqueConstraint("name", name="uq_clubs_name"),
        sa.UniqueConstraint("number", name="uq_clubs_number"),
    )
    op.create_index("ix_clubs_district_id", "clubs", ["district_id"])


def _members() -> None:
    op.create_table(
        "members",
        sa.Column("person_id", ID, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("club_id", ID, nullable=True),
        sa.Column("district_id", ID, nullable=True),
        sa.Column("since", sa.String(length=10), nullable=True),
        sa.Column("until", sa.String(length=10), nullable=True),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name="fk_members_club_id_clubs"),
        sa.ForeignKeyConstraint(
            ["district_id"], ["districts.id"], name="fk_members_district_id_districts"
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_members_person_id_people"),
        sa.PrimaryKeyConstraint("person_id", name="pk_members"),
    )
    op.create_index("ix_members_club_id", "members", ["club_id"])
    op.create_index("ix_members_district_id", "members", ["district_id"])
    op.create_table(
        "member_changes",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("by_id", ID, nullable=True),
        sa.Column("channel", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name="fk_member_changes_person_id_people"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_member_changes"),
    )
    op.create_index("ix_member_changes_person_id", "member_changes", ["person_id"])


def _ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=4), nullable=False),
        sa.Column("on_day", sa.String(length=10), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("is_provisional", sa.Boolean(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("entered_us", sa.BigInteger(), nullable=False),
        sa.Column("entered_by", ID, nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_ratings_person_id_people"),
        sa.PrimaryKeyConstraint("id", name="pk_ratings"),
        sa.UniqueConstraint("person_id", "kind", "on_day", name="uq_ratings_person_id"),
    )


def _carried_over() -> None:
    """Clubs by name, a membership for all with a club or number, and each person's ratings."""
    conn = op.get_bind()
    names = ("id", "name", "club", "member", "rating", "k_rating", "created_us")
    people = sa.table("people", *(sa.column(name) for name in names))
    clubs = sa.table("clubs", sa.column("id"), sa.column("name"))
    known: dict[str, int] = {}
    rows = conn.execute(sa.select(people).order_by(people.c.id)).mappings().all()
    for row in rows:
        name = (row["club"] or "").strip()
        if name and name not in known:
            added = conn.execute(clubs.insert().values(name=name).returning(clubs.c.id))
            known[name] = added.scalar_one()
    _insert(
        "members",
        [
            {
                "person_id": row["id"],
                "kind": "club" if (row["club"] or "").strip() else "individual",
                "club_id": known.get((row["club"] or "").strip()),
            }
            for row in rows
            if (row["club"] or "").strip() or row["member"]
        ],
    )
    _insert("ratings", [rating for row in rows for rating in _rated(row)])


def _rated(row: sa.RowMapping) -> list[dict[str, object]]:
    day = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=row["created_us"])).date()
    return [
        {
            "person_id": row["id"],
            "kind": kind,
            "on_day": day.isoformat(),
            "value": row[column],
            "is_provisional": False,
            "source": SOURCE,
            "entered_us": row["created_us"],
        }
        for kind, column in (("k", "k_rating"), ("otb", "rating"))
        if row[column] is not None
    ]


def _insert(name: str, rows: list[dict[str, object]]) -> None:
    if rows:
        table = sa.table(name, *(sa.column(column) for column in rows[0]))
        for first in range(0, len(rows), BATCH):
            op.bulk_insert(table, rows[first : first + BATCH])


def upgrade() -> None:
    _clubs()
    _members()
    _ratings()
    op.add_column("people", sa.Column("email_proved_us", sa.BigInteger(), nullable=True))
    op.create_index("ix_people_member", "people", ["member"])
    _carried_over()


def downgrade() -> None:
    op.drop_index("ix_people_member", table_name="people")
    op.drop_column("people", "email_proved_us")
    for table in ("ratings", "member_changes", "members", "clubs", "districts"):
        op.drop_table(table)
