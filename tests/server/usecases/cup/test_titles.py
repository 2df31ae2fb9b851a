"""§ 6.5.2, § 6.6.1.5: titles kept at publication, the play-off, the agreement, citizens only."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import select

from kskak.cup import TieProblem, TieRefusal
from kskak.entries.emt import EmtClass
from kskak.game.game_events import ResultRuled
from kskak.groups.placing import Title
from kskak.regulation.editions import Result
from mail.office_letters.bulletins import award_text
from mail.text.catalogue import Words
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.cases import publications as publication_rows
from server.store.cases.publications import PublicationKind
from server.store.group_results import TitleRow
from server.store.groups import SeatRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.tables.tournaments import titles
from server.usecases.cases.case_decisions import annul_start
from server.usecases.cases.case_transaction import EventsUnit
from server.usecases.context import poster_of
from server.usecases.entries.entry_judging import knowledge
from server.usecases.games.game_units import Origin
from server.usecases.groups.group_file import GroupFileError, StartedGroup, read_group_file
from server.usecases.groups.group_tables import read_final_standing, table_in
from server.usecases.results import publishing
from server.usecases.results.titles import (
    OldTitle,
    TitleFault,
    all_titles,
    check_all_titles,
    enter_title,
    remove_title,
    share_title,
    start_playoff,
    tie_view,
)
from server.usecases.rights import NoSuch, NotAllowed
from server.usecases.starts.start_group import start_group
from tests.fakes.cups import LEADER, CupScene, cycle, stronger
from tests.fakes.federation import address
from tests.fakes.league import begin_division
from tests.fakes.machinery.clock import FakeClock

HEAD = """
tournament = "DM 2026"
class = "{group_class}"
group = "DM-26"
regulation = "email"
start = 2026-11-02
tl = "{leader}"
tl_name = "leader"
draw = false
"""
PLAYER = '[[players]]\nname = "{name}"\nemail = "{email}"\n'


def level(one: str, other: str) -> str:
    """The first two draw and win all else: level after Sonneborn-Berger and own game."""
    return "=" if {one, other} == {"S01", "S02"} else stronger(one, other)


async def dm(scene: CupScene, group_class: str = "DM", **citizens: bool | None) -> int:
    """A DM of four Danes; ``citizens`` by name where they are not, or where it is not known."""
    for name in ("S01", "S02", "S03", "S04"):
        await scene.admit(name, citizen=citizens.get(name, True))
    text = HEAD.format(group_class=group_class, leader=LEADER) + "".join(
        PLAYER.format(name=name, email=address(name)) for name in ("S01", "S02", "S03", "S04")
    )
    return (await start_group(scene.core, read_group_file(text))).id


async def published(scene: CupScene, clock: FakeClock) -> None:
    """A day goes, and the daily duty publishes what ended."""
    clock.wait(days=1)
    await publishing.daily(scene.core)


async def kept(scene: CupScene, group_id: int) -> list[tuple[str, int, bool, str]]:
    """The titles of a group: who, which year, shared, by which rule."""
    async with scene.core.store.read() as conn:
        rows = await result_rows.everything(conn, group_id=group_id)
    assert {row.title for row in rows} <= {Title.DANISH_CHAMPION}
    return [(row.name, row.edition, row.is_shared, row.paragraph) for row in rows]


async def playoff(scene: CupScene, group_id: int) -> StartedGroup:
    """The play-off that must start."""
    made = await start_playoff(scene.core, scene.people["leader"], group_id)
    assert isinstance(made, StartedGroup), made
    return made


async def test_6_5_2_the_winner_has_the_title_when_the_group_is_published(scene, clock):
    """§ 6.5.2: the best Danish citizen first. Verdict: kept with group, year and rule."""
    number = await dm(scene)
    await scene.play_out("DM-26")
    assert await kept(scene, number) == []
    await published(scene, clock)
    assert await kept(scene, number) == [("S01", 2026, False, "6.5.2")]
    (row,) = (await all_titles(scene.core))[Title.DANISH_CHAMPION]
    assert (row.group, row.source, row.day) == ("DM-26", "", "2026-11-02")


@pytest.mark.both_engines
async def test_6_5_2_a_level_first_place_waits_for_a_play_off_of_two_games(scene, clock):
    """§ 6.5.2: two level. Verdict: no title; two games, a colour each; the result decides."""
    number = await dm(scene)
    await scene.play_out("DM-26", level)
    await published(scene, clock)
    assert await kept(scene, number) == []
    made = await playoff(scene, number)
    async with scene.core.store.read() as conn:
        games = await game_rows.list_group_games(conn, made.id)
        group = await group_rows.find(conn, made.id)
    assert group is not None and (group.class_, group.tournament) == ("playoff", "DM 2026")
    assert {(row.white, row.black) for row in games} == {("S01", "S02"), ("S02", "S01")}
    await end_one(scene, made, "S02")
    await published(scene, clock)
    assert await kept(scene, number) == [], "one game of two decides nothing"
    await scene.play_out(made.name, lambda white, black: "=")
    await published(scene, clock)
    assert await kept(scene, number) == [("S02", 2026, False, "6.5.2")]
    async with scene.core.store.read() as conn:
        dm_group = await group_rows.find(conn, number)
        assert dm_group is not None
        table = (await table_in(conn, dm_group)).table
    assert [(line.player.name, line.place) for line in table.lines][:2] == [("S02", 1), ("S01", 2)]
    async with scene.core.store.read() as conn:
        standing = await read_final_standing(conn, group, await table_in(conn, group))
    assert table.lines[1].decided_by == "playoff"
    assert standing is not None, "the play-off's own final standing tells the title too"
    (award,) = standing.awards
    winner = next(line for line in standing.table.lines if line.player.name == "S02")
    assert award.holders == (str(winner.player.number),)


async def end_one(scene: CupScene, made: StartedGroup, winner: str) -> None:
    """The first game of a play-off is won by somebody."""
    row = (await scene.group_games(made.id))[0]
    won = "1" if row.white == winner else "0"
    await scene.end_game(row, won, scene.people["leader"])


async def test_6_5_2_still_level_after_the_play_off_they_share(scene, clock):
    """§ 6.5.2: three level, each meets each twice, all drawn. Verdict: the title is shared."""
    number = await dm(scene)
    await scene.play_out("DM-26", cycle(("S01", "S02", "S03")))
    await published(scene, clock)
    made = await playoff(scene, number)
    assert (made.games, set(made.players)) == (6, {"S01", "S02", "S03"})
    await scene.play_out(made.name, lambda white, black: "=")
    await published(scene, clock)
    shared = [(name, 2026, True, "6.5.2") for name in ("S01", "S02", "S03")]
    assert await kept(scene, number) == shared


async def test_6_5_2_those_who_agree_share_without_a_play_off(scene, clock):
    """§ 6.5.2: agreed. Verdict: a reason is wanted; shared at once; then it is settled."""
    number = await dm(scene)
    leader = scene.people["leader"]
    await scene.play_out("DM-26", level)
    await published(scene, clock)
    empty = await share_title(scene.core, leader, number, " ")
    assert empty == TieRefusal(TieProblem.NO_REASON)
    assert await share_title(scene.core, leader, number, "Begges breve af 3/11.") is None
    assert await kept(scene, number) == [
        ("S01", 2026, True, "6.5.2"), ("S02", 2026, True, "6.5.2"),
    ]  # fmt: skip
    again = await start_playoff(scene.core, leader, number)
    assert again == TieRefusal(TieProblem.SETTLED)
    async with scene.core.store.read() as conn:
        group = await group_rows.find(conn, number)
        assert group is not None
        standing = await read_final_standing(conn, group, await table_in(conn, group))
    assert standing is not None and standing.awards[0].awaits is None


async def test_a_result_that_is_ruled_otherwise_and_published_again_changes_the_title(scene, clock):
    """§ 6.4.5, § 6.5.2. Verdict: the title follows; the first one stays on record, taken away."""
    number = await dm(scene)
    await scene.play_out("DM-26")
    await published(scene, clock)
    rows = await scene.group_games(number)
    game = next(row for row in rows if {row.white, row.black} == {"S01", "S02"})
    won = Result.WHITE_WINS if game.white == "S02" else Result.BLACK_WINS
    clock.wait(days=1)
    ruled = ResultRuled(won, clock.today, "tl", "2026/1")
    origin = Origin(scene.core.clock.now(), scene.people["leader"].id, "web")
    await scene.core.writer.submit(EventsUnit(game.id, (ruled,), origin, poster_of(scene.core)))
    await published(scene, clock)
    assert await kept(scene, number) == [("S02", 2026, False, "6.5.2")]
    async with scene.core.store.read() as conn:
        everything = await conn.execute(select(titles.c.person_id, titles.c.removed_us))
    known = {person: removed is not None for person, removed in everything}
    assert known == {scene.people["S01"].id: True, scene.people["S02"].id: False}


async def test_only_a_level_dm_has_a_play_off_and_only_its_officials_start_it(scene, clock):
    """§ 6.5.2, § 6.1.1. Verdict: not while played, not where decided, not by a player."""
    number = await dm(scene)
    leader = scene.people["leader"]
    assert await start_playoff(scene.core, leader, number) == TieRefusal(TieProblem.NOT_LEVEL)
    await scene.play_out("DM-26", level)
    for name in ("S01", "S03"):
        with pytest.raises(NotAllowed):
            await start_playoff(scene.core, scene.people[name], number)
    yesterday = date(2026, 11, 2) - timedelta(days=1)
    past = await start_playoff(scene.core, leader, number, yesterday)
    assert past == TieRefusal(TieProblem.START)
    made = await playoff(scene, number)
    await annul_start(scene.core, leader, made.id, "Forkert dag.")
    assert (await playoff(scene, number)).name == "DM-26-omkamp", "taken back, the tie is open"


async def test_a_play_off_is_no_class_of_its_own(scene: CupScene) -> None:
    """§ 6.5.1.1: one DM a year. Verdict: the record has the DM alone; no file starts one."""
    number = await dm(scene)
    await scene.play_out("DM-26", level)
    await playoff(scene, number)
    async with scene.core.store.read() as conn:
        known = await knowledge(conn, scene.people["S01"].id, date(2026, 11, 3))
    assert known is not None
    assert [one.result.event for one in known.record] == [EmtClass.DM]
    assert known.history.groups == 1
    with pytest.raises(GroupFileError, match="play-off is started from its DM"):
        read_group_file(HEAD.format(group_class="playoff", leader=LEADER) + "".join(
            PLAYER.format(name=name, email=address(name)) for name in ("S01", "S02")
        ))  # fmt: skip


async def test_6_7_4_6_the_first_division_gives_its_club_the_title(scene, clock):
    """§ 6.7.4.6: the 1st division. Verdict: the club, without a person; the 2nd gives none."""
    first = await begin_division(scene.core, "DIV-1", ("Nord", "Syd"), start="2026-11-02")
    other = await begin_division(
        scene.core, "DIV-2", ("Ost", "Vest"), division=2, start="2026-11-02"
    )
    await scene.play_out("DIV-1", lambda white, black: "1" if "Nord" in white else "0")
    await scene.play_out("DIV-2", lambda white, black: "1" if "Ost" in white else "0")
    await published(scene, clock)
    async with scene.core.store.read() as conn:
        (row,) = await result_rows.everything(conn, group_id=first.id)
        assert await result_rows.everything(conn, group_id=other.id) == ()
    told = (row.title, row.name, row.person_id, row.edition, row.paragraph)
    assert told == (Title.TEAM_CHAMPION, "Nord", None, 2026, "6.7.4.6")


async def test_old_titles_are_entered_with_their_source_by_the_controller_alone(scene):
    """The trophy's history. Verdict: entered, refused, taken away; a name needs no person."""
    kc = scene.people["kc"]
    old = OldTitle(Title.CUP_CHAMPION, 1988, "Skakbladet 1989, s. 12", name="E. Olesen")
    number = await enter_title(scene.core, kc, old)
    assert isinstance(number, int)
    for told, fault in (
        (OldTitle(Title.CUP_CHAMPION, 2027, "s", name="E."), TitleFault.EDITION),
        (OldTitle(Title.CUP_CHAMPION, 1988, "s"), TitleFault.NAME),
        (OldTitle(Title.CUP_CHAMPION, 1988, " ", name="E."), TitleFault.SOURCE),
        (old, TitleFault.TWICE),
        (replace(old, source="Another book", name=" e.  OLESEN "), TitleFault.TWICE),
        (replace(old, name="Another"), TitleFault.TWICE),
        (replace(old, name="Another", is_shared=True), TitleFault.TWICE),
    ):
        assert await enter_title(scene.core, kc, told) is fault
    with pytest.raises(NotAllowed):
        await enter_title(scene.core, scene.people["leader"], old)
    with pytest.raises(NotAllowed):
        await enter_title(scene.core, kc, OldTitle(Title.CUP_CHAMPION, 1988, "s", kc.id))
    rows = await _cups(scene)
    assert [(row.name, row.paragraph, row.group) for row in rows] == [
        ("E. Olesen", "6.6.1.5", None)
    ]
    await remove_title(scene.core, kc, number)
    assert await _cups(scene) == ()
    leader = scene.people["leader"].id
    shared = [replace(old, is_shared=True), replace(old, name="", person_id=leader, is_shared=True)]
    for one in (*shared, replace(old, edition=1989), replace(old, title=Title.DANISH_CHAMPION)):
        assert isinstance(await enter_title(scene.core, kc, one), int), one
        assert await enter_title(scene.core, kc, one) is TitleFault.TWICE
    named = replace(shared[1], person_id=None, name=scene.people["leader"].name)
    assert await enter_title(scene.core, kc, named) is TitleFault.TWICE, "the same, by name alone"
    with pytest.raises(NoSuch):
        await remove_title(scene.core, kc, number)


