"""MakeAMove through HTTP, as Scid and others send it, and each of the protocol's answers."""

import pytest

from kskak.game import game_commands as cmd
from kskak.regulation.editions import Side
from server.store.play import games as game_rows
from server.store.play import notes_and_messages as note_rows
from tests.fakes.machinery.chess_programs import lucas
from tests.fakes.machinery.each import each
from tests.server.xfcc.conftest import Programs, by_game


async def _sides(programs: Programs) -> tuple[str, str]:
    game = await programs.site.game()
    return ("anna", "bent") if game.white.startswith("Anna") else ("bent", "anna")


async def _messages(programs: Programs) -> list[str]:
    game = await programs.site.game()
    async with programs.site.core.store.read() as conn:
        return [one.text for one in await note_rows.messages_of_game(conn, game.id)]


async def test_a_move_with_a_message_in_scids_octets_is_made_once_and_a_repeat_succeeds(programs):
    white, black = await _sides(programs)
    first = {"movecount": 1, "myMove": "e4", "myMessage": "Hilsen æøå"}
    assert await programs.move(white, **first) == "Success"
    assert await programs.move(white, **first) == "Success", "the first answer got lost"
    assert await programs.move(black, movecount=1, myMove="e5") == "Success"
    assert await programs.move(white, **first) == "Success", "the opponent answered meanwhile"
    game = await programs.site.game()
    assert (game.ply, await _messages(programs)) == (2, ["Hilsen æøå"])
    assert await programs.move(white, movecount=1, myMove="d4") == "InvalidMoveNumber"
    async with programs.site.core.store.read() as conn:
        rows = await game_rows.history(conn, game.id)
    assert {row.channel for row in rows if row.actor_id is not None} == {"xfcc"}


