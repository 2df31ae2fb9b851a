"""From a claim to the Board's last word through the pages alone, as people press their buttons."""

from html import unescape

from tests.fakes.cases import union_fee
from tests.fakes.site import MEMBERS, Site, officials
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import case_of, claimed, decided, letter_in, letters_go

LOST = {"reasons": "Tiden er brugt.\nSe regnskabet.", "paragraphs": "§ 6.3.3.1, § 6.3.3.3"}


async def test_a_claim_is_heard_decided_appealed_and_overturned(site: Site, browsers: Browsers):
    """§ 6.4.1-6.4.3: nobody types anything twice, and the game follows each instance."""
    await officials(site)
    path = await claimed(site, browsers)
    anna, tove = await browsers.of("anna"), await browsers.of("tove")
    status, text = await anna.get(path)
    assert status == 200 and "overskredet tiden?" in text
    await anna.post(f"{path}/say", {"text": "Jeg har sendt i tide."})
    assert "Jeg har sendt i tide." in (await tove.get(path))[1]
    early = await tove.post(f"{path}/decide", LOST | {"step": "draft"})
    assert early.status == 200 and "ikke hørt til ende" in unescape(await early.text())
    assert (await case_of(site)).state == "opened"
    assert (await tove.post(f"{path}/close", {"text": "Begge er hørt."})).status == 303
    text = await decided(tove, path, LOST)
    assert "Begrundelse: Tiden er brugt." in text
    assert (await case_of(site)).state == "decided"
    assert (await site.game()).result == "0-1"
    await letters_go(site)
    site.clock.turn(21)
    answer = await anna.post(f"{path}/appeal", {"text": "Kortet blev forsinket."})
    assert answer.status == 303, await answer.text()
    kaj = await browsers.of("kaj")
    status, text = await kaj.get("/desk")
    assert status == 200 and path in text, "an appeal lies on the controller's desk"
    anna_id = (await site.person("anna@example.org")).id
    game, number = await site.game(), (await case_of(site)).number
    again = {
        "reasons": "Mailen kom frem senere.",
        "paragraphs": "§ 6.8.5",
        f"annul-{number}/1": "1",
        f"grant-{anna_id}": "1",
        "white": "12",
        f"resume-{game.id}": site.clock.now().date().isoformat(),
    }
    text = await decided(kaj, path, again)
    assert f"Afgørelsen {number}/1 ophæves" in text
    game = await site.game()
    assert (game.result, game.state().white.total) == (None, 12)
    await letters_go(site)
    bent = await browsers.of("bent")
    assert "0,00 kr." not in (await bent.get(path))[1], "the amount is not known here"
    await union_fee(site.core, 500)
    unpaid = await bent.post(f"{path}/appeal", {"text": "Nej."})
    assert unpaid.status == 422 and "depositum" in await unpaid.text()
    paid = {"deposit": "500", "deposit_day": site.clock.now().date().isoformat()}
    assert (await bent.post(f"{path}/appeal", {"text": "Nej."} | paid)).status == 303
    nina = await browsers.of("nina")
    assert path in (await nina.get("/desk/board"))[1]
    last = {"reasons": "Stadfæstes.", "paragraphs": "§ 6.8.5"}
    bent_id = (await site.person("bent@example.org")).id
    came = {"person": str(bent_id), "act": "came", **paid}
    assert "det er ikke set modtaget" in unescape((await kaj.get(path))[1])
    assert (await kaj.post(f"{path}/deposit", came)).status == 303
    assert "er modtaget den" in unescape((await kaj.get(path))[1])
    assert (await nina.post(f"{path}/close", {"text": "Begge er hørt."})).status == 303
    alone = await nina.post(f"{path}/decide", last | {"step": "draft"})
    assert alone.status == 422 and "alle tre skal have stemt" in unescape(await alone.text())
    for name in MEMBERS:
        said = {"text": "Mailen burde tælle."}
        said |= {f"uphold-{bent_id}": "1"} if name == "nils" else {}
        assert (await (await browsers.of(name)).post(f"{path}/vote", said)).status == 303
    assert "Mailen burde tælle." in (await nina.get(path))[1]
    for reader in (anna, kaj, bent):
        assert "Mailen burde tælle." not in (await reader.get(path))[1], "the Board's own till then"
    text = letter_in(await decided(nina, path, last))
    assert "Kendelsen er afsagt med 2 stemmer mod 1." in text
    assert "Nils stemte imod: Mailen burde tælle." in text
    status, text = await anna.get(path)
    assert "Sagen er endeligt afgjort af Skaknævnet." in text
    assert (await site.game()).result is None
