"""Texts of the team entry pages: faults with players and paragraph, states (§ 6.7.4.1).

They are in ``mail/words/<lang>/league/teams.toml``. Not for the league's own pages (words.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from kskak.league.team_entry import TeamFinding
from mail.office_letters.cases import money
from mail.office_letters.team_entries import finding_text
from mail.text.words import Words
from server.store.register.members import MemberRow
from server.usecases.season.judging import LastTeamRow
from server.usecases.season.start import PlanFinding
from server.usecases.season.views import ClubView, TeamEntryView


@dataclass(frozen=True, slots=True)
class TeamWords:
    """One language for the team entry pages."""

    words: Words

    def __call__(self, key: str, **places: object) -> str:
        """A text of these pages; KeyError for an unknown key or an unfilled placeholder."""
        return self.words(f"teams.{key}", **places)

    def findings(self, found: Iterable[TeamFinding]) -> tuple[str, ...]:
        """Each fault with its paragraph and the players it concerns."""
        return tuple(f"{finding_text(one, self.words)}" for one in found)

    def plan_finding(self, one: PlanFinding) -> str:
        """A fault in a plan: who is placed where he may not be."""
        who = ", ".join((one.club, *one.players))
        return f"{self(f'fault.{one.fault.value}')} (§ {one.paragraph}): {who}."

    def team(self, last: LastTeamRow) -> str:
        """A team from last season, with its division and group."""
        return self("last_team", club=last.team.club, division=last.division, group=last.group)

    def comes_from(self, view: TeamEntryView) -> str:
        """Whether the team returns, and from where."""
        if view.last is None:
            return self("comeback.new")
        return self("comeback.back", division=view.last.division, group=view.last.group)

    def member(self, row: MemberRow) -> str:
        """A member with his registered rating."""
        if row.k_rating is not None:
            return f"{row.name} ({row.k_rating})"
        if row.rating is not None:
            return self("member_otb", name=row.name, rating=row.rating)
        return self("member_none", name=row.name)

    def mean(self, view: TeamEntryView) -> str:
        """The team's mean rating (§ 6.7.6.2)."""
        ratings = [one.rating for one in view.seats]
        return self.words.number(Fraction(sum(ratings), len(ratings) or 1))

    def opening(self, view: ClubView) -> str:
        """When the league's list opens, by the year's plan, and who opens it (§ 6.1.2, § 6.7.4)."""
        season, who = view.season, self("opening.who")
        if season is None or season.announced is None:
            return f"{self('opening.undated')} {who}"
        if season.deadline is not None and season.deadline < view.today:
            return self("opening.over", day=self.words.day(season.deadline))
        when = "ahead" if season.announced > view.today else "now"
        return f"{self(f'opening.{when}', day=self.words.day(season.announced))} {who}"

    def day(self, iso: str) -> str:
        return self.words.day(date.fromisoformat(iso))

    def money(self, ore: int) -> str:
        """An amount in kroner."""
        return money(ore, self.words)
