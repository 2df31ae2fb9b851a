"""What the controller's desk answers, as models: year, accounts, quarantines. NOT bodies."""

from datetime import date

from server.api.cases.answers import Named
from server.api.frame.game_answers import Answer


class YearStep(Answer):
    """A step of a season; `proposed`: the rule's day; `reading`: no text names the day itself."""

    form: str
    season: int
    step: str
    state: str
    day: date | None
    proposed: date | None
    paragraph: str
    reading: bool
    is_done: bool
    reason: str


class YearPlan(Answer):
    """What falls in a year by day, then what has no day yet."""

    year: int
    steps: list[YearStep]


class AccountBalance(Answer):
    """An account's year in øre; `balance` is `before` and the year's four sums together."""

    tournament: str
    year: int
    before: int
    fees: int
    prizes: int
    deposits: int
    other: int
    balance: int


class AccountEntry(Answer):
    """A line of an account, in øre; `case`, with what became of it, for a case's deposit."""

    number: int | None
    tournament: str
    kind: str
    on: date
    amount: int
    person: str
    text: str
    takes_back: int | None
    taken_back_by: int | None
    case: str | None
    fate: str | None
    by: str | None


class PrizesDue(Answer):
    """A published group whose prizes have not gone (§ 6.4.5)."""

    publication: int
    group: str
    tournament: str
    until: date


class Accounts(Answer):
    """Balances, the lines asked for, prizes to be sent."""

    balances: list[AccountBalance]
    entries: list[AccountEntry]
    prizes: list[PrizesDue]


class RowFault(Answer):
    """What is wrong with a row of a file; `line` counts from 1."""

    line: int
    code: str
    detail: str


class Imported(Answer):
    """What a file gave, or would give; nothing is taken while `errors` has anything."""

    is_done: bool
    new: int
    known: int
    errors: list[RowFault]


class PrizesSent(Answer):
    """The publication whose prizes were ticked off."""

    publication: int


class Quarantine(Answer):
    """A quarantine that runs today; `until` None: without an end (§ 6.4.2)."""

    person: Named
    since: date
    until: date | None
    case: str


class Quarantines(Answer):
    """Those who can't enter now."""

    quarantines: list[Quarantine]
