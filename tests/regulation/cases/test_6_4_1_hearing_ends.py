"""§ 6.4.1: a hearing in which all have spoken or had their time is over without anybody's deed."""

from datetime import timedelta

from kskak.cases import case as case_commands
from kskak.cases import case_events
from kskak.cases.case import CaseReason, CaseStage
from tests.regulation.dispute import BENT, CLAIMANT, DAY, LEADER, Case


def test_6_4_1_a_hearing_ends_by_itself_when_all_have_spoken_or_had_their_time():
    """§ 6.4.1: nobody need close it. Verdict: decided on the 15th day, not on the 14th."""
    asked = Case().do(case_commands.AskParties(DAY + timedelta(14)), LEADER)
    asked.day += timedelta(14)
    assert asked.refused(case_commands.Decide(asked.decision()), LEADER) is CaseReason.NOT_HEARD
    asked.day += timedelta(1)
    assert asked.decide().now.stage is CaseStage.DECIDED
    spoken = Case().do(case_commands.AskParties(DAY + timedelta(14)), LEADER)
    spoken.do(case_commands.FilePaper(case_events.PaperKind.STATEMENT, "a1"), CLAIMANT)
    assert spoken.refused(case_commands.Decide(spoken.decision()), LEADER) is CaseReason.NOT_HEARD
    spoken.do(case_commands.FilePaper(case_events.PaperKind.MAIL, "b2", speaker=BENT), LEADER)
    spoken.do(case_commands.Decide(spoken.decision()), LEADER)
    assert spoken.now.stage is CaseStage.DECIDED
    closed = next(one for one in spoken.events if isinstance(one, case_events.HearingClosed))
    assert closed.reason == "" and spoken.events.index(closed) < len(spoken.events) - 1
