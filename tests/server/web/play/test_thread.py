"""The quiet thread: a message without a move is a letter and a line on the page, nothing else."""

import re

from mail.game_letters.move_letters import ThreadLetter
from server.store.mail.outbox import OutboxRow
from server.store.play import notes_and_messages as note_rows
from server.store.play.games import GameRow
from server.usecases.play import private_side
from tests.fakes.machinery.each import rows
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browser, Browsers


async def _write(browser: Browser, path: str, text: str, key: str) -> tuple[int, str]:
    answer = await browser.post(f"{path}/thread", {"message": text, "key": key})
    return answer.status, await answer.text()


async def _letters(site: Site) -> list[OutboxRow]:
    return (await site.written(ThreadLetter.kind))[::-1]


async def _unread(site: Site, name: str) -> int:
    game, person = await site.game(), await site.person(f"{name}@example.org")
    async with site.core.store.read() as conn:
        return (await note_rows.unread_of(conn, person.id, [game.id])).get(game.id, 0)


async def test_a_message_without_a_move_is_kept_sent_and_no_answer(browsers, site, path):
    """§ 6.2.1, § 6.8.6: no event, no day, no turn; Bent's silence is as long as before."""
    await site.play(await site.game(), "e4")
    before = await site.game()
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    for _ in range(2):
        assert (await _write(bent, path, "God jul!\nBent", "k1"))[0] == 303
    assert await site.game() == before
    (letter,) = await _letters(site)
    assert letter.person_id == before.white_id
    assert await _unread(site, "anna") == 1 and await _unread(site, "bent") == 0
    first, again = (await anna.get(path))[1], (await anna.get(path))[1]
    assert "God jul!\nBent" in first and "<strong>ny</strong>" in first
    assert "God jul!\nBent" in again and "<strong>ny</strong>" not in again
    assert await _unread(site, "anna") == 0


async def test_the_page_of_the_letters_link_shows_what_is_new_once(path, anna, bent):
    await _write(bent, path, "Hej", "k1")
    shown = [(await anna.get(f"{path}/private"))[1] for _ in range(2)]
    assert ["<strong>ny</strong>" in page for page in shown] == [True, False]
    assert "<strong>ny</strong>" not in (await bent.get(f"{path}/private"))[1]


async def test_what_went_with_moves_stands_in_the_same_thread_in_order(browsers, site, path):
    await site.play(await site.game(), "e4", message="Den første")
    site.clock.turn(1)
    await _write(await browsers.of("bent"), path, "Den anden", "k1")
    await site.play(await site.game(), "e5", message="Den tredje")
    page = (await (await browsers.of("anna")).get(path))[1]
    page = page.partition('id="thread"')[2]
    places = [page.index(text) for text in ("Den første", "Den anden", "Den tredje")]
    assert places == sorted(places)
    assert page.count("sammen med et træk") == 2


async def test_its_letter_says_that_nobody_moved_and_carries_no_key(browsers, site, path):
    """An answer to it by mail must never be a move."""
    await site.play(await site.game(), "e4")
    await _write(await browsers.of("anna"), path, "Kender du e5? Eller c5 opgiver", "k1")
    (letter,) = await _letters(site)
    mail = await site.composed(letter)
    text = mail.get_body(("plain",)).get_content()  # type: ignore[attr-defined]
    assert "Kender du e5?" in text
    assert "Anna Andersen har skrevet til dig om partiet, uden at trække." in text
    assert f"{path}/private#thread" in text
    assert mail["Subject"] == "Anna Andersen: en besked uden træk [K-26-01/2]"
    assert "+" not in f"{mail['Reply-To']}{mail['Message-ID']}{mail['References']}{mail['From']}"


async def test_who_wants_no_letters_has_the_messages_on_the_page(site, path, anna, bent):
    assert (await anna.post(f"{path}/thread", {"deed": "quiet"})).status == 303
    assert "Du får ingen mails om beskeder" in (await anna.get(path))[1]
    await _write(bent, path, "Stille", "k1")
    assert await _letters(site) == []
    assert await _unread(site, "anna") == 1
    assert "Stille" in (await anna.get(path))[1]
    await anna.post(f"{path}/thread", {"deed": "loud"})
    await _write(bent, path, "Højt", "k2")
    assert len(await _letters(site)) == 1


@rows(
    "text said",
    ("  ", "Skriv beskeden først."),
    ("x" * 2001, "højst 2000 tegn og 40 linjer"),
    ("a\n" * 41 + "b", "højst 2000 tegn og 40 linjer"),
)
async def test_a_message_that_is_not_taken_stays_in_its_field(browsers, site, path, text, said):
    status, page = await _write(await browsers.of("anna"), path, text, "k1")
    assert status == 422
    assert said in page and text.strip() in page
    assert await _letters(site) == []


async def test_nobody_is_flooded(monkeypatch, browsers, site, path):
    """§ 6.8 gives no right to be written to; a day later one may again."""
    monkeypatch.setattr(private_side, "MOST_A_DAY", 3)
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    found = [await _write(anna, path, f"Nr. {n}", f"k{n}") for n in range(4)]
    assert [status for status, _ in found] == [303, 303, 303, 422]
    assert "Nr. 3</textarea>" in found[-1][1] and "Vent til i morgen" in found[-1][1]
    assert (await _write(bent, path, "Svar", "k1"))[0] == 303, "the other's count is his own"
    assert len(await _letters(site)) == 4
    site.clock.turn(1)
    assert (await _write(anna, path, "Nr. 3", "k3"))[0] == 303


