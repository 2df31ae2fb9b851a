"""What callers send of members, clubs and ratings: files and changes. NOT what is answered."""

from typing import Annotated

from pydantic import Field

from server.api.frame.body import Body

MOST_FILE = 4 * 1024 * 1024
"""Bytes of a call with a file in it: some 30 000 members."""
Cell = Annotated[str, Field(max_length=300)]


class RegisterFileBody(Body):
    """A CSV file as text, and how it is to be imported."""

    csv: str = Field(min_length=1, max_length=MOST_FILE)
    dry_run: bool = Field(False, description="Say what would change, change nothing")
    skip_bad: bool = Field(False, description="Leave out lines that can't be used")
    take_emails: bool = Field(False, description="Change addresses that players use themselves")


class MemberBody(Body):
    """Fields of a member, as texts; `""` empties a field, what is left out stays."""

    reason: Annotated[str, Field(min_length=1, max_length=300)]
    take_email: bool = Field(False, description="Change an address that the player uses himself")
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
        """The fields that are stated."""
        given = self.model_dump(exclude={"reason", "take_email", "seen"}, exclude_none=True)
        return {name: str(value) for name, value in given.items()}
