"""The league's pages: what everybody sees, the captain's desk, the leader's, the controller's."""

import pytest

from kskak.cases.case_events import CaseKind
from kskak.game.game_commands import Resign
from kskak.regulation.editions import Side
from server.store.cases.cases import CaseRow
from server.store.play.people import Office
from server.usecases.cases.case_actions import object_to
from server.usecases.register.csv_table import RegisterKind
from tests.fakes.league import address, begin_division, board_game, game_row, team_of
from tests.fakes.machinery.each import each
from tests.fakes.site import Site
from tests.fakes.teams import HEAD, members_of, register_clubs, take
from tests.server.web.conftest import Browsers

DESK = "/desk/league/DIV-1"
FORMS = {
    "/captain/{team}/reserve": {"board": "2", "name": "R", "email": "r@example.org",
                                "rating": "1900"},
    "/captain/{team}/report": {"game": "{game}", "result": "1-0"},
    DESK + "/teams/{team}": {"what": "captain", "email": "bent@example.org", "reason": "x"},
    DESK + "/lots": {},
    DESK + "/stronger": {"points": "50"},
    "/desk/league-plans": {"deadline": "2027-05-01"},
}  # fmt: skip
ALLOWED = {"/captain": {"nord.et"}, DESK: {"tl", "kaj"}, "/desk/league-plans": {"kaj"}}
CAST = ("nord.et", "nord.to", "syd.et", "tl", "tove", "kaj", "nina", "anna")


@pytest.fixture
async def league(site: Site) -> Site:
    """A division of Nord and Syd; Kaj is controller, Nina sits on the Board."""
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"))
    await site.admit("kaj", Office.KC)
    await site.admit("nina", Office.BOARD)
    return site


async def _ids(site: Site) -> dict[str, int]:
    team = await team_of(site.core, "DIV-1", "Nord")
    line = await board_game(site.core, "DIV-1", 1, "Nord")
    return {"team": team.id, "game": line.id}


@pytest.mark.parametrize("path", FORMS)
async def test_each_form_is_for_those_with_the_right_alone(league, browsers, path):
    ids = await _ids(league)
    fields = {name: value.format(**ids) for name, value in FORMS[path].items()}
    allowed = next(people for start, people in ALLOWED.items() if path.startswith(start))
    for name in CAST:
        answer = await (await browsers.of(name)).post(path.format(**ids), fields)
        if name in allowed:
            assert answer.status in (303, 422), (name, answer.status)
        else:
            assert answer.status in (403, 404), (name, answer.status)
    stranger = await (await browsers.stranger()).post(path.format(**ids), fields)
    assert stranger.headers.get("Location", "").startswith("/signin")


@each(
    "path allowed",
    ("/captain", {"nord.et", "syd.et"}),
    (DESK, {"tl", "kaj"}),
    ("/desk/league", {"tl", "tove", "kaj"}),
    ("/desk/league-plans", {"kaj"}),
)
async def test_each_desk_is_there_for_its_own_people(league, browsers, path, allowed):
    got = {name: (await (await browsers.of(name)).get(path))[0] for name in CAST}
    assert got == {name: 200 if name in allowed else 404 for name in CAST}


async def test_everybody_sees_order_matches_boards_and_teams(league: Site, browsers: Browsers):
    """§ 6.7.4.5: the table by club and by board, the live score, who plays which board."""
    line = await board_game(league.core, "DIV-1", 1, "Nord")
    game = await game_row(league.core, line.id)
    loser = Side.WHITE if game.white.startswith("Syd") else Side.BLACK
    await league.ask(game, loser, lambda _, by: Resign(by))
    stranger = await browsers.stranger()
    status, text = await stranger.get("/league/DIV-1")
    assert status == 200 and 'href="/groups/DIV-1/atom.xml"' in text
    for shown in ("Stillingen", "Nord – Syd", "1–0", "(3 i gang)", "4. bræt", "Nord Fire", "2000"):
        assert shown in text, shown
    assert "e-mail" not in text and address("Nord Et") not in text
    assert "Nord fører; 1 af 4 partier er slut" in (await stranger.get("/league"))[1]
    answer = await stranger.http.get("/groups/DIV-1", allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, "/league/DIV-1")
    assert (await stranger.get("/league/K-26-01"))[0] == 404