async def test_officials_have_the_thread_in_the_file_and_not_on_the_page(browsers, site, path):
    """§ 6.2.3: the leader can demand the correspondence; a visitor of the finished game can't."""
    await officials(site)
    await site.play(await site.game(), "f3", message="Med træk")
    await _write(await browsers.of("anna"), path, "Uden træk", "k1")
    for text in ("e5", "g4", "Dh4"):
        await site.play(await site.game(), text)
    for name in ("tove", "kaj", "soren", "ole"):
        status, page = await (await browsers.of(name)).get(path)
        assert status == 200 and "træk</p>" not in page, name
    page = (await (await browsers.stranger()).get(path))[1]
    assert "Uden træk" not in page and "Med træk" not in page
    for name, is_theirs in (("tove", True), ("kaj", True), ("ole", False)):
        answer = await (await browsers.of(name)).http.get(f"{path}/case.zip")
        sent = await answer.read()
        assert (b"thread.json" in sent) == is_theirs, name


async def test_a_message_stands_beside_the_move_it_came_with_for_the_players_alone(
    browsers: Browsers, site: Site, path: str, game: GameRow
):
    await site.play(game, "e4", "Hej Bent")
    await site.play(game, "e5", "Hej Anna")
    anna = (await (await browsers.of("anna")).get(path))[1]
    top = anna.partition('id="moves"')[2].partition('id="score"')[0]
    assert "Bent Bæk skrev med trækket" in top and "Hej Anna" in top and "Hej Bent" not in top
    bent = (await (await browsers.of("bent")).get(path))[1]
    assert "skrev med trækket" not in bent, "his own words are not told to him"
    rows = anna.partition('id="score"')[2].partition("</table>")[0]
    first, second = rows.split("Besked fra ")[1:]
    assert first.startswith("Anna Andersen med 1. e4") and "Hej Bent" in first
    assert second.startswith("Bent Bæk med 1… e5") and "Hej Anna" in second
    for name in ("tove", ""):
        other = await (browsers.of(name) if name else browsers.stranger())
        assert "Hej " not in (await other.get(path))[1]


async def test_a_reported_message_is_hidden_and_the_leader_reads_it_with_its_thread(
    browsers: Browsers, site: Site, path: str
):
    await officials(site)
    await site.play(await site.game(), "e4", message="Du er en hund")
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    await _write(anna, path, "og en skurk", "k1")
    await _write(bent, path, "Tal pænt", "k2")
    page = (await bent.get(path))[1]
    first, second = re.findall(r'value="(report-[mq]\d+)"', page)
    own = re.findall(r'value="(report-[mq]\d+)"', (await anna.get(f"{path}/private"))[1])
    assert len(own) == 1 and not {first, second} & set(own), "nobody reports his own"
    assert (await anna.post(f"{path}/thread", {"deed": first})).status == 404
    for mark in ("report-q999", "report-x", "report-"):
        assert (await bent.post(f"{path}/thread", {"deed": mark})).status == 404, mark
    for mark, status in ((first, 303), (first, 404), (second, 303)):
        assert (await bent.post(f"{path}/thread", {"deed": mark})).status == status
    for browser in (anna, bent):
        for shown in (path, f"{path}/private"):
            seen = (await browser.get(shown))[1]
            assert "Du er en hund" not in seen and "og en skurk" not in seen
            assert "Tal pænt" in seen and seen.count("Beskeden er anmeldt og skjult") == 2
    tove = await browsers.of("tove")
    (case,) = set(re.findall(r"/desk/cases/(\d+/\d+)", (await tove.get("/desk"))[1]))
    read = (await tove.get(f"/desk/cases/{case}"))[1]
    for said in ("Du er en hund", "og en skurk", "Tal pænt", "Jeg anmelder denne besked"):
        assert said in read, "one case for both, with the whole thread"


async def test_an_analysis_is_shared_once_the_game_is_over_and_both_agree(browsers, site, path):
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    await site.play(await site.game(), "e4")
    await anna.post(f"{path}/tree", {"tree": "1. e4 e5 2. Bc4 {Annas egen} *", "stamp": "0"})
    await bent.post(f"{path}/note", {"note": "Bents note", "stamp": "0"})
    for browser in (anna, bent):
        assert (await browser.post(f"{path}/share", {"deed": "share"})).status == 403, "it runs"
    assert (await bent.post(f"{path}/end/resign", {"key": "r"})).status == 303
    for _ in range(2):
        assert (await anna.post(f"{path}/share", {"deed": "share"})).status == 303
    (letter,) = await _letters(site)
    assert letter.person_id == (await site.game()).black_id, "he is told once"
    shown = (await bent.get(path))[1]
    assert "Anna Andersen vil gerne dele sin analyse" in shown and "Annas egen" not in shown
    assert (await bent.get(f"{path}/analysis.pgn?of=other"))[0] == 404
    assert (await bent.post(f"{path}/share", {"deed": "share"})).status == 303
    assert "Annas egen" in (await bent.get(path))[1]
    assert "Annas egen" in (await bent.get(f"{path}/analysis.pgn?of=other"))[1]
    theirs = (await anna.get(f"{path}/private"))[1]
    assert "Bent Bæk har ingen varianter gemt" in theirs and "Bents note" not in theirs
    soren = await browsers.of("soren")
    assert (await soren.post(f"{path}/share", {"deed": "share"})).status == 403
    await anna.post(f"{path}/share", {"deed": "keep"})
    assert "Annas egen" not in (await bent.get(path))[1]
