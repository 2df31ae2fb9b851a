"""Raising a case after a refused overstep claim: the text to start from (§ 6.3.3.5, § 6.4.1).

The server's account shows no overstep, but its dates may be wrong (Kendelse 107). Not for claims
that the account supports (``results``).
"""

from kskak.play.state import GameState
from kskak.regulation.quantities import Regulation, Side
from mail.game_letters.common import paragraphs, plain
from mail.text.explain import days
from mail.text.words import Words

PARAGRAPHS = {
    Regulation.POSTAL: ("6.3.2", "6.3.3.1", "6.3.3.5"),
    Regulation.EMAIL: ("6.3.3.1", "6.8.2", "6.8.7"),
}
"""What a dispute about an overstep turns on: the dates, the control, the claim."""


def dispute_text(state: GameState, late: Side, name: str, words: Words) -> str:
    """A text the claimant may send as is or add to: the account's figures and the paragraphs."""
    rules, moves = state.terms.rules, state.clock(late).moves
    # Just past a control, that control is in dispute, not the next one.
    is_past = moves > 0 and moves % rules.moves_per_control == 0
    control = moves if is_past else state.next_control(late)
    return words(
        "claims.text",
        name=plain(name),
        used=days(state.clock(late).total, words),
        limit=days(rules.control_limit(control), words),
        move=control,
        paragraphs=paragraphs(PARAGRAPHS[state.terms.regulation]),
    )
