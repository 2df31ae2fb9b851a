"""Issue 33: no refusal names a field that is not on its page or a link away.

Every answer that the tests of the pages and the scenarios get from a form is looked at
(``check_names``); here are all texts that point at a field, and the pages whose labels differ.
"""

import re
from html import unescape
from pathlib import Path

import pytest

import server.web
from mail.text.catalogue import Words
from tests.fakes.machinery.each import each
from tests.fakes.named_fields import (
    A_TICK,
    THE_FIELD,
    missing_names,
    names_in,
    points_at_nothing,
    refusals,
)
from tests.fakes.site import Site, group_text
from tests.server.test_every_refusal_in_words import FAMILIES
from tests.server.web.politeness import spoken

LANGUAGES = pytest.mark.parametrize("lang", ["da", "en"])
EVERY = pytest.mark.parametrize("lang", ["da", "en", "sv"])
ONE_PAGE = ("web.", "private.", "thread.", "cards.", "finding.", "join.", "entries.list_fault.",
            "entries.result_fault.", "cup.title_fault.", "cup.fault.", "history.slip.",
            "letters.")  # fmt: skip
"""Families whose texts stand beside their own field, or are about a file; all others are said by
letter, API and several pages, and a field of one is none of the other's."""
POINTING = {
    "web.problem.empty": ("play/game_send", 'name="text"'),
    "web.problem.draw_unclear": ("play/game_send", 't("draw.offer")'),
    "web.problem.rest_draw": ("play/game_send", 't("draw.offer")'),
    "web.problem.rest_follow": ("play/game_send", 'name="text"'),
    "web.problem.rest_other": ("play/game_send", 't("game.more")'),
    "web.game.stale_kept": ("play/game_send", 'name="text"'),
    "cup.title_fault.twice": ("groups/titles", 'name="shared"'),
    "desk.missing.text": ("groups/desk_letter", 'name="text"'),
    "desk.letter.confirm": ("cases/decide", 'name="confirm"'),
    "desk.group.leaves_already": ("groups/desk", 'd("col.cases")'),
    "register.slip.own_email": ("register/member", 'name="take_email"'),
    "register.slip.email_taken": ("register/member", "macro fault(name"),
    "register.slip.not_clearable": ("register/member", "macro fault(name"),
    "register.slip.cell_missing": ("register/member", "macro fault(name"),
    "register.member.moves_do": ("register/member", 'name="seen"'),
    "register.death.sure": ("register/member", 'name="sure"'),
    "season.none": ("entries/season", 'type="checkbox"'),
    "season.bad_day": ("entries/season", '"date"'),
    "season.union.bad_deposit": ("entries/season", 'name="deposit"'),
    "cases.word.deposit_unknown": ("entries/season", 's("season.union.title")'),
    "season.union.bad_book": ("entries/season", 'name="book"'),
    "league.captain.bad_rating": ("league/captain_desk", 'name="rating"'),
    "league.desk.needs_leave": ("league/desk_division", 'name="despite"'),
    "league.desk.wrong.two_teams": ("league/desk_division", 'lw("desk.two_teams")'),
    "bulletin.no_text": ("groups/bulletin_desk", 'name="case{{'),
}
"""Refusals that point at a field, a tick or a place, with a page that shows them and what is there
for it."""
NO_REFUSAL = re.compile(
    r"hint|^help\.|^history\.slip\.|^letters\.|^api\.|^board\.|^install\.|^join\.(then|desk\.recorded)"
    r"|^account\.help_order|^private\.plan_here|^entries\.enter\.member_later|^desk\.act\.vote_none"
    r"|^pasted\.tick|^friends\.followed_none|^cases\.word\.claim_asked|^private\.fault\.un"
)
"""What is said in advance, is about a file or a letter, or is done by a script on its page."""
WEB = Path(server.web.__file__).parent


def _points(text: str) -> bool:
    return bool(THE_FIELD.search(text) or A_TICK.search(text) or [*names_in(text)])


def _keys_of_families() -> set[str]:
    return {
        family.format(member.value)
        for reasons, families in FAMILIES.items()
        for family in families
        for member in reasons
    }


