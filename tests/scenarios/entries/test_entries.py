"""§ 6.4.4, § 6.5.1.1, § 6.5.2.1: from seven entries on the web to the first move by mail."""

from kskak.office.books import EntryKind
from server.store import groups as group_rows
from server.store.entries import EntryRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, Role
from server.usecases.entries.entry_actions import record_fee
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, enter
from server.usecases.office import books_for
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.told_once import scene
from tests.fakes.world import ANNA, KC, TL, World

EMAILS = (ANNA, *(f"spiller{number}@example.dk" for number in range(2, 8)))


async def _club(world: World) -> None:
    async with world.core.store.write() as conn:
        leader = NewPerson(name="T. Leder", email=TL, created_us=0, role=Role.TL)
        await person_rows.add_person(conn, leader)
        for number, email in enumerate(EMAILS, 1):
            new = NewPerson(
                name="Anna Ager" if email == ANNA else f"Spiller {number}", email=email,
                created_us=0, member=str(number), birth="1950-02-28",
            )  # fmt: skip
            await person_rows.add_person(conn, new)


club = scene(_club)
"""A leader and seven members, first-timers all; no group and no list."""


async def _open(world: World) -> None:
    async with browser(world) as kc:
        await kc.sign_in(KC)
        desk = await kc.get("/desk/entries")
        made = await kc.submit(
            desk, "/desk/entries/lists", name="EMT 2026, åben klasse", wish="emt Å",
            tournament="K-skak-EMT 2026", regulation="email", prefix="Å-26", leader=TL,
            fee_kr="200", how_to_pay="MobilePay 12345",
        )  # fmt: skip
        assert made.status == 200 and "EMT 2026, åben klasse" in made.text


async def _enter(world: World, email: str) -> None:
    async with browser(world) as one:
        await one.sign_in(email)
        page = await one.get("/enter")
        assert "Førstegangsdeltager" in page.text and "(§ 6.5.3.2 f)" in page.text
        done = await one.submit(page, "/enter", list="1")
        assert done.status == 200 and "venter" in done.text
    await world.pump()
    letter = world.letters(email)[-1]
    assert "Din tilmelding" in letter.subject
    for line in ("Indskuddet er ikke modtaget (§ 6.4.4.1)", "Indskud: 200,00 kr.", TL):
        assert line in letter.said, letter.said


async def _pay(world: World, *entries: int) -> None:
    async with browser(world) as tl:
        await tl.sign_in(TL)
        for entry in entries:
            page = await tl.get(f"/desk/entries/{entry}")
            done = await tl.submit(page, f"/desk/entries/{entry}/fee")
            assert done.status == 200, done.text
    await world.pump()


async def test_seven_enter_pay_and_play_their_first_move_by_mail(club: World) -> None:
    await _open(club)
    for email in EMAILS:
        await _enter(club, email)
    await _pay(club, *range(1, 7))
    told = club.letters(EMAILS[2])[-1].said
    assert "Du er nr. 3 på ventelisten, og der er 3 gyldige tilmeldinger" in told
    async with club.core.store.read() as conn:
        assert await group_rows.everything(conn) == ()
    await _pay(club, 7)
    async with club.core.store.read() as conn:
        (group,) = await group_rows.everything(conn)
        rows = await game_rows.list_group_games(conn, group.id)
    assert (group.name, len(rows), group.is_drawn) == ("Å-26-01", 21, True)
    assert group.seed
    for email in EMAILS:
        starts = [one for one in club.letters(email) if "Spiller 7" in one.said]
        assert starts, f"{email} has no start letter"
    club.clock.wait(days=7)
    await club.pump()
    person = await club.person(ANNA)
    club.game = next(row.id for row in rows if row.white_id == person.id)
    mine = [one for one in club.letters(ANNA) if one.reply_to and "+" in one.reply_to]
    game = (await club.row()).name
    first = next(one for one in mine if game in one.said)
    anna = Player(club)
    assert await anna.reply("5254", first) == "moved"
    assert await club.kinds() == ["MoveSent"]
    await club.assert_whole(also=EMAILS)


async def _fees(world: World) -> list[tuple[str, str, int, str]]:
    found = await books_for(world.core, await world.person(KC))
    lines = [line.entry for line in found.lines if line.entry.kind is EntryKind.FEE]
    return [(e.tournament, e.party, e.ore, e.text) for e in lines]


async def test_a_fee_that_has_come_stands_in_the_tournaments_account_once(club: World) -> None:
    """§ 6.1.2, § 6.4.4.1: when received, not when entered; the controller pays back."""
    await _open(club)
    await _enter(club, ANNA)
    assert await _fees(club) == []
    await _pay(club, 1)
    fee = ("K-skak-EMT 2026", "Anna Ager", 20_000, "EMT 2026, åben klasse")
    assert await _fees(club) == [fee]
    await record_fee(club.core, await club.person(TL), 1, club.clock.now().date())
    assert await _fees(club) == [fee]
    async with browser(club) as anna:
        await anna.sign_in(ANNA)
        assert (await anna.submit(await anna.get("/enter"), "/enter/1/withdraw")).status == 200
    assert await _fees(club) == [fee]


async def test_a_player_whom_the_leader_enters_with_his_fee_is_in_the_account_too(club):
    await _open(club)
    tl, player = await club.person(TL), await club.person(EMAILS[1])
    asked = EntryRequest(1, EntryStatement(), player=player.id, fee=club.clock.now().date())
    assert isinstance(await enter(club.core, tl, asked), EntryRow)
    assert [(party, ore) for _, party, ore, _ in await _fees(club)] == [("Spiller 2", 20_000)]
