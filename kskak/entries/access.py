"""Which classes of the EMT a player may enter, and why (§ 6.5.2.2, § 6.5.3.2, § 6.6.2).

Every rule is tried; each answer names its paragraph, the results it rests on and its last day.
A class is open when a rule opens it and none closes it. What officials decide (§ 6.5.2.2 f,
§ 6.5.3.2 e) is not here, only that they must: where the order of results of one day would decide,
the class is in doubt (reading). Not for reading or printing (below), nor for the
rest of an entry (entry.py).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from kskak.entries.emt import EmtClass, EmtOutcome, Score, outcomes
from kskak.entries.rights import (
    ClassEligibility,
    ClassExclusion,
    CupFinalStage,
    CupRightRound,
    IccfTournament,
    PlayerProfile,
    PlayerResult,
    ResultHistory,
    Right,
    classes_of,
    cup_rights,
    danger,
    dm_bars,
    dm_rights,
    emt_rights,
    fall_from,
    first_timer_rights,
    iccf_rights,
    lapsed_cup,
    merge_rights,
    needs_score,
    otb_rights,
)
from kskak.groups.crosstables import GroupCrosstable
from kskak.ledger.ledger_files import HIGHEST_RATING, MOST_GAMES, DataFields, not_later
from kskak.regulation.days import years_later
from kskak.regulation.editions import CUP, EMT

NON_MEMBER = "6.1"
RELEGATED = "6.5.3.3"
DOUBT = dict.fromkeys(EmtClass, "6.5.3.2 e") | {EmtClass.DM: "6.5.2.2 f"}
"""The paragraph under which officials decide where the results leave doubt."""


def access(player: PlayerProfile, record: ResultHistory) -> dict[EmtClass, ClassEligibility]:
    """The answer for each class on the record's day, strongest class first (§ 6.5.3.2)."""
    found = {group_class: _answer(player, record, group_class) for group_class in EmtClass}
    _name_hole(record, found)
    for numbers in record.of_one_day:
        for last in numbers:
            other = replace(record, last_of_day=last)
            for group_class, answer in found.items():
                also = _answer(player, other, group_class)
                doubt = any(bar.paragraph in DOUBT.values() for bar in answer.against)
                if also.is_allowed is answer.is_allowed or doubt:
                    continue
                # Open or not by which of a day's results was last: officials decide (§ 6.5.3.2 e).
                opened = answer if answer.is_allowed else also
                shut = (ClassExclusion(DOUBT[group_class], numbers),)
                found[group_class] = ClassEligibility(opened.by, shut)
    return found


def _name_hole(record: ResultHistory, found: dict[EmtClass, ClassEligibility]) -> None:
    """Where no rule gives any class, the one the player belongs in (§ 6.5.3.2 e).

    5 points unused for 2 years, and not yet 3, leave nothing open, while a beginner may enter Å.
    Reading: a hole in the text; the player belongs in the class of the result, and the leader
    decides.
    """
    last = record.last_within(EMT.stay_years, *EmtClass)
    is_open = any(answer.by for answer in found.values())
    if last is None or is_open or record.running(*EmtClass) or not isinstance(last.event, EmtClass):
        return
    answer = found[last.event]
    hole = ClassExclusion(DOUBT[EmtClass.OPEN], (last.number,), is_hole=True)
    found[last.event] = replace(answer, against=(*answer.against, hole))


def _answer(
    player: PlayerProfile, record: ResultHistory, group_class: EmtClass
) -> ClassEligibility:
    is_dm = group_class is EmtClass.DM
    by = merge_rights(dm_rights(record) if is_dm else _rights(player, record, group_class))
    bars = [*non_member_bars(player, record)]
    if is_dm:
        bars += dm_bars(record, bool(by))
    else:
        bars += danger(record, group_class)
        fall = fall_from(record, group_class)
        if fall is not None and not by:
            bars.append(ClassExclusion(RELEGATED, (fall.number,)))
    if not by:
        bars += lapsed_cup(record, group_class)
    return ClassEligibility(by, tuple(bars))


