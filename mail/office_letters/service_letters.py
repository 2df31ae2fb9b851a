"""Answers about leave, sign-in links, undeliverable mail.

Duties, alarms and a leader's own letter.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import assert_never

from kskak.cup import CupStage
from kskak.game.game_commands import Refusal
from kskak.office.year import TournamentKind, TournamentStep
from kskak.regulation.editions import LeaveType
from mail.game_letters.letter_parts import foot, name_official, operator_foot, plain, quote_person
from mail.game_letters.no_move_letters import refusal_text
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days
from mail.text.letter_facts import (
    EntrantFacts,
    GroupFacts,
    OfficialContact,
    OwnGameFacts,
    PairingFacts,
    Person,
)

# Letters not about a single game: start letter, list of games, leave, sign-in, alarms.


@dataclass(frozen=True, slots=True)
class StartLetter:
    """To each player of a group before its start (§ 6.5.2.1)."""

    reader: Person
    group: GroupFacts
    players: tuple[EntrantFacts, ...]
    pairings: tuple[PairingFacts, ...]
    command_address: str
    """Where to write about leave and status."""
    rounds: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = ()
    """The whole schedule: each round with its games, White's number first (§ 6.5.2.1)."""


class GameListRequest(StrEnum):
    """What a list of games is an answer to."""

    STATUS = "status"
    HELP = "help"
    MAILS = "mails"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class GameListFacts:
    """A player's running games with fresh reply addresses; unless STATUS or MAILS, also
    what to write.
    """

    reader: Person
    games: tuple[OwnGameFacts, ...]
    asked: GameListRequest
    command_address: str
    official: OfficialContact


@dataclass(frozen=True, slots=True)
class LeaveConfirmed:
    """To the player: his leave is booked, in which groups, and what is left (§ 6.3.6)."""

    reader: Person
    first: date
    last: date
    leave_type: LeaveType
    groups: tuple[tuple[str, OfficialContact], ...]
    """Each group with its leader."""
    days_left: int | None
    official: OfficialContact
    until: date | None = None
    """His own last day if he shortened it."""


@dataclass(frozen=True, slots=True)
class LeaveRefused:
    """To the player: his leave is not booked, and what would do (§ 6.3.6, § 6.3.6.1)."""

    reader: Person
    first: date
    last: date
    refusal: Refusal
    official: OfficialContact
    groups: tuple[tuple[str, OfficialContact], ...] = ()
    """The groups it was for, each with its leader, who grants special leave (§ 6.3.6.4)."""


@dataclass(frozen=True, slots=True)
class DeliveryTrouble:
    """To the leader: mail to a player can't be delivered (§ 6.8.2).

    ``is_report``: a report says so, and the time runs until the leader stops it.
    """

    leader: OfficialContact
    player: Person
    games: tuple[str, ...]
    since: date
    reason: str
    is_final: bool
    official: OfficialContact
    is_report: bool = False


@dataclass(frozen=True, slots=True)
class SignIn:
    """A one-time link to sign in; ``expires`` is aware and in the reader's zone."""

    reader: Person
    link: str
    expires: datetime
    official: OfficialContact


class Alarm(StrEnum):
    """What an operator is alerted to at once, and the report of a day's mail."""

    MAIL_SHUNTED = "mail_shunted"
    MAIL_DEAD = "mail_dead"
    LETTER_PLAIN = "letter_plain"
    MAIL_HELD = "mail_held"
    MAIL_REPORT = "mail_report"
    MAILBOX_SHUT = "mailbox_shut"


@dataclass(frozen=True, slots=True)
class Unwritten:
    """In place of a letter that our server failed to write; ``about`` names the game, if any."""

    reader: Person
    about: str | None
    link: str
    official: OfficialContact


@dataclass(frozen=True, slots=True)
class OperatorAlert:
    """To the operator: what happened, how often, and the details of which.

    ``counts``: in a report, how many there were of what.
    """

    official: OfficialContact
    alarm: Alarm
    count: int
    details: tuple[str, ...]
    counts: tuple[tuple[str, int], ...] = ()


NoticeLetter = (
    StartLetter
    | GameListFacts
    | LeaveConfirmed
    | LeaveRefused
    | DeliveryTrouble
    | Unwritten
    | SignIn
    | OperatorAlert
)


# Answers about leave, sign-in links, undeliverable mail, alarms for the operator.

_DETAILS = 50


