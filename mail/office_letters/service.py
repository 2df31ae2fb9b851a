"""Answers about leave, sign-in links, undeliverable mail, alarms for the operator.

NOT for letters about one game.
"""

from collections.abc import Iterator

from mail.game_letters.common import called, operator_foot, own_words, plain
from mail.game_letters.not_made import refusal_text
from mail.office_letters.notice_facts import (
    DeliveryTrouble,
    LeaveConfirmed,
    LeaveRefused,
    OperatorAlert,
    SignIn,
    Unwritten,
)
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.explain import days
from mail.text.facts import Official
from mail.text.words import Words

_DETAILS = 50


def leave_confirmed(letter: LeaveConfirmed, words: Words, envelope: Envelope) -> b.Written:
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
        yield b.Lead(lead)
        yield b.Para(words("letters.leave.told"))
        yield b.Bullets(tuple(_group(name, leader, words) for name, leader in letter.groups))
        if letter.days_left is not None:
            yield b.Para(words("letters.leave.left", days=days(letter.days_left, words)))
        if letter.until is None:
            yield b.Para(words("letters.leave.stands_still"))
        else:
            yield b.Para(words("silences.own_keeps", **days_of))

    foot = operator_foot(letter.official, words)
    return b.Written(words("letters.leave.subject"), lead, tuple(blocks()), foot)


def _group(group: str, leader: Official, words: Words) -> str:
    named = {"group": plain(group), "name": plain(leader.name)}
    return words("letters.leave.group", **named, email=leader.email)


def leave_refused(letter: LeaveRefused, words: Words, envelope: Envelope) -> b.Written:
    """Not booked, why, and what would do (§ 6.3.6.1)."""
    lead = words(
        "letters.leave.refused", first=words.day(letter.first), last=words.day(letter.last)
    )
    leaders = tuple(_group(name, leader, words) for name, leader in letter.groups)
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader.name))),
        b.Lead(lead),
        b.Para(refusal_text(letter.refusal, words)),
        b.Para(words("letters.leave.how")),
        b.Example(((words("letters.word.leave"), words("letters.means.leave")),)),
        *((b.Para(words("letters.leave.ask")), b.Bullets(leaders)) if leaders else ()),
    )
    foot = operator_foot(letter.official, words)
    return b.Written(words("letters.leave.subject"), lead, blocks, foot)


def delivery_trouble(letter: DeliveryTrouble, words: Words, envelope: Envelope) -> b.Written:
    """To the leader: who can't be reached, since when, which games (§ 6.8.2, § 6.8.5)."""
    name = plain(letter.player.name)
    lead = words("letters.delivery.lead", player=name, day=words.day(letter.since))
    final = ("reported" if letter.is_report else "final") if letter.is_final else "trying"
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.leader.name))),
        b.Lead(lead),
        b.Facts(
            (
                (words("letters.delivery.address"), plain(letter.player.email or "-")),
                (words("letters.delivery.games"), ", ".join(plain(g) for g in letter.games)),
            )
        ),
        b.Para(words("letters.delivery.reason")),
        b.Quote(own_words(letter.reason) or "-"),
        b.Para(words(f"letters.delivery.{final}")),
    )
    foot = operator_foot(letter.official, words)
    return b.Written(words("letters.delivery.subject"), lead, blocks, foot)


def sign_in(letter: SignIn, words: Words, envelope: Envelope) -> b.Written:
    """A link to a page with a button, so that scanners that open links do not use it up."""
    lead = words("letters.sign_in.lead")
    until = words(
        "letters.sign_in.until",
        day=words.day(letter.expires.date()),
        time=f"{letter.expires:%H.%M}",
    )
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader.name))),
        b.Lead(lead),
        b.Link(words("letters.sign_in.link"), letter.link),
        b.Para(until),
        b.Para(words("letters.sign_in.not_you")),
    )
    foot = operator_foot(letter.official, words)
    return b.Written(words("letters.sign_in.subject"), lead, blocks, foot)


def unwritten(letter: Unwritten, words: Words, envelope: Envelope) -> b.Written:
    """What happened is unaffected: where to read it, and whom to write to."""
    if letter.about is None:
        subject, lead = words("letters.unwritten.subject"), words("letters.unwritten.lead")
    else:
        about = plain(letter.about)
        subject = words("letters.unwritten.subject_game", game=about)
        lead = words("letters.unwritten.lead_game", game=about)
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader.name))),
        b.Lead(lead),
        b.Link(words("letters.unwritten.link"), letter.link),
        b.Para(words("letters.unwritten.known")),
    )
    return b.Written(subject, lead, blocks, operator_foot(letter.official, words))


def operator_alert(letter: OperatorAlert, words: Words, envelope: Envelope) -> b.Written:
    """What happened, how often, and the details of which."""
    lead = words(f"letters.alarm.{letter.alarm.value}", n=letter.count)
    details = own_words("\n".join(letter.details[:_DETAILS]))
    counts = tuple(words(f"letters.mail_report.{name}", n=n) for name, n in letter.counts)
    blocks = (
        b.Para(words("letters.greeting", name=called(letter.official, words))),
        b.Lead(lead),
        *((b.Bullets(counts),) if counts else ()),
        *((b.Quote(details),) if details else ()),
        b.Para(words("letters.alarm_what")),
    )
    foot = operator_foot(letter.official, words)
    return b.Written(words("letters.alarm_subject"), lead, blocks, foot)