def _rights(player: PlayerProfile, record: ResultHistory, group_class: EmtClass) -> Iterator[Right]:
    """What opens M, K or Å (§ 6.5.3.2)."""
    yield from emt_rights(record, group_class)
    yield from cup_rights(record, group_class)
    yield from iccf_rights(record, group_class)
    # § 6.5.3.2 d holds "unless point a can be used": in any class, not just this one.
    below_dm = (EmtClass.M, EmtClass.K, EmtClass.OPEN)
    is_placed = any(True for row in below_dm for _ in emt_rights(record, row))
    if not is_placed and fall_from(record, group_class) is None:
        yield from otb_rights(player, group_class)
    yield from first_timer_rights(record, group_class)


def non_member_bars(player: PlayerProfile, record: ResultHistory) -> tuple[ClassExclusion, ...]:
    """§ 6.1: a non-member may be in one group of the EMT or the cup, once (reading: ever)."""
    played = tuple(
        sorted(
            row.number for row in record.results if isinstance(row.event, EmtClass | CupRightRound)
        )
    )
    return (ClassExclusion(NON_MEMBER, played),) if played and not player.is_member else ()


# What a finished group means in the EMT: each player's right, with its paragraph and last day.


@dataclass(frozen=True, slots=True)
class ClassRight:
    """The class open to the player with this number after a group, and until when.

    ``paragraph`` is the rule; ``until`` the last day of the right; ``outcome``: what the group did
    to the player's class, None where a round of the cup opens it.
    """

    number: int
    opens: EmtClass
    paragraph: str
    until: date
    outcome: EmtOutcome | None = None

    @property
    def how(self) -> str:
        """What names its words: the outcome, or the cup."""
        return "cup_right" if self.outcome is None else self.outcome.value


def cup_rights_won(
    cup: CupRightRound, table: GroupCrosstable, finished: date
) -> tuple[ClassRight, ...]:
    """What a finished semi-final or final is worth in the EMT, in the order of places (§ 6.6.2).

    Nobody loses anything through the cup (§ 6.6.2.3). Empty while a game is unfinished.
    """
    if not table.is_finished:
        return ()
    until = years_later(finished, CUP.years)
    found = []
    for line in table.lines:
        opened = classes_of(cup, Score(line.points, line.games, 0, line.place))
        best = next((one for one in EmtClass if one in opened), None)
        if best is not None:
            found.append(ClassRight(line.player.number, best, cup.paragraph, until))
    return tuple(found)


def consequences(
    group_class: str, table: GroupCrosstable, finished: date
) -> tuple[ClassRight, ...]:
    """The rights won, kept and lost by a finished group, in the order of places.

    Empty for any form but the EMT, and while a game is unfinished (§ 6.5.3.2, § 6.5.3.3).
    """
    if group_class not in set(EmtClass) or not table.is_finished:
        return ()
    emt_class = EmtClass(group_class)
    scores = {str(line.player.number): Score(line.points, line.games) for line in table.lines}
    found = outcomes(emt_class, scores)
    return tuple(
        _consequence(line.player.number, emt_class, found[str(line.player.number)], finished)
        for line in table.lines
    )


def _consequence(
    number: int, group_class: EmtClass, outcome: EmtOutcome, finished: date
) -> ClassRight:
    is_dm = group_class is EmtClass.DM
    match outcome:
        case EmtOutcome.RISES:
            opens, years = group_class.above, EMT.promotion_years
            paragraph = "6.5.2.2" if opens is EmtClass.DM else "6.5.3.2"
        case EmtOutcome.FALLS:
            opens, years = group_class.below, EMT.stay_years
            paragraph = "6.5.2.3" if is_dm else "6.5.3.3"
        case EmtOutcome.STAYS:
            opens, years = group_class, EMT.dm_years if is_dm else EMT.stay_years
            paragraph = "6.5.2.2" if is_dm else "6.5.3.2"
    assert opens is not None, "nobody rises from the DM or falls from Å"
    return ClassRight(number, opens, paragraph, years_later(finished, years), outcome)


