"""A small federation to look at: three groups, games under way, leave, an offer, a late player.

Played with the ordinary use cases with dates in the past, so that everything a visitor sees
is real. Not for tests of rules.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

import chess

from kskak.game.game_commands import Command, Resign, SendMoves
from kskak.play.game_state import GameState
from kskak.regulation.editions import Regulation, Side
from server.store import groups as group_rows
from server.store.entries import EntryRow, PastResult
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import NewPerson, PersonRow, Role
from server.usecases.archive import archive_views
from server.usecases.context import Core, today_of
from server.usecases.cup.cup_rounds import CupRequest, open_cup
from server.usecases.entries.entry_actions import record_fee
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import (
    EntryListRequest,
    EntryRequest,
    add_result,
    enter,
    open_list,
)
from server.usecases.groups.group_file import GroupFile, read_group_file
from server.usecases.play.game_requests import GameRequest, ask
from server.usecases.reflection.leave import Leave, book
from server.usecases.register.csv_table import RegisterEditor, RegisterKind, Rules
from server.usecases.register.register_desk import import_file
from server.usecases.season.team_entering import season_of
from server.usecases.starts.start_group import start_group

# The demonstration's entries: open lists, past results, valid and waiting entries.

LISTS = (
    ("Mesterklassen", "emt", "M", "M-demo", 20_000),
    ("Kvalifikationsklassen", "emt", "K", "KV-demo", 20_000),
    ("Åben klasse", "emt", "Å", "Å-demo", 15_000),
    ("Danmarksmesterskabet", "emt", "DM", "DM-demo", 25_000),
    ("Pokalturneringen", "cup", "preliminary", "P-demo", 15_000),
)
PAY = "Reg. 0400, konto 1234567, med spillerens og listens navn"
"""How the demonstration's fees are paid: nobody's account."""
HALVES = (8, 7, 10, 5, 9, 6, 4, 8)
"""Half points of each player in a master class of last year, of six games."""
ENTER = ((0, True), (1, True), (2, True), (3, True), (4, False), (6, False))
"""Who enters the master class, and whether the leader has received the fee."""
ASKS = 5
"""Who asks for the DM, which no rule opens to that player (§ 6.5.2.2 f)."""


async def fill_entries(
    core: Core, kc: PersonRow, tl: PersonRow, players: Sequence[PersonRow]
) -> None:
    """Open the lists and let the players enter, as a visitor should find them."""
    today, lists = today_of(core), {}
    for name, event, wish, prefix, fee in LISTS:
        asked = EntryListRequest(
            f"{name} {today.year}", event, wish, f"K-skak {today.year}", Regulation.EMAIL, prefix,
            tl.email, fee, PAY,
        )  # fmt: skip
        row = await open_list(core, kc, asked)
        lists[wish] = getattr(row, "id", 0)
    await open_cup(core, kc, CupRequest(today.year, lists["preliminary"]))
    await _open_league(core, kc, tl)
    for number, (player, halves) in enumerate(zip(players, HALVES, strict=False), 1):
        ended = today - timedelta(days=200 + 11 * number)
        name, source = f"M-{ended.year % 100}-{number:02}", f"K-skakbladet {ended.year}/5, s. 14"
        await add_result(
            core, tl, player.id, PastResult("emt", "M", name, ended, halves, 6, source)
        )
    for index, is_paid in ENTER:
        await _enter(core, players[index], lists["M"], index, tl if is_paid else None)
    await _enter(core, players[ASKS], lists["DM"], ASKS, tl)


async def _open_league(core: Core, kc: PersonRow, tl: PersonRow) -> None:
    """Clubs enter their teams for the next league on its list (§ 6.7.4.1)."""
    season = await core.store.query(season_of, today_of(core))
    assert season is not None
    name = f"Holdturneringen {season.year}"
    asked = EntryListRequest(
        name, "league", "league", name, Regulation.EMAIL, "H-demo", tl.email, 40_000, PAY
    )
    await open_list(core, kc, asked)


async def _enter(
    core: Core, player: PersonRow, list_id: int, index: int, tl: PersonRow | None
) -> None:
    """Enter a player; ``tl`` records the fee."""
    stated = EntryStatement(member=str(4700 + index), born=date(1948 + 3 * index, 1 + index, 11))
    row = await enter(core, player, EntryRequest(list_id, stated, asks=True))
    if isinstance(row, EntryRow) and tl is not None:
        await record_fee(core, tl, row.id, today_of(core))


# A small federation to look at: three groups, games under way, leave, an offer, a late player.


@dataclass(frozen=True, slots=True)
class DemoGame:
    """Moves in English SAN; a draw offered with a ply (from 0), or a resignation at the end."""

    moves: str
    offers_draw_at: int | None = None
    is_resigned: bool = False


GAMES = (
    DemoGame("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7"),
    DemoGame("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O Nbd7"),
    DemoGame(
        "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 h6 Bh4 b6 cxd5 Nxd5 Bxe7 Qxe7 Nxd5 exd5",
        offers_draw_at=16,
    ),
    DemoGame("e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"),
    DemoGame("d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6 d5 Ne7 Ne1 Nd7 Nd3 f5"),
    DemoGame("e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7 e5 Nfd7 Bxe7 Qxe7 f4 O-O Nf3 c5 Qd2 Nc6 O-O-O"),
    DemoGame(
        "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5 Ng3 Bg6 h4 h6 Nf3 Nd7 h5 Bh7 Bd3 Bxd3 Qxd3", is_resigned=True
    ),
    DemoGame("e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O Re1 a6 Bb3 Ba7 h3 Re8"),
    DemoGame("c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5 cxd5 Nxd5 Bg2 Nb6 O-O Be7 d3 O-O"),
    DemoGame(
        "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 "
        "Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
    ),
)


BEGAN_DAYS = 75
"""How many days ago the groups began."""
LATE_DAYS = 50
"""A player who has not answered for this long has overstepped (§ 6.8.6)."""

TL = ("tl@kskak.example", "Inge Lund")
KC = ("kc@kskak.example", "Otto Krag")
PLAYERS = (
    ("Anna Ager", "Vejle Skakklub", 1985),
    ("Bo Bæk", "Nørrebro Skakklub", 1910),
    ("Carl Dam", "Evanston", 1875),
    ("Dorte Elm", "Aalborg Skakforening", 1940),
    ("Erik Friis", "Svendborg Skakklub", 1820),
    ("Fie Gram", "Viby Skakklub", 1790),
    ("Gert Holm", "Ringsted Skakklub", 1860),
    ("Hanne Iversen", "Hillerød Skakklub", 2015),
)

CLUBS = (
    ("Vejle Skakklub", ("Ida Juul", "Jens Kold", "Karen Lind", "Lars Munk")),
    ("Viby Skakklub", ("Mie Nord", "Niels Okholm", "Olga Palm", "Per Ravn")),
    ("Aalborg Skakforening", ("Rie Skov", "Steen Toft", "Tina Uhd", "Ulrik Vang")),
)
BOARD_RATINGS = (1980, 1890, 1810, 1740)


@dataclass(frozen=True, slots=True)
class Demo:
    """Who can be tried out: a name for each role, and the address to sign in with."""

    roles: tuple[tuple[str, str], ...]


def address_of(name: str) -> str:
    """A player's address: the first name."""
    return f"{name.split()[0].lower()}@kskak.example"


