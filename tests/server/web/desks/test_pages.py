"""Lists and accounts: my games, statement, group, player, leave, mailbox."""

import json
import re
from fractions import Fraction

from sqlalchemy import update

from kskak.regulation.editions import Side
from mail.text.catalogue import halves
from server.store.play import requests as request_rows
from server.store.play.people import Office, Role
from server.store.tables.base import people
from server.usecases.games.outbox_letters import (
    PlayerQuestion,
    QuestionKind,
    ReplyPosition,
    new_key,
)
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from server.web.desks.desk_pages import link_addresses
from tests.fakes.site import Site, group_text, officials
from tests.server.web.conftest import OWN, Browser, Browsers


async def test_my_games_stand_by_urgency_each_with_its_days_once(browsers: Browsers, site: Site):
    await start_group(site.core, read_group_file(group_text("K-26-02")))
    site.clock.turn(6)
    await site.play(await site.game("K-26-01/3"), "d4")
    text = (await (await browsers.of("anna")).get("/"))[1]
    assert "Du er i trækket i 3 partier." in text
    days = [int(found) for found in re.findall(r"(\d+) dage tilbage", text)]
    assert days == sorted(days) and len(days) == 3


async def test_the_last_day_in_time_is_the_one_before_the_first_too_late(site, anna, game):
    """§ 6.3.3.1: exactly the limit is within; received 1 September, 40 days: 11 October."""
    assert ">senest 11/10<" in (await anna.get(f"/games/{game.id}"))[1]
    site.clock.turn(40)
    await site.play(game, "e4", days=0)
    assert (await site.game()).state().overstep is None


async def test_what_is_left_is_left_today_not_at_receipt(browsers: Browsers, site: Site):
    """§ 6.8.6: received 1 September, looked at on the 31st day of 40."""
    site.clock.turn(30)
    path = f"/games/{(await site.game()).id}/statement"
    text = (await (await browsers.of("anna")).get(path))[1]
    assert "30 af 40 dage" in text
    assert "Tilbage: 10 dage" in text


async def test_the_statement_names_every_exempt_day_with_its_paragraph(browsers, site):
    """§ 6.3.6.2: sent 15 December, answered 2 January: 17 steps, 12 of them holiday."""
    winter = group_text("K-26-03").replace("2026-09-01", "2026-12-15")
    await start_group(site.core, read_group_file(winter))
    site.clock.turn(105)
    game = await site.game("K-26-03/1")
    await site.play(game, "e4", days=0)
    await site.play(game, "e5", days=18)
    path = f"/games/{game.id}/statement"
    anna = await browsers.of("anna")
    status, text = await anna.get(path)
    assert status == 200
    assert "obligatorisk ferie" in text
    assert "6.3.6.2" in text
    assert "Modt. Sendt Tid" in text
    document = json.loads((await anna.get(f"{path}.json"))[1])
    assert document["format"] == "kskak-clock/1"
    assert document["moves"][1]["days"] == 5
    assert document["moves"][1]["exempt"][0]["paragraph"] == "6.3.6.2"
    assert (await anna.get(f"{path}.txt"))[1].startswith("Modt. Sendt Tid")


async def test_public_pages_show_points_and_no_address(browsers, site):
    # The group page shows points and colours to everybody.
    game = await site.game("K-26-01/2")
    for text in ("f3", "e5", "g4", "Dh4"):
        await site.play(game, text)
    status, text = await (await browsers.stranger()).get("/groups/K-26-01")
    assert status == 200
    bent = text[text.index("Bent Bæk") : text.index("Søren Sø")]
    assert f'href="/games/{game.id}"><span>1</span><span class="colour">sort' in bent
    assert "anna@example.org" not in text
    # A player page never shows an address.
    anna = await site.person("anna@example.org")
    status, text = await (await browsers.of("bent")).get(f"/players/{anna.id}")
    assert status == 200
    assert "Nordre Skakklub" in text
    assert "anna@example.org" not in text
    # A group that breaks a paragraph on purpose says so.
    keys = 'override = "6.5.1.1"\noverride_reason = "Kun fire meldte sig."'
    await start_group(site.core, read_group_file(group_text("K-26-03", extra=keys)))
    _, text = await (await browsers.of("anna")).get("/groups/K-26-03")
    assert "afvigelse fra § 6.5.1.1: Kun fire meldte sig." in text


