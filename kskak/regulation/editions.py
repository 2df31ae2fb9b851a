"""The regulation's numbers, each with its unit and paragraph.

Numbers of the regulation are code, never settings: an operator can't change them. A
tournament keeps its edition from start to end (Kendelse 139). What the regulation leaves to
an official (post days, readings) is a field of the tournament and is not here.
"""

from dataclasses import dataclass

from kskak.regulation.quantities import Regulation

EDITION = "2011"
"""The handbook edition that the numbers below come from."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The numbers of one rule set; days are whole days, moves are a player's own moves."""

    regulation: Regulation
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

    def control_limit(self, own_moves: int) -> int:
        """Days a player may have used when sending the ``own_moves``-th own move (§ 6.3.3)."""
        return self.days_per_move * own_moves

    def next_control(self, own_moves: int) -> int:
        """The number of the first control move after ``own_moves`` moves sent (§ 6.3.3.1)."""
        return (own_moves // self.moves_per_control + 1) * self.moves_per_control


POSTAL = RuleSet(
    regulation=Regulation.POSTAL,
    days_per_move=3,
    special_leave_days=None,
    weekend_rule=True,
    faulty_days=3,
    faulty_again_days=6,
    charges_silence=True,
)
EMAIL = RuleSet(
    regulation=Regulation.EMAIL,
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
    long_game_months: int = 18
    """Months from the start after which a game may be called in: § 6.2.7."""
    withdrawal_parts: int = 2
    """A player with at most one in this many games finished loses them all: § 6.2.8."""
    board_members: int = 3
    """Members of the Appeals Board, all of whom take part in its decisions: § 1.3.9 (reading)."""
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
