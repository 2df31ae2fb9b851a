"""The letters of postal games: a card entered, a card that made no move, going on by e-mail.

Facts only, as in ``mail.game_letters.facts``. NOT for text (``mail.game_letters.cards``).
"""

from dataclasses import dataclass
from datetime import date

from kskak.game.events import Card
from kskak.play.account_log import Charge
from kskak.regulation.quantities import Fault, Side
from kskak.statement.account import Account
from mail.text.facts import Dispatch, Game


@dataclass(frozen=True, slots=True)
class CardEntered:
    """To a player: somebody else entered a card of the game (§ 6.2.1, § 6.3.2).

    ``dispatch`` and ``card`` None: the card gave the game up or accepted a draw.
    """

    game: Game
    account: Account
    to: Side
    by: Side
    entered_by: str
    dispatch: Dispatch | None = None
    card: Card | None = None
    received: date | None = None


@dataclass(frozen=True, slots=True)
class CardFaulty:
    """A card that made no move, what it costs, and what to do (§ 6.3.5, § 6.3.5.1).

    ``send_by``: the last day to send a damaged card to the leader.
    """

    game: Game
    account: Account
    to: Side | None
    by: Side
    fault: Fault
    arrived: date
    entered_by: str
    charge: Charge | None
    send_by: date


@dataclass(frozen=True, slots=True)
class DamagedDue:
    """To who got a damaged card: the leader has not had it yet (§ 6.3.5)."""

    game: Game
    account: Account
    to: Side
    arrived: date
    send_by: date


@dataclass(frozen=True, slots=True)
class EmailWord:
    """To the opponent: what a player says of moves by e-mail in a postal game (§ 6.2.1)."""

    game: Game
    account: Account
    to: Side
    by: Side
    agrees: bool
    is_agreed: bool


@dataclass(frozen=True, slots=True)
class AddressChanged:
    """To the opponent and the leader: a player has another postal address (§ 6.2.1, § 6.8.5).

    The letter does not repeat it: it stands on the game's page and goes with his data. Of an
    e-mail address (``is_email``) it tells which.
    """

    game: Game
    account: Account
    to: Side | None
    by: Side
    is_email: bool = False


@dataclass(frozen=True, slots=True)
class ResultAsked:
    """To both: nothing was entered for long; is the game over? (§ 6.2.6)."""

    game: Game
    account: Account
    to: Side
    since: date
    report_days: int


PostalLetter = CardEntered | CardFaulty | DamagedDue | EmailWord | AddressChanged | ResultAsked
