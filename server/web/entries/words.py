"""Texts of the entry pages: classes, reasons, states (§ 6.4.4, § 6.5.3.2).

They are in ``mail/words/<lang>/entries/entries.toml`` and access.toml. Not for the other pages
(frame/words.py).
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from kskak.entries.admission import EntryRefusal, Wait, closed_by
from kskak.entries.cup_rights import CupRound
from kskak.entries.emt import EmtClass
from kskak.entries.iccf import Tournament
from kskak.entries.rights import Bar, Right
from mail.office_letters.cases import money
from mail.office_letters.entries import fault_text, missing_text, pay_line, refusal_lines
from mail.text.words import Words
from server.usecases.core.letter_facts import leader
from server.usecases.entries.judging import wish_of
from server.usecases.entries.player import Participation
from server.usecases.entries.views import EntryView, ListView

_KEYS = {"DM": "dm", "M": "m", "K": "k", "Å": "open"}
_NAMED = frozenset({"dm", "m", "k", "open", "preliminary", "semi", "final", "league", "theme"})


def _key(paragraph: str) -> str:
    return paragraph.replace(".", "_").replace(" ", "_")


def iccf_name(tournament: Tournament, words: Words) -> str:
    """An ICCF tournament's name in the reader's language (§ 6.5.3.2 c)."""
    return words(f"entries.iccf.{tournament.name.lower()}")


@dataclass(frozen=True, slots=True)
class EntryWords:
    """One language for the entry pages."""

    words: Words

    def __call__(self, key: str, **places: object) -> str:
        """A text of these pages; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"entries.{key}", **places)

    def wish(self, wish: str) -> str:
        """A class's or round's name; ICCF tournaments keep their own."""
        key = _KEYS.get(wish, wish)
        return self(f"wish.{key}") if key in _NAMED else wish

    def event(self, one: Participation) -> str:
        """The event that a result belongs to."""
        event = one.result.event
        if isinstance(event, EmtClass):
            return f"{self('result.emt')}, {self.wish(event.value)}"
        if isinstance(event, CupRound):
            return self.wish(event.stage.value)
        return f"{self('result.iccf')}, {iccf_name(event, self.words)}"

    def choice(self, event: str, wish: str) -> str:
        """A tournament in a form's list: «ICCF: VM-finale»."""
        name = iccf_name(Tournament(wish), self.words) if event == "iccf" else self.wish(wish)
        return f"{self(f'result.{event}')}: {name}"

    def by(self, right: Right) -> str:
        """Which rule opens the class."""
        return self.words(f"access.by.{_key(right.paragraph)}")

    def against(self, bar: Bar) -> str:
        """Which rule closes the class."""
        return self.words(f"access.against.{_key(bar.paragraph)}")

    def rests(self, numbers: tuple[int, ...], record: tuple[Participation, ...]) -> str:
        """The names of the results that a rule is based on; "" for a rating."""
        names = [one.name for one in record if one.result.number in numbers]
        return self("classes.rests", results=", ".join(names)) if names else ""

    def score(self, one: Participation) -> str:
        """«4½ af 6»."""
        score = one.result.score
        return self("classes.score", points=points(score.points), games=score.games)

    def faults(self, view: EntryView, *, for_official: bool = False) -> tuple[str, ...]:
        """What an entry still lacks, with paragraphs; for the player also what to do about it."""
        if view.judged is None:
            return ()
        closed = closed_by(wish_of(view.row.event, view.row.wish), view.judged.answer)
        say = missing_text if for_official else fault_text
        return tuple(say(fault, closed, self.words) for fault in view.judged.faults)

    def refused(self, refusal: EntryRefusal) -> tuple[str, ...]:
        """Each reason for a refusal."""
        return refusal_lines(refusal, self.words)

    def waits(self, view: EntryView) -> str:
        if view.judged is None:
            return ""
        said = [self(f"wait.{wait.value}") for wait in view.judged.waits]
        if len(view.judged.waits) < len(view.judged.faults):
            said.append(self("wait.nothing"))
        return ", ".join(said)

    def is_for_person(self, view: EntryView) -> bool:
        """Whether the entry needs a person's decision, not just the fee."""
        return view.judged is not None and Wait.DECISION in view.judged.waits

    def wants_proof(self, view: EntryView) -> bool:
        """Whether the leader must confirm having seen the proof of the right (§ 6.5.3.2 b-d)."""
        return view.judged is not None and Wait.PROOF in view.judged.waits

    def wants_number(self, view: EntryView) -> bool:
        """Whether the membership number must be confirmed (§ 6.4.4.1)."""
        return view.judged is not None and Wait.NUMBER in view.judged.waits

    def pays(self, view: EntryView, of: ListView) -> tuple[str, ...]:
        """The fee that an entry waits for, and how it is paid; empty if it waits for none."""
        if view.judged is None or Wait.FEE not in view.judged.waits or not of.row.fee:
            return ()
        how = pay_line(of.row.how_to_pay, leader(of.leader), self.words)
        return self("fee", fee=self.money(of.row.fee)), how

    def money(self, ore: int) -> str:
        """An amount in kroner."""
        return money(ore, self.words)

    def day(self, iso: str) -> str:
        return self.words.day(date.fromisoformat(iso))


def points(value: Fraction) -> str:
    """A score in chess notation: 4½."""
    whole, half = divmod(int(value * 2), 2)
    return f"{whole or ''}½" if half else str(whole)
