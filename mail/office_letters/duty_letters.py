"""Letters about a finished group: its publication, the prizes (§ 6.4.5); and the year (§ 6.1.2).

Facts only, as in ``mail.office_letters.notice_facts``. NOT for text
(``mail.office_letters.duties``).
"""

from dataclasses import dataclass
from datetime import date

from kskak.cup.course import CupStage
from kskak.office.year import Form, Step
from mail.text.facts import Official


@dataclass(frozen=True, slots=True)
class Publication:
    """What was published of a group, and the days that follow from it (§ 6.4.5)."""

    group: str
    tournament: str
    leader: Official
    zone: str
    url: str
    day: date
    objections_until: date
    prizes_until: date


@dataclass(frozen=True, slots=True)
class GroupPublished:
    """To the players and the leader: the group is finished, until when to object (§ 6.4.5)."""

    reader: str
    published: Publication
    is_leader: bool
    keeps_transcripts_until: date | None = None


@dataclass(frozen=True, slots=True)
class PrizesDue:
    """To the leader: the prizes are to be sent (§ 6.4.5)."""

    published: Publication


@dataclass(frozen=True, slots=True)
class YearStep:
    """To the controller: a step of the year comes, or its day passed without a word (§ 6.1.2).

    ``days`` until ``day``, below 0 after it. ``url``: the year's page.
    """

    reader: str
    form: Form
    step: Step
    season: int
    day: date
    days: int
    paragraph: str
    url: str
    official: Official


@dataclass(frozen=True, slots=True)
class Readdressed:
    """To the address that was: another one has taken its place (§ 6.8.5)."""

    reader: str
    official: Official


@dataclass(frozen=True, slots=True)
class RoundReady:
    """To the cup's leader: a round is over and the next can be drawn ``since`` a day (§ 6.6.3)."""

    reader: str
    edition: int
    stage: CupStage
    since: date
    url: str
    official: Official


DutyLetter = GroupPublished | PrizesDue | YearStep | Readdressed | RoundReady
