"""The Board's deposit and the regulation's address, said on the controller's page (§ 6.4.3)."""

from datetime import date, timedelta
from html import unescape

from kskak.office.books import AdultFee
from server.store import groups as group_rows
from server.store.members import MemberKind
from server.usecases.groups.group_file import read_group_file
from server.usecases.rights import ALWAYS, UnionValues, union_values
from server.usecases.starts.start_group import start_group
from tests.fakes.site import Site, group_text
from tests.server.web.conftest import Browser

PAGE, POST = "/desk/kc/season", "/desk/kc/union"
BOOK = "https://skak.example.org/reglement.pdf"


async def _said(site: Site) -> UnionValues:
    async with site.core.store.read() as conn:
        return await union_values(site.core, conn)


async def test_the_controller_says_them_once_and_they_hold(site: Site, kaj: Browser):
    assert await _said(site) == UnionValues((), ""), "as the operator's settings have them"
    answer = await kaj.post(POST, {"deposit": "540", "book": BOOK})
    assert answer.headers["Location"] == f"{PAGE}?done=union"
    assert "Gemt. Det gælder appeller" in (await kaj.get(f"{PAGE}?done=union"))[1]
    assert await _said(site) == UnionValues((AdultFee(ALWAYS, 540),), BOOK)
    started = await start_group(site.core, read_group_file(group_text("K-26-09")))
    async with site.core.store.read() as conn:
        group = await group_rows.find(conn, started.id)
    assert group is not None and group.regulation_url == BOOK, "its start letters link to it"
    await kaj.post(POST, {"deposit": "", "book": ""})
    held = (AdultFee(ALWAYS, 540),)
    assert await _said(site) == UnionValues(held, ""), "what was said stands until it is said anew"


async def test_a_fee_holds_from_its_day_and_replaces_todays_without_one(site, kaj):
    july = date(site.clock.now().year + 1, 7, 1)
    await kaj.post(POST, {"deposit": "540", "book": ""})
    await kaj.post(POST, {"deposit": "560", "since": july.isoformat(), "book": ""})
    await kaj.post(POST, {"deposit": "545", "book": ""})
    values = await _said(site)
    assert values.fees == (AdultFee(ALWAYS, 545), AdultFee(july, 560))
    assert [values.deposit_on(july - timedelta(days)) for days in (1, 0)] == [54500, 56000]
    page = unescape((await kaj.get(PAGE))[1])
    assert "<li>545 kr.</li>" in page and f"560 kr. fra den 1. juli {july.year}" in page


async def test_the_controller_says_which_members_may_enter(site, kaj):
    """§ 6.1, § 1.3.4: a net member may not, unless the controller reads it otherwise."""
    assert MemberKind.NET not in (await _said(site)).entrants
    kinds = {f"kind-{kind}": "1" for kind in ("club", "net")}
    await kaj.post(POST, {"kinds": "1", "deposit": "", "book": ""} | kinds)
    assert (await _said(site)).entrants == {MemberKind.CLUB, MemberKind.NET}
    assert 'name="kind-passive" value="1">' in (await kaj.get(PAGE))[1]
