"""The desks' endpoints: cases, decisions, withdrawals, offices; part of api/site.py (§ 6.4)."""

from kskak.cases.case import CaseReason
from server.api.cases import case_calls, case_models
from server.api.frame.endpoints import Endpoint, Parameter
from server.api.frame.problems import ApiProblemKind

PREFIX = "/api/v1"
_CASE = f"{PREFIX}/cases/{{id}}"
_GROUP = f"{PREFIX}/groups/{{id}}"
_DESK = Parameter("desk", "string", "`1`: the cases of your desk", allowed=("0", "1"))
_OPEN = Parameter("open", "string", "`1`: open ones, `0`: closed ones", allowed=("0", "1"))
_RIGHT = (CaseReason.NOT_YOUR_OFFICE, CaseReason.OWN_GROUP, CaseReason.OWN_DECISION)
_OPEN_CASE = (
    CaseReason.NOT_OPEN, CaseReason.ALREADY_DECIDED, CaseReason.IMPOSSIBLE,
    CaseReason.CLAIM_UNDECIDED,
)  # fmt: skip
_DECIDING = (
    *_RIGHT, *_OPEN_CASE, CaseReason.WRONG_INSTANCE, CaseReason.NOT_HEARD, CaseReason.NO_REASONS,
    CaseReason.DATES, CaseReason.OTHER_GAME, CaseReason.OTHER_PERSON, CaseReason.BAD_TERM,
    CaseReason.UNKNOWN_DECISION, CaseReason.NO_QUORUM, CaseReason.AGAINST_VOTES,
)  # fmt: skip
_APPEAL = (
    CaseReason.NOT_A_PARTY, CaseReason.NOT_DECIDED, CaseReason.LATE, CaseReason.NO_DEPOSIT,
    CaseReason.LAST_WORD, CaseReason.IMPOSSIBLE, CaseReason.DATES, CaseReason.NOT_YOUR_OFFICE,
    CaseReason.OWN_GROUP,
)  # fmt: skip

