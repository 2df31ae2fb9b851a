"""The register begins with what people had of clubs, numbers and ratings; nothing is lost."""

from alembic import command
from sqlalchemy import Connection, text

from server.store.engine.migrate import alembic_config, locked
from server.store.engine.store import Store
from server.store.register import members as rows
from server.store.register.members import RatingRow

OLDER = "0003"
DAY_US = 1_767_225_600_000_000  # 1 January 2026


def _down(connection: Connection) -> None:
    command.downgrade(alembic_config(connection), OLDER)


def _up(connection: Connection) -> None:
    command.upgrade(alembic_config(connection), "head")


PEOPLE = (
    ("Anna", "a@example.org", "Nordre", "4711", 1600, 1500, "1951-02-03", True),
    ("Bent", "b@example.org", "Nordre", None, None, None, None, None),
    ("Carl", "c@example.org", None, "4711", 1400, None, None, False),
    ("Tove", "t@example.org", None, None, None, None, None, None),
)


async def test_clubs_memberships_and_ratings_are_carried_over_and_what_was_there_stays(
    store: Store,
) -> None:
    async with locked(store) as connection:
        await connection.run_sync(_down)
        for row in PEOPLE:
            names = ("name", "email", "club", "member", "rating", "k_rating", "birth", "citizen")
            values = dict(zip(names, row, strict=True)) | {"created_us": DAY_US}
            columns = ", ".join(values)
            places = ", ".join(f":{name}" for name in values)
            await connection.execute(
                text(f"INSERT INTO people ({columns}) VALUES ({places})"), values
            )
        await connection.run_sync(_up)
    async with store.read() as conn:
        people = {row.name: row for row in await rows.everybody(conn)}
        ratings = await rows.all_ratings(conn)
        clubs = await rows.all_clubs(conn)
    assert [(club.name, club.number) for club in clubs] == [("Nordre", None)]
    kinds = {name: (row.kind, row.club, row.number) for name, row in people.items()}
    assert kinds == {
        "Anna": ("club", "Nordre", "4711"),
        "Bent": ("club", "Nordre", None),
        "Carl": ("individual", None, "4711"),
        "Tove": (None, None, None),
    }
    anna = people["Anna"]
    assert (anna.rating, anna.k_rating, anna.birth, anna.citizen) == (
        1600,
        1500,
        "1951-02-03",
        True,
    )
    source = "overtaget fra den tidligere liste"
    assert set(ratings) == {
        RatingRow(anna.id, "k", "2026-01-01", 1500, False, source),
        RatingRow(anna.id, "otb", "2026-01-01", 1600, False, source),
        RatingRow(people["Carl"].id, "otb", "2026-01-01", 1400, False, source),
    }


async def test_down_again_leaves_people_as_they_were(store: Store) -> None:
    async with store.write() as connection:
        await connection.execute(
            text(
                "INSERT INTO people (name, email, club, member, k_rating, created_us)"
                " VALUES ('Anna', 'a@example.org', 'Nordre', '1', 1500, 0)"
            )
        )
    async with locked(store) as connection:
        await connection.run_sync(_down)
        found = await connection.execute(text("SELECT club, member, k_rating FROM people"))
        assert [tuple(row) for row in found] == [("Nordre", "1", 1500)]


async def test_down_again_takes_what_was_computed_and_leaves_what_was_told(store: Store) -> None:
    """Anna was told 1500 and won; Bent had nothing before he won."""
    add = "INSERT INTO people (id, name, email, k_rating, created_us) VALUES "
    rate = (
        "INSERT INTO ratings (person_id, kind, on_day, value, is_provisional, source, entered_us,"
        " is_computed) VALUES "
    )
    async with store.write() as connection:
        await connection.execute(text(add + "(1, 'Anna', 'a@x.dk', 1520, 0)"))
        await connection.execute(text(add + "(2, 'Bent', 'b@x.dk', 1915, 0)"))
        for values in (
            "1, 'k', '2026-01-01', 1500, false, 'liste', 0, false",
            "1, 'k', '2026-01-01', 1520, false, 'K-1', 0, true",
            "2, 'k', '2026-01-01', 1915, false, 'K-1', 0, true",
        ):
            await connection.execute(text(f"{rate}({values})"))
    async with locked(store) as connection:
        await connection.run_sync(lambda c: command.downgrade(alembic_config(c), "0009"))
        found = await connection.execute(text("SELECT name, k_rating FROM people ORDER BY id"))
        assert [tuple(row) for row in found] == [("Anna", 1500), ("Bent", None)]
        found = await connection.execute(text("SELECT person_id, value FROM ratings"))
        assert [tuple(row) for row in found] == [(1, 1500)]
        await connection.run_sync(_up)
    async with store.read() as conn:
        assert [(one.value, one.is_computed) for one in await rows.all_ratings(conn)] == [
            (1500, False)
        ]