def write_leave_confirmed(
    letter: LeaveConfirmed, words: Words, envelope: Envelope
) -> b.LetterContent:
    """Booked, in which groups, what is left (§ 6.3.6, § 6.8.8)."""
    days_of = {"first": words.day(letter.first), "last": words.day(letter.last)}
    if letter.until is None:
        lead = words(f"letters.leave.booked.{letter.leave_type.value}", **days_of)
    elif letter.until < letter.first:
        lead = words("silences.own_shorter.given_up", **days_of)
    else:
        lead = words("silences.own_shorter.shortened", **days_of, until=words.day(letter.until))

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader.name)))
        yield b.LeadLine(lead)
        yield b.Para(words("letters.leave.told"))
        yield b.Bullets(tuple(_group(name, leader, words) for name, leader in letter.groups))
        if letter.days_left is not None:
            yield b.Para(words("letters.leave.left", days=days(letter.days_left, words)))
        if letter.until is None:
            yield b.Para(words("letters.leave.stands_still"))
        else:
            yield b.Para(words("silences.own_keeps", **days_of))

    foot = operator_foot(letter.official, words)
    return b.LetterContent(words("letters.leave.subject"), lead, tuple(blocks()), foot)


def _group(group: str, leader: OfficialContact, words: Words) -> str:
    named = {"group": plain(group), "name": plain(leader.name)}
    return words("letters.leave.group", **named, email=leader.email)


def write_leave_refused(letter: LeaveRefused, words: Words, envelope: Envelope) -> b.LetterContent:
    """Not booked, why, and what would do (§ 6.3.6.1)."""
    lead = words(
        "letters.leave.refused", first=words.day(letter.first), last=words.day(letter.last)
    )
    leaders = tuple(_group(name, leader, words) for name, leader in letter.groups)
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader.name))),
        b.LeadLine(lead),
        b.Para(refusal_text(letter.refusal, words)),
        b.Para(words("letters.leave.how")),
        b.Example(((words("letters.word.leave"), words("letters.means.leave")),)),
        *((b.Para(words("letters.leave.ask")), b.Bullets(leaders)) if leaders else ()),
    )
    foot = operator_foot(letter.official, words)
    return b.LetterContent(words("letters.leave.subject"), lead, blocks, foot)


def delivery_trouble(letter: DeliveryTrouble, words: Words, envelope: Envelope) -> b.LetterContent:
    """To the leader: who can't be reached, since when, which games (§ 6.8.2, § 6.8.5)."""
    name = plain(letter.player.name)
    lead = words("letters.delivery.lead", player=name, day=words.day(letter.since))
    final = ("reported" if letter.is_report else "final") if letter.is_final else "trying"
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.leader.name))),
        b.LeadLine(lead),
        b.FactList(
            (
                (words("letters.delivery.address"), plain(letter.player.email or "-")),
                (words("letters.delivery.games"), ", ".join(plain(g) for g in letter.games)),
            )
        ),
        b.Para(words("letters.delivery.reason")),
        b.Quote(quote_person(letter.reason) or "-"),
        b.Para(words(f"letters.delivery.{final}")),
    )
    foot = operator_foot(letter.official, words)
    return b.LetterContent(words("letters.delivery.subject"), lead, blocks, foot)


def sign_in(letter: SignIn, words: Words, envelope: Envelope) -> b.LetterContent:
    """A link to a page with a button, so that scanners that open links do not use it up."""
    lead = words("letters.sign_in.lead")
    until = words(
        "letters.sign_in.until",
        day=words.day(letter.expires.date()),
        time=f"{letter.expires:%H.%M}",
    )
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader.name))),
        b.LeadLine(lead),
        b.LinkLine(words("letters.sign_in.link"), letter.link),
        b.Para(until),
        b.Para(words("letters.sign_in.not_you")),
    )
    foot = operator_foot(letter.official, words)
    return b.LetterContent(words("letters.sign_in.subject"), lead, blocks, foot)


def unwritten(letter: Unwritten, words: Words, envelope: Envelope) -> b.LetterContent:
    """What happened is unaffected: where to read it, and whom to write to."""
    if letter.about is None:
        subject, lead = words("letters.unwritten.subject"), words("letters.unwritten.lead")
    else:
        about = plain(letter.about)
        subject = words("letters.unwritten.subject_game", game=about)
        lead = words("letters.unwritten.lead_game", game=about)
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader.name))),
        b.LeadLine(lead),
        b.LinkLine(words("letters.unwritten.link"), letter.link),
        b.Para(words("letters.unwritten.known")),
    )
    return b.LetterContent(subject, lead, blocks, operator_foot(letter.official, words))


