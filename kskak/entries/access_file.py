"""kskak-access/1: a player and results in, read strictly; the classes out (CONTRACTS).

Readings: ``games`` are all the player's games in the group, ``unfinished`` (0 when missing) those
still in play; an event is finished on a day not after ``on`` and has nothing unfinished.
Not for deciding (access.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from kskak.entries.cup_rights import CupRound, Stage
from kskak.entries.emt import EmtClass, Score
from kskak.entries.iccf import Tournament, needs_score
from kskak.entries.player_record import Player, Record, Result
from kskak.entries.rights import Answer
from kskak.ledger.file_fields import HIGHEST_RATING, MOST_GAMES, DataFields, not_later

FORMAT = "kskak-access/1"
MOST_ENTRIES = 100_000
_EVENTS = "emt, cup or iccf"


@dataclass(frozen=True, slots=True)
class AccessFile:
    """A file that was read."""

    player: Player
    record: Record


def read_access(document: object) -> AccessFile:
    """A player's record from parsed JSON. ValueError names the place and the remedy."""
    head = DataFields("access", document)
    if head.text("format") != FORMAT:
        raise head.fail("format", f'"{FORMAT}"')
    on = head.day("on")
    player = _player(head.object("player"))
    rows = enumerate(head.objects("results"), 1)
    results = tuple(_result(number, fields, Record(on, ())) for number, fields in rows)
    return AccessFile(player, Record(on, results))


def _player(fields: DataFields) -> Player:
    return Player(
        name=fields.line("name"),
        is_member=fields.truth("member") if fields.has("member") else True,
        is_citizen=fields.flag_or("citizen", True),
        otb_rating=fields.count_or_none("otb_rating", 0, HIGHEST_RATING),
        k_rating=fields.count_or_none("k_rating", 0, HIGHEST_RATING),
    )


def _result(number: int, fields: DataFields, seen: Record) -> Result:
    event = _event(fields)
    if not fields.has("finished"):
        raise fields.fail("finished", "a date, or null while it is played")
    finished = not_later(fields, "finished", seen.on)
    score = _score(fields, event)
    if finished is not None and score.unfinished:
        raise fields.fail("unfinished", "0, or null for finished")
    return Result(number, event, score, finished)


def _event(fields: DataFields) -> EmtClass | CupRound | Tournament:
    match fields.text("event"):
        case "emt":
            return fields.one_of("class", EmtClass)
        case "iccf":
            return fields.one_of("tournament", Tournament)
        case "cup":
            stage = fields.one_of("stage", Stage)
            if stage is Stage.SEMIFINAL:
                return CupRound(stage)
            is_held = fields.flag("semi_held")
            entries = fields.count("entries", 0, MOST_ENTRIES) if is_held else 0
            return CupRound(stage, entries, is_held)
        case _:
            raise fields.fail("event", f"one of {_EVENTS}")


def _score(fields: DataFields, event: EmtClass | CupRound | Tournament) -> Score:
    place = fields.count_or_none("place", 1, MOST_GAMES)
    is_told = fields.is_set("games") or fields.is_set("points")
    if isinstance(event, Tournament) and not needs_score(event) and not is_told:
        return Score(Fraction(0), 1, 0, place)  # § 6.5.3.2 c asks for no score here
    games = fields.count("games", 1, MOST_GAMES)
    points = fields.points("points")
    unfinished = fields.count("unfinished", 0, games, default=0)
    if points > games - unfinished:
        most = f"{games} games, {unfinished} of them unfinished"
        raise fields.fail("points", f"no more points than {most}, can give")
    return Score(points, games, unfinished, place)


def access_json(answers: Mapping[EmtClass, Answer]) -> dict[str, object]:
    """Each class with what opens it, until when, and what closes it (§ 6.5.3.2)."""
    return {"classes": {name.value: _class_json(answer) for name, answer in answers.items()}}


def _class_json(answer: Answer) -> dict[str, object]:
    return {
        "allowed": answer.is_allowed,
        "by": [
            {
                "paragraph": right.paragraph,
                "until": None if right.until is None else right.until.isoformat(),
            }
            for right in answer.by
        ],
        "against": [{"paragraph": bar.paragraph} for bar in answer.against],
    }