async def test_leave_is_booked_listed_and_refused_with_what_would_do(site: Site, anna: Browser):
    soon = {"first": "2026-09-03", "last": "2026-09-10"}
    answer = await anna.post("/leave", soon)
    text = await answer.text()
    assert answer.status == 422
    assert "7. september 2026" in text
    assert "§ 6.3.6.1" in text
    assert 'value="2026-09-03"' in text
    assert (await anna.post("/leave", {"first": "", "last": "x"})).status == 422
    answer = await anna.post("/leave", {"first": "2026-09-10", "last": "2026-09-20"})
    assert answer.headers["Location"] == "/leave?booked=1"
    text = (await anna.get("/leave"))[1]
    assert "10. september 2026" in text
    september = re.search(r'<tr class="at(\d)"><th scope="row">september.*?</tr>', text, re.DOTALL)
    assert september and september[1] == "2", "1 September 2026 is a Tuesday"
    own = re.findall(r'<td class="own" title="[^"]+"><span class="date">(\d+)<', september[0])
    assert own == [str(day) for day in range(10, 21)]
    assert (await site.game()).state().bookings


async def test_the_mailbox_is_there_only_while_no_mail_leaves(site: Site, stranger: Browser):
    assert (await stranger.get("/mailbox"))[0] == 200
    sending = site.core.settings.model_copy(
        update={
            "mail": site.core.settings.mail.model_copy(
                update={"out": site.core.settings.mail.out.model_copy(update={"host": "mx"})}
            )
        }
    )
    object.__setattr__(site.core, "settings", sending)
    for path in ("/mailbox", "/mailbox/1", "/mailbox/1/raw"):
        assert (await stranger.get(path))[0] == 404


def test_text_of_mails_and_scores():
    # A mails text is shown with links to this site alone.
    text = "Se <b>http://127.0.0.1:8080/games/7</b> og http://evil.example/x & mere"
    shown = link_addresses(text, "http://127.0.0.1:8080")
    assert '<a href="/games/7">http://127.0.0.1:8080/games/7</a>' in shown
    assert "&lt;b&gt;" in shown
    assert "<a" not in shown.split("og ")[1]
    # Scores are written as chess writes them.
    assert [halves(points) for points in map(Fraction, (0, 0.5, 1, 2.5))] == ["0", "½", "1", "2½"]


async def test_a_question_in_a_mail_is_shown_by_its_link_and_answered_by_its_button(browsers, site):
    game, key = await site.game(), new_key()
    anna, now = await site.person("anna@example.org"), site.core.now_us
    position = ReplyPosition(game.id, 0, Side.WHITE)
    asking = PlayerQuestion(QuestionKind.RESIGN, key, anna.id, position, now, now)
    async with site.core.store.write() as conn:
        await request_rows.add(conn, asking.row())
    visitor = await browsers.stranger()
    for _ in range(2):
        status, text = await visitor.get(f"/c/{key}")
        assert status == 200
        assert "Vil du opgive?" in text
    assert (await site.game()).result is None
    assert (await visitor.post(f"/c/{key}", {"answer": "perhaps"})).status == 200
    answer = await visitor.http.post(f"/c/{key}", data={"answer": "yes"}, headers=OWN)
    assert "det er noteret" in await answer.text()
    assert (await site.game()).result == "0-1"
    assert (await visitor.get(f"/c/{key}"))[0] == 410


async def test_the_cards_desk_is_for_those_who_lead(site: Site, browsers: Browsers):
    """§ 6.2.1: the group's leader, one who leads all, the controller; the others see none."""
    await officials(site)
    await site.admit("alle", Office.TL)
    seen = {}
    for who in ("tove", "alle", "kaj", "nina", "anna"):
        seen[who] = (await (await browsers.of(who)).get("/desk/cards"))[0]
    assert seen == {"tove": 200, "alle": 200, "kaj": 200, "nina": 404, "anna": 404}


async def test_the_server_is_looked_at_by_administrators_alone(site: Site, browsers: Browsers):
    await officials(site)
    for who in ("tove", "kaj", "anna"):
        assert (await (await browsers.of(who)).get("/desk/server"))[0] in (403, 404), who
    async with site.core.store.write() as conn:
        tove = people.c.email == "tove@example.org"
        await conn.execute(update(people).where(tove).values(role=Role.ADMIN.value))
    status, text = await (await browsers.of("tove")).get("/desk/server")
    assert status == 200 and "Der er ingen kopi i" in text and "kskak backup" in text
    assert 'href="/desk/server"' in text
