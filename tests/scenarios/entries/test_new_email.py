"""§ 6.8.5: an official changes a player's e-mail address; who is told of it, and what goes on."""

import pytest

from server.usecases.register.csv_table import RegisterEditor, RegisterKind, Rules
from server.usecases.register.member_import import MemberEditRequest, edit_member
from server.usecases.register.register_desk import import_file
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, KC, TL, World

NEW = "anna.ny@example.dk"


async def _changed(world: World, email: str) -> None:
    """The controller changes Anna's address by hand, though she uses it herself."""
    anna, kaj = await world.person(ANNA), await world.person(KC)
    edit = MemberEditRequest(anna.id, {"email": email}, "har ringet", "web", take_email=True)
    done = await edit_member(world.core, kaj, edit)
    assert done.person_id == anna.id, done.line
    await world.pump()


@pytest.mark.both_engines
async def test_opponent_and_leader_learn_the_new_address_and_the_old_one_is_warned(world, anna):
    assert await anna.reply("e4") == "moved"
    counts = {who: len(world.letters(who)) for who in (ANNA, BO, TL)}
    await _changed(world, NEW)
    (to_bo,), (to_leader,) = world.letters(BO, counts[BO]), world.letters(TL, counts[TL])
    for letter in (to_bo, to_leader):
        assert "Anna Ager" in letter.said and NEW in letter.said and "6.8.5" in letter.said
    (warning,) = world.letters(ANNA, counts[ANNA])
    assert "skriv straks til" in warning.said and NEW not in warning.said
    assert "drift@example.org" in warning.said
    assert world.letters(NEW) == []
    bo = Player(world, BO, layout="outlook", lang="en")
    assert await bo.reply("1... e5") == "moved"
    assert len(world.letters(NEW)) == 1, "the relay goes to the new address"
    await world.assert_whole(also=(NEW,))


async def test_a_file_that_changes_the_address_tells_the_same_people_once(world: World) -> None:
    counts = {who: len(world.letters(who)) for who in (ANNA, BO, TL)}
    kaj = await world.person(KC)
    doer = RegisterEditor(kaj.id, "web", "medlemsliste", False)
    anna = await world.person(ANNA)
    text = f"Navn;Nr;Mail\nAnna Ager;4711;{NEW}\n"
    await edit_member(
        world.core,
        kaj,
        MemberEditRequest(anna.id, {"number": "4711"}, "nummer", "web", take_email=True),
    )
    await world.pump()
    assert {who: len(world.letters(who)) for who in counts} == counts, "no address has changed"
    rules = Rules(take_emails=True)
    for _ in range(2):
        assert (
            await import_file(world.core, RegisterKind.MEMBERS, text.encode(), doer, rules)
        ).is_done
        await world.pump()
    for who in (ANNA, BO, TL):
        assert len(world.letters(who, counts[who])) == 1


async def test_a_postal_opponent_is_not_told_of_a_mail_he_does_not_write_to(lite: World) -> None:
    anna = Player(lite)
    await anna.reply("opgiver")
    assert await anna.reply("ja") == "resigned"
    await lite.begin("P-26-01", regulation="postal")
    counts = {who: len(lite.letters(who)) for who in (ANNA, BO, TL)}
    await _changed(lite, NEW)
    assert [len(lite.letters(who, counts[who])) for who in (ANNA, BO, TL)] == [1, 0, 0]


async def test_a_warning_that_comes_back_stops_nobodys_time(lite: World) -> None:
    """The old address may be gone: that is why it was changed."""
    await _changed(lite, NEW)
    (row,) = await lite.outbox("readdressed")
    assert (row.to_addr, row.game_id, row.state) == (ANNA, None, "sent")
