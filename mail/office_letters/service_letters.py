"""Answers about leave, sign-in links, undeliverable mail.

Duties, alarms and a leader's own letter.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Self

from kskak.cup import CupStage
from kskak.game.game_commands import Reason, Refusal
from kskak.office.year import TournamentKind, TournamentStep
from kskak.regulation.days import ONE_DAY, is_holiday
from kskak.regulation.editions import LeaveType, Regulation, rules_of
from mail.game_letters import cast
from mail.game_letters.letter_parts import (
    Blocks,
    GroupLetter,
    LeaderFootLetter,
    ServerLetter,
    letter,
    name_official,
    plain,
    quote_person,
)
from mail.game_letters.move_letters import leave_subject
from mail.game_letters.no_move_letters import refusal_text
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days
from mail.text.letter_facts import OfficialContact, Person

_DETAILS = 50
_LEAVE = (date(2027, 1, 8), date(2027, 1, 15))
_LED = (("K-26-01", cast.LEADER),)


@dataclass(frozen=True, slots=True)
class _LeaveAnswer(ServerLetter):
    """To the player, about the leave he asked for: in which groups, each with its leader."""

    first: date
    last: date
    groups: tuple[tuple[str, OfficialContact], ...]

    takes_commands = True

    def _about(self, answer: str, kind: LeaveType, words: Words) -> str:
        about = leave_subject(self.first, self.last, kind, words)
        return words(f"letters.leave_answer.{answer}", about=about)

    def _days(self, words: Words) -> dict[str, str]:
        return {"first": words.day(self.first), "last": words.day(self.last)}

    def _leaders(self, words: Words) -> b.Bullets:
        return b.Bullets(
            tuple(
                (words.without_leader() if leader.is_arbiter else words)(
                    "letters.leave.group",
                    group=plain(group),
                    name=plain(leader.name),
                    email=leader.email,
                )
                for group, leader in self.groups
            )
        )


@letter("leave_confirmed")
class LeaveConfirmed(_LeaveAnswer):
    """To the player: his leave is booked, in which groups, and what is left (§ 6.3.6, § 6.8.8).

    ``until``: his own last day if he shortened it; ``reason``: the leader's, for special leave.
    """

    leave_type: LeaveType
    days_left: int | None
    until: date | None = None
    reason: str = ""

    def subject(self, words: Words) -> str:
        return self._about("booked" if self.until is None else "changed", self.leave_type, words)

    def lead(self, words: Words) -> str:
        days_of = self._days(words)
        if self.until is None:
            return words(f"letters.leave.booked.{self.leave_type.value}", **days_of)
        if self.until < self.first:
            return words("silences.own_shorter.given_up", **days_of)
        return words("silences.own_shorter.shortened", **days_of, until=words.day(self.until))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.reason:
            yield words("letters.leave.reason")
            yield b.Quote(quote_person(self.reason))
        yield words("letters.leave.told")
        yield self._leaders(words)
        if self.days_left is not None:
            yield words("letters.leave.left", days=days(self.days_left, words))
            asked = range((self.last - self.first).days + 1)
            if any(is_holiday(self.first + n * ONE_DAY) for n in asked):
                yield words("letters.leave.holidays")
        if self.until is None:
            yield words("letters.leave.stands_still")
        else:
            yield words("silences.own_keeps", **self._days(words))

    @classmethod
    def samples(cls) -> dict[str, Self]:
        whose = (cast.BLACK.name, cast.OPERATOR, *_LEAVE)
        booked = cls(*whose, (*_LED, ("P-26-02", cast.LEADER)), LeaveType.PERSONAL, 27)
        changed = replace(booked, groups=_LED)
        return {
            "leave": booked,
            "leave_shorter": replace(changed, days_left=30, until=date(2027, 1, 10)),
            "leave_given_up": replace(changed, days_left=35, until=date(2027, 1, 7)),
            "leave_special": replace(
                changed, days_left=None, leave_type=LeaveType.SPECIAL, reason="Indlæggelse."
            ),
        }


@letter("leave_refused")
class LeaveRefused(_LeaveAnswer):
    """To the player: his leave is not booked, why, and what would do; the leaders grant special
    leave (§ 6.3.6, § 6.3.6.1, § 6.3.6.4)."""

    refusal: Refusal

    def subject(self, words: Words) -> str:
        return self._about("refused", LeaveType.PERSONAL, words)

    def lead(self, words: Words) -> str:
        return words("letters.leave.refused", **self._days(words))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield refusal_text(self.refusal, words)
        yield words("letters.leave.how")
        yield b.Example(((words("letters.word.leave"), words("letters.means.leave")),))
        if self.groups:
            yield words("letters.leave.ask")
            yield self._leaders(words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        why = Refusal(Reason.LEAVE_TOO_SOON, earliest=date(2027, 1, 10))
        return {"leave_refused": cls(cast.BLACK.name, cast.OPERATOR, *_LEAVE, _LED, why)}


@letter("trouble")
class DeliveryTrouble(ServerLetter):
    """To the leader: who can't be reached by mail, since when, which games (§ 6.8.2, § 6.8.5).

    ``is_report``: a report says so, and the time runs until the leader stops it.
    """

    player: Person
    games: tuple[str, ...]
    since: date
    reason: str
    is_final: bool
    is_report: bool = False
    regulation: Regulation = Regulation.EMAIL

    def subject(self, words: Words) -> str:
        return words("letters.delivery.subject", player=plain(self.player.name))

    def lead(self, words: Words) -> str:
        named = {"player": plain(self.player.name), "day": words.day(self.since)}
        return words("letters.delivery.lead", **named)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        final = ("reported" if self.is_report else "final") if self.is_final else "trying"
        games = ", ".join(plain(game) for game in self.games)
        yield b.FactList(
            (
                (words("letters.delivery.address"), plain(self.player.email or "-")),
                (words("letters.delivery.games"), games),
            )
        )
        yield words("letters.delivery.reason")
        yield b.Quote(quote_person(self.reason) or "-")
        yield words(f"letters.delivery.{final}", **rules_of(self.regulation).cited)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        told = (cast.BLACK, ("K-26-01/3",), date(2026, 12, 5), "550 5.1.1 no such user", True)
        made = cls(cast.LEADER.name, cast.OPERATOR, *told)
        return {"delivery": made, "delivery_postal": replace(made, regulation=Regulation.POSTAL)}


@letter("sign_in")
class SignIn(ServerLetter):
    """A one-time link to a page with a button to sign in, so that scanners that open links do not
    use it up; ``expires`` is aware and in the reader's zone."""

    link: str
    expires: datetime

    subject_key = "letters.sign_in.subject"
    is_anybodys = True

    def lead(self, words: Words) -> str:
        return words("letters.sign_in.lead")

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        until = {"day": words.day(self.expires.date()), "time": f"{self.expires:%H.%M}"}
        yield b.LinkLine(words("letters.sign_in.link"), self.link)
        yield words("letters.sign_in.until", **until)
        yield words("letters.sign_in.not_you")

    @classmethod
    def samples(cls) -> dict[str, Self]:
        until = datetime(2026, 12, 4, 19, 5, tzinfo=UTC)
        return {"sign_in": cls(cast.BLACK.name, cast.OPERATOR, f"{cast.SITE}/ind/abc", until)}


