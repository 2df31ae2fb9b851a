"""Facts that can't all be true are told in the caller's own language, by the API too."""

import pytest

from kskak.play.game_state import Misfit
from mail.text.catalogue import LANGUAGES, Words
from tests.fakes.machinery.each import rows
from tests.server.api.conftest import World


@rows(
    "lang said",
    ("da", "Et af de træk, der er prøvet, begynder ingen forsendelse i partiet."),
    ("en", "One of the moves tried begins no dispatch in the game."),
)
async def test_what_does_not_fit_is_said(world: World, lang: str, said: str):
    supposed = [{"kind": "sent_on", "ply": 9, "day": "2026-09-01"}]
    answer = await world.post(
        "kc", world.path("/what-if"), {"supposed": supposed}, Accept_Language=lang
    )
    problem = await answer.json()
    assert (answer.status, problem["type"]) == (422, "/problems/impossible-facts")
    assert said in problem["detail"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_misfit_has_its_words(lang: str):
    words = Words.load(lang)
    assert len({words(f"misfits.{misfit.value}") for misfit in Misfit}) == len(Misfit)
