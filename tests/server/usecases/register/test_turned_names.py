"""A name that turns the writing around is refused at every door that takes one."""

import pytest
from aiohttp.test_utils import TestServer
from pydantic import TypeAdapter, ValidationError

from server.api.entries import EnterBody, ListBody
from server.api.frame.game_models import parse
from server.api.frame.problems import ApiProblem
from server.api.league import ReserveBody
from server.usecases.groups.group_file import Text
from server.usecases.register.csv_table import RegisterKind
from tests.fakes.register import CLUBS, Register
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers

TURNS = ["\u202e", "\u2067", "\u200f", "\u061c"]


@pytest.mark.parametrize("turn", TURNS)
async def test_no_import_takes_it(register: Register, turn: str):
    header = "Nr;Navn;E-mail;Født;Medlemskab\n"
    line = f"100;Anna{turn}Ager;anna@example.org;1950-02-28;enkelt\n"
    assert await register.problem(header + line) == "not_one_line"
    clubs = await register.take(f"{CLUBS}3001;Nord{turn};1. hovedkreds\n", RegisterKind.CLUBS)
    assert clubs.lines[-1].problems


@pytest.mark.parametrize("turn", TURNS)
def test_no_file_and_no_call_takes_it(turn: str):
    with pytest.raises(ValidationError):
        TypeAdapter(Text).validate_python(f"K-26{turn}-01")
    assert TypeAdapter(Text).validate_python(" Hold علي ") == "Hold علي"
    asked = f'{{"list": 1, "club": "Nord{turn}"}}'
    reserve = f'{{"board": 1, "name": "Anna{turn}", "email": "a@example.org"}}'
    opening = (
        f'{{"name": "Liste{turn}", "event": "emt", "wish": "K", "tournament": "EMT", '
        '"regulation": "email", "prefix": "K", "leader": "tl@example.org"}'
    )
    for body, text in ((EnterBody, asked), (ReserveBody, reserve), (ListBody, opening)):
        with pytest.raises(ApiProblem):
            parse(body, text.encode())
        parse(body, text.replace(turn, "").encode())


@pytest.mark.parametrize("turn", TURNS)
async def test_no_newcomer_has_it(site: Site, turn: str):
    server = TestServer(site.app)
    await server.start_server()
    one = await Browsers(site, server, []).stranger()
    told = {"email": "new@example.org", "born": "1961-04-05", "kind": "club"}
    for name, club in ((f"Anna{turn}Ager", "Nord"), ("Anna Ager", f"Nord{turn}")):
        answer = await one.post("/join", told | {"name": name, "club": club})
        assert answer.status == 422
        assert "der vender skriften" in await answer.text()
    await one.http.close()
    await server.close()
