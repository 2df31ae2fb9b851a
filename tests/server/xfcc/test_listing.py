"""GetMyGames through HTTP: what programs match literally, and what each game says.

Never «Defaulted»; games that both lost are left out; why a move was refused is the game's
`serverInfo` in the next list, as the protocol has no field for a reason.
"""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from kskak.game import game_commands as cmd
from kskak.play.evolve_game import open_game
from kskak.regulation.editions import Ending, Result, Side
from server.xfcc.service import (
    CALLS,
    MOST_BYTES,
    PATH,
    WRONG_KEYS,
    SoapError,
    plain,
    read,
    write_result,
)
from tests.fakes.machinery.chess_programs import SCID_HEADERS, community, scid
from tests.fakes.play import terms
from tests.server.xfcc.conftest import Programs, by_game


async def test_a_new_game_has_all_that_programs_ask_for(programs: Programs):
    listed = await programs.games("bent")
    assert [game["black" if game["hasWhite"] == "true" else "white"] for game in listed]
    row = await programs.site.game()
    (game,) = [one for one in listed if one["gameLink"].endswith(f"/games/{row.id}")]
    assert game | {"gameLink": "", "serverInfo": ""} == {
        "id": game["id"],
        "white": row.white,
        "black": row.black,
        "event": "K-skak-EMT 2026 K-26-01",
        "site": "K-skak",
        "myTurn": "true" if row.white == "Bent Bæk" else "false",
        "hasWhite": "true" if row.white == "Bent Bæk" else "false",
        "daysPlayer": "40",
        "hoursPlayer": "0",
        "minutesPlayer": "0",
        "daysOpponent": "40",
        "hoursOpponent": "0",
        "minutesOpponent": "0",
        "moves": "",
        "drawOffered": "false",
        "result": "Ongoing",
        "eventDate": "2026.09.01",
        "message": "",
        "serverInfo": "",
        "gameLink": "",
        "round": str(row.round),
        "timeControl": "10/3456000",
        "variant": "chess",
        "setup": "false",
        "fen": "",
    }
    assert game["gameLink"].endswith(f"/games/{row.id}")


async def test_a_games_number_fits_the_protocol_and_stays(programs: Programs):
    """xs:int, as gSOAP reads it: the same for both players, from list to list, and for a move."""
    row = await programs.site.game()
    link = f"/games/{row.id}"
    told = [
        {int(one["id"]) for one in await programs.games(who) if one["gameLink"].endswith(link)}
        for who in ("anna", "bent", "anna")
    ]
    assert told[0] == told[1] == told[2]
    ((number,),) = {tuple(one) for one in told}
    assert 0 < number < 2**31 < row.id
    white = "anna" if row.white.startswith("Anna") else "bent"
    assert await programs.move(white, gameId=number, movecount=1, myMove="e4") == "Success"


async def test_moves_days_offers_and_the_last_message_are_told_to_who_is_to_move(
    programs: Programs,
):
    site = programs.site
    game = await site.game()
    await site.play(game, "e4", days=0)
    await site.play(game, "e5", "Forkert & <b>glemt</b>", days=3)
    await site.play(game, "Sf3", 'æøå\nnæste linje {her} &lt; "x"', days=4)
    white, black = ("anna", "bent") if game.white.startswith("Anna") else ("bent", "anna")
    told = by_game(await programs.games(black))[str(game.id)]
    assert told["moves"] == "1.e4 e5 2.Nf3"
    assert told["myTurn"] == "true"
    assert told["message"] == "æøå næste linje (her) &amp; lt; 'x'", "as it stands on the wire"
    assert (told["daysPlayer"], told["daysOpponent"]) < ("40", "40")
    own = by_game(await programs.games(white))[str(game.id)]
    assert own["myTurn"] == "false"
    assert own["message"] == "Forkert &amp; (b)glemt(/b)", "the opponent's, not one's own"
    assert (own["daysPlayer"], own["daysOpponent"]) == (told["daysOpponent"], told["daysPlayer"])


