"""The group file of a division: what stops it, with the paragraph (§ 6.7.2-6.7.4)."""

import pytest

from server.usecases.cases.case_decisions import annul_start
from server.usecases.groups.group_file import GroupFileError, read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.league import address, begin_division, division_text, players_of, view_of
from tests.fakes.machinery.each import rows
from tests.fakes.site import Site

NORD, SYD = players_of("Nord"), players_of("Syd")


async def start(site: Site, text: str) -> tuple[str, ...]:
    return (await start_group(site.core, read_group_file(text))).notes


async def test_a_division_of_seven_teams_has_84_games_three_colours_each(site: Site):
    """§ 6.7.2.3, § 6.7.4.2: 6 games a player, 3 of them White; boards 2 and 4 reversed."""
    clubs = tuple(f"Klub {letter}" for letter in "ABCDEFG")
    started = await begin_division(site.core, "DIV-1", clubs)
    assert started.games == 84
    games = await site.group_games(started.id)
    whites = [game.white for game in games]
    assert {whites.count(name) for name in started.players} == {3}
    view = await view_of(site.core, "DIV-1")
    for match in view.matches:
        first, second = match.games[0], match.games[1]
        assert first.white_team == second.black_team


@rows(
    "change told",
    ({"Syd": SYD[:3] + NORD[:1]}, "nobody is twice in a division (§ 6.7.2.3)"),
    ({"Syd": SYD[:3]}, "Syd has 3 players, not 4 (§ 6.7.2.1)"),
    ({"Syd": SYD[:3] + SYD[:1]}, "a team has four different players (§ 6.7.2.1)"),
)
async def test_what_the_regulation_forbids_stops_the_start(site, change, told):
    with pytest.raises(GroupFileError) as raised:
        await start(site, division_text("DIV-1", {"Nord": NORD, "Syd": SYD} | change))
    assert told in str(raised.value)


async def test_one_team_a_club_and_division(site: Site):
    """§ 6.7.3.3: the same club twice in a file."""
    text = division_text("DIV-1", {"Nord": NORD, "Syd": SYD}).replace('"Syd"', '"Nord"')
    with pytest.raises(GroupFileError, match=r"one team a club and division \(§ 6\.7\.3\.3\)"):
        await start(site, text)


async def test_one_division_team_a_player_and_no_two_clubs_without_leave(site: Site):
    """§ 6.7.3.2: held against the season's running divisions; divisions 1 and 3 are allowed."""
    await start(site, division_text("DIV-1", {"Nord": NORD, "Syd": SYD}))
    again = {"Nord": (*NORD[:1], "Ny To", "Ny Tre", "Ny Fire"), "Vest": players_of("Vest")}
    with pytest.raises(GroupFileError, match=r"one team in divisions 1 and 2 \(§ 6\.7\.3\.2\)"):
        await start(site, division_text("DIV-2", again, division=2))
    await start(site, division_text("DIV-3", again, division=3))
    lent = {"Ost": (*NORD[1:2], "En To", "En Tre", "En Fire"), "Midt": players_of("Midt")}
    text = division_text("DIV-3B", lent, division=3)
    with pytest.raises(GroupFileError, match="two clubs without the leader's leave"):
        await start(site, text)
    allowed = f'email = "{address(NORD[1])}"\ntwo_clubs = true'
    await start(site, text.replace(f'email = "{address(NORD[1])}"', allowed))


async def test_a_club_s_order_against_the_ratings_is_told_and_stands(site: Site):
    """§ 6.7.2.1: the leader changes plain cases only, so it stops nothing."""
    notes = await start(
        site, division_text("DIV-1", {"Nord": NORD, "Syd": SYD}, ratings=(1700, 1800, 1900, 2000))
    )
    assert len(notes) == 2 and all("a stronger player stands below (§ 6.7.2.1)" in n for n in notes)
    assert (await view_of(site.core, "DIV-1")).teams[0].crooked == (2, 3, 4)


async def test_individual_members_make_a_team_of_their_strongest_four(site: Site):
    """§ 6.7.4.1: in any order, of several clubs' addresses; who is left over is told."""
    text = division_text("DIV-3", {"Nord": NORD, "Syd": SYD}, division=3)
    text += '[[teams]]\nclub = "2. hovedkreds"\ncaptain = "Ene Fem"\nindividuals = true\n'
    for name, rating in (("Et", 1500), ("To", 1900), ("Tre", 1700), ("Fire", 1600), ("Fem", 1800)):
        text += f'[[teams.players]]\nname = "Ene {name}"\nemail = "e{rating}@example.org"\n'
        text += f"k_rating = {rating}\n"
    notes = await start(site, text)
    assert notes == ("2. hovedkreds: waiting: Ene Et (§ 6.7.4.1)",)
    (team,) = [t for t in (await view_of(site.core, "DIV-3")).teams if t.team.is_individual]
    assert [seats[0].rating for seats in team.boards] == [1900, 1800, 1700, 1600]
    assert team.captain.name == "Ene Fem"


async def test_players_may_stand_in_their_own_tables_and_be_named(site: Site):
    """CONTRACTS: `[[teams]]` with club, captain, players in board order."""
    text = division_text("DIV-1", {}).replace("draw = false", 'draw = true\nseed = "s"')
    tables = ""
    for club, names in (("Nord", NORD), ("Syd", SYD)):
        listed = ", ".join(f'"{name}"' for name in names)
        tables += f'[[teams]]\nclub = "{club}"\ncaptain = "kaptajn@{club.lower()}.dk"\n'
        tables += f"players = [{listed}]\n"
        for name in names:
            tables += f'[[players]]\nname = "{name}"\nemail = "{address(name)}"\n'
    await start(site, text + tables)
    view = await view_of(site.core, "DIV-1")
    assert {team.captain.email for team in view.teams} == {"kaptajn@nord.dk", "kaptajn@syd.dk"}


@rows(
    "old new told",
    ("division = 1", "double = true", "double"),
    ("division = 1", "division = 4", "division"),
    ('class = "league"', 'class = "K"', "teams"),
    ("club = ", "klub = ", "teams.1.club"),
)
def test_a_slip_in_the_file_is_named(old: str, new: str, told: str):
    text = division_text("DIV-1", {"Nord": NORD, "Syd": SYD}).replace(old, new)
    with pytest.raises(GroupFileError) as raised:
        read_group_file(text)
    assert told in str(raised.value) and "\n" not in str(raised.value)


async def test_a_start_taken_back_leaves_nothing_of_the_league(site: Site):
    """§ 6.1.1: before the first move the division goes, and may be started again."""
    started = await begin_division(site.core, "DIV-1", ("Nord", "Syd"))
    tl = await site.person("tl@example.org")
    await annul_start(site.core, tl, started.id, "Et hold meldte fra.")
    again = await begin_division(site.core, "DIV-1", ("Nord", "Vest"))
    assert again.games == 4


async def test_a_second_team_of_a_club_plays_beside_its_first_by_a_dispensation(site: Site):
    """§ 6.7.3.3: named «Nord 2» with the club it is of; a name alone is a club of its own."""
    text = division_text("DIV-1", {"Nord": NORD, "Nord 2": SYD})
    text = text.replace('club = "Nord 2"', 'club = "Nord 2"\nof_club = "Nord"', 1)
    assert await start(site, text) == ()
    view = await view_of(site.core, "DIV-1")
    assert [team.team.club for team in view.teams] == ["Nord", "Nord 2"]
    assert {seat.club for seats in view.teams[1].boards for seat in seats} == {"Nord"}
