"""The federation of every scene: its people and their offices, groups, games and letters.

Whatever a test tells of that has a ``core`` is a ``Scene`` (the site, the API, the whole server in
virtual time), so that people are admitted and groups begun in one way. Not for what a scene adds
to it (site.py, world.py and those named after their subject).
"""

import email
import secrets
from email import policy
from email.message import EmailMessage

from kskak.game.game_events import DrawMade, Event, PlayerResigned
from kskak.regulation.editions import Regulation, Side
from server.store import groups as group_rows
from server.store.account import sign_in as access
from server.store.entries import ListRow
from server.store.groups import GroupRow
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import NewOffice, NewPerson, Office, PersonRow
from server.usecases.cases.case_transaction import EventsUnit
from server.usecases.context import Core, poster_of
from server.usecases.entries.player_entering import EntryListRequest, open_list
from server.usecases.games.game_units import Origin
from server.usecases.groups.group_file import read_group_file
from server.usecases.letters import write_letters
from server.usecases.starts.start_group import start_group


class Scene:
    """What is in the database of ``core``, and how a test adds to it."""

    core: Core

    async def person(self, who: str) -> PersonRow:
        """Somebody who is there, by his address or the name that ``admit`` was given."""
        async with self.core.store.read() as conn:
            found = await person_rows.by_email(conn, who if "@" in who else address(who))
        assert found is not None, who
        return found

    async def admit(
        self, called: str, office: Office | None = None, group: int | None = None, **facts: object
    ) -> PersonRow:
        """Somebody in an office, of a group if it is named; new unless the address is known.

        ``facts`` are fields of a person; his address follows from his name unless it is told.
        """
        shown = called if called != called.lower() else called.title()
        told: dict[str, object] = {"name": shown, "email": address(called), "created_us": 0} | facts
        async with self.core.store.write() as conn:
            found = await person_rows.by_email(conn, str(told["email"]))
            if found is None:
                new = NewPerson(**told)  # type: ignore[arg-type]
                found = await person_rows.find_person(conn, await person_rows.add_person(conn, new))
            assert found is not None
            if office is not None:
                row = NewOffice(found.id, office.value, group, self.core.now_us, found.id)
                await person_rows.add_office(conn, row)
        return found

    async def token_of(self, person: int) -> str:
        """An API token of a person, kept without the letter that tells him of it."""
        token = secrets.token_urlsafe(24)
        async with self.core.store.write() as conn:
            await access.add_token(conn, token, person, "test", self.core.now_us)
        return token

    async def begin_group(self, text: str) -> tuple[GameRow, ...]:
        """The games of a group that a file begins."""
        return await self.group_games((await start_group(self.core, read_group_file(text))).id)

    async def open_list(
        self, by: PersonRow, name: str, kind: str, prefix: str, leader: str, **more: object
    ) -> ListRow:
        """A list opened by the controller: ``kind`` is its event and wish, as ``emt K``.

        ``leader`` is who leads it, by the name that ``admit`` was given or an address.
        """
        event, wish = kind.split()
        facts: dict[str, object] = {"tournament": name, "regulation": Regulation.EMAIL}
        facts |= {"fee": 10_000, "how_to_pay": "Konto 1"} | more
        leader = leader if "@" in leader else address(leader)
        asked = EntryListRequest(name, event, wish, prefix=prefix, leader=leader, **facts)  # type: ignore[arg-type]
        made = await open_list(self.core, by, asked)
        assert isinstance(made, ListRow), made
        return made

    async def group(self, name: str) -> GroupRow:
        """A group by name."""
        async with self.core.store.read() as conn:
            found = await group_rows.by_name(conn, name)
        assert found is not None, name
        return found

    async def group_games(self, group: int | str) -> tuple[GameRow, ...]:
        """A group's games, by its number or name."""
        number = group if isinstance(group, int) else (await self.group(group)).id
        async with self.core.store.read() as conn:
            return tuple(await game_rows.list_group_games(conn, number))

    async def game_of(self, game: int) -> GameRow:
        """A game by its number, as it stands now."""
        async with self.core.store.read() as conn:
            found = await game_rows.load(conn, game)
        assert found is not None, game
        return found

    async def written(self, *kinds: str) -> list[OutboxRow]:
        """The letters of these kinds, or of all, the oldest first."""
        async with self.core.store.read() as conn:
            rows = await outbox_rows.newest(conn, 10_000)
        return [row for row in reversed(rows) if not kinds or row.kind in kinds]

    async def composed(self, row: OutboxRow) -> EmailMessage:
        """A letter as its reader's mail program would show it."""
        (made,) = await write_letters(self.core, [row])
        if isinstance(made, Exception):
            raise made
        return email.message_from_bytes(made.raw, policy=policy.default)

    async def enter_events(self, row: GameRow, by: PersonRow, *events: Event) -> None:
        """Events of a game, written by somebody on the web."""
        origin = Origin(self.core.clock.now(), by.id, "web")
        await self.core.writer.submit(EventsUnit(row.id, events, origin, poster_of(self.core)))

    async def end_game(self, row: GameRow, result: str, by: PersonRow) -> None:
        """A game ends today: ``1`` won by White, ``0`` by Black, ``=`` drawn."""
        today = self.core.today(row.zone)
        if result == "=":
            return await self.enter_events(row, by, DrawMade(Side.WHITE, today))
        loser = {"1": Side.BLACK, "0": Side.WHITE}[result]
        return await self.enter_events(row, by, PlayerResigned(loser, today))


def address(name: str) -> str:
    """The address of somebody whom a test named: his name, dots for blanks."""
    return f"{name.replace(' ', '.').lower()}@example.org"