async def test_a_result_is_told_for_two_weeks(programs: Programs):
    site = programs.site
    game = await site.game()
    await site.ask(game, Side.WHITE, lambda _, side: cmd.Resign(side))
    listed = by_game(await programs.games("bent"))
    assert listed[str(game.id)]["result"] == "BlackWins"
    site.clock.turn(15)
    assert str(game.id) not in by_game(await programs.games("bent"))
    assert await programs.games("bent"), "the running ones stay"


async def test_who_plays_nothing_gets_an_empty_list_and_the_other_dialect_works(
    programs: Programs,
):
    headers = {
        "Content-Type": "text/xml; charset=utf-8",
        "SOAPAction": "http://www.bennedik.com/webservices/XfccBasic/GetMyGames",
        "User-Agent": "scidCommunity-ICCF/1.0",
    }
    status, text = await programs.send(community("GetMyGames", *programs.keys["soren"]), headers)
    assert status == 200
    assert text.count("<XfccGame>") == len(await programs.games("soren"))
    assert "xsi:nil" not in text and "CDATA" not in text and "\n" not in text


@pytest.mark.parametrize(
    ("ended", "result", "word"),
    [
        (Ending.CHECKMATE, Result.WHITE_WINS, "WhiteWins"),
        (Ending.RESIGNATION, Result.BLACK_WINS, "BlackWins"),
        (Ending.DRAW, Result.DRAW, "Draw"),
        (Ending.RULING, Result.WHITE_WINS, "WhiteWinAdjudicated"),
        (Ending.RULING, Result.DRAW, "DrawAdjudicated"),
        (Ending.RULING, Result.BOTH_LOSE, None),
    ],
)
def test_a_ruling_is_an_adjudication_and_a_game_that_both_lost_is_not_told(
    ended: Ending, result: Result, word: str | None
):
    state = replace(open_game(terms("K-26-01/1")), ended=ended, ended_result=result)
    assert write_result(state) == word


def test_texts_are_harmless_to_programs_that_read_them_twice():
    assert plain('Å "B" <c> {d}\n&amp;&#38; e & f') == "Å 'B' (c) (d) & amp;& #38; e & f"


# The service's door: keys, throttle, limits before parsing, WSDL, help; never a redirect.


FAULT = "<soap:Fault>"


async def test_a_wrong_key_is_the_literal_fault_that_programs_show_and_the_word_for_a_move(
    programs: Programs,
):
    user, key = programs.keys["anna"]
    for name, secret in (
        (user, key[:-1]),
        ("k999", key),
        (programs.keys["bent"][0], key),
        ("", ""),
    ):
        status, text = await programs.send(scid("GetMyGames", name, secret))
        assert status == 500
        assert (
            "<soap:Fault><faultcode>soap:Client</faultcode>"
            "<faultstring>AuthenticationFailed</faultstring><detail />" in text
        )
        move = scid("MakeAMove", name, secret, gameId=1, movecount=1, myMove="e4")
        status, text = await programs.send(move)
        assert (status, "<MakeAMoveResult>AuthenticationFailed<" in text) == (200, True)


