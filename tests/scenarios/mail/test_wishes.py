"""Who writes what he wants in his own words is asked, and a «ja» does it (§ 6.2.6, § 6.3.6)."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import chess
import pytest

from kskak.game.game_events import LeaveBooked
from kskak.regulation.editions import Result, Side
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.told_once import begin, told_once
from tests.fakes.world import BO, TL, World


def _bo(world: World) -> Player:
    return Player(world, BO, layout="outlook", lang="en")


async def _leaves(world: World) -> list[tuple[date, date]]:
    events = [row.event for row in await world.events()]
    return [(one.first, one.last) for one in events if isinstance(one, LeaveBooked)]


@rows(
    "text",
    "Jeg opgiver, du er for god til mig",
    "Opgiver. Tak for partiet",
    "Jeg giver op",
    "Hej Bo\n\nDet her går ikke. Så giver jeg op, godt spillet!\n\nHilsen Anna",
)
async def test_prose_that_resigns_is_asked_and_a_yes_resigns(lite: World, text: str) -> None:
    anna = Player(lite)
    assert await anna.reply(text) == "asked_back"
    assert (await lite.row()).result is None, "nothing binds without the yes"
    assert "Vil du opgive partiet" in anna.letters[-1].said
    assert await anna.reply("ja", anna.letters[-1]) == "resigned"
    assert (await lite.row()).result == Result.BLACK_WINS


@rows("text", "Ja tak, remis er fint", "Jeg tager imod remis", "Ok, remis", "I accept your offer")
async def test_prose_that_agrees_to_an_offer_is_asked(lite: World, text: str) -> None:
    anna, bo = Player(lite), _bo(lite)
    assert await anna.reply("e4") == "moved"
    assert await bo.reply("e5") == "moved"
    assert await anna.reply("Sf3\nremis?") == "moved"
    assert await bo.reply(text) == "asked_back"
    assert await bo.reply("yes", bo.letters[-1]) == "drawn"
    assert (await lite.row()).result == Result.DRAW


async def test_prose_that_declines_an_offer_is_asked(lite: World) -> None:
    anna, bo = Player(lite), _bo(lite)
    assert await anna.reply("e4\nremis?") == "moved"
    assert await bo.reply("No draw, I would rather play on") == "asked_back"
    assert "decline a draw" in bo.letters[-1].said
    assert await bo.reply("yes", bo.letters[-1]) == "asked_which", "the offer stands, too"
    assert await bo.reply("draw no", bo.letters[-1]) == "declined"


def _written(day: date) -> str:
    months = "januar februar marts april maj juni juli august september oktober november december"
    return f"den {day.day}. {months.split()[day.month - 1]} {day.year}"


async def test_leave_in_prose_is_asked_with_its_days_and_a_yes_books_it(lite: World) -> None:
    anna, first = Player(lite), lite.clock.today + timedelta(days=12)
    last = first + timedelta(days=5)
    asks = f"Jeg holder ferie fra {_written(first)} til {_written(last)}"
    assert await anna.reply(asks) == "asked_back"
    asked = anna.letters[-1].said
    assert "Vil du holde ferie fra" in asked and "ikke spillet noget træk" not in asked
    assert await _leaves(lite) == []
    assert await anna.reply("ja", anna.letters[-1]) == "leave"
    assert await _leaves(lite) == [(first, last)]


async def test_a_move_meanwhile_leaves_the_question_about_leave_open(lite: World) -> None:
    """It is not about the position: answered after two more moves it still books the days."""
    anna, bo, first = Player(lite), _bo(lite), lite.clock.today + timedelta(days=12)
    last = first + timedelta(days=5)
    asks, begun = f"Jeg holder ferie fra {_written(first)} til {_written(last)}", anna.newest
    assert await anna.reply(asks) == "asked_back"
    about_leave = anna.newest
    assert await anna.reply("e4", begun) == "moved"
    assert await bo.reply("e5") == "moved"
    assert await anna.reply("Ja, det vil jeg gerne", about_leave) == "leave"
    assert await _leaves(lite) == [(first, last)]


async def test_leave_beside_a_move_is_asked_about_and_the_move_is_played(lite: World) -> None:
    anna, first = Player(lite), lite.clock.today + timedelta(days=12)
    last = first + timedelta(days=5)
    leaves = f"Jeg holder ferie fra {_written(first)} til {_written(last)}."
    assert await anna.reply(f"e4\n\n{leaves}") == "moved"
    (asked,) = [one for one in anna.letters if "Vil du holde ferie fra" in one.said]
    assert await _leaves(lite) == []
    assert await anna.reply("ja", asked) == "leave"
    assert await _leaves(lite) == [(first, last)]


async def test_initials_below_a_no_are_no_yes(lite: World) -> None:
    anna = Player(lite)
    assert await anna.reply("Jeg giver op") == "asked_back"
    said = "Næ. Det var bare en talemåde.\nJO"
    assert await anna.reply(said, anna.letters[-1]) == "answered_no"
    assert await anna.reply("Skal vi tage remis?") == "asked_back"
    assert await anna.reply("ja\nnej", anna.letters[-1]) == "asked_which", "two answers are none"
    assert await lite.kinds() == []


async def test_an_offer_beside_a_move_that_is_asked_about_is_not_lost(lite: World) -> None:
    anna = Player(lite)
    assert await anna.reply("3. e4, og jeg tilbyder remis sammen med trækket") == "draw_unclear"
    said = anna.letters[-1].said
    assert "Mener du 1. 5254 (e4) med tilbud om remis?" in said
    assert "ja du spiller 1. 5254 (e4) med tilbud om remis" in said, "what the yes does"
    assert "svar med trækket alene" in said


async def test_every_wish_of_a_mail_gets_its_own_answer(lite: World) -> None:
    anna, first = Player(lite), lite.clock.today + timedelta(days=12)
    before = len(anna.letters)
    says = (
        f"Jeg holder ferie fra {_written(first)} til {_written(first)}. Jeg er flyttet til Vejle."
    )
    assert await anna.reply(f"e4\n\n{says} Jeg har et spørgsmål til turneringslederen.") == "moved"
    told = [one.said for one in anna.letters[before:]]
    wanted = ("Vil du holde ferie", "en ny adresse", "Resten svarer turneringslederen på", "5254")
    assert [sum(words in one for one in told) for words in wanted] == [1, 1, 1, 1]
    assert await lite.kinds() == ["MoveSent"], "nothing but the move binds without a yes"


@pytest.mark.parametrize("said", ["I follow your series", "Yes to the whole series, thanks", "OK!"])
async def test_a_series_is_followed_in_prose_after_a_yes(lite: World, said: str) -> None:
    anna, bo = Player(lite), _bo(lite)
    assert await anna.reply("1. e4 0e5 2. Sf3 0Sc6 3. Lb5") == "moved"
    assert await bo.reply(said) == "asked_back"
    assert (await lite.row()).ply == 1
    assert await bo.reply("yes", bo.letters[-1]) == "moved"
    assert (await lite.row()).ply == 5, "two of his, and her two that were bound"


@rows(
    "said open_",
    ("Både Jytte og jeg nikker", "Jeg giver op"),
    ("Deres tolkning er aldeles udmærket", "mon ikke jeg spiller e4"),
    ("Hvad? Det handlede om rottespærren.", "Jeg giver op"),
    ("Jeg har opgivet at få tag i VVS-manden", "Jeg giver op"),
    ("+1", "mon ikke jeg spiller e4"),
)
async def test_whatever_answers_a_question_is_asked_again_and_does_nothing(lite, said, open_):
    anna = Player(lite)
    await anna.reply(open_)
    assert await anna.reply(said, anna.letters[-1]) == "asked_which"
    assert await lite.kinds() == []
    assert "ikke klart, om det, du skriver, er et ja" in anna.letters[-1].said


@rows("said", "Ja, det gør jeg", "Ja, det er rigtigt!", "Jo tak", "Yes, I do.", "JO", "JO!")
async def test_a_yes_in_a_sentence_is_a_yes(lite: World, said: str) -> None:
    anna = Player(lite)
    assert await anna.reply("Jeg giver op") == "asked_back"
    assert await anna.reply(said, anna.letters[-1]) == "resigned"


@pytest.mark.parametrize("said", ["Nej, det gør jeg ikke", "Ja, det gør jeg ikke", "Ja, måske"])
async def test_what_is_no_plain_yes_does_nothing(lite: World, said: str) -> None:
    anna = Player(lite)
    assert await anna.reply("Jeg giver op") == "asked_back"
    await anna.reply(said, anna.letters[-1])
    assert (await lite.row()).result is None


@pytest.mark.parametrize(("ahead", "is_booked"), [(5, False), (6, True)])
async def test_a_wish_counts_from_the_day_of_the_first_mail(lite, ahead, is_booked):
    """§ 6.3.6.1: both sides of the bound on the first mail's day, though the yes comes later."""
    anna, asked_on = Player(lite), lite.clock.today
    first = asked_on + timedelta(days=ahead)
    assert await anna.reply(f"ferie fra {_written(first)} til {_written(first)}") == "asked_back"
    asked = anna.letters[-1]
    lite.clock.wait(days=2)
    assert await anna.reply("ja", asked) == "leave"
    events = [row.event for row in await lite.events()]
    booked = [one for one in events if isinstance(one, LeaveBooked)]
    assert [(one.first, one.notified) for one in booked] == [(first, asked_on)] * is_booked
    assert ("er ikke meldt" in anna.letters[-1].said) is not is_booked


