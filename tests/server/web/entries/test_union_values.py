"""The Board's deposit and the regulation's address, said on the controller's page (§ 6.4.3)."""

from html import unescape

import pytest

from server.store import groups as group_rows
from server.usecases.groups.group_file import read_group_file
from server.usecases.rights import UnionValues, union_values
from server.usecases.starts.start_group import start_group
from tests.fakes.site import Site, group_text, officials
from tests.server.web.conftest import Browser, Browsers

PAGE, POST = "/desk/kc/season", "/desk/kc/union"
BOOK = "https://skak.example.org/reglement.pdf"


async def _said(site: Site) -> UnionValues:
    async with site.core.store.read() as conn:
        return await union_values(site.core, conn)


async def test_the_controller_says_them_once_and_they_hold(site: Site, kaj: Browser):
    assert await _said(site) == UnionValues(0, ""), "as the operator's settings have them"
    answer = await kaj.post(POST, {"deposit": "540", "book": BOOK})
    assert answer.headers["Location"] == f"{PAGE}?done=union#union"
    assert "Gemt. Det gælder appeller" in (await kaj.get(f"{PAGE}?done=union"))[1]
    assert await _said(site) == UnionValues(540, BOOK)
    started = await start_group(site.core, read_group_file(group_text("K-26-09")))
    async with site.core.store.read() as conn:
        group = await group_rows.find(conn, started.id)
    assert group is not None and group.regulation_url == BOOK, "its start letters link to it"
    await kaj.post(POST, {"deposit": "", "book": ""})
    assert await _said(site) == UnionValues(0, ""), "emptied, it is not the operator's again"


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("deposit", "fem hundrede", "Skriv hele kroner"),
        ("deposit", "100001", "højst 100000"),
        ("book", "reglement.pdf", "begynder med https://"),
    ],
)
async def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_kept(
    site: Site, field: str, typed: str, said: str, kaj: Browser
):
    answer = await kaj.post(POST, {"deposit": "540", "book": BOOK} | {field: typed})
    text = unescape(await answer.text())
    assert answer.status == 422 and said in text and f'value="{typed}"' in text
    assert await _said(site) == UnionValues(0, "")


async def test_nobody_else_says_them(site: Site, browsers: Browsers):
    await officials(site)
    for who in ("tove", "anna"):
        answer = await (await browsers.of(who)).post(POST, {"deposit": "1", "book": ""})
        assert answer.status == 404
