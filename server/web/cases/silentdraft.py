"""A silent player's case, with its decision drafted in the leader's form (§ 6.3.4, § 6.8.3).

The leader changes what he will, sees the letter and sends it. Not for the draft itself
(usecases/cases/silence_draft.py).
"""

from collections.abc import Mapping

from kskak.cases.events import CaseKind
from server.usecases.cases.silence_draft import silent_draft
from server.web.cases.seen_case import Look
from server.web.cases.words import CaseWords


def drafted(view: Look, d: CaseWords) -> Mapping[str, str]:
    """The decision form's fields for an undecided silence; none for what is not one."""
    game = view.view
    is_one = view.case.kind == CaseKind.SILENCE and view.can.lead and not view.state.decided
    if game is None or not is_one:
        return {}
    draft = silent_draft(game, view.case.person_id or 0, view.silent, d.words)
    if draft is None:
        return {}
    return {
        "deed": "decide",
        "facts": "\n".join(draft.facts),
        f"result-{game.game.id}": draft.result.value if draft.result else "",
        "reasons": draft.reasons,
    }
