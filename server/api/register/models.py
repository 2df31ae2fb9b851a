"""Request and response models for members, clubs and ratings."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from server.api.frame.body import Body
from server.api.frame.game_answers import Answer


class Rating(Answer):
    """A rating on a day; the latest of its kind is in force."""

    kind: Literal["k", "otb"]
    on: date
    value: int
    provisional: bool
    source: str


class MemberLine(Answer):
    """A member in the list; `email` and `birth` only for those who may see them."""

    id: int
    number: str | None
    name: str
    kind: Literal["club", "individual", "none"] | None
    club: str | None
    district: str | None
    rating: int | None
    k_rating: int | None
    email: str | None
    birth: date | None


class MemberList(Answer):
    """A page of matching members; `count` is the total."""

    count: int
    page: int
    members: list[MemberLine]


class MemberChange(Answer):
    """What was changed, by whom (null for the operator) and why."""

    at: str
    by: str | None
    reason: str
    fields: list[list[str | None]]


class MemberDetail(MemberLine):
    """One member, with the fields that the caller may see."""

    citizen: bool | None
    since: date | None
    until: date | None
    lang: str
    ratings: list[Rating]
    changes: list[MemberChange]


class MemberSaved(Answer):
    """Whether a change was written; if not, `refused` says why and what to write instead.

    Or `moves` names the groups that a rating would affect (§ 4.5.4.1); resend it with `seen`.
    """

    done: bool
    id: int | None
    changes: list[list[str | None]]
    refused: list[str]
    moves: list[str]


class ImportedLine(Answer):
    """A line that changes something, is unusable, or has a note."""

    line: int
    name: str
    fate: Literal["added", "changed", "unchanged", "refused"]
    changes: list[list[str | None]]
    refused: list[str]
    notes: list[str]


class RegisterImported(Answer):
    """What an import did or would do; `done` is false when nothing was written."""

    format: Literal["kskak-import/1"]
    what: Literal["members", "clubs", "ratings"]
    done: bool
    fault: str | None
    counts: dict[str, int]
    unused: list[str]
    lines: list[ImportedLine]


class Club(Answer):
    """A club; `members` is the number of its members."""

    id: int
    number: str | None
    name: str
    district: str | None
    members: int


class ClubList(Answer):
    """The clubs by name."""

    clubs: list[Club]


MOST_FILE = 4 * 1024 * 1024
"""Bytes of a call with a file in it: about 30 000 members."""
Cell = Annotated[str, Field(max_length=300)]


class RegisterFileBody(Body):
    """A CSV file as text, and how it is to be imported."""

    csv: str = Field(min_length=1, max_length=MOST_FILE)
    dry_run: bool = Field(False, description="Say what would change, change nothing")
    skip_bad: bool = Field(False, description="Leave out lines that can't be used")
    take_emails: bool = Field(False, description="Change addresses that players use themselves")


class MemberBody(Body):
    """A member's fields as text; `""` clears a field, omitted fields are unchanged."""

    reason: Annotated[str, Field(min_length=1, max_length=300)]
    take_email: bool = Field(False, description="Change an address that the player uses himself")
    ends_access: bool = Field(
        False,
        description="A changed address ends sessions, tokens and passkeys; an official's always",
    )
    seen: bool = Field(False, description="Though a rating moves groups, named in `moves`")
    number: Cell | None = None
    name: Cell | None = None
    email: Cell | None = None
    birth: Cell | None = None
    kind: Cell | None = None
    club: Cell | None = None
    district: Cell | None = None
    citizen: Cell | None = None
    since: Cell | None = None
    until: Cell | None = None
    lang: Cell | None = None
    k_rating: Cell | None = None
    k_status: Cell | None = None
    k_date: Cell | None = None
    k_source: Cell | None = None
    rating: Cell | None = None
    rating_date: Cell | None = None
    rating_source: Cell | None = None

    def cells(self) -> dict[str, str]:
        """The fields that were given."""
        given = self.model_dump(
            exclude={"reason", "take_email", "seen", "ends_access"}, exclude_none=True
        )
        return {name: str(value) for name, value in given.items()}
