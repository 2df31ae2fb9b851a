"""ICCF's tournaments have names in the reader's language, in the form and wherever one stands."""

import re

from kskak.entries.rights import IccfTournament
from mail.text.catalogue import LANGUAGES, Words
from server.web.entries.entry_desk import iccf_name
from tests.fakes.machinery.each import rows
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browsers
from tests.server.web.politeness import spoken


@rows(
    "lang other final",
    ("da", "ICCF: anden turnering", "ICCF: VM-finale"),
    ("en", "ICCF: another tournament", "ICCF: World championship final"),
)
async def test_the_form_for_a_result_names_iccfs_tournaments_in_its_language(
    site: Site, browsers: Browsers, lang: str, other: str, final: str
):
    await officials(site)
    await spoken(site, lang)
    person = (await site.person("anna@example.org")).id
    _, text = await (await browsers.of("kaj")).get(f"/desk/players/{person}")
    shown = re.findall(r"<option[^>]*>(ICCF: [^<]*)</option>", text)
    assert other in shown and final in shown and len(shown) == len(IccfTournament)


def test_every_tournament_has_a_name_in_each_language():
    for lang in LANGUAGES:
        names = {iccf_name(one, Words.load(lang)) for one in IccfTournament}
        assert len(names) == len(IccfTournament)
        assert "other" not in names
