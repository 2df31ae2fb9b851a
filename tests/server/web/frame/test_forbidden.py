"""A page that is not one's own says what is true of it, in both languages, and of nothing else."""

import pytest

from server.web.frame.middleware import about
from tests.fakes.league import begin_division, team_of
from tests.fakes.site import OTHER, Site, officials
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import claimed
from tests.server.web.politeness import spoken

RUNNING = {"da": "Et parti, der er i gang", "en": "running game"}
SAID = {
    "game": ("turneringsleder", "leader"),
    "move": ("partiets egne spillere", "game's own players"),
    "start": ("Startbrevet har spillernes adresser", "start letter has the players' addresses"),
    "results": ("Indsigelser kommer fra gruppens spillere", "come from the group's players"),
    "bulletin": ("K-skak chefens hverv", "K-skak controller's office"),
    "books": ("K-skak chefens hverv", "K-skak controller's office"),
    "title": ("K-skak chefens hverv", "K-skak controller's office"),
    "case": ("den, der har sagen", "whoever has the case"),
    "captain": ("holdets egen holdkaptajn", "team's own captain"),
}


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_what_is_forbidden_says_whose_it_is_and_speaks_of_games_only_where_it_is_one(
    site: Site, browsers: Browsers, lang: str
):
    case = await claimed(site, browsers)
    await officials(site)
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"))
    team = (await team_of(site.core, "DIV-1", "Nord")).id
    game = (await site.game(f"{OTHER}/1")).id
    await spoken(site, lang)
    asked = {
        "game": ("tove", "", f"/games/{game}", {}),
        "move": ("soren", "post", f"/games/{(await site.game()).id}/move", {"text": "e4"}),
        "start": ("ole", "", "/groups/DIV-1/start.pdf", {}),
        "bulletin": ("tove", "post", "/desk/bulletin", {"number": "1", "act": "issue"}),
        "books": ("tove", "post", "/desk/kc/offices", {"office": "tl", "email": "a@b.dk"}),
        "title": ("tove", "post", "/titles", {"title": "danish_champion", "edition": "1999",
                                              "name": "Ole", "source": "Bladet"}),
        "case": ("anna", "post", f"{case}/edit", {}),
        "captain": ("anna", "post", f"/captain/{team}/report", {"game": "1", "result": "1-0"}),
    }  # fmt: skip
    for name, (who, method, path, fields) in asked.items():
        browser = await browsers.of(who)
        answer = await (browser.post(path, fields) if method else browser.http.get(path))
        text = await answer.text()
        assert answer.status == 403, (name, answer.status)
        said = SAID[name][0 if lang == "da" else 1]
        assert said in text.replace("&#39;", "'"), name
        assert (RUNNING[lang] in text) == (name == "game"), name


def test_every_desk_has_a_word_of_its_own():
    """No address of an official falls back on the words about games."""
    for path in ("/desk", "/desk/", "/desk/leave", "/desk/cases/2026/1/decide", "/desk/mail/1"):
        assert about("POST", path) != "403"
    assert about("GET", "/games/1") == "403"
