"""A whole cup through the server: entries, rounds, ties, the trophy. § 6.6, on both databases.

The pages are asked over HTTP as leader, controller and visitor do; games end the quick way.
"""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kskak.cup import semifinal_groups
from kskak.entries.emt import EmtClass
from server.store import cup as cup_rows
from server.usecases.cup.cup_views import CupFacts, facts_in
from server.usecases.entries.entry_judging import classes_view
from tests.fakes.cups import CupScene, cup_scene, cycle
from tests.fakes.federation import address
from tests.fakes.machinery.browser import browser
from tests.fakes.world import KC, TL, World, world_of


@pytest.fixture
async def cup(database_url: str, tmp_path: Path) -> AsyncIterator[tuple[World, CupScene]]:
    """14 players for the first round, 8 who enter at the semi-final; no cup yet."""
    async with world_of(database_url, str(tmp_path)) as world:
        scene = await cup_scene(world.core)
        await scene.players(22)
        yield world, scene


async def facts(scene: CupScene) -> CupFacts:
    """The cup as it stands."""
    async with scene.core.store.read() as conn:
        row = await cup_rows.find(conn, scene.cup)
        assert row is not None
        return await facts_in(conn, row)


async def enter_all(world: World, scene: CupScene) -> None:
    """The leader enters everybody who wrote and paid; the 8 strongest begin at the semi-final."""
    async with browser(world) as tl:
        await tl.sign_in(TL)
        for number, name in enumerate(sorted(set(scene.people) - {"leader", "kc"}), 1):
            wish = "semi" if number <= 8 else "preliminary"
            desk = await tl.get("/desk/entries")
            done = await tl.submit(
                desk, "/desk/entries", email=address(name), list=str(scene.lists[wish].id),
                fee="2026-11-01",
            )  # fmt: skip
            assert done.status == 200 and "gyldig" in done.text, done.text[-600:]


async def opened(world: World, scene: CupScene) -> None:
    """The controller opens the cup of the year."""
    async with browser(world) as kc:
        await kc.sign_in(KC)
        desk = await kc.get("/desk/cups")
        lists = {wish: str(row.id) for wish, row in scene.lists.items()}
        made = await kc.submit(
            desk, "/desk/cups", edition="2026", list=lists["preliminary"], semi_list=lists["semi"]
        )
        assert made.status == 200 and "Turneringen er åbnet." in made.text
        scene.cup = int(made.path.rpartition("/")[2].partition("?")[0])


async def drawn(world: World, scene: CupScene, stage: str, **choice: str) -> str:
    """The leader presses the button; the page's text afterwards."""
    async with browser(world) as tl:
        await tl.sign_in(TL)
        desk = await tl.get(f"/desk/cups/{scene.cup}")
        forms = [form for form in desk.forms if form.fields.get("stage") == stage]
        assert len(forms) == 1, f"one form draws {stage}"
        fields = forms[0].fields | choice
        done = await tl.post(f"/desk/cups/{scene.cup}/draw", fields)
    await world.pump()
    return done.text


async def public(world: World, path: str) -> str:
    """A page as a visitor reads it."""
    async with browser(world) as anybody:
        return " ".join((await anybody.get(path)).text.replace("\N{NO-BREAK SPACE}", " ").split())


async def first_round(world: World, scene: CupScene) -> tuple[list[str], list[str]]:
    """Two groups of 7 drawn and played; in the second, three are level on the third place."""
    said = await drawn(world, scene, "preliminary")
    assert "Runden er trukket" in said
    one, two = await scene.members("P-26-01"), await scene.members("P-26-02")
    assert (len(one), len(two)) == (7, 7) and not set(one) & set(two)
    await scene.play_out("P-26-01")
    order = sorted(two)
    world.clock.wait(days=1)
    await world.pump()
    last = world.letters(address(sorted(one)[0]))[-1].said
    assert "når rundens andre grupper er spillet færdig" in " ".join(last.split())
    await scene.play_out("P-26-02", cycle(order[2:5]))
    world.clock.wait(days=1)
    await world.pump()
    return sorted(one), order


async def goes_on(world: World, name: str) -> str:
    """What the newest letter tells a player of his going on (§ 6.6.1.3)."""
    said = " ".join(world.letters(address(name))[-1].said.split())
    return next((one for one in ("Du går videre til", "ikke videre til") if one in said), "")