async def test_the_captain_sees_whose_move_days_left_and_who_is_silent(league, browsers):
    """§ 6.7.6.1, § 6.3.4: 13 days are not silence, 14 are."""
    line = await board_game(league.core, "DIV-1", 1, "Nord")
    game = await game_row(league.core, line.id)
    league.clock.turn(131)  # 10 January 2027, the start
    await league.play(game, "e4", days=0)
    captain = await browsers.of("nord.et")
    silent = []
    for days in (13, 1, 1):  # the answer of board 1 is received a day later than the start
        league.clock.turn(days)
        silent.append((await captain.get("/captain"))[1].count("dage uden svar"))
    assert silent == [0, 3, 4]
    _, text = await captain.get("/captain")
    assert "modstanderen" in text and "25" in text, "40 days, 15 used"
    assert text.count("sidst 1. e4") == 1, "the one game that has a move"
    terms = text.partition("Frister")[2].partition("Nord 1. division")[0]
    assert "19. februar 2027" in terms and "skal senest svare" in terms, "40 days after the start"


async def test_the_letters_of_a_players_case_go_to_his_captain_and_no_other_teams(league, browsers):
    """§ 6.7.6.1: Syd's player complains of Nord's; both captains get copies, a third none."""
    line = await board_game(league.core, "DIV-1", 2, "Nord")
    syd = await league.person(address("Syd To"))
    asked = (line.id, CaseKind.DAYS, "Dagene er talt forkert.")
    case = await object_to(league.core, syd, *asked)
    assert isinstance(case, CaseRow)
    told = {row.person_id for row in await league.written("case")}
    captain, other = [await league.person(address(f"{c} Et")) for c in ("Nord", "Syd")]
    assert captain.id in told and other.id in told, "both teams have a player in the case"
    await begin_division(league.core, "DIV-2", ("Ost", "Vest"), division=2)
    for name, number in (("nord.et", 1), ("syd.et", 1), ("ost.et", 0)):
        _, desk = await (await browsers.of(name)).get("/captain")
        assert desk.count(f"/desk/cases/{case.number}") == number, name
    outsider = await browsers.of("ost.et")
    assert (await outsider.get(f"/desk/cases/{case.number}"))[0] == 404


async def test_a_captain_who_is_dismissed_finds_no_desk(league: Site, browsers: Browsers):
    """§ 6.7.2.2: the office goes with the new captain's name, recorded with its reason."""
    ids = await _ids(league)
    tl = await browsers.of("tl")
    fields = {"what": "captain", "email": address("Nord To"), "reason": "Rejser."}
    assert (await tl.post(f"{DESK}/teams/{ids['team']}", fields)).status == 303
    assert (await (await browsers.of("nord.et")).get("/captain"))[0] == 404
    _, text = await (await browsers.of("nord.to")).get("/captain")
    assert "Ny holdkaptajn" in text and "Rejser." in text


async def test_a_reserve_is_chosen_among_the_clubs_members(league: Site, browsers: Browsers):
    """§ 6.7.3.2, § 6.7.4.3: one who sits on no board of the team; his name is the register's."""
    ids, captain = await _ids(league), await browsers.of("nord.et")
    await register_clubs(league.core, "Nord")
    row = "900;Małgorzata Wiśniewska;1-1-1950;m@example.org;klub;Nord;;1-1-2020;1850;1-1-2020"
    await take(league.core, RegisterKind.MEMBERS, f"{HEAD}\n{row}")
    club = (await members_of(league.core, "Nord"))["Małgorzata Wiśniewska"].id
    _, text = await captain.get("/captain")
    listed = text.partition('name="member"')[2].partition("</select>")[0]
    assert f'<option value="{club}">Małgorzata Wiśniewska (1850)' in listed
    assert "Nord To" not in listed, "he is on the team"
    path = f"/captain/{ids['team']}/reserve"
    assert (await captain.post(path, {"board": "2", "member": "1"})).status == 422, "no member"
    both = {"board": "2", "member": str(club), "name": "Rosa", "email": "rosa"}
    answer = await captain.post(path, both)
    assert answer.status == 422 and "navn@example.org" in await answer.text(), "what is typed holds"
    assert (await captain.post(path, {"board": "2", "member": str(club)})).status == 303
    _, text = await captain.get("/captain")
    assert "2. bræt: Małgorzata Wiśniewska (1850)" in text