def operator_alert(letter: OperatorAlert, words: Words, envelope: Envelope) -> b.LetterContent:
    """What happened, how often, and the details of which."""
    lead = words(f"letters.alarm.{letter.alarm.value}", n=letter.count)
    details = quote_person("\n".join(letter.details[:_DETAILS]))
    counts = tuple(words(f"letters.mail_report.{name}", n=n) for name, n in letter.counts)
    blocks = (
        b.Para(words("letters.greeting", name=name_official(letter.official, words))),
        b.LeadLine(lead),
        *((b.Bullets(counts),) if counts else ()),
        *((b.Quote(details),) if details else ()),
        b.Para(words("letters.alarm_what")),
    )
    foot = operator_foot(letter.official, words)
    return b.LetterContent(words("letters.alarm_subject"), lead, blocks, foot)


# A leader's own letter to everybody in a group, in words (§ 6.1.1). NOT for who gets it.

LONGEST, MOST_LINES = 2000, 40
"""What a letter passes on of somebody's words (mail.game_letters.letter_parts.quote_person)."""


@dataclass(frozen=True, slots=True)
class LeaderLetter:
    """To each player. ``by`` wrote it, and gets the answers; ``leader`` leads the group."""

    reader: str
    group: str
    tournament: str
    by: OfficialContact
    leader: OfficialContact
    zone: str
    subject: str
    text: str
    url: str


def write_leader_letter(letter: LeaderLetter, words: Words) -> b.LetterContent:
    """The leader's text, a paragraph for each of its lines, between who wrote it and the group."""
    named = {"group": plain(letter.group), "tournament": plain(letter.tournament)}
    by = {"name": plain(letter.by.name), "email": letter.by.email}
    lead = words("letters.to_all.lead", **named, **by)
    lines = [line for line in quote_person(letter.text).split("\n") if line.strip()]
    blocks: tuple[b.Block, ...] = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.LeadLine(lead),
        *(b.Para(line) for line in lines),
        b.LinkLine(words("letters.to_all.link"), letter.url),
        b.Para(words("letters.to_all.answer", **by)),
    )
    subject = words("letters.to_all.subject", group=named["group"], subject=plain(letter.subject))
    return b.LetterContent(subject, lead, blocks, foot(letter.leader, letter.zone, words))


# Letters about duties: publishing a group, sending prizes, the year's steps (§ 6.4.5, § 6.2.9).


@dataclass(frozen=True, slots=True)
class Publication:
    """What was published of a group, and the days that follow from it (§ 6.4.5)."""

    group: str
    tournament: str
    leader: OfficialContact
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
class PrizesDueFacts:
    """To the leader: the prizes are to be sent (§ 6.4.5)."""

    published: Publication


@dataclass(frozen=True, slots=True)
class YearStepFacts:
    """To the controller: a step of the year is coming up, or is overdue (§ 6.1.2).

    ``days`` left until ``day``, below 0 after it. ``url``: the year's page.
    """

    reader: str
    form: TournamentKind
    step: TournamentStep
    season: int
    day: date
    days: int
    paragraph: str
    url: str
    official: OfficialContact


@dataclass(frozen=True, slots=True)
class AddressReplaced:
    """To the old address: another has taken its place (§ 6.8.5)."""

    reader: str
    official: OfficialContact


@dataclass(frozen=True, slots=True)
class RoundReady:
    """To the cup's leader: a round is over; the next can be drawn as of ``since`` (§ 6.6.3)."""

    reader: str
    edition: int
    stage: CupStage
    since: date
    url: str
    official: OfficialContact


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
    official: OfficialContact


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
    official: OfficialContact


DutyLetter = (
    GroupPublished
    | PrizesDueFacts
    | YearStepFacts
    | AddressReplaced
    | RoundReady
    | OfficeChange
    | PauseProposal
)


def write(letter: DutyLetter, words: Words) -> b.LetterContent:
    """The letter in words."""
    match letter:
        case GroupPublished():
            return write_group_published(letter, words)
        case PrizesDueFacts():
            return prizes_due(letter, words)
        case YearStepFacts():
            return year_step(letter, words)
        case AddressReplaced():
            return write_address_warning(letter, words)
        case RoundReady():
            return round_ready(letter, words)
        case OfficeChange():
            return office_change(letter, words)
        case PauseProposal():
            return pause_proposal(letter, words)
        case _:
            assert_never(letter)


def _assemble_letter(
    told: Publication, lead: str, blocks: Iterator[b.Block], words: Words
) -> b.LetterContent:
    subject = words("duties.subject", group=plain(told.group))
    return b.LetterContent(subject, lead, tuple(blocks), foot(told.leader, told.zone, words))


def _list_values(told: Publication) -> dict[str, str]:
    return {"group": plain(told.group), "tournament": plain(told.tournament)}


