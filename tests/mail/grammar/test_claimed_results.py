"""How a game ended by what its player writes, in three languages (§ 6.2.6)."""

from kskak.cases.case_events import ClaimedResult
from mail.grammar.intentions import read_claimed_result
from tests.fakes.machinery.each import each

WON, DRAWN, LOST = ClaimedResult


@each(
    ("text", "result"),
    [
        ("Jeg vandt.", WON), ("jeg har vundet partiet", WON), ("Hej Bo.\nJeg vandt da.", WON),
        ("Bo opgav i telefonen.", WON), ("Nej, jeg vandt", WON), ("I won!", WON),
        ("I have won the game.", WON), ("My opponent resigned by phone.", WON),
        ("Jag vann partiet.", WON), ("Bo gav upp.", WON),
        ("Jeg tabte.", LOST), ("Jeg har tabt partiet.", LOST), ("I lost.", LOST),
        ("Jeg opgav i går.", LOST), ("I resigned yesterday.", LOST),
        ("Jeg opgiver.", LOST), ("Jag har förlorat.", LOST),
        ("Remis.", DRAWN), ("Vi blev enige om remis.", DRAWN), ("It was a draw.", DRAWN),
        ("Remis?", None), ("jeg tilbyder remis", None), ("Ikke remis.", None),
        ("Skal vi tage remis", None), ("Jeg vandt ikke.", None), ("Har jeg vundet?", None),
        ("Jeg vandt en bonde.", None), ("I won a pawn.", None), ("Han opgav en bonde.", None),
        ("Jeg har vundet på tid.", None), ("", None),
        ("Springeren til f3.", None),
    ],
)  # fmt: skip
def test_a_result_in_words(text: str, result: ClaimedResult | None) -> None:
    assert read_claimed_result(text) is result