@letter("unwritten")
class Unwritten(ServerLetter):
    """In place of a letter that our server failed to write: what happened is unaffected; where to
    read it, and whom to write to. ``about`` names the game, if any."""

    about: str | None
    link: str

    def _text(self, key: str, words: Words) -> str:
        if self.about is None:
            return words(f"letters.unwritten.{key}")
        return words(f"letters.unwritten.{key}_game", game=plain(self.about))

    def subject(self, words: Words) -> str:
        return self._text("subject", words)

    def lead(self, words: Words) -> str:
        return self._text("lead", words)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield b.LinkLine(words("letters.unwritten.link"), self.link)
        yield words("letters.unwritten.known")

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {"unwritten": cls(cast.BLACK.name, cast.OPERATOR, "K-26-01/3", f"{cast.SITE}/")}


class Alarm(StrEnum):
    """What an operator is alerted to at once, and the report of a day's mail."""

    MAIL_SHUNTED = "mail_shunted"
    MAIL_DEAD = "mail_dead"
    LETTER_PLAIN = "letter_plain"
    MAIL_HELD = "mail_held"
    MAIL_REPORT = "mail_report"
    MAILBOX_SHUT = "mailbox_shut"


@letter("alarm")
class OperatorAlert(ServerLetter):
    """To the operator: what happened, how often, and the details of which.

    ``reader`` is not named: several get it. ``counts``: in a report, how many there were of what.
    """

    alarm: Alarm
    count: int
    details: tuple[str, ...]
    counts: tuple[tuple[str, int], ...] = ()

    def subject(self, words: Words) -> str:
        return words(f"letters.alarm_subject.{self.alarm.value}", n=self.count)

    def greeting(self, words: Words) -> Blocks:
        yield words("letters.greeting", name=name_official(self.official, words))

    def lead(self, words: Words) -> str:
        return words(f"letters.alarm.{self.alarm.value}", n=self.count)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        details = quote_person("\n".join(self.details[:_DETAILS]))
        if self.counts:
            told = (words(f"letters.mail_report.{name}", n=n) for name, n in self.counts)
            yield b.Bullets(tuple(told))
        if details:
            yield b.Quote(details)
        yield words("letters.alarm_what")

    @classmethod
    def samples(cls) -> dict[str, Self]:
        to = (cast.OPERATOR.name, cast.OPERATOR)
        counts = (("held", 1), ("strangers", 2), ("shunted", 1), ("dead", 1), ("bounced", 1))
        said = ("jogvan@example.fo: Mít drag",)
        return {
            "alarm": cls(*to, Alarm.MAIL_DEAD, 2, ("<a@b>", "<c@d>")),
            "report": cls(*to, Alarm.MAIL_REPORT, 6, said, counts),
        }


