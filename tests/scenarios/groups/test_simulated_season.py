"""A simulated season once more through the server: store, writer, due work, virtual clock.

What the players asked in the pure simulation is asked of the server on the same days; what the
server does on time's behalf it must do by itself. Then its games, tables, records and answers
about classes are those of the simulation.
"""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from kskak.entries.access import access
from kskak.entries.emt import EmtClass, is_double
from kskak.game import game_commands as cmd
from kskak.game.game_events import ClaimStands, RulingApplied
from kskak.groups.placing import RankingRules, Table, placing
from kskak.ledger.ledger_files import clock_json
from kskak.regulation.editions import Regulation, Side
from kskak.statement.account import account
from server.jobs.daily_duties import DeadlineJob
from server.settings import settings_from
from server.store import groups as group_rows
from server.store.engine.migrate import migrate
from server.store.engine.store import Store
from server.store.entries import PastResult
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, NewPerson, Office, PersonRow
from server.usecases.context import Core
from server.usecases.desks import database_care
from server.usecases.entries.entry_judging import EntryStatement, knowledge
from server.usecases.entries.player_entering import add_result
from server.usecases.games.writer import Writer
from server.usecases.groups.group_file import GroupFile
from server.usecases.groups.group_tables import table_in
from server.usecases.play.game_requests import GameRequest, ask
from server.usecases.starts.start_group import start_group
from tests.fakes.machinery.clock import FakeClock
from tests.federation.archive import Archive, player_of
from tests.federation.group import Group
from tests.federation.life import FIRST_DAY, Life, Plan

GROUPS = 3
OF_TIME = cmd.LookAtTime | cmd.Remind | cmd.TellLeader
"""What the server must come upon by itself."""


@dataclass
class Mirror:
    """A server beside a life that was simulated: people and games by the life's names."""

    core: Core
    clock: FakeClock
    life: Life
    controller: PersonRow
    games: dict[int, int]
    people: dict[str, int]

    async def start(self, group: Group) -> None:
        """The same group, with the numbers that were drawn."""
        players = [
            {
                "name": one.key,
                "email": _address(one.key),
                "club": one.club,
                "member": one.key if one.is_member else None,
                "birth": one.born,
                "citizen": one.is_citizen,
                "rating": one.otb_rating,
            }
            for one in group.players
        ]
        file = {
            "tournament": "K-skak-EMT", "class": group.event.value, "group": group.name,
            "regulation": group.regulation, "start": group.start, "tl": "tl@example.org",
            "tl_name": "T. Leder", "draw": False, "players": players,
            "double": is_double(group.event, len(players)),
        }  # fmt: skip
        started = await start_group(self.core, GroupFile.model_validate(file))
        async with self.core.store.read() as conn:
            rows = await game_rows.list_group_games(conn, started.id)
            seats = await group_rows.seats_of(conn, started.id)
        by_name = {row.terms.game: row.id for row in rows}
        self.games |= {match.number: by_name[match.terms.game] for match in group.matches}
        self.people |= {seat.name: seat.person_id for seat in seats}

    async def play(self, groups: list[Group]) -> None:
        """Day by day: due work first, then what the players ask."""
        asked = sorted(
            (day, match.number, order, match, command)
            for group in groups
            for match in group.matches
            for order, (day, command) in enumerate(match.asked)
        )
        job, last = DeadlineJob(self.core), asked[-1][0]
        while self.clock.today <= last:
            while await job.work():
                pass
            while asked and asked[0][0] == self.clock.today:
                _, number, _, match, command = asked.pop(0)
                if not isinstance(command, OF_TIME):
                    await self._ask(self.games[number], match, command)
            self.clock.wait(days=1)
        assert not asked

    async def _ask(self, game: int, match, command: cmd.Command) -> None:
        person = self.people[match.seats[getattr(command, "by", Side.WHITE)].key]
        answer = await ask(self.core, GameRequest(game, person, "web", lambda state, side: command))
        assert answer.refusal is None, (match.name, command, answer.refusal)
        if isinstance(command, cmd.ClaimOverstep):  # which the life's leaders uphold the same day
            await self._ask(game, match, cmd.AdmitOverstep(command.by.other))


def _address(key: str) -> str:
    return f"{key.replace(' ', '.').lower()}@example.org"