def write_group_published(letter: GroupPublished, words: Words) -> b.LetterContent:
    """The result is published: the last days for objections and for prizes (§ 6.4.5)."""
    told = letter.published
    lead = words("duties.published", **_list_values(told))

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader)))
        yield b.LeadLine(lead)
        yield b.LinkLine(words("duties.link"), told.url)
        until = words.day(told.objections_until)
        yield b.Para(words("duties.object", day=until, leader=plain(told.leader.name)))
        if letter.is_leader:
            yield b.DueLine(words("duties.prizes", day=words.day(told.prizes_until)))
            if letter.keeps_transcripts_until is not None:
                kept = words.day(letter.keeps_transcripts_until)
                yield b.Para(words("duties.transcripts", day=kept))
        else:
            yield b.Para(words("duties.keep", day=until))

    return _assemble_letter(told, lead, blocks(), words)


def prizes_due(letter: PrizesDueFacts, words: Words) -> b.LetterContent:
    """The prizes of a group are to be sent (§ 6.4.5)."""
    told = letter.published
    lead = words("duties.prizes_due", day=words.day(told.prizes_until), **_list_values(told))

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(told.leader.name)))
        yield b.LeadLine(lead)
        yield b.Para(words("duties.prizes_done"))
        yield b.LinkLine(words("duties.link"), told.url)

    return _assemble_letter(told, lead, blocks(), words)


def year_step(letter: YearStepFacts, words: Words) -> b.LetterContent:
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
        yield b.LeadLine(lead)
        yield b.Para(words(f"year.todo.{letter.step.value}", paragraph=letter.paragraph))
        yield b.Para(words("year.letter.done"))
        yield b.LinkLine(words("year.title"), letter.url)

    subject = words("year.letter.subject", **named)
    return b.LetterContent(subject, lead, tuple(blocks()), operator_foot(letter.official, words))


def round_ready(letter: RoundReady, words: Words) -> b.LetterContent:
    """The cup's next round can be drawn (§ 6.6.3)."""
    stage = words(f"duties.cup.{letter.stage.value}")
    lead = words("duties.cup.lead", edition=letter.edition, stage=stage)
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.LeadLine(lead),
        b.Para(words("duties.cup.since", day=words.day(letter.since))),
        b.LinkLine(words("duties.cup.desk"), letter.url),
    )
    subject = words("duties.cup.subject", edition=letter.edition)
    return b.LetterContent(subject, lead, blocks, operator_foot(letter.official, words))


def write_address_warning(letter: AddressReplaced, words: Words) -> b.LetterContent:
    """A warning to the old address; it does not name the new one (§ 6.8.5)."""
    lead, who = words("duties.readdressed"), letter.official
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.LeadLine(lead),
        b.Para(words("duties.readdressed_wish")),
        b.Para(
            words("duties.readdressed_not", name=name_official(who, words), email=plain(who.email))
        ),
    )
    return b.LetterContent(
        words("duties.readdressed_subject"), lead, blocks, operator_foot(who, words)
    )


def office_change(letter: OfficeChange, words: Words) -> b.LetterContent:
    """Who is, or no longer is, in which office, and who did it (§ 6.1.1)."""
    office = words(f"desk.office.{letter.office}")
    where = "" if letter.group is None else f", {plain(letter.group)}"
    named = {"person": plain(letter.person), "office": f"{office}{where}"}
    lead = words("duties.office.ended" if letter.is_end else "duties.office.made", **named)
    when = {"day": words.day(letter.at.date()), "time": words.time(letter.at)}
    who = letter.official
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.LeadLine(lead),
        b.Para(words("duties.office.by", by=plain(letter.by), **when)),
        b.Para(
            words("duties.office.wrong", name=name_official(who, words), email=plain(who.email))
        ),
    )
    return b.LetterContent(words("duties.office.subject"), lead, blocks, operator_foot(who, words))


def pause_proposal(letter: PauseProposal, words: Words) -> b.LetterContent:
    """From when to when what stood still, and what that asks for in each group (§ 6.8.5)."""
    ends = {"from_": letter.began, "to": letter.ended}
    when = {name: f"{words.day(at.date())} {words.time(at)}" for name, at in ends.items()}
    lead = words("outages.stretch", what=words(f"outages.what.{letter.part}"), **when)
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.LeadLine(lead),
        b.Para(words("outages.letter.why")),
        b.Bullets(tuple(_write_pause(one, words) for one in letter.pauses)),
        b.Para(words("outages.letter.deed")),
        b.LinkLine(words("outages.letter.link"), letter.url),
    )
    foot = operator_foot(letter.official, words)
    return b.LetterContent(words("outages.letter.subject"), lead, blocks, foot)


def _write_pause(pause: GroupPause, words: Words) -> str:
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