async def test_the_same_by_the_letters_button_and_twice_is_once(lite: World) -> None:
    anna, first = Player(lite), lite.clock.today + timedelta(days=12)
    assert await anna.reply(f"på ferie {first.day}/{first.month}-{first.day}/{first.month}") == (
        "asked_back"
    )
    async with browser(lite) as one:
        link = anna.letters[-1].link("/c/")
        form = await one.get(link)
        assert "Er det det, du vil?" in form.text
        assert f"du har ferie fra den {_written(first).removeprefix('den ')}" in form.text
        await one.submit(form, "", answer="yes")
        await lite.pump()
        assert "Linket virker ikke mere" in (await one.get(link)).text
    assert await _leaves(lite) == [(first, first)]


async def test_the_word_that_grants_a_wish_is_in_the_writers_own_language(lite: World) -> None:
    anna, bo, first = Player(lite), _bo(lite), lite.clock.today + timedelta(days=12)
    assert await anna.reply("e4\nremis?") == "moved"
    assert await bo.reply(f"On holiday {first} to {first}") == "asked_back"
    said = bo.letters[-1].said
    assert f"leave {first} {first}" in said, "the offer stands, so that a yes is not enough"
    async with browser(lite) as one:
        assert "du har ferie fra den" in (await one.get(bo.letters[-1].link("/c/"))).text
    assert await bo.reply(f"leave {first} {first}", bo.letters[-1]) == "leave"
    assert await _leaves(lite) == [(first, first)]


