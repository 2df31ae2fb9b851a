"""Builders for records of results: a line in a test is a line in a player's life."""

from datetime import date
from fractions import Fraction

from kskak.entries.access import access
from kskak.entries.cup_rights import CupRound, Stage
from kskak.entries.emt import EmtClass, Score
from kskak.entries.iccf import Tournament
from kskak.entries.player_record import Player, Record, Result
from kskak.entries.rights import Answer

DM, M, K, OPEN = EmtClass
PLAYER = Player("A. Spiller")


def score(points, games=6, unfinished=0, place=None):
    return Score(Fraction(str(points)), games, unfinished, place)


def emt(group_class, finished, points, *, games=6, unfinished=0, place=None):
    return (group_class, finished, score(points, games, unfinished, place))


def cup(stage, finished, points, *, games=6, entries=80, held=True, place=None):
    event = CupRound(Stage(stage), entries, held)
    return (event, finished, score(points, games, 0, place))


def iccf(tournament, finished, points, *, games=10, place=None):
    return (Tournament(tournament), finished, score(points, games, 0, place))


def record(on, *rows):
    day = date.fromisoformat
    return Record(
        day(on),
        tuple(
            Result(number, event, points, None if finished is None else day(finished))
            for number, (event, finished, points) in enumerate(rows, 1)
        ),
    )


def answers(on, *rows, player=PLAYER) -> dict[EmtClass, Answer]:
    return access(player, record(on, *rows))


def allowed(on, *rows, player=PLAYER) -> str:
    """The open classes in one word, as ``DM M`` or ``Å``."""
    found = answers(on, *rows, player=player)
    return " ".join(name.value for name, answer in found.items() if answer.is_allowed)


def by(answer: Answer) -> dict[str, str | None]:
    """Each paragraph with its last day."""
    return {row.paragraph: row.until and row.until.isoformat() for row in answer.by}


def against(answer: Answer) -> list[str]:
    return [row.paragraph for row in answer.against]