async def _cups(scene: CupScene) -> tuple[TitleRow, ...]:
    async with scene.core.store.read() as conn:
        return await result_rows.everything(conn, Title.CUP_CHAMPION.value)


# § 6.5.2: who is champion where somebody who is no Danish citizen is first, or level on it.


async def told(scene: CupScene, number: int) -> str:
    """What the group's final standing says of the title."""
    async with scene.core.store.read() as conn:
        group = await group_rows.find(conn, number)
        assert group is not None
        standing = await read_final_standing(conn, group, await table_in(conn, group))
    assert standing is not None
    names = {line.player.number: line.player.name for line in standing.table.lines}
    return award_text(standing.awards[0], names, Words.load("da"))


@pytest.mark.parametrize("winner", ["S01", "S02"])
async def test_6_5_2_a_foreigner_and_a_citizen_level_play_off_before_anybody_is_champion(
    scene: CupScene, clock: FakeClock, winner: str
) -> None:
    """§ 6.5.2: S01 is foreign. Verdict: nobody yet; after it the citizen, whoever has won it."""
    number = await dm(scene, S01=False, S02=True)
    await scene.play_out("DM-26", level)
    await published(scene, clock)
    assert await kept(scene, number) == []
    assert "omkamp mellem" in await told(scene, number)
    async with scene.core.store.read() as conn:
        assert len(await publication_rows.list_group_publications(conn, number)) == 7, (
            "6 games and the group"
        )
    made = await playoff(scene, number)
    clock.wait(days=30)
    await scene.play_out(made.name, lambda one, other: "1" if one == winner else "0")
    await published(scene, clock)
    assert await kept(scene, number) == [("S02", 2026, False, "6.5.2")]
    citizens = ", bedst placerede danske statsborger" if winner == "S01" else ""
    title = "Danmarksmester i korrespondanceskak"
    assert await told(scene, number) == f"{title}: S02{citizens} (§ 6.5.2)."
    async with scene.core.store.read() as conn:
        rows = await publication_rows.list_group_publications(conn, number)
    assert [row.kind for row in rows[7:]] == [PublicationKind.STANDING], (
        "told again, with its champion"
    )
    await published(scene, clock)
    async with scene.core.store.read() as conn:
        assert await publication_rows.list_group_publications(conn, number) == rows, "once"


