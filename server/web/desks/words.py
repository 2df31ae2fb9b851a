"""Texts of the controller's year and accounts: steps, marks, amounts.

They are in ``mail/words/<lang>/desks/year.toml`` and ``economy.toml``. Not for the other desks
(cases/words.py).
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from babel.dates import get_month_names
from babel.numbers import format_decimal

from kskak.office.books import ORE, EntryFault
from kskak.office.books_csv import Bad
from kskak.office.year import Form, Item, State, Step
from kskak.office.year_faults import FAULT_PARAGRAPH, Fault
from mail.game_letters.common import paragraphs
from mail.text.words import Words
from server.store.office.year import DeedRow
from server.usecases.office.books import Line


@dataclass(frozen=True, slots=True)
class KcWords:
    """One language; ``year`` and ``economy`` are its two catalogues."""

    words: Words

    def year(self, key: str, **places: object) -> str:
        """A text of the year; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"year.{key}", **places)

    def economy(self, key: str, **places: object) -> str:
        """A text of the accounts."""
        return self.words(f"economy.{key}", **places)

    def month(self, month: int) -> str:
        """A month's name, capitalized."""
        name = get_month_names("wide", context="stand-alone", locale=self.words.locale)[month]
        return str(name).capitalize()

    def tournament(self, item: Item) -> str:
        """«Holdturneringen 2028»."""
        return f"{self.year(f'form.{item.form.value}')} {item.season}"

    def step(self, item: Item) -> str:
        """«tilmeldingsfrist»."""
        return self.year(f"step.{item.step.value}")

    def place(self, item: Item, today: date) -> str:
        """The address of the page on which a step is done."""
        match item.step:
            case Step.ANNOUNCEMENT if item.season >= today.year:
                return f"/desk/kc/season?season={item.season}"
            case Step.ANNOUNCEMENT | Step.DEADLINE:
                return "/desk/entries#lists"
            case _ if item.form is Form.LEAGUE:
                return "/desk/league"
            case _ if item.form is Form.DM:
                return "/desk/entries#lists"
            case _:
                return "/desk/cups"

    def state(self, item: Item) -> str:
        """How a step got its day, with the paragraph."""
        return f"{self.year(f'state.{item.state.value}')} ({paragraphs((item.paragraph,))})"

    def marks(self, item: Item, today: date) -> list[str]:
        """A step's marks: done, late, moved, called off."""
        marks = []
        if item.is_done:
            marks.append(self.year("done_mark"))
        elif item.day is not None and item.day < today:
            marks.append(self.year("late_mark"))
        if item.state is State.MOVED:
            marks.append(self.year("moved_mark"))
        elif item.state is State.CALLED_OFF:
            marks.append(self.year("called_off_mark"))
        return marks

    def proposal(self, item: Item) -> str:
        """The day that the rule proposes, and whether it is our reading."""
        if item.proposed is None:
            return self.year("not_proposed", paragraph=item.paragraph)
        key = "proposed_ours" if item.is_reading else "proposed"
        day = self.words.day(item.proposed)
        return self.year(key, day=day, paragraph=item.paragraph)

    def deed(self, row: DeedRow) -> str:
        """What the controller did."""
        day = "-" if row.day is None else self.words.day(date.fromisoformat(row.day))
        return self.year(f"deed.{row.kind}", day=day, reason=row.reason)

    def of_deed(self, row: DeedRow) -> str:
        """The tournament and step that the action concerned."""
        tournament, step = self.year(f"form.{row.form}"), self.year(f"step.{row.step}")
        return self.year("entry", tournament=tournament, season=row.season, step=step)

    def year_fault(self, fault: Fault) -> str:
        """Why a step can't be changed this way, with the paragraph."""
        number = FAULT_PARAGRAPH.get(fault)
        return self.year(f"fault.{fault.value}", paragraph=paragraphs((number,) if number else ()))

    def amount(self, ore: int) -> str:
        """An amount in kroner formatted for the language: 1.234,50."""
        value = Decimal(ore) / ORE
        return str(format_decimal(value, format="#,##0.00", locale=self.words.locale))

    def said(self, line: Line) -> str:
        """A line's text: the entry's, preceded by the fate of a case's deposit."""
        if line.fate is None:
            return line.entry.text
        told = self.economy(f"fate.{line.fate.value}")
        return f"{told}. {line.entry.text}" if line.entry.text else told

    def entry_fault(self, fault: EntryFault) -> str:
        return self.economy(f"fault.{fault.value}")

    def bad(self, row: Bad) -> str:
        """What is wrong with a row of a file."""
        text = self.economy(f"fault.{row.fault.value}")
        return self.economy("row", line=row.line, text=text)