async def test_a_no_to_a_wish_leaves_all_as_it_was(lite: World) -> None:
    anna, first = Player(lite), lite.clock.today + timedelta(days=12)
    assert await anna.reply(f"ferie fra {_written(first)} til {_written(first)}") == "asked_back"
    assert await anna.reply("nej", anna.letters[-1]) == "answered_no"
    assert await _leaves(lite) == []
    assert await anna.reply("e4") == "moved"


async def test_a_claim_in_prose_without_an_overstep_says_why_and_how(lite: World) -> None:
    anna, bo = Player(lite), _bo(lite)
    assert await anna.reply("e4") == "moved"
    assert await bo.reply("e5") == "moved"
    assert await anna.reply("Min modstander har overskredet tiden") == "no_overstep"
    assert "rejs sag" in anna.letters[-1].said


@rows(
    "text told",
    ("Jeg er flyttet til Nygade 3, 5000 Odense", "Indstillinger"),
    ("Kan jeg få lov at udsætte starten? Jeg skal opereres", TL),
    ("ferie hele juli", "ferie 8/7 22/7"),
    ("Hvordan går det med turneringen?", TL),
)
async def test_what_the_server_does_not_do_is_told_and_no_move_is_spoken_of(lite, text, told):
    anna = Player(lite)
    assert await anna.reply(text) == "told"
    letter = anna.letters[-1]
    assert told in letter.said and "ikke spillet noget træk" not in letter.said
    assert text.split("?")[0][:20] in letter.said
    assert (await lite.row()).ply == 0


@rows(
    "text",
    "Hvor mange dage har jeg selv tilbage på uret?",
    "Har modstanderen fået mit træk? Der er meget stille...",
    "Åh nej, jeg mente d4. Kan I nå at rette det?",
)
async def test_a_question_out_of_turn_hears_where_the_game_stands(lite: World, text: str) -> None:
    """What binds, who is to move and until when, the days of both (§ 6.8.4, § 6.8.2)."""
    anna = Player(lite)
    assert await anna.reply("e4") == "moved"
    assert await anna.reply(text, anna.letters[-1]) == "told"
    said = anna.letters[-1].said
    assert "(e4) er sendt og binder (§ 6.8.4)" in said
    assert "Sort er i trækket" in said and "Sidste dag at svare" in said
    assert said.count("brugt 0 dage af 40 dage til træk 10") == 2


