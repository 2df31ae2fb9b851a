"""Request and response models of the controller's desk: year, accounts, quarantines."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from server.api.cases.answers import Named
from server.api.frame.body import Body
from server.api.frame.game_answers import Answer


class YearStep(Answer):
    """A season's step; `proposed`: the rule's day; `reading`: the text does not name the day."""

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
    """A year's steps by day, then those without a day."""

    year: int
    steps: list[YearStep]


class AccountBalance(Answer):
    """An account's year in øre; `balance` is `before` plus the year's four sums."""

    tournament: str
    year: int
    before: int
    fees: int
    prizes: int
    deposits: int
    other: int
    balance: int


class AccountEntry(Answer):
    """An account line, in øre; for a case's deposit, `case` and the deposit's `fate` are set."""

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
    """A published group whose prizes have not been sent (§ 6.4.5)."""

    publication: int
    group: str
    tournament: str
    until: date


class Accounts(Answer):
    """Balances, the requested lines, and prizes to be sent."""

    balances: list[AccountBalance]
    entries: list[AccountEntry]
    prizes: list[PrizesDue]


class RowFault(Answer):
    """An error in a row of a file; `line` counts from 1."""

    line: int
    code: str
    detail: str


class Imported(Answer):
    """The result of an import or dry run; nothing is imported unless `errors` is empty."""

    is_done: bool
    new: int
    known: int
    errors: list[RowFault]


class PrizesSent(Answer):
    """The publication whose prizes were marked as sent."""

    publication: int


class Quarantine(Answer):
    """A quarantine in force today; `until` is null if it is indefinite (§ 6.4.2)."""

    person: Named
    since: date
    until: date | None
    case: str


class Quarantines(Answer):
    """The quarantines in force."""

    quarantines: list[Quarantine]


class OutagePause(Answer):
    """What an outage asks for in a group: its days, and the games and players it would reach now.

    `decision` is null while it waits for the tournament leader or the controller (§ 6.8.5).
    """

    group: str
    first: date
    last: date
    days: int
    games: int
    players: int
    decision: Literal["granted", "declined"] | None
    by: str | None
    word: str


class Outage(Answer):
    """An outage of the server, or of its mail alone, with the pauses it asks for."""

    id: int
    reason: Literal["server", "mail"]
    began: datetime
    ended: datetime
    pauses: list[OutagePause]


class Outages(Answer):
    """The outages with a pause that waits, or was decided on in the last 30 days."""

    outages: list[Outage]


class Settled(Answer):
    """In how many groups this settled it: none if it was settled before."""

    groups: int


class Proposed(Answer):
    """In how many groups a pause is proposed: none if its days are proposed already."""

    groups: int


MOST_FILE = 600_000
Short = Annotated[str, Field(min_length=1, max_length=200)]


class OutageBody(Body):
    """An outage that the server did not notice itself, in the groups that are yours or some."""

    began: AwareDatetime
    ended: AwareDatetime
    reason: Literal["server", "mail"] = "server"
    groups: list[Short] | None = Field(
        None, min_length=1, max_length=1000, description="Omitted: all e-mail groups of yours"
    )


class SettleBody(Body):
    """Grant the pause, or decline it with a word; in some groups, or in all that are yours."""

    decision: Literal["granted", "declined"]
    word: str = Field("", max_length=500, description="With `declined`: why")
    groups: list[Short] | None = Field(None, min_length=1, max_length=1000)


class YearBody(Body):
    """Move a step, cancel it, mark it done, or reopen it; `season` is the year of the start."""

    form: Literal["dm", "emt", "cup", "cup_semi", "cup_final", "league"]
    season: Annotated[int, Field(ge=2000, le=2200)]
    step: Literal["announcement", "deadline", "divisions", "letters", "start"]
    action: Literal["moved", "called_off", "done", "reopened"]
    day: date | None = Field(None, description="Only with `moved`")
    reason: str = Field("", max_length=500, description="With `moved` and `called_off`")


class EntryBody(Body):
    """An entry in øre, positive into the account and negative out of it (§ 6.1.2)."""

    tournament: Short
    kind: Literal["fee", "prize", "deposit", "other"]
    on: date
    amount: Annotated[int, Field(ge=-(10**11), le=10**11)]
    person: Short = Field(description="The person or club that paid or got it")
    text: Short


class TakeBackBody(Body):
    """Why an entry is reversed with a counter-entry."""

    reason: Short


class ImportBody(Body):
    """The text of a CSV file; `dry_run`: only report what would happen."""

    csv: str = Field(max_length=500_000)
    dry_run: bool


class PaidBody(Body):
    """One paid prize, in øre."""

    amount: Annotated[int, Field(ge=1, le=10**11)]
    on: date
    person: Short
    text: Short


class PrizesBody(Body):
    """All prizes of a group were sent; `paid` ones become entries in its account (§ 6.4.5)."""

    paid: Annotated[list[PaidBody], Field(max_length=50)] = Field(default_factory=list)
