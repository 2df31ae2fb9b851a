"""A second warning is a quarantine: said before it is sent, in the letter, and after (§ 4.1.19)."""

from html import unescape

from kskak.cases.case_events import CaseKind
from server.store.cases.cases import CaseRow
from server.usecases.cases.case_actions import complain
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import decided, letter_in


async def _conduct(site: Site, tove: Browser, about: int) -> str:
    """A case of conduct that has been heard: its address."""
    leader, game = await site.person("tove@example.org"), await site.game()
    complaint = (game.group_id, about, CaseKind.CONDUCT, "Usportsligt.")
    opened = await complain(site.core, leader, *complaint)
    assert isinstance(opened, CaseRow)
    path = f"/desk/cases/{opened.number}"
    await tove.post(f"{path}/close", {"text": "Hørt."})
    return path


async def test_a_second_warning_is_a_quarantine_before_and_after(site: Site, browsers: Browsers):
    """§ 4.1.19: the earlier warning, the letter, the page of who is warned: with the days."""
    tove, anna = await browsers.of("tove"), await browsers.of("anna")
    warned = (await site.person("anna@example.org")).id
    fields = {f"sanction-{warned}": "warning", "paragraphs": "§ 6.4.2", "reasons": "Uhøflig."}
    first = await _conduct(site, tove, warned)
    assert "Advarsel af" not in unescape((await tove.get(first))[1])
    text = await decided(tove, first, fields)
    assert "får en advarsel (§ 6.4.2)" in letter_in(text)
    own = unescape((await anna.get(f"/players/{warned}"))[1])
    assert "En advarsel mere i den tid bliver automatisk til karantæne i 3 måneder" in own
    assert "Advarsel af" not in unescape((await tove.get(f"/players/{warned}"))[1]), "hers alone"
    site.clock.turn(10)
    second = await _conduct(site, tove, warned)
    assert "Advarsel af" in unescape((await tove.get(second))[1]), "shown to who decides"
    text = await decided(tove, second, fields)
    told = "karantæne i 3 måneder, fra og med den"
    assert told in letter_in(text)
    assert text.count(told) == 2, "what will happen says so beside the letter"
    assert told in unescape((await anna.get(second))[1]), "the decision on the case's page"
    for page in (f"/players/{warned}", "/settings"):
        own = unescape((await anna.get(page))[1])
        assert "Karantæne fra og med den" in own and "Den kom af en advarsel" in own, page


async def test_an_expulsion_shows_what_becomes_of_the_games_before_it_is_sent(site, tove):
    """§ 6.4.2, § 6.2.8: the half rule and each game's result stand on the letter's page."""
    expelled = (await site.person("anna@example.org")).id
    path = await _conduct(site, tove, expelled)
    fields = {f"sanction-{expelled}": "expulsion", f"months-{expelled}": "6", "reasons": "Snyd."}
    text = await decided(tove, path, fields | {"paragraphs": "§ 6.4.2"})
    assert text.count("til ende, højst halvdelen, og regnes derfor som taber af dem alle") == 2
    assert "bortvises fra turneringen" in text and "karantæne i 6 måneder" in text
    game = await site.game()
    assert game.result == ("0-1" if game.white_id == expelled else "1-0")