def _group_file(name: str, kind: str, players: Sequence[int], start: str) -> GroupFile:
    """A group; the cup's can be followed, so that a visitor finds a running game."""
    tables = "\n".join(
        f'[[players]]\nname = "{PLAYERS[i][0]}"\nemail = "{address_of(PLAYERS[i][0])}"\n'
        f'club = "{PLAYERS[i][1]}"\nrating = {PLAYERS[i][2]}\n'
        for i in players
    )
    return read_group_file(
        f'tournament = "K-skak {start[:4]}"\nclass = "{kind}"\ngroup = "{name}"\n'
        f'regulation = "email"\nstart = {start}\ntl = "{TL[0]}"\ntl_name = "{TL[1]}"\n'
        f'seed = "demo"\nlive = {str(kind == "cup").lower()}\n{tables}'
    )


def _division_file(start: str) -> GroupFile:
    """A division of three clubs; each captain plays board 1 (§ 6.7)."""
    text = (
        f'tournament = "Danmarksturneringen for hold {start[:4]}"\nclass = "league"\n'
        f'group = "Hold-demo-1"\ndivision = 1\nregulation = "email"\nstart = {start}\n'
        f'tl = "{TL[0]}"\ntl_name = "{TL[1]}"\nseed = "demo"\n'
    )
    for club, names in CLUBS:
        text += f'[[teams]]\nclub = "{club}"\ncaptain = "{names[0]}"\n'
        for name, rating in zip(names, BOARD_RATINGS, strict=True):
            text += f'[[teams.players]]\nname = "{name}"\nemail = "{address_of(name)}"\n'
            text += f"k_rating = {rating}\n"
    return read_group_file(text)


