"""Issue 5: the officials' faulty forms come again with what was typed and the fault beside it."""

import pytest

from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.faulty import Faulty, On
from tests.fakes.league import begin_division, board_game, team_of
from tests.fakes.site import Site, group_text, officials
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import claimed
from tests.server.web.faulty.test_faulty_deeds import of_pasted, of_season, of_union
from tests.server.web.politeness import LONG, refused, spoken


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_the_controllers_faulty_form_is_said_beside_its_field(site, browsers, lang):
    await officials(site)
    person = (await site.admit("frida")).id
    await spoken(site, lang)
    await refused(site, browsers, of_controller(person))


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_faulty_season_and_faulty_lines_are_said_beside_their_field(site, browsers, lang):
    await officials(site)
    await spoken(site, lang)
    await refused(site, browsers, [*of_season(), *of_pasted(), *of_union()])


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_faulty_form_of_a_case_or_group_is_said_beside_its_field(site, browsers, lang):
    """§ 6.4, § 6.2.8: what is said in a case, its decision, a withdrawal, special leave."""
    case = await claimed(site, browsers)
    game = (await site.game()).id
    anna = (await site.person("anna@example.org")).id
    await start_group(site.core, read_group_file(group_text("K-26-02")))
    await spoken(site, lang)
    await refused(site, browsers, of_case(case, game, anna))


async def test_days_that_no_game_has_are_tried_as_none(site: Site, browsers: Browsers):
    """The form that tries facts writes nothing: what it can't use counts as not given."""
    case = await claimed(site, browsers)
    tove = await browsers.of("tove")
    for days in ("1000000", "9" * 400, "x"):
        asked = {"try": "1", "days_by": "white" * 9, "days": days}
        assert (await tove.get(case, params=asked | {"days_by": "white"}))[0] == 200, days
        assert (await tove.get(case, params=asked))[0] == 200, days
    for odd in ("9" * 5000, "²", "-1"):
        for name in ("game", "row"):
            assert (await tove.get(case, params={"try": "1", name: odd}))[0] == 200, (name, odd)


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_a_faulty_form_of_captain_or_league_leader_is_said_beside_its_field(
    site: Site, browsers: Browsers, lang: str
):
    """§ 6.7.2, § 6.7.4.3, § 6.7.6.1: a reserve, a report, the order of boards, a captain."""
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"))
    site.clock.turn(131)
    team = (await team_of(site.core, "DIV-1", "Nord")).id
    line = await board_game(site.core, "DIV-1", 2, "Nord")
    await spoken(site, lang)
    await refused(site, browsers, of_league(team, line.id))


# Faulty posts of the officials' forms: controller, case, group, league.


GROUP = "/desk/groups/K-26-01"
BOOKS = "/desk/kc/economy"


def of_controller(person: int) -> list[Faulty]:
    """The controller's forms: offices, year, books, register, cups, titles, records."""
    office = On("kaj", "/desk/kc", "/desk/kc/offices", {"office": "tl", "email": "x@example.org"})
    year = On("kaj", "/desk/kc/year?year=2027", "/desk/kc/year", {"act": "moved", "year": "2027"})
    year.fields.update(form="dm", season="2027", step="start", reason="Ferie", day="2027-09-08")
    entry = On("kaj", BOOKS, BOOKS, {"kind": "fee", "way": "in", "key": "k", "day": "2026-09-01"})
    entry.fields.update(tournament="EMT", amount="200", party="Anna", text="Indskud")
    new = On("kaj", "/desk/members/new", "/desk/members/new", {"name": "Nina Ny", "reason": "Ny"})
    member = On("kaj", f"/desk/members/{person}", f"/desk/members/{person}", {"name": "Frida"})
    title = On(
        "kaj",
        "/titles",
        "/titles",
        {"title": "danish_champion", "edition": "1999", "name": "Ole Olsen"},
    )
    record = On("kaj", f"/desk/players/{person}", f"/desk/players/{person}", {"event": "emt K"})
    record.fields.update(name="K-98-01", points="4½", games="6", source="Bladet")
    return [
        *(office("email", text) for text in ("ingen@example.org", "x" * 300)),
        *(year("day", text, "reason") for text in ("", "i går", "9999-12-31")),
        year("reason", "x" * 501, "day"),
        *(entry("amount", text, "party", "text") for text in ("", "mange", "-5", "9" * 400)),
        *(entry("day", text, "amount", "party") for text in ("", "2026-02-30")),
        *(entry("text", text, "party") for text in ("", "x" * 250, "x" * 301)),
        entry("party", "", "text"),
        entry("day", "2099-01-01", "text"),
        *(new("birth", text, "name", "reason") for text in ("i går", "1850-05-01", "2099-01-01")),
        *(new("email", text, "name") for text in ("ikke en adresse",)),
        *(new("name", text, "reason") for text in ("", LONG)),
        *(member("reason", text, "name") for text in ("x" * 301,)),
        *(title("edition", text, "name") for text in ("", "3000", "x" * 30)),
        *(title("source", text, "name", edition="1999") for text in ("", LONG)),
        title("email", "ingen@example.org", "name", edition="1999"),
        *(record("points", text, "name", "source") for text in ("", "mange", "9" * 400)),
        *(record("finished", text, "points") for text in ("i går",)),
        record("place", "først", "points"),
        record("source", LONG, "points"),
    ]


