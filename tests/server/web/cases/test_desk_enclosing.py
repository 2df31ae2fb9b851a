"""Files put into a case on its page: kept, shown, told of; and those that are not taken."""

import hashlib
import io
import re
from html import unescape
from secrets import token_bytes

from aiohttp import FormData
from sqlalchemy import insert

from mail.office_letters.case_letters import CaseNotice
from server.store.account import retention as retention_rows
from server.store.cases import papers as paper_rows
from server.store.mail import inbox as inbox_rows
from server.store.tables.base import inbox
from server.usecases.cases import case_actions
from server.usecases.cases.case_file import Reader, build_file
from tests.fakes.machinery.each import rows
from tests.fakes.postal import PNG, drawn
from tests.fakes.site import Site, officials
from tests.server.web.conftest import OWN, Browser, Browsers
from tests.server.web.desk_cast import case_of, claimed, decided

PDF = b"%PDF-1.7 et postbud"
MEGABYTE = 1024 * 1024


async def _put(browser: Browser, path: str, data: bytes, **fields: str) -> tuple[int, str]:
    """Send the form with its file; status and page."""
    form = FormData()
    for name, value in fields.items():
        form.add_field(name, value)
    form.add_field("file", io.BytesIO(data), filename="kort.png", content_type="image/png")
    shown = await browser.get(path)
    if shown[0] == 200:
        form.add_field("csrf", shown[1].split('name="csrf" value="')[1].split('"')[0])
    given = await browser.http.post(
        f"{path}/enclose", data=form, headers=OWN, allow_redirects=False
    )
    answer = await browser.answer(given)
    return answer.status, unescape(await answer.text())


async def _papers(site: Site) -> list[paper_rows.PaperRow]:
    async with site.core.store.read() as conn:
        papers = await paper_rows.list_case_papers(conn, (await case_of(site)).id)
    return [paper for paper in papers if paper.media_type != "application/json"]


async def test_a_party_puts_a_picture_in_and_all_in_the_case_see_it(site, browsers, path):
    anna, bent, tove = [await browsers.of(name) for name in ("anna", "bent", "tove")]
    assert (await _put(anna, path, PNG, title="Kortet fra Bent", kind="scan"))[0] == 303
    (paper,) = await _papers(site)
    assert (paper.kind, paper.media_type, paper.size) == ("scan", "image/png", len(PNG))
    for browser in (anna, bent, tove):
        text = (await browser.get(path))[1]
        assert "Kortet fra Bent" in text and "fra Anna Andersen" in text
        assert f'<img src="{path}/papers/{paper.id}"' in text
        answer = await browser.http.get(f"{path}/papers/{paper.id}")
        assert (await answer.read(), answer.content_type) == (PNG, "image/png")
        assert "sandbox" in answer.headers["Content-Security-Policy"]
    letters = await site.written(CaseNotice.kind)
    told = {row.person_id for row in letters if '"enclosed"' in row.params}
    assert told == {(await site.person(f"{name}@example.org")).id for name in ("bent", "tove")}


async def test_an_officials_file_is_kept_in_the_case_file(site: Site, path: str, tove: Browser):
    assert (await _put(tove, path, PDF, title="Postbudets ord"))[0] == 303
    (paper,) = await _papers(site)
    assert paper.kind == "evidence"
    case = await case_of(site)
    parts = dict(await build_file(site.core, case.number, Reader(0, is_official=True, lang="da")))
    folder = f"cases/{case.number.replace('/', '-')}/papers"
    assert parts[f"{folder}/{paper.id}-evidence.pdf"] == PDF
    answer = await tove.http.get(f"{path}/papers/{paper.id}")
    assert answer.content_type == "application/octet-stream", "a PDF is saved, not run"
    assert answer.headers["Content-Disposition"].startswith("attachment")


@rows(
    "data said",
    (b"", "Vælg en fil."),
    (b"<svg onload=alert(1)>", "Filen er hverken PNG, JPEG eller PDF."),
    (PNG + b"x" * (5 * MEGABYTE), "Filen fylder mere end 5 MB."),
)
async def test_what_is_no_file_or_too_large_is_told_and_what_was_typed_is_kept(
    site: Site, data: bytes, said: str, path: str, anna: Browser
):
    status, text = await _put(anna, path, data, title="Kortet")
    assert status == 422 and said in text and 'value="Kortet"' in text
    assert await _papers(site) == []


async def test_a_file_of_5_mb_is_taken_and_pressed_twice_it_is_kept_once(site, path, anna):
    most = PNG + b"x" * (5 * MEGABYTE - len(PNG))
    for _ in range(2):
        assert (await _put(anna, path, most))[0] == 303
    assert [paper.size for paper in await _papers(site)] == [len(PNG)]


