"""A stranger's page that has not changed is not sent again; a person's is stored by nobody."""

import pytest

from kskak.game.game_commands import Resign
from kskak.regulation.editions import Side
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers


async def test_an_unchanged_page_is_not_sent_again_and_a_changed_one_is(
    site: Site, browsers: Browsers
):
    stranger, path = await browsers.stranger(), "/groups/K-26-01"
    first = await stranger.http.get(path)
    tag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert "Cookie" in first.headers["Vary"]
    again = await stranger.http.get(path, headers={"If-None-Match": tag})
    assert (again.status, await again.read(), again.headers["ETag"]) == (304, b"", tag)
    assert again.headers["Kskak-Reader"] == ""
    other = {"If-None-Match": tag, "Accept-Language": "en"}
    assert (await stranger.http.get(path, headers=other)).status == 200
    await site.play(await site.game(), "e4")
    await site.ask(await site.game(), Side.WHITE, lambda _, by: Resign(by))
    assert (await stranger.http.get(path, headers={"If-None-Match": tag})).status == 200


@pytest.mark.parametrize(
    ("name", "path"), [("anna", "/groups/K-26-01"), ("", "/login/x"), ("", "/players/999")]
)
async def test_a_persons_page_a_link_and_an_error_are_stored_by_nobody(
    browsers: Browsers, name: str, path: str
):
    reader = await (browsers.of(name) if name else browsers.stranger())
    answer = await reader.http.get(path)
    assert "ETag" not in answer.headers and answer.headers["Cache-Control"] == "no-store"
