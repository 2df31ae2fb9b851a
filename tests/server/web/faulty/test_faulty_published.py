"""Issue 5: faulty posts of results, bulletin, season plans, team entries and passkeys."""

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest

from server.store.account import sign_in as access
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, enter
from server.usecases.results import publishing
from server.usecases.season.composing import plans
from server.usecases.season.team_entering import TeamAsking, TeamRefused, enter_team
from tests.fakes.faulty import Faulty, On
from tests.fakes.league import address, begin_division, players_of, team_of
from tests.fakes.machinery.authenticator import Authenticator
from tests.fakes.site import Site, close_site, officials, open_site
from tests.fakes.teams import (
    by_address,
    club_id,
    league_list,
    lineup,
    register_clubs,
    register_individuals,
)
from tests.server.web.desk_cast import case_of, claimed, decided
from tests.server.web.politeness import LONG, refused, spoken

SINGLE = ("Ene Et", "Ene To", "Ene Tre", "Ene Fire")
LANGUAGES = pytest.mark.parametrize("lang", ["da", "en"])


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """A site with a name: passkeys belong to names."""
    opened = await open_site(tmp_path, public_url="http://localhost:8080")
    yield opened
    await close_site(opened)


@LANGUAGES
async def test_a_faulty_form_of_a_result_is_said_and_nothing_typed_is_lost(site, browsers, lang):
    """§ 6.4.5, § 6.5.4: objections and prizes; a stale page is told as one."""
    for name in ("K-26-01/1", "K-26-01/2", "K-26-01/3"):
        for text in ("f3", "e5", "g4", "Dh4"):
            await site.play(await site.game(name), text)
    site.clock.turn(1)
    await publishing.daily(site.core)
    await spoken(site, lang)
    anna = (await site.person("anna@example.org")).id
    games = [await site.game(f"K-26-01/{n}") for n in (1, 2, 3)]
    own = next(game.id for game in games if game.side_of(anna))
    await refused(site, browsers, of_results("K-26-01", 4, own))


@LANGUAGES
async def test_a_faulty_form_of_the_bulletin_is_said_beside_its_field(site, browsers, lang):
    """§ 6.4.5.1: the period, the foreword, a decision without words, a draft that is gone."""
    await officials(site)
    path = await claimed(site, browsers)
    tove, kaj = await browsers.of("tove"), await browsers.of("kaj")
    await tove.post(f"{path}/close", {"text": "Hørt."})
    await decided(tove, path, {"reasons": "Grunde.", "paragraphs": "§ 6.3.3.1"})
    site.clock.turn(60)
    days = {"number": "1", "first": "2026-07-01", "last": "2026-12-31", "act": "save"}
    assert (await kaj.post("/desk/bulletin", days)).status == 303
    await spoken(site, lang)
    await refused(site, browsers, of_bulletin((await case_of(site)).id))


async def league(site: Site) -> None:
    """September 2026: Nord and Syd played in 2026; Leif leads the list for 2027."""
    await register_clubs(site.core, "Nord", "Syd")
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"), start="2026-01-10")
    await officials(site)
    await site.admit("leif")
    await league_list(site.core, await site.person("kaj@example.org"), "leif@example.org", "H27")


@LANGUAGES
async def test_a_faulty_form_of_a_season_plan_is_said_beside_its_field(site, browsers, lang):
    """§ 6.7.5.1: a line that can't be read, a day, a dispensation's reason and its stale page."""
    await league(site)
    team = (await team_of(site.core, "DIV-1", "Nord")).id
    await entered(site, "Syd")
    kaj = await browsers.of("kaj")
    fields = {"deadline": "2026-12-13", "new": "Midt: 1500 1500 1500 1500", f"team-{team}": "1"}
    assert (await kaj.post(PLANS, fields)).status == 303
    (row,) = await plans(site.core)
    await spoken(site, lang)
    await refused(site, browsers, of_plans(row.id, team))
    faulty = await kaj.post(PLANS, {"deadline": "2026-11-30", "new": "Midt 1500"})
    text = await faulty.text()
    assert 'name="deadline" value="2026-11-30"' in text, "the day that was asked for"
    assert f'name="team-{team}" value="1">' in text, "a team that was left out stays left out"


