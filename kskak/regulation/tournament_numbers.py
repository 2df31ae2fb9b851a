"""The numbers of the tournament forms, each with its unit and paragraph (§ 6.5-6.7).

Numbers of the regulation are code, never settings. Not for reflection time (editions.py), nor
for what an official may choose: how much stronger a reserve may be (league/reserves.py).
"""

from dataclasses import dataclass
from fractions import Fraction


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
