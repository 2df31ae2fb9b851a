"""Next season's divisions in words: the human form of ``kskak compose`` (§ 6.7.5).

Not for the rules (``kskak.league.composition``) nor for JSON (``kskak.league.composition_file``).
"""

from collections.abc import Iterable, Iterator

from kskak.league.composition import Composition, Placed, Reason
from mail.text.words import Words

_INDENT = "  "
_REASON = {
    Reason.FIRST_STAYS: "compose.reason.first_stays",
    Reason.FIRST_RISES: "compose.reason.first_rises",
    Reason.FIRST_DISPENSATION: "compose.reason.dispensation",
    Reason.SECOND_FALLS: "compose.reason.second_falls",
    Reason.SECOND_STAYS: "compose.reason.second_stays",
    Reason.SECOND_RISES: "compose.reason.second_rises",
    Reason.SECOND_FROM_FIRST: "compose.reason.second_from_first",
    Reason.SECOND_DISPENSATION: "compose.reason.dispensation",
    Reason.THIRD: "compose.reason.third",
    Reason.CLUB_TWICE: "compose.reason.club_twice",
    Reason.ALONE: "compose.reason.alone",
}


def compose_lines(composition: Composition, words: Words) -> Iterator[str]:
    """Each division, one team per line with its reason; teams without a place; dispensations."""
    for number, rows in ((1, composition.first), (2, composition.second)):
        if rows:
            yield words("compose.division", number=number)
            yield from _team_lines(rows, words)
    for group, rows in enumerate(composition.third, 1):
        has_one = len(composition.third) == 1
        yield words("compose.division" if has_one else "compose.group", number=3, group=group)
        yield from _team_lines(rows, words)
    if composition.unplaced:
        yield words("compose.unplaced")
        yield from _team_lines(composition.unplaced, words)
    if composition.dispensations:
        yield words("compose.dispensations", n=len(composition.dispensations))


def reason_text(by: str, words: Words) -> str:
    """A reason in words, given its name in kskak-compose/1."""
    return words(_REASON[Reason(by)])


def _team_lines(rows: Iterable[Placed], words: Words) -> Iterator[str]:
    for row in rows:
        why = words(_REASON[row.reason])
        if row.team.score is not None:
            why = words("compose.scored", score=words.number(row.team.score), why=why)
        mean = words.number(row.team.mean)
        yield _INDENT + words("compose.team", club=row.team.club, mean=mean, why=why)
