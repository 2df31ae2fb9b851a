"""The regulation's numbers and small closed sets, each with its unit and paragraph."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache

# The small closed sets and units that every other module uses.


class Side(StrEnum):
    """A player's colour."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Side":
        """The opponent's colour."""
        return _OTHER[self]


_OTHER = {Side.WHITE: Side.BLACK, Side.BLACK: Side.WHITE}


class Regulation(StrEnum):
    """Which rule set a game is played by: § 6.2-6.3 (post) or § 6.8 (e-mail)."""

    POSTAL = "postal"
    EMAIL = "email"


class Channel(StrEnum):
    """How a dispatch travelled."""

    POST = "post"
    EMAIL = "email"
    FAX = "fax"
    WEB = "web"


class LeaveType(StrEnum):
    """§ 6.3.6 personal leave, § 6.3.6.4 special leave granted by the leader.

    UNTOLD: days as they were granted, in a copy that doesn't say of which type they were.
    """

    PERSONAL = "personal"
    SPECIAL = "special"
    UNTOLD = "untold"


class PauseReason(StrEnum):
    """Why time stands still for both players."""

    RESERVE = "reserve"
    DISPUTE = "dispute"
    OUTAGE = "outage"
    BOUNCE = "bounce"


class MoveFault(StrEnum):
    """What was wrong with a move that was sent."""

    ILLEGAL = "illegal"
    ILLEGIBLE = "illegible"
    WRONG_REPETITION = "wrong_repetition"
    AMBIGUOUS = "ambiguous"
    DAMAGED_IN_POST = "damaged_in_post"


class Result(StrEnum):
    """A game's result; both may lose (§ 6.3.3.4), a ruling may give one of them half a point."""

    WHITE_WINS = "1-0"
    BLACK_WINS = "0-1"
    DRAW = "1/2-1/2"
    BOTH_LOSE = "0-0"
    WHITE_HALF = "1/2-0"
    BLACK_HALF = "0-1/2"

    @staticmethod
    def won_by(side: Side) -> "Result":
        """The result when ``side`` wins."""
        return Result.WHITE_WINS if side is Side.WHITE else Result.BLACK_WINS

    @property
    def mirrored(self) -> "Result":
        """The result with the colours changed over."""
        return Result("-".join(reversed(self.value.split("-"))))

    @property
    def in_pgn(self) -> str:
        """The result as PGN has it, which knows only a win and a draw."""
        known = (Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW)
        return self.value if self in known else "*"


class Ending(StrEnum):
    """What ended a game other than an overstep."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    DEAD_POSITION = "dead_position"
    FIVEFOLD = "fivefold"
    SEVENTY_FIVE = "seventy_five"
    RESIGNATION = "resignation"
    DRAW = "draw"
    RULING = "ruling"

    @property
    def is_overridden_by_claim(self) -> bool:
        """Whether a later claim of an earlier overstep overrides it (§ 6.3.3.3).

        An agreed draw and a ruling are decisions about the game and stay.
        """
        return self not in (Ending.DRAW, Ending.RULING)


class OverstepFinding(StrEnum):
    """What became of an overstep (§ 6.3.3.3-6.3.3.4)."""

    OPEN = "open"
    CLAIMED = "claimed"
    CONTINUED = "continued"


# The regulation's numbers, each with its unit and paragraph.

EDITION = "2011"
"""The handbook edition that the numbers below come from."""


@dataclass(frozen=True, slots=True)
class RuleParagraphs:
    """Where a rule set has what both sets have a rule about: letters cite the game's own."""

    binds: str
    """A move that was sent can't be taken back."""
    receipt: str
    """A move sent electronically is taken as received the day after."""
    sending: str
    """Which day counts as the day of sending."""
    repeats: str
    """The opponent's last move must be repeated correctly."""
    faulty: str
    """What an invalid move costs."""
    silence: str
    """No answer for 14 days."""
    control: str
    """How many days there are to the control."""
    loses: str
    """Who oversteps the time loses."""
    claim: str
    """A claim that the opponent's time is up."""
    disagreement: str
    """Who decides when a player disagrees."""
    outage: str
    """Days on which nobody could send."""
    unreachable: str
    """Who can't be reached counts as withdrawn."""
    address: str
    """A new address is told to the opponents."""
    reporting: str
    """The result is reported."""
    reckoning: str
    """How the days of reflection are counted."""
    leave: str
    """How many days of leave there are."""
    special_leave: str
    """What the leader may grant beyond them."""
    appeal: str
    """Where a decision is appealed, and how long."""

    @property
    def overstep(self) -> tuple[str, ...]:
        """What a dispute about an overstep turns on: the dates, the control, the claim."""
        return tuple(sorted((self.sending, self.control, self.claim)))


