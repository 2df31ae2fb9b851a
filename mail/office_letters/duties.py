"""Letters about duties: publishing a group, sending prizes, the year's steps (§ 6.4.5, § 6.2.9).

NOT for letters about one game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import assert_never

from kskak.cup.course import CupStage
from kskak.office.year import Form, Step
from mail.game_letters.common import called, foot, operator_foot, plain
from mail.outgoing import blocks as b
from mail.text.explain import days
from mail.text.facts import Official
from mail.text.words import Words


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
    """To the players and the leader: the group is finished, and when objections end (§ 6.4.5)."""

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
    """To the controller: a step of the year is coming up, or is overdue (§ 6.1.2).

    ``days`` left until ``day``, below 0 after it. ``url``: the year's page.
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
    """To the old address: another has taken its place (§ 6.8.5)."""

    reader: str
    official: Official


@dataclass(frozen=True, slots=True)
class RoundReady:
    """To the cup's leader: a round is over; the next can be drawn as of ``since`` (§ 6.6.3)."""

    reader: str
    edition: int
    stage: CupStage
    since: date
    url: str
    official: Official


@dataclass(frozen=True, slots=True)
class OfficeChange:
    """To every official in office: somebody was appointed, or an appointment ended (§ 6.1.1).

    ``office``: one of the offices' names; ``group`` None: everywhere; ``by``: who did it.
    """

    reader: str
    person: str
    office: str
    group: str | None
    by: str
    at: datetime
    is_end: bool
    official: Official


@dataclass(frozen=True, slots=True)
class GroupPause:
    """What an outage asks for in a group: its days, both included; what they would reach."""

    group: str
    first: date
    last: date
    games: int
    players: int


@dataclass(frozen=True, slots=True)
class PauseProposal:
    """To who decides: the server or its mail stood still, and pauses are proposed (§ 6.8.5).

    ``part``: ``server`` or ``mail``; ``began`` and ``ended`` in the server's zone.
    """

    reader: str
    part: str
    began: datetime
    ended: datetime
    pauses: tuple[GroupPause, ...]
    url: str
    official: Official


DutyLetter = (
    GroupPublished | PrizesDue | YearStep | Readdressed | RoundReady | OfficeChange | PauseProposal
)


def write(letter: DutyLetter, words: Words) -> b.Written:
    """The letter in words."""
    match letter:
        case GroupPublished():
            return group_published(letter, words)
        case PrizesDue():
            return prizes_due(letter, words)
        case YearStep():
            return year_step(letter, words)
        case Readdressed():
            return readdressed(letter, words)
        case RoundReady():
            return round_ready(letter, words)
        case OfficeChange():
            return office_change(letter, words)
        case PauseProposal():
            return pause_proposal(letter, words)
        case _:
            assert_never(letter)


def _written(told: Publication, lead: str, blocks: Iterator[b.Block], words: Words) -> b.Written:
    subject = words("duties.subject", group=plain(told.group))
    return b.Written(subject, lead, tuple(blocks), foot(told.leader, told.zone, words))


def _named(told: Publication) -> dict[str, str]:
    return {"group": plain(told.group), "tournament": plain(told.tournament)}


def group_published(letter: GroupPublished, words: Words) -> b.Written:
    """The result is published: the last days for objections and for prizes (§ 6.4.5)."""
    told = letter.published
    lead = words("duties.published", **_named(told))

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader)))
        yield b.Lead(lead)
        yield b.Link(words("duties.link"), told.url)
        until = words.day(told.objections_until)
        yield b.Para(words("duties.object", day=until, leader=plain(told.leader.name)))
        if letter.is_leader:
            yield b.Due(words("duties.prizes", day=words.day(told.prizes_until)))
            if letter.keeps_transcripts_until is not None:
                kept = words.day(letter.keeps_transcripts_until)
                yield b.Para(words("duties.transcripts", day=kept))
        else:
            yield b.Para(words("duties.keep", day=until))

    return _written(told, lead, blocks(), words)


def prizes_due(letter: PrizesDue, words: Words) -> b.Written:
    """The prizes of a group are to be sent (§ 6.4.5)."""
    told = letter.published
    lead = words("duties.prizes_due", day=words.day(told.prizes_until), **_named(told))

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(told.leader.name)))
        yield b.Lead(lead)
        yield b.Para(words("duties.prizes_done"))
        yield b.Link(words("duties.link"), told.url)

    return _written(told, lead, blocks(), words)