@LANGUAGES
async def test_words_for_a_plan_that_another_took_the_place_of_are_not_lost(site, browsers, lang):
    await league(site)
    kaj = await browsers.of("kaj")
    await kaj.post(PLANS, {"deadline": "2026-12-13", "new": "Midt: 1500 1500 1500 1500"})
    (row,) = await plans(site.core)
    path = f"{PLANS}/{row.id}/grant"
    fields = {"club": "Midt", "division": "1", "answer": "refuse", "reason": "For svagt"}
    assert (await kaj.post(path, fields)).status == 303
    await spoken(site, lang)
    stale = await kaj.post(path, fields | {"reason": "Vel begrundet"})
    assert stale.status == 422 and "Vel begrundet" in await stale.text()


async def entered(site: Site, club: str, **more: object) -> int:
    """A club's captain enters its team: the entry's number."""
    captain = await by_address(site.core, address(f"{club} Et"))
    seats = await lineup(site.core, *players_of(club))
    asked = TeamAsking(1, await club_id(site.core, club), captain.id, seats, **more)  # type: ignore[arg-type]
    done = await enter_team(site.core, captain, asked)
    assert not isinstance(done, TeamRefused)
    return done.id


@LANGUAGES
async def test_a_faulty_form_of_team_entries_is_said_beside_its_field(site, browsers, lang):
    """§ 6.7.3-6.7.4.1: the desk's deeds, a district's team, the club's own form and line-up."""
    await league(site)
    entry = await entered(site, "Nord", asks=True)
    await register_individuals(site.core, *SINGLE)
    kaj = await site.person("kaj@example.org")
    single = [(await by_address(site.core, address(name))).id for name in SINGLE]
    for person in single:
        await enter(
            site.core,
            kaj,
            EntryRequest(1, EntryStatement(member="1"), person, fee=date(2026, 9, 1)),
        )
    nord = [(await by_address(site.core, address(name))).id for name in players_of("Nord")]
    syd = [(await by_address(site.core, address(name))).id for name in players_of("Syd")]
    await spoken(site, lang)
    await refused(site, browsers, of_team_desk(entry, nord[1], 1, single))
    clubs = [await club_id(site.core, name) for name in ("Nord", "Syd")]
    of_club = of_team_entries(clubs[1], entry, syd), of_team_entries(clubs[0], entry, nord)
    await refused(site, browsers, [one for one in of_club[0] if one.who == "leif"])
    await refused(site, browsers, [one for one in of_club[1] if one.who != "leif"])


@LANGUAGES
async def test_a_faulty_form_of_passkeys_is_said_beside_its_field(site, browsers, lang):
    """Issue 5: made, renamed and used; an answer that proves nothing keeps the name typed."""
    anna, key = await browsers.of("anna"), Authenticator()
    asked = await anna.post(f"{ACCESS}/passkeys/options", {"name": "Tavlen", "answer": ""})
    fields = {"name": "Tavlen", "answer": key.make(await asked.text())}
    assert (await anna.post(f"{ACCESS}/passkeys", fields)).status == 303
    async with site.core.store.read() as conn:
        (row,) = await access.passkeys_of(conn, (await site.person("anna@example.org")).id)
    await spoken(site, lang)
    await refused(site, browsers, of_passkeys(row.id))


# Faulty posts of what is published and of what few see: results, bulletin, plans, teams, keys.


ACCESS = "/settings/access"
TEAMS = "/desk/team-entries"
PLANS = "/desk/league-plans"


def of_results(group: str, number: int, own_game: int) -> list[Faulty]:
    """An objection, the prizes, who was told that they went (§ 6.4.5, § 6.5.4)."""
    here = f"/results/{group}"
    held = {"publication": str(number)}
    mine = On("anna", here, here, held | {"act": "object", "game": str(own_game)})
    prizes = On("tove", here, here, held | {"act": "amounts", "amounts": "500; 300,50"})
    sent = On("tove", here, here, held | {"act": "prizes"})
    return [
        *(mine("said", text) for text in ("", LONG)),
        *(mine.above("game", text, "said", said="Remis") for text in ("x", "999999", "9" * 400)),
        *(mine.above("publication", t, "said", said="Remis") for t in ("", "x", "99", "9" * 400)),
        *(prizes("amounts", text) for text in ("mange", "-5", "x" * 401, "1;" * 25, "1e3")),
        *(prizes.above("publication", text, "amounts") for text in ("", "99")),
        *(sent.above("publication", text) for text in ("", "x", "99")),
        On("soren", here, here, held | {"act": "amounts", "amounts": "1"}).foreign(here),
    ]