# A leader's own letter to everybody in a group, in words (§ 6.1.1). NOT for who gets it.

LONGEST, MOST_LINES = 2000, 40
"""What a letter passes on of somebody's words (mail.game_letters.letter_parts.quote_person)."""


@letter("to_all")
class LeaderLetter(GroupLetter):
    """To each player: the text, a paragraph for each of its lines, between who wrote it and the
    group. ``by`` wrote it, has his name on it, and gets the answers."""

    by: OfficialContact
    title: str
    text: str

    @property
    def reply_to(self) -> str:
        """Who wrote it."""
        return self.by.email

    @property
    def sender_name(self) -> str:
        """The same, by name."""
        return self.by.name

    def subject(self, words: Words) -> str:
        named = {"group": plain(self.group.name), "subject": plain(self.title)}
        return words("letters.to_all.subject", **named)

    def lead(self, words: Words) -> str:
        named = {"group": plain(self.group.name), "tournament": plain(self.group.tournament)}
        by = {"name": plain(self.by.name), "email": self.by.email}
        return words("letters.to_all.lead", **named, **by)

    def preview(self, words: Words) -> b.LetterContent:
        """The letter as it will read, before there is an envelope for it."""
        blocks = (*self.greeting(words), b.LeadLine(self.lead(words)), *self._said(words))
        return b.LetterContent(self.subject(words), blocks, self.foot(words))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        return self._said(words)

    def _said(self, words: Words) -> Blocks:
        yield from (line for line in quote_person(self.text).split("\n") if line.strip())
        yield b.LinkLine(words("letters.to_all.link"), self.group.url)
        by = {"name": plain(self.by.name), "email": self.by.email}
        yield words("letters.to_all.answer", **by)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        said = "Husk, at tiden står stille i juleferien.\n\nGlædelig jul!"
        return {"to_all": cls(cast.BLACK.name, cast.GROUP, cast.LEADER, "Juleferien", said)}


@letter("start_annulled")
class StartAnnulled(LeaderFootLetter):
    """A group's start was annulled before its first move, or another was put in a player's place;
    another start letter will follow, and no answer is needed. ``swap``: who goes out, who comes in.
    """

    group: str
    reason: str
    swap: tuple[str, str] | None = None

    takes_commands = True

    def subject(self, words: Words) -> str:
        key = "subject" if self.swap is None else "swapped_subject"
        return words(f"cases.start.{key}", group=plain(self.group))

    def lead(self, words: Words) -> str:
        if self.swap is None:
            return words("cases.start.lead", group=plain(self.group))
        out, new = map(plain, self.swap)
        return words("cases.start.swapped", group=plain(self.group), out=out, new=new)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        reason = quote_person(self.reason)
        if reason:
            yield b.Quote(reason)
        if self.swap is None:
            yield words("cases.start.what")
        else:
            yield words(
                "cases.start.swapped_what", out=plain(self.swap[0]), new=plain(self.swap[1])
            )

    @classmethod
    def samples(cls) -> dict[str, Self]:
        led, why = (cast.BLACK.name, cast.LEADER, cast.ZONE), "Afgørelsen i sag 2026/4."
        swap = cls(*led, "P-26-F", why, (cast.WHITE.name, "Carl Dam"))
        return {"start_annulled": cls(*led, "K-26-01", "En spiller for lidt."), "start_swap": swap}


