"""Who gets in: one table of the officials' pages and forms × role (§ 6.1.1, § 6.1.2).

Addresses with a game, group, case or person in them: cases/test_who_reads.py, with what is in them.
"""

from server.store.play.people import Office
from tests.fakes.many import statements
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browsers

ROLES = ("anna", "soren", "tove", "ole", "nina", "dan", "kaj")
"""Two players, two leaders, the Board, who runs the server, the controller."""
KAJ, READS, LEADERS = {"kaj"}, {"kaj", "dan"}, {"kaj", "tove", "ole"}
REGISTER = LEADERS | {"dan"}
PAGES = {
    **dict.fromkeys(
        ("/desk/kc/season", "/desk/kc/pasted", "/desk/bulletin"), KAJ
    ),
    **dict.fromkeys(
        ("/desk/kc", "/desk/kc/year", "/desk/kc/economy", "/desk/kc/economy.csv",
         "/desk/ratings", "/desk/members/new", "/desk/members/files",
         "/desk/members/members.csv", "/desk/members/ratings.csv", "/desk/join"), READS
    ),
    **dict.fromkeys(("/desk/members", "/desk/members/clubs", "/desk/entries"), REGISTER),
    **dict.fromkeys(("/desk/cards", "/desk/leave"), LEADERS),
    "/desk/server": {"dan"},
}  # fmt: skip
PLAYER = {"name": "Hacket", "reason": "x", "kind": "individual"}
FORMS = {
    "/desk/kc/season": {"season": "2027"},
    "/desk/kc/union": {"deposit": "1", "book": ""},
    "/desk/kc/pasted": {"what": "entries", "lines": "x", "step": "take", "take-2.2.1": "1"},
    "/desk/kc/year": {"form": "dm", "season": "2027", "step": "start", "year": "2027",
                      "act": "done"},
    "/desk/kc/economy": {"tournament": "Pokal", "kind": "fee", "way": "in", "amount": "1",
                         "day": "2026-09-01", "party": "x", "text": "x", "key": "k1"},
    "/desk/kc/economy/1": {"text": "Dobbelt"},
    "/desk/kc/economy/import": {"csv": "x", "act": "take"},
    "/desk/kc/economy/prizes/1": {},
    "/desk/bulletin": {"number": "1", "first": "2026-07-01", "last": "2026-09-30", "act": "save"},
    "/desk/ratings": {"act": "now"},
    "/desk/members/2": PLAYER,
    "/desk/members/new": PLAYER,
    "/desk/members/files": {"what": "members", "csv": "Nr;Navn\n1;Bo\n", "step": "do"},
    "/desk/entries/lists": {"name": "x", "wish": "emt M", "tournament": "x",
                            "regulation": "email", "prefix": "x", "leader": "tove@example.org"},
    "/desk/join/1/admit": {"kind": "none"},
    "/desk/join/1/decline": {"reason": "Nej"},
    "/desk/cups": {"edition": "2027", "list": "2"},
}  # fmt: skip
MAY = dict.fromkeys(FORMS, KAJ) | {
    path: READS
    for path in FORMS
    if path.startswith(("/desk/members", "/desk/join", "/desk/ratings"))
}


async def test_each_page_is_its_own_officials(site: Site, browsers: Browsers):
    await officials(site)
    await site.admit("dan", Office.ADMIN)
    for name in ROLES:
        browser = await browsers.of(name)
        found = {path: (await browser.get(path, allow_redirects=False))[0] for path in PAGES}
        assert found == {path: 200 if name in may else 404 for path, may in PAGES.items()}, name
        shown = "".join([(await browser.get(path))[1] for path in ("/desk/kc", "/desk/entries")])
        for path in ("/desk/kc/season", "/desk/kc/pasted"):
            assert (path in shown) is (name in KAJ), (name, path)
    dan = await browsers.of("dan")
    assert "Ny post" not in (await dan.get("/desk/kc/economy"))[1], "he reads alone"
    assert "Ændr<" not in (await dan.get("/desk/kc/year?year=2027"))[1]
    nobody = await browsers.stranger()
    for path in PAGES:
        assert (await nobody.get(path, allow_redirects=False))[0] == 303, path


async def test_a_form_of_anothers_writes_nothing(site: Site, browsers: Browsers):
    await officials(site)
    await site.admit("dan", Office.ADMIN)
    for name in reversed(ROLES):  # what is taken back and removed is there
        browser = await browsers.of(name)
        for path, fields in FORMS.items():
            with statements() as said:
                status = (await browser.post(path, fields)).status
            if name in MAY[path]:
                continue
            assert status in (403, 404), (name, path, status)
            assert not [one for one in said if one.startswith(("INSERT", "UPDATE", "DELETE"))], path
    nobody = await browsers.stranger()
    for path, fields in FORMS.items():
        led = (await nobody.post(path, fields)).headers["Location"]
        assert led.startswith("/signin"), path
