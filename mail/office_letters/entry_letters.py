"""Letters about an entry, a request to join, and one's own account (§ 6.4.4)."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import ClassVar, Self

from kskak.entries.entry import EntryFault, EntryRefusal, fault_paragraph
from kskak.entries.rights import RUNNING
from mail.game_letters import cast
from mail.game_letters.letter_parts import (
    Blocks,
    LeaderFootLetter,
    ServerLetter,
    letter,
    plain,
    quote_person,
    write_reason,
)
from mail.office_letters.case_letters import money
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.letter_facts import OfficialContact


class EntryNews(StrEnum):
    """What happened to the entry; LEAVE and LINEUP to a team's alone (§ 6.7.4.1), MEMBERSHIP to a
    player's: his club is no more (§ 6.1)."""

    ENTERED = "entered"
    FEE = "fee"
    LEAVE = "leave"
    LINEUP = "lineup"
    VALID = "valid"
    WAITS = "waits"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    UNPAID = "unpaid"
    MEMBERSHIP = "membership"


def fault_text(fault: EntryFault, closed: str, words: Words) -> str:
    """What a kept entry still lacks, with its paragraph, and what comes next.

    ``closed``: the paragraph by which the class is not open. That is reviewed by a person, but
    a class closed by a running group opens by itself (§ 6.5.1.2).
    """
    if fault is EntryFault.NOT_OPEN:
        next_step = "entries.asked_running" if closed == RUNNING else "entries.asked"
        return f"{missing_text(fault, closed, words)} {words(next_step)}"
    return _line(fault.value, fault_paragraph(fault, closed), words)


def missing_text(fault: EntryFault, closed: str, words: Words) -> str:
    """The same for an official, without what comes next."""
    return f"{words(f'entries.fault.{fault.value}')} (§ {fault_paragraph(fault, closed)})."


def _line(name: str, paragraph: str, words: Words) -> str:
    said = words(f"entries.fault.{name}")
    return f"{said} (§ {paragraph}). {words(f'entries.remedy.{name}')}"


def refusal_lines(refusal: EntryRefusal, words: Words) -> tuple[str, ...]:
    """Each reason of a refusal with its paragraph and what to do."""
    return tuple(
        _line(reason.value, paragraph, words)
        for reason, paragraph in zip(refusal.reasons, refusal.paragraphs, strict=True)
    ) + ((", ".join(plain(name) for name in refusal.who),) if refusal.who else ())


def write_payment_line(how: str, leader: OfficialContact, words: Words) -> str:
    """How the fee is paid; where the list does not say it, who says it (§ 6.4.4.1)."""
    if how:
        return words("entries.how_to_pay", how=plain(how))
    named = {"leader": plain(leader.name), "email": leader.email}
    return words("entries.pay_leader", **named)


def write_season_days(deadline: date | None, start: date | None, words: Words) -> Blocks:
    """Until when to enter and when the games begin, where the year's plan says (§ 6.1.2)."""
    for key, day in (("deadline", deadline), ("start", start)):
        if day is not None:
            yield words(f"entries.season.{key}", day=words.day(day))


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryNotice(LeaderFootLetter):
    """What happened to an entry, a player's or a team's. ``fee`` in øre; ``day``: the fee's or the
    entry's. ``start`` and ``deadline``: by the year's plan, where it has them; ``is_paid``: the
    fee came."""

    room: ClassVar[str]
    """Where its words are."""
    news: EntryNews
    day: date
    is_valid: bool
    url: str
    start: date | None = None
    deadline: date | None = None
    fee: int | None = None
    paragraph: str = ""
    reason: str = ""
    how_to_pay: str = ""
    is_paid: bool = False

    def named(self) -> dict[str, object]:
        """Whose entry to what."""
        raise NotImplementedError

    def _told(self, kind: str, words: Words) -> str:
        key = f"{self.room}.{kind}.{self.news.value}"
        key += "_valid" if self.is_valid and f"{key}_valid" in words else ""
        return words(key, day=words.day(self.day), **self.named())

    def subject(self, words: Words) -> str:
        return self._told("subject", words)

    def lead(self, words: Words) -> str:
        return self._told("news", words)

    @property
    def is_over(self) -> bool:
        """Whether nothing comes of it."""
        return self.news in (EntryNews.REFUSED, EntryNews.WITHDRAWN)

    def money_lines(self, words: Words, *, lacks_fee: bool) -> Blocks:
        """The fee that is lacking and how to pay it, or that it is paid back, and why."""
        if lacks_fee and self.fee:
            yield words("entries.fee", fee=money(self.fee, words))
            yield write_payment_line(self.how_to_pay, self.leader, words)
        if self.reason:
            reason = plain(write_reason(self.reason, words))
            yield words("entries.reason", reason=reason, paragraph=plain(self.paragraph))
        if self.is_over and self.is_paid and self.fee:
            yield words("entries.fee_back", fee=money(self.fee, words))