@EVERY
def test_what_is_said_in_several_places_names_the_field_of_none(lang: str):
    texts = Words.load(lang).texts
    for key in _keys_of_families() & texts.keys():
        if not key.startswith(ONE_PAGE) and key != "api.detail.foreign_page":  # an HTTP field
            assert not _points(texts[key]), (key, texts[key])


@EVERY
def test_every_text_that_points_at_a_field_is_known_with_a_page_that_has_it(lang: str):
    texts = Words.load(lang).texts
    asked = {key for key, text in texts.items() if _points(text) and not NO_REFUSAL.search(key)}
    assert asked <= POINTING.keys(), asked - POINTING.keys()
    assert POINTING.keys() <= texts.keys()
    for key, (page, there) in POINTING.items():
        template = WEB / "templates" / f"{page}.html"
        assert there in template.read_text(encoding="utf-8"), (key, page, there)


async def postal(site: Site) -> int:
    """A postal game that Tove leads: its number."""
    return (await site.begin_group(group_text("P-26", "postal")))[0].id


@LANGUAGES
@pytest.mark.parametrize("text", ["", " ", "5254 x remis", "5254 lad os sige remis"])
async def test_a_card_names_its_own_pages_tick_and_field(site, browsers, lang, text):
    """The page for a move has a board, and its tick for the draw has another name."""
    game = await postal(site)
    await spoken(site, lang)
    tove, words = await browsers.of("tove"), Words.load(lang)
    fields = {"by": "white", "kind": "move", "ply": "0", "text": text, "postmark": "2026-09-01"}
    own = {words("cards.field.draw"), words("cards.no_move")}
    alien = {words("web.draw.offer"), words("web.problem.empty")}
    for path, sent in (
        (f"/games/{game}/card", fields),
        ("/desk/cards", {f"{k}-1": v for k, v in fields.items()} | {"game-1": "P-26/1"}),
    ):
        answer = await tove.post(path, sent)
        page = unescape(await answer.text())
        assert answer.status == 422, (path, text)
        said = " ".join(refusals(page))
        assert any(name in said for name in own) and not any(name in said for name in alien), said


@LANGUAGES
@pytest.mark.parametrize("name", ["received", "postmark", "stated", "receipt", "arrived", "text"])
async def test_the_cards_desk_names_its_own_labels(site, browsers, lang, name):
    """A row has shorter labels than the page of one card; a long text is no wrong date."""
    await postal(site)
    await spoken(site, lang)
    tove, words = await browsers.of("tove"), Words.load(lang)
    long = "e4 " * 200
    sent = {"game-1": "P-26/1", "kind-1": "move", "text-1": "5254", "postmark-1": "2026-09-01"}
    answer = await tove.post("/desk/cards", sent | {f"{name}-1": long if name == "text" else "x"})
    said = " ".join(unescape(one) for one in refusals(await answer.text()))
    if name == "text":
        assert words("forms.too_long", length=len(long.strip()), longest=400) in said
    else:
        label = "field" if name == "arrived" else "desk"
        assert words("cards.field_wrong", field=words(f"cards.{label}.{name}")) in said


PAGE = """<label for="born">Født</label><input type="date" id="born" name="born"
 aria-describedby="born-fault"><a href="/settings">Indstillinger</a>{}"""


@each(
    "refusal nothing missing",
    ('<p class="error" id="born-fault">Skriv den i feltet.</p>', False, set()),
    ('<p class="error" id="elsewhere">Skriv den i feltet.</p>', True, set()),
    ('<div class="notice wrong"><p>Skriv den i feltet.</p></div>', True, set()),
    ('<div class="notice wrong"><p>Sæt kryds, hvis det er sådan.</p></div>', True, set()),
    ('<p class="error">Det står under »Indstillinger«.</p>', False, set()),
    ('<p class="error">Det står under »Bemærkning«.</p>', False, {"Bemærkning"}),
    ('<p class="error">Det står under “Remark”.</p>', False, {"Remark"}),
    ('<p class="error">»Zq9« er ikke et træk.</p>', False, set()),
)
def test_the_check_sees_what_is_not_there(refusal: str, nothing: bool, missing: set[str]):
    page = PAGE.format(refusal)
    assert bool(points_at_nothing(page)) is nothing
    assert missing_names(page, {}) == missing
    assert missing_names(page, {"note": "Bemærkning Remark"}) == set(), "the reader's own words"