@pytest.mark.both_engines
async def test_a_whole_cup_from_the_entries_to_the_trophy(cup):
    """§ 6.6.1.1-6.6.1.6, § 6.6.2: each round computed, drawn, played; three share the title."""
    world, scene = cup
    await opened(world, scene)
    await enter_all(world, scene)
    assert "14 gyldige tilmeldinger" in await public(world, "/cup/2026")
    one, two = await first_round(world, scene)
    told = [await goes_on(world, name) for name in (one[0], one[6], two[4], two[5])]
    assert told == ["Du går videre til", "ikke videre til"] * 2, "both groups know it now"

    shown = await public(world, "/cup/2026")
    assert shown.count("videre lige, § 6.6.1.4") == 3, "three level on the third place go on"
    assert shown.count("videre § 6.6.1.3") == 5
    refused = await drawn(world, scene, "semi")
    assert "Der mangler 5 for at fylde grupperne" in refused
    gone = {f"without-{scene.people[name].id}": "1" for name in (one[2], two[1])}
    refused = await drawn(world, scene, "semi", **gone)
    assert "Skriv en begrundelse" in refused
    said = await drawn(world, scene, "semi", reason="De har meldt fra.", **gone)
    assert "Runden er trukket" in said

    semi = (await facts(scene)).rounds[1]
    field = {place.player: place.way for place in semi.places}
    assert [name for name, way in field.items() if way == "direct"] and len(field) == 14
    assert {name for name, way in field.items() if way == "level"} == set(two[2:5])
    assert {name for name, way in field.items() if way == "placed"} == {*one[:2], two[0]}
    assert {place.player for place in semi.declined} == {one[2], two[1]}
    await check_the_lot(scene, semi.draw.seed)
    letters = " ".join(letter.said for letter in world.letters(address("S01")))
    assert "pokalturneringen, semifinalen" in letters, "the start letter names the round"

    await scene.play_out("P-26-S1")
    await scene.play_out("P-26-S2")
    await world.pump()
    early = await drawn(world, scene, "final")
    assert "før fristen for indsigelser mod resultaterne er ovre" in early
    said = await drawn(world, scene, "final", reason="Ingen gør indsigelse.")
    finalists = sorted(await scene.members("P-26-F"))
    assert len(finalists) == 4 and "P-26-F" in said
    await scene.play_out("P-26-F", cycle(finalists[:3]))
    world.clock.wait(days=1)  # the daily duty publishes, and the titles are kept (§ 6.4.5)
    await world.pump()
    await over(world, scene, finalists)


async def check_the_lot(scene: CupScene, seed: str) -> None:
    """Anybody can draw the semi-final again from the seed that the page shows (§ 6.6.1.2)."""
    semi = (await facts(scene)).rounds[1]
    people = sorted(place.person_id for place in semi.places)
    kept = [
        {place.person_id for place in semi.places if place.group_id == one.group.group_id}
        for one in semi.groups
    ]
    again = semifinal_groups([str(person) for person in people], seed)
    assert [{people[index] for index in group} for group in again] == kept


async def over(world: World, scene: CupScene, finalists: list[str]) -> None:
    """The title is shared by three, their names are on the trophy, the rights are there."""
    three = finalists[:3]
    page = await public(world, "/cup/2026")
    assert "deler titlen som pokalmester" in page and "§ 6.6.1.5" in page
    index, titles = await public(world, "/cup"), await public(world, "/titles")
    for name in three:
        assert name in index and f"{name} (delt)" in titles
    assert f"{finalists[3]} (delt)" not in titles
    winner = scene.people[three[0]]
    assert "Pokalmester i korrespondanceskak 2026 (delt)" in await public(
        world, f"/players/{winner.id}"
    )
    group = await public(world, "/groups/P-26-F")
    assert "Pokalmester i korrespondanceskak, delt" in group and "Finale" in group
    for name in three:
        view = await classes_view(scene.core, scene.people[name], scene.people[name].id)
        by = [right.paragraph for right in view.answers[EmtClass.DM].by]
        assert by == ["6.6.2.2"], "each who shares the first place may enter the DM"
    last = await classes_view(scene.core, scene.people[finalists[3]], scene.people[finalists[3]].id)
    assert not last.answers[EmtClass.DM].is_allowed
    assert re.search(r"ret til DM-klassen indtil .* 2028 \(§ 6\.6\.2\.2\)", group)
    await world.assert_whole(tuple(person.email for person in scene.people.values()))
