"""What callers send of ratings: what to calculate, which one to remove. NOT what is answered."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from server.api.frame.body import Body


class ComputeBody(Body):
    """What is to be calculated."""

    everything: bool = Field(False, description="All groups anew from their games")


class RemoveRatingBody(Body):
    """Which rating is to go, and why."""

    kind: Literal["k", "otb"]
    on: date
    reason: Annotated[str, Field(min_length=1, max_length=300)]
    seen: bool = Field(False, description="Though it moves groups, named in `moves`")
