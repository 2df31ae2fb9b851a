"""Team entries to the league, clubs' administrators, and plans that are composed again.

Frozen history: imports none of our code.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _column(name: str, kind: object, *, null: bool = False) -> sa.Column:
    return sa.Column(name, kind, nullable=null)


def _to(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}_{target}"
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name)


def _entries() -> None:
    op.create_table(
        "team_entries",
        _column("id", ID),
        _column("list_id", ID),
        _column("season", sa.Integer()),
        _column("club_id", ID, null=True),
        _column("district_id", ID, null=True),
        _column("captain_id", ID),
        _column("continues", ID, null=True),
        _column("form_key", sa.String(length=80), null=True),
        _column("entered_day", sa.String(length=10)),
        _column("entered_by", ID),
        _column("created_us", sa.BigInteger()),
        _column("lineup_us", sa.BigInteger()),
        _column("asks", sa.Boolean()),
        _column("fee_day", sa.String(length=10), null=True),
        _column("fee_by", ID, null=True),
        _column("fee_us", sa.BigInteger(), null=True),
        _column("state", sa.String(length=12)),
        _column("paragraph", sa.String(length=20), null=True),
        _column("reason", sa.Text(), null=True),
        _column("decided_by", ID, null=True),
        _column("decided_us", sa.BigInteger(), null=True),
        _column("group_id", ID, null=True),
        _to("team_entries", "list_id", "entry_lists"),
        _to("team_entries", "club_id", "clubs"),
        _to("team_entries", "district_id", "districts"),
        _to("team_entries", "continues", "league_teams"),
        _to("team_entries", "group_id", "groups"),
        *(_to("team_entries", name, "people") for name in ("captain_id", "entered_by")),
        *(_to("team_entries", name, "people") for name in ("fee_by", "decided_by")),
        sa.PrimaryKeyConstraint("id", name="pk_team_entries"),
        sa.UniqueConstraint("entered_by", "form_key", name="uq_team_entries_entered_by_form_key"),
    )
    op.create_index("ix_team_entries_captain_id", "team_entries", ["captain_id"])
    op.create_index("ix_team_entries_group_id", "team_entries", ["group_id"])
    op.create_index("ix_team_entries_season_state", "team_entries", ["season", "state"])


def _boards() -> None:
    op.create_table(
        "team_entry_boards",
        _column("entry_id", ID),
        _column("board", sa.Integer()),
        _column("person_id", ID),
        _column("told_rating", sa.Integer(), null=True),
        _column("told_class", sa.String(length=40), null=True),
        _column("own_entry", ID, null=True),
        _column("leave_by", ID, null=True),
        _column("leave_us", sa.BigInteger(), null=True),
        _column("leave_reason", sa.Text(), null=True),
        _to("team_entry_boards", "entry_id", "team_entries"),
        _to("team_entry_boards", "own_entry", "entries"),
        *(_to("team_entry_boards", name, "people") for name in ("person_id", "leave_by")),
        sa.PrimaryKeyConstraint("entry_id", "board", name="pk_team_entry_boards"),
    )
    op.create_index("ix_team_entry_boards_person_id", "team_entry_boards", ["person_id"])


def _admins() -> None:
    op.create_table(
        "club_admins",
        _column("id", ID),
        _column("club_id", ID),
        _column("person_id", ID),
        _column("from_us", sa.BigInteger()),
        _column("to_us", sa.BigInteger(), null=True),
        _column("by_id", ID),
        _to("club_admins", "club_id", "clubs"),
        *(_to("club_admins", name, "people") for name in ("person_id", "by_id")),
        sa.PrimaryKeyConstraint("id", name="pk_club_admins"),
    )
    op.create_index("ix_club_admins_club_id", "club_admins", ["club_id"])
    op.create_index("ix_club_admins_person_id", "club_admins", ["person_id"])


_PLAN = (("from_plan", ID), ("refused", sa.Text()), ("team_entries", sa.Text()))


def upgrade() -> None:
    _entries()
    _boards()
    _admins()
    with op.batch_alter_table("league_plans") as plans:
        for name, kind in _PLAN:
            plans.add_column(_column(name, kind, null=True))


def downgrade() -> None:
    with op.batch_alter_table("league_plans") as plans:
        for name, _ in reversed(_PLAN):
            plans.drop_column(name)
    for table in ("club_admins", "team_entry_boards", "team_entries"):
        op.drop_table(table)
