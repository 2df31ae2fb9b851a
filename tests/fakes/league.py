"""Small divisions of the league for tests: files, and deeds of their people past the pages.

Two clubs are enough for a match on four boards; Kaptajn Kurt leads Nord and plays in it.
"""

from server.store.divisions import LeagueGameRow, LeagueTeamRow
from server.store.play import games as game_rows
from server.usecases.context import Core
from server.usecases.groups.group_file import StartedGroup, read_group_file
from server.usecases.league.divisions import DivisionView, division_view
from server.usecases.starts.start_group import start_group
from tests.fakes.federation import address

HEAD = """
tournament = "Danmarksturneringen {year}"
class = "league"
group = "{name}"
division = {division}
regulation = "email"
start = {start}
tl = "tl@example.org"
tl_name = "T. Leder"
draw = false
"""
TEAM = """
[[teams]]
club = "{club}"
captain = "{captain}"
"""
PLAYER = """
[[teams.players]]
name = "{name}"
email = "{email}"
k_rating = {rating}
"""
RATINGS = (2000, 1900, 1800, 1700)


def players_of(club: str) -> tuple[str, ...]:
    """The four players that a club has when a test names none."""
    return tuple(f"{club} {board}" for board in ("Et", "To", "Tre", "Fire"))


def division_text(
    name: str,
    teams: dict[str, tuple[str, ...]],
    *,
    division: int = 1,
    start: str = "2027-01-10",
    captains: dict[str, str] | None = None,
    ratings: tuple[int, ...] = RATINGS,
) -> str:
    """A group file of a division; each team's captain is his board 1 unless named."""
    text = HEAD.format(name=name, division=division, start=start, year=start[:4])
    for club, players in teams.items():
        captain = (captains or {}).get(club) or address(players[0])
        text += TEAM.format(club=club, captain=captain)
        for player, rating in zip(players, ratings, strict=False):
            text += PLAYER.format(name=player, email=address(player), rating=rating)
    return text


async def begin_division(
    core: Core, name: str, clubs: tuple[str, ...], **wished: object
) -> StartedGroup:
    """Start a division of these clubs, numbered in the order given."""
    teams = {club: players_of(club) for club in clubs}
    text = division_text(name, teams, **wished)  # type: ignore[arg-type]
    return await start_group(core, read_group_file(text))


async def view_of(core: Core, name: str) -> DivisionView:
    """A division that is there."""
    found = await division_view(core, name)
    assert found is not None
    return found


async def team_of(core: Core, name: str, club: str) -> LeagueTeamRow:
    """A team by its club."""
    view = await view_of(core, name)
    return next(one.team for one in view.teams if one.team.club == club)


async def board_game(core: Core, name: str, board: int, club: str) -> LeagueGameRow:
    """The first game of a club on a board."""
    view, team = await view_of(core, name), await team_of(core, name, club)
    return next(
        game
        for game in view.games
        if game.board == board and team.id in (game.white_team, game.black_team)
    )


async def game_row(core: Core, game_id: int) -> game_rows.GameRow:
    """A game by id."""
    async with core.store.read() as conn:
        found = await game_rows.load(conn, game_id)
    assert found is not None
    return found