async def test_6_5_2_a_foreign_winner_leaves_the_title_to_the_best_placed_citizen(scene, clock):
    """§ 6.5.2: reading. Verdict: the second has it; where all are foreign, nobody."""
    number = await dm(scene, S01=False)
    await scene.play_out("DM-26")
    await published(scene, clock)
    assert await kept(scene, number) == [("S02", 2026, False, "6.5.2")]


async def test_6_5_2_who_may_be_no_dane_is_asked_about_before_he_is_champion(scene, clock):
    """§ 6.5.2: S01 won, unknown. Verdict: asked; a foreigner; then S02 is asked, and a Dane."""
    number = await dm(scene, S01=None, S02=None)
    await scene.play_out("DM-26")
    await published(scene, clock)
    assert await kept(scene, number) == []
    assert "Det er ikke oplyst, om S01 er det (§ 6.5.2)" in await told(scene, number)
    readers = [row.person_id for row in await scene.written("published")]
    assert readers.count(scene.people["kc"].id) == 1, "the controller is told that it waits"
    for name, is_dane in (("S01", False), ("S02", True)):
        assert [seat.name for seat in await _asked(scene, number)] == [name]
        async with scene.core.store.write() as conn:
            person = await person_rows.by_email(conn, address(name))
            assert person is not None
            await person_rows.change(conn, replace(person, citizen=is_dane))
    await check_all_titles(scene.core)
    assert await kept(scene, number) == [("S02", 2026, False, "6.5.2")]
    async with scene.core.store.write() as conn:
        await person_rows.change(conn, replace(person, citizen=None))
    await check_all_titles(scene.core)
    assert len(await kept(scene, number)) == 1, "a title on record stands while it is asked"