@rows("text", "ferie 1/11-25 5/11-25", "ferie 1/11-5/11-25", "ferie fra 1.11.2025 til 5.11.2025")
async def test_leave_in_a_year_gone_by_names_the_year_and_what_to_write(lite, text):
    """It was told to give more notice, as if the day were a few days too early (§ 6.3.6)."""
    anna = Player(lite)
    assert await anna.reply(text) == "leave"
    letter = anna.letters[-1]
    assert letter.subject == "Ikke meldt: ferie 1/11-5/11 2025"
    assert "Årstallet i 5. november 2025 passer ikke til partiet" in letter.said
    assert "uden årstal, eller med det rigtige" in letter.said and "ferie 8/7 22/7" in letter.said
    assert await anna.reply("Vi holder ferie fra 1/11-25 til 5/11-25") == "asked_back"
    assert "ferie 1/11-5/11 2025?" in anna.letters[-1].subject


async def test_a_move_beside_prose_is_still_the_move(lite: World) -> None:
    anna = Player(lite)
    assert await anna.reply("e4\n\nJeg giver op med at forstå vejret") == "moved"
    assert (await lite.row()).result is None


SLAV = "c4 e6 Nf3 d5 d4 Nf6 Nc3 Be7 Bg5 O-O e3 h6 Bh4 b6 cxd5 Nxd5"


