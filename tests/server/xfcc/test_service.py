"""The service's door: keys, throttle, limits before parsing, WSDL, help; never a redirect."""

from xml.etree import ElementTree

import pytest

from server.xfcc.service import CALLS, MOST_BYTES, PATH, WRONG_KEYS, SoapError, read
from tests.fakes.machinery.chess_programs import SCID_HEADERS, community, scid
from tests.fakes.machinery.each import each
from tests.server.xfcc.conftest import Programs

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


async def test_guessing_shuts_the_door_for_its_address_and_calling_too_often_is_told(programs):
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


@each(
    "body",
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
async def test_every_spelling_of_the_address_serves_without_a_redirect(programs, path):
    body = scid("GetMyGames", *programs.keys["anna"])
    answer = await programs.http.post(path, data=body, headers=SCID_HEADERS, allow_redirects=False)
    assert answer.status == 200 and "<GetMyGamesResult>" in await answer.text()
    page = await programs.http.get(path)
    assert page.status == 200 and "xfccrc" in await page.text()
    assert page.headers["Content-Type"].startswith("text/html")
    for query in ("?wsdl", "?WSDL"):
        wsdl = await programs.http.get(path + query)
        assert wsdl.headers["Content-Type"].startswith("text/xml")


async def test_the_wsdl_names_our_address_and_the_fields_in_the_order_they_are_sent(programs):
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


async def test_a_failure_of_ours_is_said_in_the_protocols_word(programs, monkeypatch, caplog):
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("server.xfcc.service.write_list", broken)
    status, text = await programs.send(scid("GetMyGames", *programs.keys["anna"]))
    assert (status, "soap:Server" in text, "broken" in text) == (500, True, False)
    assert "an Xfcc call failed: GetMyGames" in caplog.text