def _chosen(life: Life) -> list[Group]:
    """Finished e-mail groups in which nothing was ruled but upheld claims, the first of them."""
    found = [
        group
        for group in life.world.groups.values()
        if isinstance(group.event, EmtClass)
        and group.finished is not None
        and group.regulation is Regulation.EMAIL
        and not any(
            isinstance(one, RulingApplied) and not isinstance(one.effect, ClaimStands)
            for match in group.matches
            for one in match.events
        )
    ]
    return sorted(found, key=lambda group: (group.start, group.name))[:GROUPS]


@pytest.fixture
async def mirror(sqlite_url: str):
    life = Life(Plan(seed=3, players=130, clubs=8, years=1))
    life.run(None)
    store = await Store.open(sqlite_url)
    await migrate(store, None)
    clock = FakeClock(FIRST_DAY)
    core = Core(store, Writer(store), clock, settings_from({}), b"s" * 32)
    async with store.write() as conn:
        new = NewPerson(name="K. Controller", email="kc@example.org", created_us=0)
        kc = await person_rows.add_person(conn, new)
        await person_rows.add_office(conn, NewOffice(kc, Office.KC.value, None, 0, 1))
        controller = await person_rows.find_person(conn, kc)
    assert controller is not None
    yield Mirror(core, clock, life, controller, {}, {})
    await store.close()


async def test_the_server_comes_to_the_same_games_tables_and_rights(mirror: Mirror):
    groups = _chosen(mirror.life)
    assert len(groups) == GROUPS
    for group in groups:
        await mirror.start(group)
    await mirror.play(groups)
    late = 0
    for group in groups:
        late += await _same_games(mirror, group)
        await _same_table(mirror, group)
    assert late, "somebody oversteps, so that the server's own watch is proved"
    await _same_answers(mirror, groups)
    report = await database_care.verify(mirror.core.store)
    assert report.is_sound and report.games == sum(len(group.matches) for group in groups)


async def _same_games(mirror: Mirror, group: Group) -> int:
    """Every day, charge, overstep and result; how many oversteps there were."""
    late = 0
    for match in group.matches:
        async with mirror.core.store.read() as conn:
            row = await game_rows.load(conn, mirror.games[match.number])
            events = [one.event for one in await game_rows.history(conn, row.id)]
        kept = clock_json(account(row.terms, events))
        assert kept == clock_json(account(match.terms, match.events)), match.name
        assert row.result == match.state.result, match.name
        late += match.state.overstep is not None
    return late


async def _same_table(mirror: Mirror, group: Group) -> None:
    async with mirror.core.store.read() as conn:
        row = await group_rows.by_name(conn, group.name)
        view = await table_in(conn, row)
    rules = RankingRules.DM if group.event is EmtClass.DM else RankingRules.EMT
    pure = placing(Table(rules, group.keys, group.played()))
    kept = {line.player.name: (line.place, line.points) for line in view.table.lines}
    points = group.points()
    assert kept == {one.name: (one.place, points[one.name]) for one in pure}
    assert view.table.is_finished


async def _same_answers(mirror: Mirror, groups: list[Group]) -> None:
    """Which classes are open, by which rule, until when: past results entered by the controller."""
    archive = Archive()
    people = {person.key: person for group in groups for person in group.players}
    for key in people:
        for known in mirror.life.world.archive.results.get(key, []):
            is_played = any(known.source == group.name for group in groups)
            if is_played or known.source.startswith(("import", "ICCF")):
                archive.add(key, known)
            if known.source.startswith(("import", "ICCF")):
                await _enter(mirror, key, known)
    for later in (1, 800, 1200):
        day = mirror.clock.today + timedelta(days=later)
        for key, person in people.items():
            async with mirror.core.store.read() as conn:
                known = await knowledge(conn, mirror.people[key], day)
            kept = _said(known.answers_to(EntryStatement()))
            pure = access(player_of(person, None), archive.record(key, day))
            assert kept == _said(pure), (key, day)


async def _enter(mirror: Mirror, key: str, known) -> None:
    kind = "emt" if isinstance(known.event, EmtClass) else "iccf"
    score = known.score
    entered = PastResult(
        kind, known.event.value, known.source, known.finished, int(score.points * 2), score.games,
        "K-skakbladet", place=score.place,
    )  # fmt: skip
    done = await add_result(mirror.core, mirror.controller, mirror.people[key], entered)
    assert isinstance(done, int), done


def _said(answers):
    return {
        one.value: (
            answer.is_allowed,
            [(right.paragraph, right.until) for right in answer.by],
            [bar.paragraph for bar in answer.against],
        )
        for one, answer in answers.items()
    }