async def test_suds_nests_its_arguments_and_is_understood(programs: Programs):
    white, _ = await _sides(programs)
    game = await programs.site.game()
    headers = {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": '"x"'}
    body = lucas(*programs.keys[white], game.id, 1, "Nf3")
    assert "<MakeAMoveResult>Success<" in (await programs.send(body, headers))[1]
    assert (await programs.site.game()).ply == 1


@each(
    "fields made",
    ({"gameId": 7, "movecount": 1, "myMove": "e4"}, "InvalidGameID"),
    ({"gameId": "KSK-1", "movecount": 1, "myMove": "e4"}, "InvalidGameID"),
    ({"movecount": 2, "myMove": "e4"}, "InvalidMoveNumber"),
    ({"movecount": 1, "myMove": "Ke2"}, "InvalidMove"),
    ({"movecount": 1, "myMove": "e4 e5"}, "InvalidMove"),
    ({"movecount": 1, "myMove": "--"}, "InvalidMove"),
    ({"movecount": 0, "myMove": "", "myMessage": ""}, "FeatureUnavailable"),
    ({"acceptDraw": 1, "movecount": 1, "myMove": "e4"}, "NoDrawWasOffered"),
)
async def test_a_wrong_call_has_its_word_and_changes_nothing(programs, fields, made):
    white, _ = await _sides(programs)
    assert await programs.move(white, **fields) == made
    game = await programs.site.game()
    assert (game.seq, game.ply) == (0, 0)


async def test_turn_rights_and_ambiguity_are_told_and_the_reason_comes_with_the_next_list(programs):
    white, black = await _sides(programs)
    assert await programs.move(black, movecount=1, myMove="e5") == "NotYourTurn"
    row = await programs.site.game()
    stranger = "soren"
    assert await programs.move(stranger, movecount=1, myMove="e4") == "NotYourGame"
    told = by_game(await programs.games(black))[str(row.id)]
    assert "§ 6.2.1" in told["serverInfo"]
    for text in ("Nf3", "d5", "d3", "d4"):
        await programs.site.play(row, text)
    assert await programs.move(white, movecount=3, myMove="Nd2") == "MoveIsAmbigous"
    told = by_game(await programs.games(white))[str(row.id)]
    assert "§ 6.8.4" in told["serverInfo"]
    assert await programs.move(white, movecount=3, myMove="Nbd2") == "Success"
    told = by_game(await programs.games(white))[str(row.id)]
    assert told["serverInfo"] == ""


async def test_a_draw_is_offered_with_a_move_and_accepted_beside_the_last_move_repeated(programs):
    white, black = await _sides(programs)
    game = await programs.site.game()
    for text in ("e4", "e5"):
        await programs.site.play(game, text)
    offer = {"movecount": 2, "myMove": "Nf3", "offerDraw": 1, "myMessage": "Remis?"}
    assert await programs.move(white, **offer) == "Success"
    told = by_game(await programs.games(black))[str(game.id)]
    assert told["drawOffered"] == "true"
    accept = {"acceptDraw": 1, "movecount": 2, "myMove": "Nf3", "myMessage": "Remis? - Draw -"}
    assert await programs.move(black, **accept) == "Success"
    assert (await programs.site.game()).result == "1/2-1/2"
    assert await _messages(programs) == ["Remis?"], "an echo is no message"
    assert await programs.move(white, movecount=3, myMove="Bb5") == "NotYourTurn", "it is over"


async def test_resigning_is_done_at_once_in_turn_or_not(programs: Programs):
    white, _ = await _sides(programs)
    await programs.site.play(await programs.site.game(), "e4")
    assert await programs.move(white, resign=1, movecount=1, myMove="e4") == "Success"
    assert (await programs.site.game()).result == "0-1"
    assert await programs.move(white, resign=1, movecount=1, myMove="e4") == "NotYourTurn"


@pytest.mark.parametrize("is_intended", [True, False])
async def test_a_draw_is_claimed_for_the_position_or_with_the_move_that_makes_it(
    programs: Programs, is_intended: bool
):
    white, black = await _sides(programs)
    game = await programs.site.game()
    dance = ("Nf3", "Nf6", "Ng1", "Ng8") * 2
    for text in dance[:-1] if is_intended else dance:
        await programs.site.play(game, text)
    fields = {"claimDraw": 1, "movecount": 4, "myMove": "Ng8"}
    assert await programs.move(black if is_intended else white, **fields) == "Success"
    assert (await programs.site.game()).result == "1/2-1/2"


async def test_a_wrong_claim_stands_as_an_offer_and_the_player_is_told(programs: Programs):
    white, black = await _sides(programs)
    row = await programs.site.game()
    assert await programs.move(white, claimDraw=1, movecount=1, myMove="") == "Success"
    told = by_game(await programs.games(white))[str(row.id)]
    assert "FIDE 9.1" in told["serverInfo"]
    told = by_game(await programs.games(black))[str(row.id)]
    assert told["drawOffered"] == "true"


async def test_a_message_without_a_move_goes_into_the_thread_once_and_is_listed(programs):
    white, black = await _sides(programs)
    row = await programs.site.game()
    await programs.site.play(row, "e4", "Med trækket")
    fields = {"movecount": 1, "myMove": "", "myMessage": "Uden træk"}
    for _ in range(2):
        assert await programs.move(white, **fields) == "Success"
    assert (await programs.site.game()).seq == 1
    told = by_game(await programs.games(black))[str(row.id)]
    assert told["message"] == "Med trækket / Uden træk"
    echo = {"movecount": 1, "myMove": "e5", "myMessage": "Med trækket / Uden træk"}
    assert await programs.move(black, **echo) == "Success"
    assert await _messages(programs) == ["Med trækket"]


async def test_a_game_lost_on_time_says_so(programs: Programs):
    site, (white, black) = programs.site, await _sides(programs)
    row = await site.game()
    await site.play(row, "e4", days=0)
    site.clock.turn(90)
    assert await programs.move(white, movecount=2, myMove="d4") == "NotYourTurn"
    await site.ask(await site.game(), Side.WHITE, lambda _, side: cmd.ClaimOverstep(side))
    assert await programs.move(black, movecount=1, myMove="e5") == "NotYourTurn", "it is at rest"
    told = by_game(await programs.games(black))[str(row.id)]
    assert told["result"] == "AdjudicationPending"
    await site.ask(await site.game(), Side.BLACK, lambda _, side: cmd.AdmitOverstep(side))
    assert await programs.move(black, movecount=1, myMove="e5") == "LostOnTime"
    told = by_game(await programs.games(black))[str(row.id)]
    assert told["result"] == "WhiteWins"
