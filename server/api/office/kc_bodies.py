"""What callers of the controller's desk send: steps of the year, entries, files. NOT answers."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from server.api.frame.body import Body

MOST_FILE = 600_000
Short = Annotated[str, Field(min_length=1, max_length=200)]


class YearBody(Body):
    """Move a step, call it off, say it is done, or open it again; `season`: the start's year."""

    form: Literal["dm", "emt", "cup", "cup_semi", "cup_final", "league"]
    season: Annotated[int, Field(ge=2000, le=2200)]
    step: Literal["announcement", "deadline", "divisions", "letters", "start"]
    action: Literal["moved", "called_off", "done", "reopened"]
    day: date | None = Field(None, description="Only with `moved`")
    reason: str = Field("", max_length=500, description="With `moved` and `called_off`")


class EntryBody(Body):
    """An entry: øre, above zero into the account and below it out of it (§ 6.1.2)."""

    tournament: Short
    kind: Literal["fee", "prize", "deposit", "other"]
    on: date
    amount: Annotated[int, Field(ge=-(10**11), le=10**11)]
    person: Short = Field(description="The person or club that paid or got it")
    text: Short


class TakeBackBody(Body):
    """Why an entry is taken back by a counter-entry."""

    reason: Short


class ImportBody(Body):
    """The text of a CSV file; `dry_run`: only say what would come of it."""

    csv: str = Field(max_length=500_000)
    dry_run: bool


class PaidBody(Body):
    """One prize that was paid, in øre."""

    amount: Annotated[int, Field(ge=1, le=10**11)]
    on: date
    person: Short
    text: Short


class PrizesBody(Body):
    """All prizes of a group were sent; `paid` become entries of its account (§ 6.4.5)."""

    paid: Annotated[list[PaidBody], Field(max_length=50)] = Field(default_factory=list)