def of_case(case: str, game: int, anna: int) -> list[Faulty]:
    """What is said in a case, its decision; a withdrawal, a start taken back, special leave."""
    decide = On("tove", case, f"{case}/decide", {"step": "draft", "reasons": "Derfor."})
    decide.fields.update(paragraphs="§ 6.3.3.1", facts="Tiden er overskredet.")
    punish = On("tove", case, f"{case}/decide", decide.fields | {f"sanction-{anna}": "quarantine"})
    letter = On("tove", GROUP, f"{GROUP}/letter", {"subject": "Jul", "text": "Glædelig jul."})
    leaving = On("tove", GROUP, f"{GROUP}/withdraw", {"player": str(anna)})
    away = On("tove", "/desk/outages", "/desk/outages", {"group": "K-26-01", "what": "mail"})
    away.fields.update(first="2026-08-30T10:00", last="2026-08-31T10:00")
    return [
        *(On("anna", case, f"{case}/say")("text", text) for text in (" ", LONG)),
        *(On("tove", case, f"{case}/note")("text", text) for text in (" ", LONG)),
        *(On("tove", case, f"{case}/ask")("until", text) for text in ("", "i morgen")),
        *(decide("reasons", text, "facts", "paragraphs") for text in (LONG,)),
        decide("paragraphs", "x" * 401, "reasons"),
        decide("facts", LONG, "reasons"),
        decide(f"resume-{game}", "i morgen", "reasons", "facts"),
        *(punish(f"months-{anna}", text, "reasons") for text in ("x", "0", "121", "9" * 400)),
        *(On("tove", GROUP, f"{GROUP}/annul")("text", text) for text in ("", LONG)),
        *(letter("text", text, "subject") for text in ("", "x" * 2001, "x\n" * 41 + "x")),
        *(letter("subject", text, "text") for text in ("", "x" * 101)),
        *(leaving("text", text, "player") for text in (" ", LONG)),
        *(
            On("tove", "/desk/leave", "/desk/leave", {"first": "2026-12-01", "reason": "Syg"})(
                "last", text, "first", player=f"{anna} K-skak-EMT 2026"
            )
            for text in ("", "i morgen", "2026-11-01")
        ),
        *(
            On("tove", "/desk/leave", "/desk/leave", {"act": "look", "reason": "Syg", **days})(
                at, text, "reason", player=f"{anna} K-skak-EMT 2026"
            )
            for at, days in (("last", {"first": "2026-12-01"}), ("first", {"last": "2026-12-09"}))
            for text in ("", "i morgen", "2206-12-05", "2062-12-05", "0026-12-05")
        ),
        On("tove", "/desk/leave", "/desk/leave", {"act": "look", "first": "2026-12-01"})(
            "reason", " ", "first", last="2026-12-09", player=f"{anna} K-skak-EMT 2026"
        ),
        *(away("first", text, "last", "group") for text in ("", "i går")),
        *(away("last", text, "first", "group") for text in ("i dag", "2026-08-29T10:00")),
        away("group", "K-99-99", "first", "last"),
    ]


def of_league(team: int, game: int) -> list[Faulty]:
    """A reserve, a report, the order of boards, a captain (§ 6.7.2, § 6.7.4.3, § 6.7.6.1)."""
    here = f"/captain/{team}"
    reserve = On("nord.et", "/captain", f"{here}/reserve", {"board": "1", "name": "Rosa"})
    reserve.fields.update(email="rosa@example.org", rating="1700", reason="Syg")
    report = On("nord.et", "/captain", f"{here}/report", {"game": str(game)})
    led = "/desk/league/DIV-1"
    order = On("tl", led, f"{led}/teams/{team}", {"what": "order", "reason": "Bytte"})
    captain = On("tl", led, f"{led}/teams/{team}", {"what": "captain", "reason": "Flyttet"})
    return [
        *(reserve("name", text, "email", "reason") for text in ("", "x" * 121)),
        *(reserve("email", text, "name", "reason") for text in ("", "rosa", "x" * 300)),
        *(reserve("rating", text, "name", "reason") for text in ("", "stærk", "1e9")),
        reserve("reason", LONG, "name", "email", "rating"),
        *(report("result", text, "game") for text in ("",)),
        report("note", LONG, "game", "result", result="1-0"),
        *(On("tl", led, f"{led}/stronger")("points", text) for text in ("", "x", "9" * 400)),
        *(order("reason", text) for text in ("", LONG)),
        captain("email", "ingen@example.org", "reason"),
        captain("reason", "", "email", email="ingen@example.org"),
    ]