async def test_there_is_an_end_to_what_one_person_may_put_into_a_case(browsers, monkeypatch, path):
    other = drawn(shade="red")
    monkeypatch.setattr(case_actions, "MOST_OF_ONE", max(len(PNG), len(other)))
    anna, tove = await browsers.of("anna"), await browsers.of("tove")
    assert (await _put(anna, path, PNG))[0] == 303
    status, text = await _put(anna, path, other)
    assert status == 422 and "ikke plads til mere i sagen fra dig" in text
    assert (await _put(tove, path, other))[0] == 303, "others have room of their own"


async def test_files_go_when_the_tournaments_time_is_over_and_the_chain_stays(site, path, anna):
    assert (await _put(anna, path, PDF, title="Kvittering"))[0] == 303
    async with site.core.store.write() as conn:
        raw = await retention_rows.raw_of(conn, ["K-skak-EMT 2026"])
        await retention_rows.forget_raw(conn, raw, 1)
    (paper,) = await _papers(site)
    assert (paper.size, bytes(paper.digest)) == (None, hashlib.sha256(PDF).digest())
    text = (await anna.get(path))[1]
    assert "Kvittering" in text and "Slettet, da opbevaringstiden var forbi." in text
    assert (await anna.get(f"{path}/papers/{paper.id}"))[0] == 404


async def test_strangers_put_nothing_into_a_case(site: Site, browsers: Browsers):
    await officials(site)
    path = await claimed(site, browsers)
    seq = (await case_of(site)).seq
    for name in ("soren", "ole", "nina"):
        browser = await browsers.of(name)
        assert (await browser.post(f"{path}/enclose", {"title": "x"})).status == 404, name
    answer = await (await browsers.stranger()).post(f"{path}/enclose", {"title": "x"})
    assert answer.status == 303 and answer.headers["Location"].startswith("/signin")
    assert (await case_of(site)).seq == seq


async def test_a_closed_case_takes_no_file_and_says_so(site: Site, browsers: Browsers):
    path = await claimed(site, browsers)
    tove, anna = await browsers.of("tove"), await browsers.of("anna")
    assert "Læg et bilag i sagen" in (await anna.get(path))[1]
    await tove.post(f"{path}/settle", {"text": "Enige."})
    status, text = await _put(anna, path, PNG)
    assert status == 422 and "Sagen er sluttet (§ 6.4.1)." in text
    assert await _papers(site) == []
    assert "Læg et bilag i sagen" not in (await anna.get(path))[1]


async def test_a_decided_case_is_open_until_it_is_final(path: str, tove: Browser, anna: Browser):
    """§ 6.4.3: who appeals has evidence to send."""
    await tove.post(f"{path}/close", {"text": "Hørt."})
    await decided(tove, path, {"reasons": "X.", "paragraphs": "§ 6.3.3.1"})
    assert (await _put(anna, path, PNG))[0] == 303


async def test_no_two_links_of_the_evidence_are_called_the_same(site: Site, browsers: Browsers):
    """A screen reader lists links by their words alone: text, hidden words, a picture's own."""
    path = await claimed(site, browsers)
    anna, tove = await browsers.of("anna"), await browsers.of("tove")
    for data in (PNG, drawn(shade="red"), PDF):
        assert (await _put(anna, path, data, title="Kortet", kind="scan"))[0] == 303
    case = await case_of(site)
    async with site.core.store.write() as conn:
        for _ in range(2):
            new = inbox_rows.NewMail(
                received_us=site.core.now_us, first_us=0, peer="", mail_from="anna@example.org",
                rcpt_to="", raw=token_bytes(8), message_key=token_bytes(32),
            )  # fmt: skip
            values = inbox_rows.values_of(new) | {"digest": new.digest, "state": "done"}
            values |= {"due_us": 0, "game_id": case.game_id}
            await conn.execute(insert(inbox).values(values))
    text = (await tove.get(path))[1]
    part = text.split('<section id="evidence"')[1].split("</section>")[0]
    links = re.findall(r"<a [^>]*>(.*?)</a>", part, re.S)
    spoken = [re.sub(r'<img[^>]*alt="([^"]*)"[^>]*>', r"\1", link) for link in links]
    called = [re.sub(r"<[^>]*>", "", link) for link in spoken]
    assert len(called) >= 3 + 2 + 2, called
    assert len(set(called)) == len(called), called


async def test_letters_of_one_title_in_a_file_are_told_apart_by_their_landmarks(
    site: Site, browsers: Browsers, path: str
):
    case = await case_of(site)
    for minute in range(2):
        letter = paper_rows.NewPaper(
            kind="letter", title="@reminder", body=b"Hej", at_us=site.core.now_us + minute
        )
        await site.core.store.transact(
            lambda conn, one=letter: paper_rows.add_paper(conn, case.id, one)
        )
    tove = await browsers.of("tove")
    names = re.findall(r'role="region" aria-label="([^"]+)"', (await tove.get(path))[1])
    assert len(names) >= 2 and len(set(names)) == len(names), names
