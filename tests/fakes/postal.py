"""A postal game of Anna and Bo, and cards entered by the API and on the pages."""

import io
from datetime import date

import aiohttp
from PIL import Image

from tests.fakes.world import ANNA, TL, World
from tests.regulation.record import line


def drawn(kind: str = "PNG", shade: str = "white") -> bytes:
    """A small picture as a program writes it, without metadata."""
    out = io.BytesIO()
    Image.new("RGB", (8, 8), shade).save(out, kind)
    return out.getvalue()


PNG = drawn()
"""What is kept of it is the same."""


async def begin_postal(world: World, name: str = "P-26-01") -> int:
    """Start a postal group of Anna and Bo today; its one game's id, which becomes ``game``."""
    return await world.begin(name, regulation="postal")


async def call(world: World, who: str, path: str, body: dict[str, object]) -> tuple[int, dict]:
    """POST to the API as one of the cast; status and document."""
    headers = {"Authorization": f"Bearer {await world.token(who)}"}
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/games/{world.game}/{path}"
    async with aiohttp.ClientSession() as http, http.post(url, json=body, headers=headers) as got:
        value = await got.json(content_type=None)
    await world.pump()
    return got.status, value


def iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


async def enter(world: World, by: str, text: str, **fields: object) -> dict:
    """Enter a card by the API, which must be taken; dates may be ``date``s. ``who`` enters it."""
    who = str(fields.pop("who", ANNA))
    told = {k: iso(v) if isinstance(v, date) else v for k, v in fields.items()}
    status, value = await call(world, who, "cards", {"by": by, "text": text, **told})
    assert status == 200, value
    return value


async def nine_moves(world: World) -> None:
    """White has used exactly 30 days and sent 9 moves; his tenth is due (§ 6.3.3.1).

    All was entered on 18 December, as posted and received on the 2nd.
    """
    await begin_postal(world)
    world.clock.go(date(2026, 12, 18))
    for ply in range(18):
        by, day = ("white", "black")[ply % 2], date(2026, 12, 2)
        received = None if ply == 0 else day
        await enter(world, by, line(ply).uci(), postmark=day, received=received, who=TL)
    await world.pump()