def _played(moves: str) -> Any:
    """A fixture: the game so far, each move by its player's mail."""

    async def tell(world: World) -> None:
        await begin(world)
        await _play(world, moves)

    @pytest.fixture
    async def told(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
        async with told_once(sqlite_url, tmp_path, tell) as world:
            yield world

    return told


async def _play(world: World, moves: str) -> None:
    players, board = (_bo(world), Player(world)), chess.Board()
    for san in moves.split():
        player = players[board.turn]
        assert await player.reply(board.push_san(san).uci()) == "moved"


slav = _played(SLAV)
"""White is to move."""


@rows("said meant", ("Lxf6", "Lf6"), ("9. Løber slår f6", "Lf6"), ("D:c2\n\nGod jul", "Dc2"))
async def test_a_capture_of_nothing_is_asked_and_never_played(slav, said, meant):
    """The knight had left f6, and as a quiet move it loses the bishop (§ 6.8.4)."""
    anna, ply = Player(slav), (await slav.row()).ply
    assert await anna.reply(said) == "unsure"
    assert (await slav.row()).ply == ply
    asked = anna.letters[-1].said
    assert "der er intet at slå på feltet" in asked
    assert "Mener du 9. " in asked and f"({meant})" in asked
    assert await anna.reply("ja", anna.letters[-1]) == "moved", "he meant it after all"


@pytest.mark.parametrize("said", ["Lxe7", "9. Le7", "9. Lxe7+", "Lf6+"])
async def test_other_signs_of_a_move_may_be_missing_or_wrong(slav: World, said: str) -> None:
    """No x is needed, and a check that is none says nothing of the move (FIDE C.9, C.12)."""
    assert await Player(slav).reply(said) == "moved"


async def test_a_series_with_a_capture_of_nothing_is_asked_about(lite: World) -> None:
    anna = Player(lite)
    assert await anna.reply("1. e4 0 e5 0 2. Sxf3") == "unsure"
    assert await anna.reply("ja", anna.letters[-1]) == "moved"
    assert "Skal det være en trækserie?" in anna.letters[-1].said


RUY = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6"
ruy, before = _played(RUY), _played(RUY.removesuffix(" d6"))
"""White is to move; or Black, who plays 7... d6."""


IN_PROSE = (
    "c3, og jeg tilbyder remis.\n\nMvh Villy",
    "8. c3, and a draw offer. You may have had enough of my games by now :)",
    "8. c3\n\nSkal vi ikke tage remis? Jeg synes stillingen er helt lige.",
    "c3\n\nHvis du vil have en halv, så siger jeg ja tak. Altså remistilbud fra min side.",
    "8. c3\n\nSå vil jeg foreslå uafgjort, inden det bliver jul.",
    "c3. Jag föreslår remi härmed, om det passar.",
)
"""A draw offered with a move; the first of them is answered in each way."""


@rows(
    "said answer",
    *((said, "ja") for said in IN_PROSE),
    *((IN_PROSE[0], way) for way in ("8. c3", "web")),
)
async def test_a_yes_plays_the_move_with_the_draw_that_was_offered_in_prose(ruy, said, answer):
    anna = Player(ruy)
    assert await anna.reply(said) == "draw_unclear"
    asked = anna.letters[-1]
    assert "Mener du 8. 3233 (c3) med tilbud om remis?" in asked.said
    assert (await ruy.row()).ply == 14, "nothing binds without the yes"
    if answer == "web":
        async with browser(ruy) as one:
            await one.submit(await one.get(asked.link("/c/")), "", answer="yes")
            await ruy.pump()
    else:
        assert await anna.reply(answer, asked) == "moved"
    row = await ruy.row()
    assert row.ply == 15
    is_offered = row.state().draw_offer is Side.WHITE
    assert is_offered is (answer != "8. c3"), "the move alone offers nothing"


@rows(
    "said is_offered",
    ("Nej tak til remis, der er stadig lidt spil i den.\n\n8. c3", True),
    ("Nej tak til remis, der er stadig lidt spil i den.\n\n8. c3", False),
    ("8. c3\n\nJeg afslår remis indtil videre", True),
    ("8. c3\n\nThanks but no draw yet", True),
)
async def test_who_declines_a_draw_beside_a_move_says_no_more_than_the_move(
    before, said, is_offered
):
    assert await _bo(before).reply("7... d6" + "\ndraw?" * is_offered) == "moved"
    assert await Player(before).reply(said) == "moved"
    assert (await before.row()).state().draw_offer is None


@rows(
    "said is_offered",
    ("Remis allerede? Nej da, jeg har jo lige fundet c3!\n\n8. c3", True),
    ("8. c3\n\nJeg vil ikke have remis endnu.", True),
    ("8. c3\n\nJeg vil ikke have remis endnu.", False),
    ("8. c3\n\nMit parti mod Balle sluttede remis.", False),
)
async def test_a_draw_that_is_spoken_of_beside_a_move_is_no_offer(before, said, is_offered):
    assert await _bo(before).reply("7... d6" + "\ndraw?" * is_offered) == "moved"
    anna = Player(before)
    assert await anna.reply(said) == "draw_unclear"
    asked = next(one for one in reversed(anna.letters) if "Mener du" in one.said)
    assert "måske et tilbud" not in asked.said and "med tilbud" not in asked.said
    assert "er ikke læst som et tilbud om remis" in asked.said
    assert await anna.reply("8. c3", asked) == "moved"
    assert (await before.row()).state().draw_offer is None


@rows(
    "said",
    "Jeg accepterer din serie. Altså 1... e5 2. Sf3 og nu 2... Sc6\n\nMvh Henning",
    "Serien accepteres. 2... Sc6",
    "1... e5 2. Sf3 accepteret, 2... Sc6",
    "I accept your series, and then I play Nc6.",
)
async def test_who_follows_a_series_and_moves_on_loses_neither(lite: World, said: str) -> None:
    assert await Player(lite).reply("1. e4 0 e5 0 Sf3") == "moved"
    bo = Player(lite, BO)
    assert await bo.reply(said) == "asked_back"
    asked = bo.letters[-1]
    assert "follow your opponent's series and play 1... e5 2. Nf3 Nc6?" in asked.said
    assert (await lite.row()).ply == 1, "nothing binds without the yes"
    assert await bo.reply("yes", asked) == "moved"
    row = await lite.row()
    assert row.ply == 4
    assert row.state().board.piece_type_at(chess.C6) == chess.KNIGHT


async def test_who_only_follows_a_series_plays_to_its_last_own_move(lite: World) -> None:
    assert await Player(lite).reply("1. e4 0 e5 0 Sf3") == "moved"
    bo = Player(lite, BO)
    assert await bo.reply("Serien accepteres. Hvad mon du havde gjort efter c5?") == "asked_back"
    assert await bo.reply("yes", bo.letters[-1]) == "moved"
    assert (await lite.row()).state().board.piece_at(chess.C5) is None


@rows(
    "said subject outcome",
    ("Mit træk står i emnefeltet.\n\nMvh", "SV: K-12 Holm - Ravn: 1. e4", "unsure"),
    ("Se emnet!", "Re: K-12: 1. 5254", "unsure"),
    ("My move is in the subject line.", "Re: K-12: 1. Sf3", "unsure"),
    ("Se venligst vedlagte.", "SV: K-12 Holm - Ravn: 1. e4", "not_understood"),
)
async def test_a_subject_that_the_mail_points_to_is_asked_about(lite, said, subject, outcome):
    assert await Player(lite).reply(said, Subject=subject) == outcome
    assert (await lite.row()).ply == 0
