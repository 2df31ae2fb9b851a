"""What the API answers of the archive, as models."""

from kskak.regulation.quantities import Result
from server.api.frame.game_answers import Answer


class ArchiveSide(Answer):
    """A player of a finished game; `person` null: nobody of the register."""

    name: str
    person: int | None
    rating: int | None


class ArchiveGame(Answer):
    """A finished game; `day` has 00 for what is unknown; `eco` by its moves, "" for none.

    `game` is its number on this server, null for a game from before. `ply`: after how many
    half-moves it had the position that is asked for.
    """

    id: int
    game: int | None
    event: str
    round: str
    day: str
    white: ArchiveSide
    black: ArchiveSide
    result: Result
    eco: str | None
    opening: str | None
    plies: int
    ply: int | None


class ArchiveMove(Answer):
    """What was played in the position, in UCI; null: the games ended there."""

    move: str | None
    games: int
    white: int
    draws: int
    black: int


class ArchivePosition(Answer):
    """The position that is asked for; `complete` false: its moves are those of some games only."""

    fen: str
    complete: bool
    moves: list[ArchiveMove]


class ArchiveList(Answer):
    """A page of games; `after` asks for the next one, null on the last.

    `games_in_all`: games of the archive; `unread` of them are not yet found by opening and
    position.
    """

    games: list[ArchiveGame]
    after: str | None
    games_in_all: int
    unread: int
    position: ArchivePosition | None