def year_step(letter: YearStep, words: Words) -> b.Written:
    """What comes up in the controller's year, and when (§ 6.1.2)."""
    tournament = words(f"year.form.{letter.form.value}")
    step = words(f"year.step.{letter.step.value}")
    named = {"tournament": tournament, "season": letter.season, "step": step}
    day = words.weekday_day(letter.day)
    if letter.days < 0:
        lead = words("year.letter.late", day=day, **named)
    elif letter.days == 0:
        lead = words("year.letter.today", day=day, **named)
    else:
        lead = words("year.letter.ahead", day=day, days=days(letter.days, words), **named)

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader)))
        yield b.Lead(lead)
        yield b.Para(words(f"year.todo.{letter.step.value}", paragraph=letter.paragraph))
        yield b.Para(words("year.letter.done"))
        yield b.Link(words("year.title"), letter.url)

    subject = words("year.letter.subject", **named)
    return b.Written(subject, lead, tuple(blocks()), operator_foot(letter.official, words))


def round_ready(letter: RoundReady, words: Words) -> b.Written:
    """The cup's next round can be drawn (§ 6.6.3)."""
    stage = words(f"duties.cup.{letter.stage.value}")
    lead = words("duties.cup.lead", edition=letter.edition, stage=stage)
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.Lead(lead),
        b.Para(words("duties.cup.since", day=words.day(letter.since))),
        b.Link(words("duties.cup.desk"), letter.url),
    )
    subject = words("duties.cup.subject", edition=letter.edition)
    return b.Written(subject, lead, blocks, operator_foot(letter.official, words))


def readdressed(letter: Readdressed, words: Words) -> b.Written:
    """A warning to the old address; it does not name the new one (§ 6.8.5)."""
    lead, who = words("duties.readdressed"), letter.official
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.Lead(lead),
        b.Para(words("duties.readdressed_wish")),
        b.Para(words("duties.readdressed_not", name=called(who, words), email=plain(who.email))),
    )
    return b.Written(words("duties.readdressed_subject"), lead, blocks, operator_foot(who, words))


def office_change(letter: OfficeChange, words: Words) -> b.Written:
    """Who is, or no longer is, in which office, and who did it (§ 6.1.1)."""
    office = words(f"desk.office.{letter.office}")
    where = "" if letter.group is None else f", {plain(letter.group)}"
    named = {"person": plain(letter.person), "office": f"{office}{where}"}
    lead = words("duties.office.ended" if letter.is_end else "duties.office.made", **named)
    when = {"day": words.day(letter.at.date()), "time": words.time(letter.at)}
    who = letter.official
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.Lead(lead),
        b.Para(words("duties.office.by", by=plain(letter.by), **when)),
        b.Para(words("duties.office.wrong", name=called(who, words), email=plain(who.email))),
    )
    return b.Written(words("duties.office.subject"), lead, blocks, operator_foot(who, words))


def pause_proposal(letter: PauseProposal, words: Words) -> b.Written:
    """From when to when what stood still, and what that asks for in each group (§ 6.8.5)."""
    ends = {"from_": letter.began, "to": letter.ended}
    when = {name: f"{words.day(at.date())} {words.time(at)}" for name, at in ends.items()}
    lead = words("outages.stretch", what=words(f"outages.what.{letter.part}"), **when)
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.Lead(lead),
        b.Para(words("outages.letter.why")),
        b.Bullets(tuple(_paused(one, words) for one in letter.pauses)),
        b.Para(words("outages.letter.deed")),
        b.Link(words("outages.letter.link"), letter.url),
    )
    foot = operator_foot(letter.official, words)
    return b.Written(words("outages.letter.subject"), lead, blocks, foot)


def _paused(pause: GroupPause, words: Words) -> str:
    span = "day" if pause.first == pause.last else "days"
    return words(
        f"outages.letter.{span}",
        group=plain(pause.group),
        games=words("outages.games", n=pause.games),
        players=words("outages.players", n=pause.players),
        days=days((pause.last - pause.first).days + 1, words),
        first=words.day(pause.first),
        last=words.day(pause.last),
    )