def of_bulletin(case: int) -> list[Faulty]:
    """The draft of a period in which one case was decided (§ 6.4.5.1)."""
    here, say = "/desk/bulletin", f"text{case}"
    draft = On("kaj", here, here, {"number": "1", "act": "save", "foreword": "Kære læsere"})
    draft.fields.update({"first": "2026-07-01", "last": "2026-12-31", f"case{case}": "1"})
    draft.fields[say] = "Et krav skal rejses."
    issue = On("kaj", here, here, {"number": "1", "act": "issue"})
    return [
        *(draft("first", text, "foreword", say) for text in ("", "i går", "2026-02-30")),
        *(draft("last", text, "foreword", say) for text in ("", "i går", "2026-06-30")),
        *(draft("foreword", "Ærø " * 6000, say, "last") for _ in "1"),
        *(draft(say, text, "foreword") for text in ("", "Ærø " * 6000)),
        *(draft.above("number", text, "foreword", say) for text in ("", "x", "7", "9" * 400)),
        draft.above("case99", "1", "foreword", "text99", text99="En anden sag"),
        *(issue.above("seal", text) for text in ("", "x" * 32)),
        *(issue.above("number", text) for text in ("", "7")),
        On("tove", "/bulletins", here, draft.fields).foreign(here),
    ]


def of_plans(plan: int, kept_team: int) -> list[Faulty]:
    """Composing by hand and of entries, and a dispensation's answer (§ 6.7.5.1)."""
    here, answered = f"{PLANS}/{plan}", f"{PLANS}/{plan}/grant"
    hand = On("kaj", PLANS, PLANS, {"deadline": "2026-12-13", "new": "Midt: 1500 1500 1500 1500"})
    hand.fields[f"team-{kept_team}"] = "1"
    entries = On("kaj", PLANS, f"{PLANS}/entered")
    grant = On("kaj", here, answered, {"club": "Midt", "division": "1", "answer": "grant"})
    asked = {"reason": "Stærkt nok"}
    return [
        *(hand("new", text, "deadline") for text in ("Midt 1500", "Midt: 1 2 3", "Ærø " * 6000)),
        *(hand.above("deadline", text, "new") for text in ("", "i går", "0026-12-13")),
        hand.above("team-999", "1", "new"),
        *(
            entries("deadline", text)
            for text in ("i går", "2026-02-30", "5066-12-11", "1799-01-01")
        ),
        *(grant("reason", text) for text in ("", "Ærø " * 600)),
        *(grant.above("club", text, "reason", **asked) for text in ("", "Ukendt")),
        *(grant.above("division", text, "reason", **asked) for text in ("", "x", "2", "9" * 400)),
        *(grant.above("answer", text, "reason", **asked) for text in ("", "måske")),
        On("nord.et", "/captain", answered, grant.fields | asked).foreign(answered),
        On("kaj", here, here, grant.fields | asked).foreign(f"{PLANS}/99/grant"),
    ]