@letter("entry")
class EntryLetter(EntryNotice):
    """To the player. ``place`` is his number among ``valid`` entries, of which ``wanted`` start a
    group; ``wanted`` 0: the leader starts it."""

    list_name: str
    place: int
    valid: int
    wanted: int
    faults: tuple[EntryFault, ...] = ()
    closed_by: str = "6.5.3.2"

    room = "entries"

    def named(self) -> dict[str, object]:
        return {"list": plain(self.list_name)}

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.faults:
            yield b.Bullets(tuple(fault_text(one, self.closed_by, words) for one in self.faults))
        yield from self.money_lines(words, lacks_fee=EntryFault.NO_FEE in self.faults)
        if self.place and self.wanted:
            counted = {"place": self.place, "valid": self.valid, "wanted": self.wanted}
            yield words("entries.place", **counted)
        elif self.place:
            yield words("entries.place_by_leader", place=self.place)
        if self.is_over:
            yield words(f"entries.again.{self.news.value}")
        else:
            yield from write_season_days(self.deadline, self.start, words)
        yield b.LinkLine(words("entries.page"), self.url)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        name, fee = "EMT 2026, kvalifikationsklassen", 20_000
        made = cls(
            *(cast.WHITE.name, cast.LEADER, cast.ZONE, name, 0, 3, 7),
            news=EntryNews.ENTERED,
            day=date(2027, 2, 1),
            is_valid=False,
            url=cast.URL,
            fee=fee,
        )
        valid, asked = replace(made, is_valid=True, place=3), (EntryFault.NOT_OPEN,)
        waits = replace(made, news=EntryNews.WAITS, faults=asked, closed_by="6.5.1.2")
        refused = replace(made, news=EntryNews.REFUSED, paragraph="6.4.2", reason="Karantæne.")
        return {
            "entry_made": replace(made, faults=tuple(EntryFault)),
            "entry_asked": replace(made, faults=asked),
            "entry_let_in": replace(
                valid, news=EntryNews.VALID, paragraph="6.1", reason="Han er flyttet hertil."
            ),
            "entry_paid": replace(valid, news=EntryNews.FEE),
            "entry_dm": replace(
                valid,
                news=EntryNews.VALID,
                wanted=0,
                start=date(2027, 9, 1),
                deadline=date(2027, 8, 4),
            ),
            "entry_waits": waits,
            "entry_refused": refused,
            "entry_no_club": replace(valid, news=EntryNews.MEMBERSHIP),
            "entry_withdrawn": replace(made, news=EntryNews.WITHDRAWN, is_paid=True),
            "entry_unpaid": replace(made, news=EntryNews.UNPAID, faults=(EntryFault.NO_FEE,)),
        }


# Letters about a request to join: confirm your address, someone is waiting, admitted, declined.


class JoinNews(StrEnum):
    """What happened. ``WAITS`` goes to officials, the others to the person asking."""

    CONFIRM = "confirm"
    WAITS = "waits"
    ADMITTED = "admitted"
    DECLINED = "declined"


@letter("join")
class JoinLetter(ServerLetter):
    """What happened, the page for the next step, and whom to ask (§ 6.4.4.1). NOT for the pages.

    ``asker`` is who wants to join; ``link`` the page for the next step, "" if there is none.
    """

    news: JoinNews
    asker: str
    link: str
    reason: str

    is_anybodys = True

    def greeting(self, words: Words) -> Blocks:
        if self.news is not JoinNews.CONFIRM:  # no words of whoever asked to an unproved address
            yield words("letters.greeting", name=plain(self.reader))

    def subject(self, words: Words) -> str:
        return words(f"join.subject.{self.news.value}")

    def lead(self, words: Words) -> str:
        named = {} if self.news is JoinNews.CONFIRM else {"name": plain(self.asker)}
        return words(f"join.letter.{self.news.value}", **named)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.news is JoinNews.DECLINED:
            yield b.Quote(quote_person(self.reason) or "-")
        if self.link:
            yield b.LinkLine(words(f"join.link_text.{self.news.value}"), self.link)
        yield words(f"join.then.{self.news.value}")

    @classmethod
    def samples(cls) -> dict[str, Self]:
        pages = {"confirm": "/join/abc", "waits": "/desk/join", "admitted": "/login/abc"}
        asker, why = "Jógvan á Rógvi", "Nummeret er en andens."
        return {
            f"join_{news}": cls(
                cast.BLACK.name if news is JoinNews.WAITS else asker, cast.OPERATOR, news, asker,
                f"{cast.SITE}{pages[news]}" if news in pages else "",
                why if news is JoinNews.DECLINED else "",
            )
            for news in JoinNews
        }  # fmt: skip


# Letters about one's own account, in words. NOT for sign-in links (service_letters.py).


class AccountNews(StrEnum):
    """What happened."""

    PASSKEY_ADDED = "passkey_added"
    PASSKEY_REMOVED = "passkey_removed"
    TOKEN_ADDED = "token_added"
    TOKEN_REMOVED = "token_removed"
    XFCC_ADDED = "xfcc_added"
    XFCC_REMOVED = "xfcc_removed"
    PASSKEYS_RESET = "passkeys_reset"


@letter("account")
class WaysChanged(ServerLetter):
    """To the owner: which means of access to the account was added or removed, when, and what to do
    if it was not him. ``name``: his own for it; ``url``: the page.

    An official's passkeys that the operator removed: to all officials, and ``name`` is his."""

    news: AccountNews
    name: str
    at: datetime
    url: str

    subject_key = "account.letter_subject"

    def subject(self, words: Words) -> str:
        if self.news is AccountNews.PASSKEYS_RESET:
            return words("account.letter.passkeys_reset_subject", name=plain(self.name))
        return words(self.subject_key)

    def lead(self, words: Words) -> str:
        return words(f"account.letter.{self.news.value}", name=plain(self.name))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        when = {"day": words.day(self.at.date()), "time": f"{self.at:%H.%M}"}
        yield words("account.letter_when", **when)
        is_reset = self.news is AccountNews.PASSKEYS_RESET
        yield words("account.letter.passkeys_reset_do" if is_reset else "account.letter_not_you")
        yield b.LinkLine(words("account.letter_link"), self.url)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        to, page = (cast.BLACK.name, cast.OPERATOR), f"{cast.SITE}/settings/access"
        names = {news: "k7" if news.startswith("x") else "Min telefon" for news in AccountNews}
        names[AccountNews.PASSKEYS_RESET] = cast.BLACK.name
        return {
            f"account_{news}": cls(*to, news, name, cast.AT, page) for news, name in names.items()
        }