@cache
def _cite(paragraphs: RuleParagraphs) -> dict[str, str]:
    return {name: f"§ {number}" for name, number in asdict(paragraphs).items()}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The numbers of one rule set; days are whole days, moves are a player's own moves."""

    regulation: Regulation
    paragraphs: RuleParagraphs
    days_per_move: int
    """Days of reflection per move: § 6.3.1 (3), § 6.8.6 (40 for 10 moves)."""
    special_leave_days: int | None
    """Days of special leave per tournament year: § 6.8.8 (30); § 6.3.6.4 sets no limit."""
    weekend_rule: bool
    """Whether a card's Sunday counts as its Saturday: § 6.3.2, not § 6.8.6."""
    faulty_days: int
    """Days for the first faulty move: § 6.3.5.1, § 6.8.6."""
    faulty_again_days: int
    """Days for each later one by the same player in the same game: § 6.3.5.1, § 6.8.6."""
    charges_silence: bool
    """Whether the days of § 6.3.4 are charged; § 6.8.6 lists its penalties without them."""
    moves_per_control: int = 10
    """Own moves between controls: § 6.3.3.1, § 6.8.6."""
    transit_days: int = 1
    """Days from an electronic sending to its receipt: § 6.3.2.1, § 6.8.6."""
    leave_days: int = 35
    """Days of personal leave per tournament year: § 6.3.6, § 6.8.8."""
    leave_notice_days: int = 6
    """Days from the notice to the first day of leave: § 6.3.6.1."""
    silence_days: int = 14
    """Days on one move that need notice: § 6.3.4, § 6.8.3."""
    silence_answer_days: int = 7
    """Days after a reminder until the leader is told: § 6.3.4, § 6.8.3."""
    silence_reminded_days: int = 3
    """Days charged when the opponent had to send a reminder: § 6.3.4."""
    silence_leader_days: int = 6
    """Further days when the leader had to be told: § 6.3.4."""
    reserve_pause_days: int = 14
    """Days a team may stop its time to put in a reserve: § 6.7.4.3."""

    @property
    def cited(self) -> dict[str, str]:
        """Its paragraphs, for the places of a text that cites one."""
        return _cite(self.paragraphs)

    @property
    def first_limit(self) -> int:
        """Days a player may have used at the first control."""
        return self.control_limit(self.moves_per_control)

    def control_limit(self, own_moves: int) -> int:
        """Days a player may have used when sending the ``own_moves``-th own move (§ 6.3.3)."""
        return self.days_per_move * own_moves

    def next_control(self, own_moves: int) -> int:
        """The number of the first control move after ``own_moves`` moves sent (§ 6.3.3.1)."""
        return (own_moves // self.moves_per_control + 1) * self.moves_per_control


POSTAL = RuleSet(
    regulation=Regulation.POSTAL,
    paragraphs=RuleParagraphs(
        binds="6.2.4",
        receipt="6.3.2.1",
        sending="6.3.2",
        repeats="6.2.1",
        faulty="6.3.5.1",
        silence="6.3.4",
        control="6.3.3.1",
        loses="6.3.3.3",
        claim="6.3.3.5",
        disagreement="6.4.1",
        outage="6.4.1",
        unreachable="6.2.8",
        address="6.2.1",
        reporting="6.2.6",
        reckoning="6.3.1",
        leave="6.3.6",
        special_leave="6.3.6.4",
        appeal="6.4.3",
    ),
    days_per_move=3,
    special_leave_days=None,
    weekend_rule=True,
    faulty_days=3,
    faulty_again_days=6,
    charges_silence=True,
)
EMAIL = RuleSet(
    regulation=Regulation.EMAIL,
    paragraphs=RuleParagraphs(
        binds="6.8.4",
        receipt="6.8.6",
        sending="6.8.2",
        repeats="6.8.4",
        faulty="6.8.6",
        silence="6.8.3",
        control="6.8.6",
        loses="6.8.7",
        claim="6.8.7",
        disagreement="6.8.10",
        outage="6.8.5",
        unreachable="6.8.1",
        address="6.8.5",
        reporting="6.8.9",
        reckoning="6.8.6",
        leave="6.8.8",
        special_leave="6.8.8",
        appeal="6.8.10",
    ),
    days_per_move=4,
    special_leave_days=30,
    weekend_rule=False,
    faulty_days=3,
    faulty_again_days=3,
    charges_silence=False,
)


def rules_of(regulation: Regulation) -> RuleSet:
    """The numbers that apply to a game of ``regulation``."""
    return POSTAL if regulation is Regulation.POSTAL else EMAIL


@dataclass(frozen=True, slots=True)
class HolidayRule:
    """The obligatory holidays of § 6.3.6.2, both ends included."""

    december_first: int = 20
    """First free day of December."""
    december_last: int = 31
    """Last free day of December."""
    easter_before: int = 5
    """Days from the Tuesday before to Easter Sunday."""
    easter_after: int = 2
    """Days from Easter Sunday to the Tuesday after."""


HOLIDAYS = HolidayRule()


@dataclass(frozen=True, slots=True)
class Laws:
    """What an edition of FIDE's laws says about draws (FIDE 9.2, FIDE 9.3, FIDE 9.6)."""

    year: int
    fivefold: int | None
    """Occurrences of a position that end the game without a claim."""
    fivefold_is_consecutive: bool
    """2014: the occurrences follow each other, four plies apart."""
    seventy_five: int | None
    """Moves by each player without capture or pawn move that end it without a claim."""
    agreement_plies: int = 0
    """Plies that must be on the board before a draw may be agreed (2018: FIDE 5.2)."""
    threefold: int = 3
    """Occurrences of a position that allow a claim."""
    fifty: int = 50
    """Moves by each player without capture or pawn move that allow a claim."""


LAWS = {
    2009: Laws(2009, fivefold=None, fivefold_is_consecutive=False, seventy_five=None),
    2014: Laws(2014, fivefold=5, fivefold_is_consecutive=True, seventy_five=75),
    2018: Laws(2018, fivefold=5, fivefold_is_consecutive=False, seventy_five=75, agreement_plies=2),
}
DEFAULT_LAWS = 2018


@dataclass(frozen=True, slots=True)
class DisputeRule:
    """The numbers of disputes, silent games and sanctions outside the time account."""

    appeal_days: int = 21
    """Days from the decision's delivery to the last day of an appeal: § 6.4.3, § 1.3.9."""
    hearing_days: int = 14
    """Days in which an appeal is answered, and an unknown deposit is paid once known: a reading of
    § 6.4.3 (the Board gave as many: Kendelse 116)."""
    report_days: int = 14
    """Days in which players say how a game ended that one reports over, or both, each in a way of
    his own: a reading of § 6.2.6."""
    long_game_months: int = 18
    """Months from the start after which a game may be called in: § 6.2.7."""
    withdrawal_parts: int = 2
    """A player with at most one in this many games finished loses them all: § 6.2.8."""
    board_members: int = 3
    """Members of the Appeals Board, all of whom take part in its decisions: § 1.3.9 (reading)."""
    board_substitutes: int = 3
    """Substitutes elected each year: § 1.3.9."""
    warning_years: int = 1
    """Years that a warning lasts after the tournament's last playing day: § 4.1.19."""
    automatic_months: int = 3
    """Months of the quarantine that a warning turns into: § 4.1.19."""
    quarantine_kept_years: int = 1
    """Years after its end in which a quarantine makes the next sanction harder: § 4.1.19."""
    repeated_times: int = 2
    """How many times as long a quarantine within those years is: § 4.1.19."""
    resume_ahead_days: int = 183
    """Days after the decision within which it may resume a game: a reading of § 6.4.1."""
    ahead_days: int = 366
    """Days after the decision within which leave or a pause it grants may lie: the same."""


DISPUTES = DisputeRule()


# The numbers of the tournament forms, each with its unit and paragraph (§ 6.5-6.7).


@dataclass(frozen=True, slots=True)
class EmtRule:
    """The individual championship."""

    group: int = 7
    """Players of a group: § 6.5.1.1, § 6.5.3.1; with fewer the DM is double: § 6.5.2.1."""
    dm_month: int = 9
    """The month in which the DM begins: § 6.5.2."""
    dm_percent: int = 45
    """Score that keeps a player in the DM: § 6.5.2.2, § 6.5.2.3."""
    dm_years: int = 3
    """Years that such a score gives access, and of not using the right: § 6.5.2.2, § 6.5.2.3."""
    stay_points: Fraction = Fraction(2)
    """Fewest points that keep a player in the class: § 6.5.3.2, § 6.5.3.3."""
    stay_most: Fraction = Fraction(9, 2)
    """Most points with which a player stays there: § 6.5.3.2."""
    stay_years: int = 3
    """Years that they do so, and after which a player is a first-timer: § 6.5.3.2."""
    promotion_points: Fraction = Fraction(5)
    """Points that open the class above: § 6.5.2.2, § 6.5.3.2."""
    promotion_years: int = 2
    """Years that they do so: § 6.5.2.2, § 6.5.3.2."""
    iccf_years: int = 2
    """Years that an ICCF result gives access: § 6.5.3.2."""
    otb_master: int = 2100
    """Lowest over-the-board rating for M: § 6.5.3.2."""
    otb_qualified: int = 1900
    """Lowest over-the-board rating for K: § 6.5.3.2."""


EMT = EmtRule()


@dataclass(frozen=True, slots=True)
class CupRule:
    """The cup; scores are percentages."""

    group: int = 7
    """Players of a group: § 6.6.1.1."""
    small_group: int = 6
    """Players of the smaller groups that complete the preliminary round: § 6.6.1.1."""
    most_at_once: int = 2
    """Groups a player may start in at once before the final: § 6.6.1.2."""
    most_advancing: int = 3
    """Lowest place of a preliminary group that may advance: § 6.6.1.3."""
    most_finalists: int = 2
    """Lowest place of a semi-final group that may reach the final: § 6.6.1.3."""
    final: int = 11
    """About this many players in the final: § 6.6.1.3."""
    semifinal_rating: int = 2000
    """Lowest K-rating that may enter at the semi-final: § 6.6.1.6."""
    semifinal_k: int = 60
    """Score in the semi-final for K: § 6.6.2.1."""
    semifinal_m: int = 80
    """Score in the semi-final for M: § 6.6.2.1."""
    final_k: int = 40
    """Score in the final for K: § 6.6.2.2."""
    final_m: int = 60
    """Score in the final for M: § 6.6.2.2."""
    final_dm: int = 75
    """Score in the final for the DM, except for the winner: § 6.6.2.2."""
    dm_entries: int = 100
    """Entries up to which the winner alone goes to the DM: § 6.6.2.2."""
    dm_step: int = 50
    """Each such number of entries begun above that gives one more: § 6.6.2.2."""
    years: int = 2
    """Years in which the rights must be used: § 6.6.2.2, § 6.6.2.3."""


CUP = CupRule()


@dataclass(frozen=True, slots=True)
class LeagueRule:
    """The league; scores are percentages."""

    teams: int = 7
    """Teams of a division, ideally: § 6.7.1.1."""
    boards: int = 4
    """Players of a team: § 6.7.2.1."""
    reserves: int = 2
    """Reserves that a team may put in: § 6.7.4.3."""
    letters_days: int = 14
    """About this many days before the start the schedule goes to the captains: § 6.7.4.2."""
    stay: int = 40
    """Lowest score that stays in a division: § 6.7.5.1."""
    rise: int = 75
    """Lowest score that rises to the division above: § 6.7.5.1."""
    first_from_first: int = 5
    """Most teams of the last 1st division in a new one that could have more than 7, so that at
    least 2 come from the last 2nd: § 6.7.5.1."""
    second_from_first: int = 2
    """Teams down from the 1st division in a 2nd that could have more than 7: § 6.7.5.1."""
    second_from_third: int = 2
    """Teams up from the 3rd division in it, one from each group: § 6.7.5.1."""


LEAGUE = LeagueRule()
