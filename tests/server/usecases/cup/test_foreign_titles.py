"""§ 6.5.2: who is champion where somebody who is no Danish citizen is first, or level on it."""

import pytest

from mail.office_letters.bulletins import award_text
from mail.text.catalogue import Words
from server.store import groups as group_rows
from server.store.cases import publications as publication_rows
from server.store.cases.publications import PublicationKind
from server.usecases.groups.group_tables import read_final_standing, table_in
from tests.fakes.cups import CupScene
from tests.fakes.machinery.clock import FakeClock
from tests.server.usecases.cup.test_titles import dm, kept, level, playoff, published


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


async def test_6_5_2_a_foreign_winner_leaves_the_title_to_the_best_placed_citizen(
    scene: CupScene, clock: FakeClock
) -> None:
    """§ 6.5.2: reading. Verdict: the second has it; where all are foreign, nobody."""
    number = await dm(scene, S01=False)
    await scene.play_out("DM-26")
    await published(scene, clock)
    assert await kept(scene, number) == [("S02", 2026, False, "6.5.2")]