def of_team_desk(entry: int, player: int, district: int, people: list[int]) -> list[Faulty]:
    """Fee, leave for two clubs, refusal, a district's team, who enters (§ 6.7.3-6.7.4.1)."""
    at = f"{TEAMS}/{entry}"
    fee = On("leif", TEAMS, f"{at}/fee", {"day": "2026-09-01"})
    leave = On("leif", TEAMS, f"{at}/leave", {"player": str(player)})
    refuse = On("leif", TEAMS, f"{at}/refuse", {"paragraph": "6.7.3.2", "reason": "Nej."})
    make = On("leif", TEAMS, f"{TEAMS}/districts", {"list": "1", "district": str(district)})
    make.fields.update({f"p-{person}": "1" for person in people} | {"made": "1"})
    whole = {"captain": str(people[0])}
    admin = On("leif", TEAMS, f"{TEAMS}/admins", {"club": "1", "email": "anna@example.org"})
    return [
        *(fee("day", text) for text in ("", "i går", "2026-02-30", "2099-01-01")),
        *(leave("reason", text, "player") for text in ("", "Ærø " * 600)),
        *(leave("player", text, "reason", reason="Grænseklub") for text in ("", "x", "999999")),
        *(refuse("paragraph", text, "reason") for text in ("", "6." * 20)),
        *(refuse("reason", text, "paragraph") for text in ("", "Ærø " * 600)),
        *(make("captain", text) for text in ("", "x", "999999")),
        *(make.above("list", text, **whole) for text in ("", "x", "99")),
        make.above("p-999999", "1", **whole),
        make.above("continues", "999999", **whole),
        *(admin("email", text, "club") for text in ("", "ingen@example.org", "x" * 300)),
        *(admin("club", text, "email") for text in ("", "x", "999999")),
        fee.foreign(f"{TEAMS}/999/fee"),
        On("anna", "/leave", at, fee.fields).foreign(f"{at}/fee"),
        On("kaj", TEAMS, "", {"end": "999"}).foreign(f"{TEAMS}/admins"),
    ]


def of_team_entries(club: int, entry: int, people: list[int]) -> list[Faulty]:
    """The club's own form, and another line-up for a team that is entered (§ 6.7.4.1)."""
    team = {f"player-{board}": str(one) for board, one in enumerate(people, 1)}
    team |= {"club": str(club), "captain": str(people[1])}
    here = f"/team-entry?club={club}"
    new = On("leif", here, "/team-entry", team | {"list": "1", "rating-1": "1500"})
    change = On("nord.et", here, f"/team-entry/{entry}/lineup", team)
    return [
        *(new("player-2", text, "captain", "rating-1") for text in ("", "x")),
        *(new.above("player-2", text, "rating-1") for text in ("999999",)),
        *(new("captain", text, "player-1", "rating-1") for text in ("", "x", "999999")),
        *(new("list", text, "player-1", "rating-1") for text in ("", "x", "99")),
        *(new("rating-3", text, "player-1", "captain") for text in ("stærk", "-1", "9999")),
        *(new("class-3", text, "player-1", "captain") for text in ("x" * 41, LONG)),
        *(new("entered", text, "player-1", "captain") for text in ("i går", "2099-01-01")),
        *(new("fee", text, "player-1", "captain") for text in ("i går", "2026-02-30")),
        new.above("continues", "999999", "rating-1"),
        *(change("player-4", text, "captain") for text in ("", "x")),
        *(change("captain", text, "player-1") for text in ("", "x")),
        *(change("rating-1", text, "player-1") for text in ("stærk", "9" * 400)),
        change("class-2", "x" * 41, "player-1"),
        On("nord.et", here, "", team | {"list": "1", "club": "999"}).foreign("/team-entry"),
        change.foreign("/team-entry/999/lineup"),
    ]


def of_passkeys(key: int) -> list[Faulty]:
    """Making, naming and using a passkey; a name that can't be (issue 5)."""
    make = On("anna", ACCESS, f"{ACCESS}/passkeys", {"answer": "{}"})
    rename = On("anna", ACCESS, f"{ACCESS}/passkeys/{key}", {"deed": "rename"})
    use = On("stranger", "/signin", "/signin/passkey", {"next": "/leave"})
    return [
        *(make("name", text) for text in ("", " ", "x" * 400, "a\x07b")),
        *(make("name", "Min egen", answer=text) for text in ("", "{}", "[]", "nonsense")),
        make.above("answer", "x" * 70_000, "name", name="Min egen"),
        *(rename("name", text) for text in ("", "x" * 400, "a\x07b")),
        On("anna", ACCESS, "", {"deed": "rename", "name": "Ny"}).foreign(f"{ACCESS}/passkeys/999"),
        *(use.above("answer", text) for text in ("", "{}", "nonsense", "x" * 70_000)),
    ]
