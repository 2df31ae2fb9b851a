"""§ 6.5.2.1, § 6.6.1.2, § 6.7.4.2: the lots' seed follows from the names and the ledgers."""

from sqlalchemy import select

from kskak.groups.schedule import seed_of_lots
from mail.text.catalogue import Words
from server.store.play import games as game_rows
from server.store.tables.base import events, games
from server.usecases.groups.group_file import draw_seed, read_group_file
from server.usecases.letters import start_letter
from server.usecases.starts.start_group import start_judged
from tests.fakes.site import Site, group_text

NAMES = ["Hvid", "Sort"]


def test_the_seed_has_the_head_and_the_names_in_any_order():
    """By hand: the head's first 16 figures; one name more, or another head, is another seed."""
    seed = seed_of_lots(bytes(range(32)), NAMES)
    assert seed.startswith("0001020304050607-") and len(seed) == 33
    assert seed == seed_of_lots(bytes(range(32)), NAMES[::-1])
    assert (
        seed[17:] == seed_of_lots(b"x" * 32, NAMES)[17:] != seed_of_lots(b"", [*NAMES, "A"])[-16:]
    )


async def test_the_head_is_the_last_event_at_the_closing_and_no_later_one(site: Site):
    """Two moves a day apart, and the instants on both sides of each."""
    assert await _seed(site, site.core.now_us) != await _seed(site, site.core.now_us), "chance"
    for text in ("e4", "e5"):
        await site.play(await site.game(), text)
    async with site.core.store.read() as conn:
        first, second = (await conn.execute(select(events).order_by(events.c.seq))).all()
        group = (await conn.execute(select(games.c.group_id))).scalars().first()
        heads = [
            await game_rows.head_at(conn, at, of)
            for at in (first.at_us - 1, first.at_us, second.at_us - 1, second.at_us)
            for of in ((), (group,), (group + 1,))
        ]
    assert heads == [
        None, None, None, first.hash, first.hash, None,
        first.hash, first.hash, None, second.hash, second.hash, None,
    ]  # fmt: skip


async def _seed(site: Site, at_us: int) -> str:
    async with site.core.store.read() as conn:
        return await draw_seed(conn, NAMES, at_us)


async def test_no_seed_of_a_leader_s_counts_and_a_given_order_is_shown_as_one(site: Site):
    """Ten tries with a seed, and moves in between: one order all day; the next day another."""
    await site.play(await site.game(), "e4")
    site.clock.turn(days=1)
    file = read_group_file(
        group_text("K-26-02").replace("draw = false", "").replace('"K"', '"theme"')
    )
    seeds = set()
    for number in range(10):
        named = {"group": f"T-{number}", "seed": f"wished {number}"}
        started = await start_judged(site.core, file.model_copy(update=named))
        seeds.add(started.seed)
        assert started.notes[0].startswith("seed: is not used"), started.notes
        if number < 3:
            await site.play(await site.game(), ("e5", "Sf3", "Sc6")[number], days=0)
    assert len(seeds) == 1
    site.clock.turn(days=1)
    again = await start_judged(site.core, file.model_copy(update={"group": "T-10"}))
    assert again.seed not in seeds and again.notes == ()
    given = await start_judged(
        site.core, file.model_copy(update={"group": "T-11", "draw": False, "seed": "x"})
    )
    assert (given.seed, given.notes) == (None, ())
    for name, word in (("T-10", f"nøgle: {again.seed}"), ("T-11", "givet af turneringslederen")):
        letter = await start_letter(site.core, await site.person("anna@example.org"), name)
        assert word in str(letter.on_paper(Words.load("da")))