async def _asked(scene: CupScene, number: int) -> tuple[SeatRow, ...]:
    async with scene.core.store.read() as conn:
        group = await group_rows.find(conn, number)
        assert group is not None
        view = await tie_view(conn, group, await table_in(conn, group))
    return () if view is None else view.asked


async def test_6_5_2_the_best_placed_danes_share_or_play_off_behind_a_foreigner(scene, clock):
    """§ 6.5.2: S01 beats three who are level. Verdict: shared, then a play-off, then its winner."""
    number = await dm(scene, S01=False, S04=False)

    def level_behind(one: str, other: str) -> str:
        return "1" if one == "S01" else "0" if other == "S01" else "="

    await scene.play_out("DM-26", level_behind)
    await published(scene, clock)
    assert await kept(scene, number) == [("S02", 2026, True, "6.5.2"), ("S03", 2026, True, "6.5.2")]
    made = await playoff(scene, number)
    assert made.games == 2
    await check_all_titles(scene.core)
    assert await kept(scene, number) == []
    assert "omkamp mellem S02 og S03" in await told(scene, number)
    clock.wait(days=30)
    await scene.play_out(made.name, lambda one, other: "1" if one == "S03" else "0")
    await check_all_titles(scene.core)
    assert await kept(scene, number) == [("S03", 2026, False, "6.5.2")]
    async with scene.core.store.read() as conn:
        group = await group_rows.find(conn, number)
        assert group is not None
        lines = (await table_in(conn, group)).table.lines
    assert [line.place for line in lines] == [1, 2, 2, 2], "the table has S04 too, who did not play"