# Letters about duties: the year's steps, a cup's round, offices, outages (§ 6.1.2, § 6.6.3).


@letter("year_step")
class YearStepFacts(ServerLetter):
    """To the controller: a step of the year is coming up, or is overdue (§ 6.1.2).

    ``days`` left until ``day``, below 0 after it. ``url``: the year's page.
    """

    form: TournamentKind
    step: TournamentStep
    season: int
    day: date
    days: int
    paragraph: str
    url: str

    def _named(self, words: Words) -> dict[str, str | int]:
        return {
            "tournament": words(f"year.form.{self.form.value}"),
            "season": self.season,
            "step": words(f"year.step.{self.step.value}"),
        }

    def subject(self, words: Words) -> str:
        return words("year.letter.subject", **self._named(words))

    def lead(self, words: Words) -> str:
        named = self._named(words) | {"day": words.weekday_day(self.day)}
        if self.days < 0:
            return words("year.letter.late", **named)
        if self.days == 0:
            return words("year.letter.today", **named)
        return words("year.letter.ahead", days=days(self.days, words), **named)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words(f"year.todo.{self.step.value}", paragraph=self.paragraph)
        yield words("year.letter.done")
        yield b.LinkLine(words("year.title"), self.url)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        steps = {
            "year_ahead": (TournamentKind.LEAGUE, TournamentStep.DIVISIONS, 14),
            "year_today": (TournamentKind.SEMIFINAL, TournamentStep.DEADLINE, 0),
            "year_late": (TournamentKind.CUP, TournamentStep.ANNOUNCEMENT, -3),
        }
        to, on = ("Otto Krag", cast.OPERATOR), (2028, date(2027, 12, 20))
        return {
            name: cls(*to, form, step, *on, left, "6.7.5.1", cast.URL)
            for name, (form, step, left) in steps.items()
        }


@letter("week")
class WeekLetter(ServerLetter):
    """To an official who wants it, on Fridays: what he decided, what may be appealed, what comes.

    ``decided``: each, and whether it was annulled; ``standing``, ``coming``: cases with the last
    day of a term, None where it does not run yet; ``duties``: group or game.
    """

    on: date
    decided: tuple[tuple[str, bool], ...]
    standing: tuple[tuple[str, date | None], ...]
    coming: tuple[tuple[str, date | None], ...]
    duties: tuple[tuple[str, date | None], ...]
    url: str

    def subject(self, words: Words) -> str:
        return words("duties.week.subject", day=words.day(self.on))

    def lead(self, words: Words) -> str:
        if not self.decided:
            return words("duties.week.undecided")
        gone = words("desk.decisions.annulled")
        refs = (f"{ref} ({gone})" if is_annulled else ref for ref, is_annulled in self.decided)
        return words("duties.week.decided", n=len(self.decided), refs=", ".join(refs))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        for name in ("standing", "coming", "duties"):
            rows = tuple(
                (plain(what), "–" if day is None else words.day(day))
                for what, day in getattr(self, name)
            )
            if rows:
                yield b.Heading(words(f"duties.week.{name}"))
                yield b.FactList(rows)
        if not (self.standing or self.coming or self.duties):
            yield words("duties.week.none")
        yield b.LinkLine(words("duties.week.link"), self.url)
        yield words("duties.week.stop")

    @classmethod
    def samples(cls) -> dict[str, Self]:
        to, term = (cast.LEADER.name, cast.OPERATOR, date(2027, 2, 5)), date(2027, 2, 12)
        cases, group = (("2027/4", term),), (("K-26-01", term),)
        return {
            "week": cls(
                *to, (("2027/3/1", True), ("2027/5/1", False)), cases, cases, group, cast.URL
            ),
            "week_quiet": cls(*to, (), (), (), (), cast.URL),
        }


