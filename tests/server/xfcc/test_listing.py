"""GetMyGames through HTTP: what programs match literally, and what each game says.

Never «Defaulted»; games that both lost are left out; why a move was refused is the game's
`serverInfo` in the next list, as the protocol has no field for a reason.
"""

from dataclasses import replace

from kskak.game import game_commands as cmd
from kskak.play.evolve_game import open_game
from kskak.regulation.editions import Ending, Result, Side
from server.xfcc.service import plain, write_result
from tests.fakes.machinery.chess_programs import community
from tests.fakes.machinery.each import each
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


async def test_moves_days_offers_and_the_last_message_are_told_to_who_is_to_move(programs):
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


async def test_who_plays_nothing_gets_an_empty_list_and_the_other_dialect_works(programs):
    headers = {
        "Content-Type": "text/xml; charset=utf-8",
        "SOAPAction": "http://www.bennedik.com/webservices/XfccBasic/GetMyGames",
        "User-Agent": "scidCommunity-ICCF/1.0",
    }
    status, text = await programs.send(community("GetMyGames", *programs.keys["soren"]), headers)
    assert status == 200
    assert text.count("<XfccGame>") == len(await programs.games("soren"))
    assert "xsi:nil" not in text and "CDATA" not in text and "\n" not in text


@each(
    "ended result word",
    (Ending.CHECKMATE, Result.WHITE_WINS, "WhiteWins"),
    (Ending.RESIGNATION, Result.BLACK_WINS, "BlackWins"),
    (Ending.DRAW, Result.DRAW, "Draw"),
    (Ending.RULING, Result.WHITE_WINS, "WhiteWinAdjudicated"),
    (Ending.RULING, Result.DRAW, "DrawAdjudicated"),
    (Ending.RULING, Result.BOTH_LOSE, None),
)
def test_a_ruling_is_an_adjudication_and_a_game_that_both_lost_is_not_told(ended, result, word):
    state = replace(open_game(terms("K-26-01/1")), ended=ended, ended_result=result)
    assert write_result(state) == word


def test_texts_are_harmless_to_programs_that_read_them_twice():
    assert plain('Å "B" <c> {d}\n&amp;&#38; e & f') == "Å 'B' (c) (d) & amp;& #38; e & f"