async def fill(core: Core) -> Demo:
    """Fill an empty database. The clock's now is the visitor's today."""
    began = core.clock.now() - timedelta(days=BEGAN_DAYS)
    async with core.store.write() as conn:
        for (email, name), role in ((TL, Role.TL), (KC, Role.KC)):
            new = NewPerson(name=name, email=email, created_us=core.now_us, role=role)
            await person_rows.add_person(conn, new)
    start = began.date().isoformat()
    await start_group(core, _group_file("K-demo-01", "K", range(7), start))
    await start_group(core, _group_file("Pokal-demo-A", "cup", (0, 2, 4, 6, 7), start))
    await start_group(core, _division_file(start))
    await _register(core)
    rows: list[GameRow] = []
    async with core.store.read() as conn:
        groups = await group_rows.everything(conn)
        for group in sorted(groups, key=lambda row: row.class_ == "league"):
            rows += await game_rows.list_group_games(conn, group.id)
    await asyncio.gather(*(_play(core, row, i) for i, row in enumerate(rows)))
    await _plan_leave(core)
    await _enter_federation(core)
    await archive_views.everything(core, lambda _, __: None)
    return Demo(
        (
            ("player", address_of(PLAYERS[0][0])),
            ("opponent", address_of(PLAYERS[1][0])),
            ("team captain", address_of(CLUBS[0][1][0])),
            ("tournament leader", TL[0]),
            ("K-skak controller", KC[0]),
        )
    )


async def _register(core: Core) -> None:
    """The players are members of their clubs, with numbers and K-ratings (§ 6.4.4)."""
    clubs = ["Klubnummer;Klub;Hovedkreds"]
    members = [
        "Medlemsnummer;Navn;E-mail;Fødselsdato;Klub;Dansk statsborger;K-rating;K-rating dato"
    ]
    day = (core.clock.now() - timedelta(days=BEGAN_DAYS)).date()
    for i, (name, club, rating) in enumerate(PLAYERS):
        clubs.append(f"{1001 + i};{club};{i + 1}. hovedkreds")
        born = f"{3 + i}-{1 + i}-{1948 + 3 * i}"
        email = address_of(name)
        members.append(f"{4711 + i};{name};{email};{born};{club};ja;{rating - 35};{day}")
    teams = [(name, club, i) for club, names in CLUBS for i, name in enumerate(names)]
    for number, (name, club, board) in enumerate(teams):
        born, rating = f"{1 + number}-{1 + number}-{1950 + number}", BOARD_RATINGS[board]
        email = address_of(name)
        members.append(f"{4731 + number};{name};{email};{born};{club};ja;{rating};{day}")
    editor = RegisterEditor(None, "command", "medlemsliste", may_readdress=True)
    for what, lines in ((RegisterKind.CLUBS, clubs), (RegisterKind.MEMBERS, members)):
        await import_file(core, what, "\n".join(lines).encode(), editor, Rules())


async def _enter_federation(core: Core) -> None:
    """Waiting lists and entries, past results and work for the leader (§ 6.4.4)."""
    async with core.store.read() as conn:
        people = {person.email: person for person in await person_rows.everybody(conn)}
    players = [people[address_of(name)] for name, _, _ in PLAYERS]
    await fill_entries(core, people[KC[0]], people[TL[0]], players)


async def _play(core: Core, row: GameRow, number: int) -> None:
    """Play one of the known games as far as the days allow."""
    line = GAMES[number % len(GAMES)]
    now = core.clock.now()
    day = now - timedelta(days=BEGAN_DAYS)
    last = now - timedelta(days=LATE_DAYS if number == 1 else number % 5)
    board = chess.Board()
    for ply, san in enumerate(line.moves.split()):
        day += timedelta(days=1 + (ply * 7 + number * 3) % 6)
        if day > last:
            return
        move = board.parse_san(san)
        at = datetime.combine(day.date(), time(9 + ply % 9, number), UTC)
        side = Side.WHITE if board.turn else Side.BLACK
        await _ask(core, row, side, min(at, now), (move, line.offers_draw_at == ply))
        board.push(move)
    if line.is_resigned:
        loser = Side.WHITE if board.turn else Side.BLACK
        await _ask(core, row, loser, min(day + timedelta(days=1), now), None)


async def _ask(
    core: Core, row: GameRow, side: Side, at: datetime, move: tuple[chess.Move, bool] | None
) -> None:
    """Send a move, with or without a draw offered; None: resign."""

    def build(state: GameState, _: Side) -> Command:
        if move is None:
            return Resign(side)
        return SendMoves(side, state.position.ply, move[:1], offers_draw=move[1])

    await ask(core, GameRequest(row.id, row.person_of(side), "web", build, at=at))


async def _plan_leave(core: Core) -> None:
    """One player has announced leave two weeks ahead (§ 6.3.6.1)."""
    person = await core.store.query(person_rows.by_email, address_of(PLAYERS[3][0]))
    assert person is not None
    first = core.clock.now().date() + timedelta(days=14)
    leave = Leave(person.id, first, first + timedelta(days=6), "web", core.clock.now())
    await book(core, leave)
