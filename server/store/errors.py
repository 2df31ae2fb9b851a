"""What can go wrong in the store. One root; the data is in the attributes.

Not for what a person did wrong (a ``Refusal``), nor for HTTP statuses.
"""


class StoreError(Exception):
    """The root. Its text is one sentence for an operator."""


class StoreUnavailable(StoreError):
    """The database can't be reached, is locked, full or broken: trying later may help."""


class StoreConflict(StoreError):
    """A row breaks a constraint of the database: trying again as it is does not help."""


class UnknownGame(StoreError):
    """No game has this id."""

    def __init__(self, game_id: int) -> None:
        super().__init__(f"there is no game {game_id}")
        self.game_id = game_id