CASES: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/cases", "cases", case_calls.list_cases,
        "Your cases, or those of your desk",
        case_models.CaseList, query=(_DESK, _OPEN),
    ),
    Endpoint(
        "POST", f"{PREFIX}/cases", "case_open", case_calls.open_case, "Object or protest in a game",
        case_models.CaseMade, body=case_models.CaseBody, hides=True,
        problems=(
            CaseReason.NOT_A_PARTY, CaseReason.NO_REASONS, ApiProblemKind.NOT_ALLOWED,
            ApiProblemKind.NO_SUCH,
            CaseReason.TAKEOVER_LATE, CaseReason.NOT_TAKEN_OVER, CaseReason.OBJECTION_LATE,
        ),
    ),
    Endpoint("GET", _CASE, "case", case_calls.get_case, "A case whole", case_models.CaseDetail),
    Endpoint(
        "POST", f"{_CASE}/statements", "case_say", case_calls.add_statement,
        "Say something in the case",
        case_models.CaseMade, body=case_models.StatementBody, problems=(CaseReason.NOT_A_PARTY,),
    ),
    Endpoint(
        "POST", f"{_CASE}/papers", "case_enclose", case_calls.enclose_paper,
        "Put a file into the case", case_models.CaseMade, body=case_models.PaperBody,
        problems=(
            CaseReason.NOT_A_PARTY, CaseReason.NOT_OPEN, CaseReason.FULL,
            ApiProblemKind.NOT_ALLOWED,
        ),
    ),
    Endpoint(
        "GET", f"{PREFIX}/papers/{{id}}", "case_paper", case_calls.paper,
        "A paper of a case as it was put in", case_calls.OCTETS,
    ),
    Endpoint(
        "POST", f"{_CASE}/widen", "case_widen", case_calls.widen_case,
        "Take further games and parties into the case", case_models.CaseMade,
        body=case_models.WidenBody, problems=(*_RIGHT, *_OPEN_CASE, ApiProblemKind.NO_SUCH),
    ),
    Endpoint(
        "POST", f"{_CASE}/hearing", "case_hear", case_calls.change_hearing,
        "Ask the parties, or close the hearing", case_models.CaseMade, body=case_models.HearingBody,
        problems=(
            *_RIGHT, *_OPEN_CASE, CaseReason.NOT_HEARD, CaseReason.DATES, CaseReason.OTHER_PERSON,
        ),
    ),
    Endpoint(
        "POST", f"{_CASE}/suspension", "case_suspend", case_calls.change_suspension,
        "Stop time in games of the case, or let it run", case_models.CaseMade,
        body=case_models.SuspensionBody, problems=(*_RIGHT, *_OPEN_CASE, CaseReason.OTHER_GAME),
    ),
    Endpoint(
        "POST", f"{_CASE}/close", "case_close", case_calls.close_case,
        "Close the case without a decision", case_models.CaseMade, body=case_models.CloseBody,
        problems=(*_RIGHT, *_OPEN_CASE, CaseReason.NOT_A_PARTY),
    ),
    Endpoint(
        "POST", f"{_CASE}/appeal", "case_appeal", case_calls.change_appeal,
        "Appeal, or take an appeal back", case_models.CaseMade, body=case_models.AppealBody,
        problems=_APPEAL,
    ),
    Endpoint(
        "POST", f"{_CASE}/vote", "case_vote", case_calls.vote_on_appeal,
        "Vote as a member of the Appeals Board", case_models.CaseMade, body=case_models.VoteBody,
        problems=(
            *_RIGHT, CaseReason.WRONG_INSTANCE, CaseReason.NOT_HEARD, CaseReason.OTHER_PERSON,
            CaseReason.BOARD_FULL,
        ),
    ),
    Endpoint(
        "POST", f"{_CASE}/deposit", "case_deposit", case_calls.note_deposit,
        "Note a deposit as received or paid back", case_models.CaseMade,
        body=case_models.DepositNoteBody,
        problems=(
            CaseReason.NOT_YOUR_OFFICE, CaseReason.OTHER_PERSON, CaseReason.DATES,
            CaseReason.DEPOSIT_SHORT, CaseReason.NOT_OWED,
        ),
    ),
    Endpoint(
        "POST", f"{_CASE}/draft", "case_draft", case_calls.draft_decision,
        "A decision's letter as it would be sent", case_models.Draft, body=case_models.DecisionBody,
        problems=(
            ApiProblemKind.NOT_ALLOWED, CaseReason.NOT_OPEN, CaseReason.OTHER_GAME,
            CaseReason.OTHER_PERSON,
            CaseReason.UNKNOWN_DECISION, CaseReason.IMPOSSIBLE, CaseReason.CLAIM_UNDECIDED,
        ),
    ),
    Endpoint(
        "POST", f"{_CASE}/decisions", "case_decide", case_calls.decide_case, "Decide the case",
        case_models.CaseMade, body=case_models.DecisionBody, problems=_DECIDING,
    ),
    Endpoint(
        "POST", f"{_CASE}/withdrawal/draft", "case_withdrawal_draft",
        case_calls.draft_withdrawal_ruling,
        "The letter of a ruling on a withdrawal as it would be sent", case_models.Draft,
        body=case_models.WithdrawalBody, problems=(ApiProblemKind.NOT_ALLOWED, CaseReason.NOT_OPEN),
    ),
    Endpoint(
        "POST", f"{_CASE}/withdrawal", "case_withdrawal", case_calls.rule_on_withdrawal,
        "Rule on a withdrawal", case_models.Withdrawn, body=case_models.WithdrawalBody,
        problems=(*_DECIDING, ApiProblemKind.NOT_ALLOWED),
    ),
    Endpoint(
        "POST", f"{PREFIX}/games/{{id}}/what-if", "what_if", case_calls.compare_what_if,
        "Try other facts on a game; nothing is saved", case_models.WhatIfAnswer,
        body=case_models.WhatIfBody,
        problems=(ApiProblemKind.IMPOSSIBLE_FACTS,),
    ),
)  # fmt: skip
DESKS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST", f"{_GROUP}/withdrawals", "withdraw", case_calls.announce_withdrawal,
        "A player leaves the group", case_models.CaseMade, body=case_models.AnnounceBody,
        problems=(ApiProblemKind.NOT_ALLOWED, ApiProblemKind.NO_SUCH, CaseReason.NOT_A_PARTY),
    ),
    Endpoint(
        "POST", f"{_GROUP}/annul", "annul_start", case_calls.annul_start,
        "Take a group's start back before its first move", case_models.GroupStartAnnulled,
        body=case_models.AnnulBody, problems=(ApiProblemKind.NOT_ALLOWED, ApiProblemKind.NO_SUCH,
        ApiProblemKind.HAS_BEGUN),
    ),
    Endpoint(
        "POST", f"{_GROUP}/live", "follow", case_calls.switch_following,
        "Let everybody follow the running games of the group's tournament, or nobody more",
        case_models.LiveSet, body=case_models.LiveBody, problems=(ApiProblemKind.NOT_ALLOWED,
        ApiProblemKind.NO_SUCH),
    ),
    Endpoint(
        "GET", f"{PREFIX}/long-games", "long_games", case_calls.long_games,
        "Games of 18 months and more in your groups", case_models.LongGames,
        problems=(ApiProblemKind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{PREFIX}/long-games", "call_in", case_calls.called_in,
        "Call games in for adjudication", case_models.CasesMade, body=case_models.CallInBody,
        problems=(ApiProblemKind.NOT_ALLOWED, *_RIGHT, *_OPEN_CASE),
    ),
    Endpoint(
        "GET", f"{PREFIX}/offices", "offices", case_calls.listed_offices, "Everybody in office",
        case_models.Offices,
    ),
    Endpoint(
        "POST", f"{PREFIX}/offices", "appoint", case_calls.appoint_official, "Appoint somebody",
        case_models.OfficeHeld, body=case_models.OfficeBody, problems=(ApiProblemKind.NOT_ALLOWED,
        ApiProblemKind.NO_SUCH),
    ),
    Endpoint(
        "POST", f"{PREFIX}/offices/{{id}}/end", "dismiss", case_calls.end_appointment,
        "End an appointment", case_models.OfficeHeld, body=case_models.DismissBody,
        is_body_optional=True,
        problems=(ApiProblemKind.NOT_ALLOWED, ApiProblemKind.NO_SUCH),
    ),
)  # fmt: skip
