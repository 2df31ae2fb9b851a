"""Builders for records of results: a line in a test is a line in a player's life."""

from datetime import date
from fractions import Fraction

from kskak.entries.access import access
from kskak.entries.emt import EmtClass, Score
from kskak.entries.rights import (
    ClassEligibility,
    CupFinalStage,
    CupRightRound,
    IccfTournament,
    PlayerProfile,
    PlayerResult,
    ResultHistory,
)

DM, M, K, OPEN = EmtClass
PLAYER = PlayerProfile("A. Spiller")


def score(points, games=6, unfinished=0, place=None):
    return Score(Fraction(str(points)), games, unfinished, place)


def emt(group_class, finished, points, *, games=6, unfinished=0, place=None):
    return (group_class, finished, score(points, games, unfinished, place))


def cup(stage, finished, points, *, games=6, entries=80, held=True, place=None):
    event = CupRightRound(CupFinalStage(stage), entries, held)
    return (event, finished, score(points, games, 0, place))


def iccf(tournament, finished, points, *, games=10, place=None):
    return (IccfTournament(tournament), finished, score(points, games, 0, place))


def record(on, *rows):
    day = date.fromisoformat
    return ResultHistory(
        day(on),
        tuple(
            PlayerResult(number, event, points, None if finished is None else day(finished))
            for number, (event, finished, points) in enumerate(rows, 1)
        ),
    )


def answers(on, *rows, player=PLAYER) -> dict[EmtClass, ClassEligibility]:
    return access(player, record(on, *rows))


def allowed(on, *rows, player=PLAYER) -> str:
    """The open classes in one word, as ``DM M`` or ``Å``."""
    found = answers(on, *rows, player=player)
    return " ".join(name.value for name, answer in found.items() if answer.is_allowed)


def by(answer: ClassEligibility) -> dict[str, str | None]:
    """Each paragraph with its last day."""
    return {row.paragraph: row.until and row.until.isoformat() for row in answer.by}


def against(answer: ClassEligibility) -> list[str]:
    return [row.paragraph for row in answer.against]
