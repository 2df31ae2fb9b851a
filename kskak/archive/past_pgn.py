"""A past game as PGN; reading it back (pgn_in.py) gives the same game.

Not for the server's own games (game_pgn.py).
"""

from collections.abc import Iterator

import chess

from kskak.archive.game_pgn import written
from kskak.archive.past_game import UNKNOWN_DAY, PastGame, PastPlayer, unpacked
from kskak.board.fen_and_san import san
from kskak.board.openings import Opening
from kskak.regulation.quantities import Result


def past_pgn(game: PastGame, opening: Opening | None = None, *, with_numbers: bool = False) -> str:
    """The game, newline included; ``with_numbers`` adds the membership numbers.

    ``opening`` is named in its tag, and gives the ECO code where the game has none itself.
    """
    return written(_tags(game, opening, with_numbers), _words(game))


def sans(game: PastGame) -> Iterator[tuple[chess.Board, chess.Move, str]]:
    """The board before each move, the move, and its name in English letters."""
    board = chess.Board() if game.fen is None else chess.Board(game.fen)
    for move in unpacked(game.moves):
        after = board.copy(stack=False)
        after.push(move)
        yield board, move, san(board, move, after)
        board = after


def _tags(game: PastGame, opening: Opening | None, with_numbers: bool) -> Iterator[tuple[str, str]]:
    yield "Event", game.event or "?"
    yield "Site", game.site or "?"
    yield "Date", _day(game.day)
    yield "Round", game.round or "-"
    yield "White", game.white.name
    yield "Black", game.black.name
    yield "Result", "*" if game.result is Result.BOTH_LOSE else game.result.value
    for side, player in (("White", game.white), ("Black", game.black)):
        yield from _player_tags(side, player, with_numbers)
    if code := game.eco or (opening.code if opening is not None else ""):
        yield "ECO", code
    if opening is not None:
        yield "Opening", opening.english
    if game.fen is not None:
        yield from (("SetUp", "1"), ("FEN", game.fen))
    if game.end != UNKNOWN_DAY:
        yield "EndDate", _day(game.end)
    if game.result is Result.BOTH_LOSE:
        yield "Termination", "rules infraction"


def _player_tags(side: str, player: PastPlayer, with_number: bool) -> Iterator[tuple[str, str]]:
    if player.elo is not None:
        yield f"{side}Elo", str(player.elo)
    if player.club:
        yield f"{side}Team", player.club
    if player.number and with_number:
        yield f"{side}Member", player.number


def _day(day: str) -> str:
    """«2001-05-00» as «2001.05.??»."""
    return ".".join("?" * len(part) if int(part) == 0 else part for part in day.split("-"))


def _words(game: PastGame) -> Iterator[str]:
    is_first = True
    for board, _, name in sans(game):
        if board.turn:
            yield f"{board.fullmove_number}."
        elif is_first:
            yield f"{board.fullmove_number}..."
        is_first = False
        yield name
    if game.result is Result.BOTH_LOSE:
        yield "{0-0}"
    yield "*" if game.result is Result.BOTH_LOSE else game.result.value
