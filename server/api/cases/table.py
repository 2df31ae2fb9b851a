"""The desks' endpoints: cases, decisions, withdrawals, offices; part of site/table.py (§ 6.4)."""

from kskak.cases.refusals import CaseReason
from server.api.cases import answers, bodies, deciding, enclosing
from server.api.cases import calls as casing
from server.api.cases import offices as office_calls
from server.api.frame.endpoints import Endpoint, Parameter
from server.api.frame.problems import Kind

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
        "GET", f"{PREFIX}/cases", "cases", casing.listed, "Your cases, or those of your desk",
        answers.CaseList, query=(_DESK, _OPEN),
    ),
    Endpoint(
        "POST", f"{PREFIX}/cases", "case_open", casing.opened, "Object or protest in a game",
        answers.CaseMade, body=bodies.CaseBody, hides=True,
        problems=(
            CaseReason.NOT_A_PARTY, CaseReason.NO_REASONS, Kind.NOT_ALLOWED, Kind.NO_SUCH,
            CaseReason.TAKEOVER_LATE, CaseReason.NOT_TAKEN_OVER, CaseReason.OBJECTION_LATE,
        ),
    ),
    Endpoint("GET", _CASE, "case", casing.shown, "A case whole", answers.CaseDetail),
    Endpoint(
        "POST", f"{_CASE}/statements", "case_say", casing.said, "Say something in the case",
        answers.CaseMade, body=bodies.StatementBody, problems=(CaseReason.NOT_A_PARTY,),
    ),
    Endpoint(
        "POST", f"{_CASE}/papers", "case_enclose", enclosing.enclosed,
        "Put a file into the case", answers.CaseMade, body=bodies.PaperBody,
        problems=(
            CaseReason.NOT_A_PARTY, CaseReason.NOT_OPEN, CaseReason.FULL, Kind.NOT_ALLOWED,
        ),
    ),
    Endpoint(
        "GET", f"{PREFIX}/papers/{{id}}", "case_paper", enclosing.paper,
        "A paper of a case as it was put in", enclosing.OCTETS,
    ),
    Endpoint(
        "POST", f"{_CASE}/widen", "case_widen", casing.widened,
        "Take further games and parties into the case", answers.CaseMade,
        body=bodies.WidenBody, problems=(*_RIGHT, *_OPEN_CASE, Kind.NO_SUCH),
    ),
    Endpoint(
        "POST", f"{_CASE}/hearing", "case_hear", casing.heard,
        "Ask the parties, or close the hearing", answers.CaseMade, body=bodies.HearingBody,
        problems=(
            *_RIGHT, *_OPEN_CASE, CaseReason.NOT_HEARD, CaseReason.DATES, CaseReason.OTHER_PERSON,
        ),
    ),
    Endpoint(
        "POST", f"{_CASE}/suspension", "case_suspend", casing.suspended,
        "Stop time in games of the case, or let it run", answers.CaseMade,
        body=bodies.SuspensionBody, problems=(*_RIGHT, *_OPEN_CASE, CaseReason.OTHER_GAME),
    ),
    Endpoint(
        "POST", f"{_CASE}/close", "case_close", casing.closed,
        "Close the case without a decision", answers.CaseMade, body=bodies.CloseBody,
        problems=(*_RIGHT, *_OPEN_CASE, CaseReason.NOT_A_PARTY),
    ),
    Endpoint(
        "POST", f"{_CASE}/appeal", "case_appeal", casing.appealed,
        "Appeal, or take an appeal back", answers.CaseMade, body=bodies.AppealBody,
        problems=_APPEAL,
    ),
    Endpoint(
        "POST", f"{_CASE}/vote", "case_vote", casing.voted,
        "Vote as a member of the Appeals Board", answers.CaseMade, body=bodies.VoteBody,
        problems=(
            *_RIGHT, CaseReason.WRONG_INSTANCE, CaseReason.NOT_HEARD, CaseReason.OTHER_PERSON,
            CaseReason.BOARD_FULL,
        ),
    ),
    Endpoint(
        "POST", f"{_CASE}/deposit", "case_deposit", casing.deposit_noted,
        "Note a deposit as received or paid back", answers.CaseMade, body=bodies.DepositNoteBody,
        problems=(
            CaseReason.NOT_YOUR_OFFICE, CaseReason.OTHER_PERSON, CaseReason.DATES,
            CaseReason.DEPOSIT_SHORT, CaseReason.NOT_OWED,
        ),
    ),
    Endpoint(
        "POST", f"{_CASE}/draft", "case_draft", deciding.drafted,
        "A decision's letter as it would be sent", answers.Draft, body=bodies.DecisionBody,
        problems=(
            Kind.NOT_ALLOWED, CaseReason.NOT_OPEN, CaseReason.OTHER_GAME, CaseReason.OTHER_PERSON,
            CaseReason.UNKNOWN_DECISION, CaseReason.IMPOSSIBLE, CaseReason.CLAIM_UNDECIDED,
        ),
    ),
    Endpoint(
        "POST", f"{_CASE}/decisions", "case_decide", deciding.decided, "Decide the case",
        answers.CaseMade, body=bodies.DecisionBody, problems=_DECIDING,
    ),
    Endpoint(
        "POST", f"{_CASE}/withdrawal/draft", "case_withdrawal_draft", deciding.ruling_drafted,
        "The letter of a ruling on a withdrawal as it would be sent", answers.Draft,
        body=bodies.WithdrawalBody, problems=(Kind.NOT_ALLOWED, CaseReason.NOT_OPEN),
    ),
    Endpoint(
        "POST", f"{_CASE}/withdrawal", "case_withdrawal", deciding.ruled,
        "Rule on a withdrawal", answers.Withdrawn, body=bodies.WithdrawalBody,
        problems=(*_DECIDING, Kind.NOT_ALLOWED),
    ),
    Endpoint(
        "POST", f"{PREFIX}/games/{{id}}/what-if", "what_if", deciding.supposed,
        "Try other facts on a game; nothing is saved", answers.Tried, body=bodies.WhatIfBody,
        problems=(Kind.IMPOSSIBLE_FACTS,),
    ),
)  # fmt: skip
DESKS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST", f"{_GROUP}/withdrawals", "withdraw", deciding.announced,
        "A player leaves the group", answers.CaseMade, body=bodies.AnnounceBody,
        problems=(Kind.NOT_ALLOWED, Kind.NO_SUCH, CaseReason.NOT_A_PARTY),
    ),
    Endpoint(
        "POST", f"{_GROUP}/annul", "annul_start", deciding.annulled,
        "Take a group's start back before its first move", answers.Annulled,
        body=bodies.AnnulBody, problems=(Kind.NOT_ALLOWED, Kind.NO_SUCH, Kind.HAS_BEGUN),
    ),
    Endpoint(
        "POST", f"{_GROUP}/live", "follow", deciding.followed,
        "Let everybody follow the running games of the group's tournament, or nobody more",
        answers.LiveSet, body=bodies.LiveBody, problems=(Kind.NOT_ALLOWED, Kind.NO_SUCH),
    ),
    Endpoint(
        "GET", f"{PREFIX}/long-games", "long_games", deciding.long_games,
        "Games of 18 months and more in your groups", answers.LongGames,
        problems=(Kind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{PREFIX}/long-games", "call_in", deciding.called_in,
        "Call games in for adjudication", answers.Made, body=bodies.CallInBody,
        problems=(Kind.NOT_ALLOWED, *_RIGHT, *_OPEN_CASE),
    ),
    Endpoint(
        "GET", f"{PREFIX}/offices", "offices", office_calls.listed, "Everybody in office",
        answers.Offices,
    ),
    Endpoint(
        "POST", f"{PREFIX}/offices", "appoint", office_calls.appointed, "Appoint somebody",
        answers.OfficeHeld, body=bodies.OfficeBody, problems=(Kind.NOT_ALLOWED, Kind.NO_SUCH),
    ),
    Endpoint(
        "POST", f"{PREFIX}/offices/{{id}}/end", "dismiss", office_calls.dismissed,
        "End an appointment", answers.OfficeHeld, body=bodies.DismissBody, is_body_optional=True,
        problems=(Kind.NOT_ALLOWED, Kind.NO_SUCH),
    ),
)  # fmt: skip