# kskak-access/1: a player and results in, read strictly; the classes out (CONTRACTS).

FORMAT = "kskak-access/1"
MOST_ENTRIES = 100_000
_EVENTS = "emt, cup or iccf"


@dataclass(frozen=True, slots=True)
class AccessFile:
    """A file that was read."""

    player: PlayerProfile
    record: ResultHistory


def read_access(document: object) -> AccessFile:
    """A player's record from parsed JSON. ValueError names the place and the remedy."""
    head = DataFields("access", document)
    if head.text("format") != FORMAT:
        raise head.fail("format", f'"{FORMAT}"')
    on = head.day("on")
    player = _player(head.object("player"))
    rows = enumerate(head.objects("results"), 1)
    results = tuple(_result(number, fields, ResultHistory(on, ())) for number, fields in rows)
    return AccessFile(player, ResultHistory(on, results))


def _player(fields: DataFields) -> PlayerProfile:
    return PlayerProfile(
        name=fields.line("name"),
        is_member=fields.truth("member") if fields.has("member") else True,
        is_citizen=fields.flag("citizen") if fields.is_set("citizen") else True,
        otb_rating=fields.count_or_none("otb_rating", 0, HIGHEST_RATING),
        k_rating=fields.count_or_none("k_rating", 0, HIGHEST_RATING),
    )


def _result(number: int, fields: DataFields, seen: ResultHistory) -> PlayerResult:
    event = _event(fields)
    if not fields.has("finished"):
        raise fields.fail("finished", "a date, or null while it is played")
    finished = not_later(fields, "finished", seen.on)
    score = _score(fields, event)
    if finished is not None and score.unfinished:
        raise fields.fail("unfinished", "0, or null for finished")
    return PlayerResult(number, event, score, finished)


def _event(fields: DataFields) -> EmtClass | CupRightRound | IccfTournament:
    match fields.text("event"):
        case "emt":
            return fields.one_of("class", EmtClass)
        case "iccf":
            return fields.one_of("tournament", IccfTournament)
        case "cup":
            stage = fields.one_of("stage", CupFinalStage)
            if stage is CupFinalStage.SEMIFINAL:
                return CupRightRound(stage)
            is_held = fields.flag("semi_held")
            entries = fields.count("entries", 0, MOST_ENTRIES) if is_held else 0
            return CupRightRound(stage, entries, is_held)
        case _:
            raise fields.fail("event", f"one of {_EVENTS}")


def _score(fields: DataFields, event: EmtClass | CupRightRound | IccfTournament) -> Score:
    place = fields.count_or_none("place", 1, MOST_GAMES)
    is_told = fields.is_set("games") or fields.is_set("points")
    if isinstance(event, IccfTournament) and not needs_score(event) and not is_told:
        return Score(Fraction(0), 1, 0, place)  # § 6.5.3.2 c asks for no score here
    games = fields.count("games", 1, MOST_GAMES)
    points = fields.points("points")
    unfinished = fields.count("unfinished", 0, games, default=0)
    if points > games - unfinished:
        most = f"{games} games, {unfinished} of them unfinished"
        raise fields.fail("points", f"no more points than {most}, can give")
    return Score(points, games, unfinished, place)


def access_json(answers: Mapping[EmtClass, ClassEligibility]) -> dict[str, object]:
    """Each class with what opens it, until when, and what closes it (§ 6.5.3.2)."""
    return {"classes": {name.value: _class_json(answer) for name, answer in answers.items()}}


def _class_json(answer: ClassEligibility) -> dict[str, object]:
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