async def test_a_team_without_an_opponent_stands_on_the_plan(league: Site, browsers: Browsers):
    """§ 6.7.3.3: 14 clubs fill the upper divisions, and X has entered twice."""
    kc = await browsers.of("kaj")
    for odd in ("9" * 5000, "²", "-1"):
        asked = {"deadline": "2027-05-01", "new": f"A: 1900 1800 1700 {odd}"}
        assert (await kc.post("/desk/league-plans", asked)).status == 422, odd
    new = "\n".join(f"{club}: 1900 1800 1700 1600" for club in [*"ABCDEFGHIJKLMN", "X", "X"])
    answer = await kc.post("/desk/league-plans", {"deadline": "2027-05-01", "new": new})
    assert answer.status == 303, await answer.text()
    _, text = await kc.get(answer.headers["Location"])
    assert "Hold uden plads" in text and "3. division</h2>" not in text
    assert text.partition("Hold uden plads")[2].count("fortolkning: hver gruppe") == 2
    for division, left in (("2", 1), ("1", 0)):
        path = f"{answer.headers['Location']}/grant"
        assert f'value="{division}">Giv plads i {division}. division: som ekstra hold' in text
        given = {"club": "X", "division": division, "answer": "grant", "reason": "De har betalt."}
        answer = await kc.post(path, given)
        assert answer.status == 303, await answer.text()
        _, text = await kc.get(answer.headers["Location"])
        assert text.partition("Hold uden plads")[2].count("<textarea") == left
    assert text.count("De har betalt.") == 2 and "Hold uden plads" not in text
    refused = {"club": "X", "division": "2", "answer": "refuse", "reason": "Alligevel ikke."}
    answer = await kc.post(f"{answer.headers['Location']}/grant", refused)
    assert "Hold uden plads" in (await kc.get(answer.headers["Location"]))[1]


async def test_what_the_league_asks_of_a_leader_stands_on_his_desk(league, browsers):
    """§ 6.7.4.2-6.7.4.3: letters with their day, and a reserve; another leader has neither."""
    ids = await _ids(league)
    tl, captain = await browsers.of("tl"), await browsers.of("nord.et")
    assert "<b>1</b> i holdturneringen" in (await tl.get("/desk"))[1]
    _, text = await tl.get("/desk/league")
    assert "den 27. december 2026" in text
    fields = {"board": "2", "name": "Rosa Reserve", "email": "r@example.org", "rating": "1900"}
    await captain.post(f"/captain/{ids['team']}/reserve", fields)
    assert "<b>2</b> i holdturneringen" in (await tl.get("/desk"))[1]
    assert "Nord vil have Rosa Reserve ind på 2. bræt" in (await tl.get("/desk/league"))[1]
    assert "i holdturneringen" not in (await (await browsers.of("tove")).get("/desk"))[1]
    answer = await captain.http.get("/desk", allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, "/captain")


async def test_a_division_leads_its_leader_to_its_games_and_back(league: Site, browsers: Browsers):
    """A captain and a player are shown no way there."""
    led = 'href="/desk/groups/DIV-1"'
    tl = await browsers.of("tl")
    assert led in (await tl.get("/league/DIV-1"))[1]
    text = (await tl.get("/desk/groups/DIV-1"))[1]
    assert 'href="/groups/DIV-1"' in text and "Partier i gang" in text
    for name in ("nord.et", "nord.to"):
        assert led not in (await (await browsers.of(name)).get("/league/DIV-1"))[1]