@letter("cup_round")
class RoundReady(ServerLetter):
    """To the cup's leader: a round is over; the next can be drawn as of ``since`` (§ 6.6.3)."""

    edition: int
    stage: CupStage
    since: date
    url: str

    def subject(self, words: Words) -> str:
        return words("duties.cup.subject", edition=self.edition)

    def lead(self, words: Words) -> str:
        stage = words(f"duties.cup.{self.stage.value}")
        return words("duties.cup.lead", edition=self.edition, stage=stage)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("duties.cup.since", day=words.day(self.since))
        yield b.LinkLine(words("duties.cup.desk"), self.url)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        stages = {"cup_round": CupStage.PRELIMINARY, "cup_round_semi": CupStage.SEMIFINAL}
        to, since = ("Tove Leder", cast.OPERATOR), date(2027, 3, 1)
        return {name: cls(*to, 2026, stage, since, cast.URL) for name, stage in stages.items()}


@letter("readdressed")
class AddressReplaced(ServerLetter):
    """To the old address, as a warning: another has taken its place, which it does not name
    (§ 6.8.5)."""

    subject_key = "duties.readdressed_subject"

    def lead(self, words: Words) -> str:
        return words("duties.readdressed")

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        who = {"name": name_official(self.official, words), "email": plain(self.official.email)}
        yield words("duties.readdressed_wish")
        yield words("duties.readdressed_not", **who)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {"readdressed": cls(cast.BLACK.name, cast.OPERATOR)}


@letter("office")
class OfficeChange(ServerLetter):
    """To every official in office: somebody was appointed, or an appointment ended (§ 6.1.1).

    ``office``: one of the offices' names; ``group`` None: everywhere; ``by``: who did it.
    """

    person: str
    office: str
    group: str | None
    by: str
    at: datetime
    is_end: bool

    def _told(self, kind: str, words: Words) -> str:
        where = "" if self.group is None else f", {plain(self.group)}"
        office = words(f"desk.office.{self.office}") + where
        key = f"duties.office.{kind}.{'ended' if self.is_end else 'made'}"
        return words(key, person=plain(self.person), office=office)

    def subject(self, words: Words) -> str:
        return self._told("subject", words)

    def lead(self, words: Words) -> str:
        return self._told("lead", words)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        when = {"day": words.day(self.at.date()), "time": words.time(self.at)}
        who = {"name": name_official(self.official, words), "email": plain(self.official.email)}
        yield words("duties.office.by", by=plain(self.by), **when)
        yield words("duties.office.wrong", **who)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        of, by = (cast.LEADER.name, cast.OPERATOR, cast.BLACK.name), (cast.WHITE.name, cast.AT)
        return {
            "office_made": cls(*of, "kc", None, *by, False),
            "office_ended": cls(*of, "deputy", "K-26-01", *by, True),
        }


@dataclass(frozen=True, slots=True)
class GroupPause:
    """What an outage asks for in a group: its days, both included; what they would reach."""

    group: str
    first: date
    last: date
    games: int
    players: int


@letter("outage")
class PauseProposal(ServerLetter):
    """To who decides: the server or its mail stood still, from when to when, and what that asks for
    in each group (§ 6.8.5).

    ``part``: ``server`` or ``mail``; ``began`` and ``ended`` in the server's zone.
    """

    part: str
    began: datetime
    ended: datetime
    pauses: tuple[GroupPause, ...]
    url: str

    subject_key = "outages.letter.subject"

    def lead(self, words: Words) -> str:
        ends = {"from_": self.began, "to": self.ended}
        moment = "outages.letter.moment"
        when = {
            name: words(moment, day=words.day(at.date()), time=words.time(at))
            for name, at in ends.items()
        }
        return words("outages.stretch", what=words(f"outages.what.{self.part}"), **when)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("outages.letter.why")
        yield b.Bullets(tuple(_write_pause(one, words) for one in self.pauses))
        yield words("outages.letter.deed")
        yield b.LinkLine(words("outages.letter.link"), self.url)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        away = (cast.AT, cast.AT.replace(day=9, hour=7))
        pauses = (
            GroupPause("K-26-01", date(2026, 12, 6), date(2026, 12, 8), 21, 7),
            GroupPause("K-26-02", date(2026, 12, 8), date(2026, 12, 8), 1, 2),
        )
        by = cast.OPERATOR
        return {
            "outage": cls("Tove Leder", by, "server", *away, pauses, cast.URL),
            "outage_mail": cls("Otto Krag", by, "mail", *away, pauses[:1], cast.URL),
        }


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