async def test_guessing_shuts_the_door_for_its_address_and_calling_too_often_is_told(
    programs: Programs,
):
    asked, status = 0, 200
    while status == 200 and asked < 20 * CALLS.burst:  # the bucket fills meanwhile
        status, text = await programs.send(scid("GetMyGames", *programs.keys["bent"]))
        asked += 1
    assert asked > CALLS.burst
    assert (status, "ServerError" in text) == (500, True)
    assert await programs.move("bent", movecount=1, myMove="e4") == "ServerError"
    assert await programs.games("anna")
    for _ in range(int(WRONG_KEYS.burst)):
        await programs.send(scid("GetMyGames", "k1", "wrong"))
    status, text = await programs.send(scid("GetMyGames", *programs.keys["anna"]))
    assert "AuthenticationFailed" in text, "the right key from there is not looked at"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<",
        b"not xml",
        b"<a/>",
        b"<Envelope><Body/></Envelope>",
        b'<!DOCTYPE a [<!ENTITY x "y">]><Envelope><Body><GetMyGames/></Body></Envelope>',
        b"<! doctype a><Envelope><Body><GetMyGames/></Body></Envelope>",
        b"<Envelope><Body><GetMyGames><username>\x00</username></GetMyGames></Body></Envelope>",
        b"<Envelope><Body><DropTable/></Body></Envelope>",
        b"<a>" * 15_000,
        b"x" * (MOST_BYTES + 1),
    ],
)
async def test_what_is_no_call_is_a_fault(programs: Programs, body: bytes):
    status, text = await programs.send(body)
    assert status == 500 and FAULT in text and "FeatureUnavailable" in text


def test_entities_are_refused_before_they_are_read_and_length_before_that():
    with pytest.raises(SoapError, match="document type"):
        read(b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')
    with pytest.raises(SoapError, match="too long"):
        read(b"<" * (MOST_BYTES + 1))


def test_octets_are_read_as_utf_8_and_else_as_windows_1252_whatever_the_head_says():
    assert read(scid("MakeAMove", "u", "k", myMessage="æøå")).text("myMessage") == "æøå"
    assert read(community("MakeAMove", "u", "k", myMessage="æøå €")).text("myMessage") == "æøå €"
    windows = community("MakeAMove", "u", "k", myMessage="€").decode().encode("cp1252")
    assert read(windows).text("myMessage") == "€"


@pytest.mark.parametrize("path", [PATH, PATH.lower(), "/XfccBasic.asmx", "/XFCC/XFCCBASIC.ASMX"])
async def test_every_spelling_of_the_address_serves_without_a_redirect(
    programs: Programs, path: str
):
    body = scid("GetMyGames", *programs.keys["anna"])
    answer = await programs.http.post(path, data=body, headers=SCID_HEADERS, allow_redirects=False)
    assert answer.status == 200 and "<GetMyGamesResult>" in await answer.text()
    page = await programs.http.get(path)
    assert page.status == 200 and "xfccrc" in await page.text()
    assert page.headers["Content-Type"].startswith("text/html")
    for query in ("?wsdl", "?WSDL"):
        wsdl = await programs.http.get(path + query)
        assert wsdl.headers["Content-Type"].startswith("text/xml")


async def test_the_wsdl_names_our_address_and_the_fields_in_the_order_they_are_sent(
    programs: Programs,
):
    text = await (await programs.http.get(PATH + "?wsdl")).text()
    root = ElementTree.fromstring(text)
    (where,) = root.iter("{http://schemas.xmlsoap.org/wsdl/soap/}address")
    assert where.get("location") == "http://127.0.0.1:8080" + PATH
    schema = "{http://www.w3.org/2001/XMLSchema}"
    (shape,) = [one for one in root.iter(f"{schema}complexType") if one.get("name") == "XfccGame"]
    order = [one.get("name") for one in shape.iter(f"{schema}element")]
    sent = list((await programs.games("anna"))[0])
    assert sent == [name for name in order if name in sent]


async def test_a_key_that_came_in_the_clear_is_refused_with_a_word_and_no_redirect(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        type(programs.site.core.settings.web), "site", "https://skak.example.org", raising=True
    )
    headers = SCID_HEADERS | {"X-Forwarded-Proto": "http"}
    status, text = await programs.send(scid("GetMyGames", *programs.keys["anna"]), headers)
    assert status == 500 and "use https" in text


async def test_a_failure_of_ours_is_said_in_the_protocols_word(
    programs: Programs, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("server.xfcc.service.write_list", broken)
    status, text = await programs.send(scid("GetMyGames", *programs.keys["anna"]))
    assert (status, "soap:Server" in text, "broken" in text) == (500, True, False)
    assert "an Xfcc call failed: GetMyGames" in caplog.text
