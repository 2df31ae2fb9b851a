"""What the API answers of members, clubs and ratings, as models. NOT what callers send."""

from datetime import date
from typing import Literal

from server.api.frame.game_answers import Answer


class Rating(Answer):
    """A rating of a day; the last day's of a kind is in force."""

    kind: Literal["k", "otb"]
    on: date
    value: int
    provisional: bool
    source: str


class MemberLine(Answer):
    """A member of the list; `email` and `birth` only for who may see them."""

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
    """A page of the members that fit; `count` of them in all."""

    count: int
    page: int
    members: list[MemberLine]


class MemberChange(Answer):
    """What was changed, by whom (null: the operator) and why."""

    at: str
    by: str | None
    reason: str
    fields: list[list[str | None]]


class MemberDetail(MemberLine):
    """One member, as much of him as the caller may see."""

    citizen: bool | None
    since: date | None
    until: date | None
    lang: str
    ratings: list[Rating]
    changes: list[MemberChange]


class MemberSaved(Answer):
    """Whether a change was written; `refused` says why not, and what to write instead.

    Or `moves` does: groups that a rating would move (§ 4.5.4.1); send it again with `seen`.
    """

    done: bool
    id: int | None
    changes: list[list[str | None]]
    refused: list[str]
    moves: list[str]


class ImportedLine(Answer):
    """A line that changes something, can't be used, or has a note."""

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
    """A club; `members` stand as its members."""

    id: int
    number: str | None
    name: str
    district: str | None
    members: int


class ClubList(Answer):
    """The clubs by name."""

    clubs: list[Club]
