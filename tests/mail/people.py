"""Mails as people write them: who wrote what, and what must come of it. Made of parts, in three
languages, as a phone and an office program send them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle

from server.usecases.mail.mail_table import What

GREETINGS = {
    "da": ("", "Hej Bo\n\n", "Kære Bo,\n\n", "Goddag\n\n", "Hej igen\n"),
    "en": ("", "Hi Bo,\n\n", "Dear Bo\n\n", "Hello\n\n", "Good evening\n\n"),
    "sv": ("", "Hej Bo\n\n", "Hejsan\n\n", "God morgon\n\n", "Hej igen\n"),
}
ENDS = {
    "da": ("", "\n\nVenlig hilsen\nAnna", "\n\nMvh Anna", "\n\nSendt fra min iPhone", "\n\n/Anna"),
    "en": ("", "\n\nBest regards\nAnna", "\n\nSent from my iPhone", "\n\nCheers\nAnna", "\n\nAnna"),
    "sv": ("", "\n\nHälsningar\nAnna", "\n\nSkickat från min iPhone", "\n\nMvh\nAnna", "\n\nAnna"),
}
SAYS: dict[tuple[str, What], str] = {
    ("da", What.MOVE): "Sf3|springer til f3|Springer f3|hest f3|2. Sf3|1... e5 2. Sf3|"
        "7163|71-63|Sg1-f3|g1 f3|g1f3|Sf 3|“Sf3”|»Sf3«|[Sf3]|"
        "Mit træk: Sf3|Springeren til f3|Sf3, tak|2.Sf3|"
        "springer g1 til f3|1. e4 e5 2. Sf3|Sf3!|Sf3 :-)|"
        "2. 7163 modt. 2/11 sendt 3/11|2) Sf3",
    ("da", What.UNCLEAR): "Jeg spiller Sf3|Jeg flytter springeren til f3|"
        "Det bliver Sf3 denne gang|mon ikke springeren skal til f3|"
        "Så rykker jeg min hest til f3|Cf3|3. Sf3|Sf3?|"
        "Mit træk er springer til f3.|Jeg tror jeg tager Sf3",
    ("da", What.RESIGN): "Jeg opgiver, du er for god til mig|Opgiver. Tak for partiet|"
        "Jeg giver op|Så giver jeg op nu|Jeg kapitulerer|"
        "Du har vundet, tillykke|opgiver|Jeg må desværre opgive|"
        "Ok, jeg opgiver partiet|Jeg har opgivet",
    ("da", What.DRAW): "Skal vi tage remis?|Jeg vil gerne have remis|Hvad med remis?|"
        "Er remis ok med dig?|Vil du have uafgjort|"
        "Jeg synes vi skal sige remis",
    ("da", What.DRAW_WORD): "remis?|Jeg tilbyder remis|remistilbud|"
        "Jeg vil gerne tilbyde remis",
    ("da", What.CLAIM): "Min modstander har overskredet tiden|"
        "Hvid har vist brugt hele sin betænkningstid|"
        "Du har overskredet tiden|"
        "Bo har overskredet betænkningstiden, modstanderen",
    ("da", What.LEAVE): "Jeg holder ferie fra den 4. januar til den 9. januar|"
        "ferie fra 22. december til 3. januar|på ferie 4/1-9/1|"
        "ferie uge 52|Vi rejser væk 4/1 til 9/1|"
        "Jeg er bortrejst 1. til 15. juli|"
        "Jeg tager på ferie 4.-9. januar|ferie hele juli",
    ("da", What.THINK): "Jeg vil tænke længe over det her|Jeg har brug for mere tid|"
        "Jeg bruger nok mere end 14 dage på det|"
        "Lad mig overveje det lidt længere",
    ("da", What.NEW_ADDRESS): "Jeg er flyttet til Nygade 3, 5000 Odense|"
        "Jeg har fået ny mailadresse|Min nye adresse er Vestergade 4|"
        "Jeg har skiftet mail",
    ("da", What.LATER_START): "Kan jeg få lov at udsætte starten? Jeg skal opereres|"
        "Kan vi udskyde begyndelsen|Jeg vil gerne starte lidt senere",
    ("da", What.QUESTION): "Hvordan går det?|Hvor mange dage har jeg?|Hvem fører gruppen?",
    ("da", What.HELP): "status|hjælp|mails",
    ("da", What.NOTHING): "Tak for sidst|God jul!|Sikke et vejr|Det er spændende det her|"
        "Jeg er glad for partiet|Vi ses til mødet",
    ("en", What.MOVE): "Nf3|knight to f3|Knight f3|2. Nf3|7163|1... e5 2. Nf3|Ng1-f3|"
        "g1 to f3|My move: Nf3|N f3|horse to f3|\"Nf3\"|Nf3 thanks",
    ("en", What.UNCLEAR): "I play Nf3|My move is Nf3|I think I will play Nf3|"
        "Let me move my knight to f3|Nf3?|3. Nf3|I go for Nf3 then",
    ("en", What.RESIGN): "I resign, well played|I give up|resign|"
        "You win, congratulations|I concede|I am giving up",
    ("en", What.DRAW): "Shall we call it a draw?|A draw?? I would not mind|"
        "How about a draw?|Would you take a draw",
    ("en", What.CLAIM): "My opponent has exceeded the time|"
        "White has exceeded the time limit|He is out of time",
    ("en", What.LEAVE): "I'm on holiday from 4 January to 9 January|"
        "Holiday July 4 to July 18|"
        "I am away from 4 January to 9 January|vacation 4/1-9/1",
    ("en", What.THINK): "I need more time|I need more than 14 days for this one|"
        "I will think longer about this",
    ("en", What.NEW_ADDRESS): "I have moved to London|I have a new e-mail address|"
        "My address has changed",
    ("en", What.QUESTION): "How many days have I left?|Who leads the group?",
    ("en", What.NOTHING): "Thanks for the game so far|Merry Christmas!|What a day",
    ("sv", What.MOVE): "Sf3|springare f3|Springaren till f3|häst f3|2. Sf3|7163|"
        "g1 till f3|Sf3 tack",
    ("sv", What.UNCLEAR): "Jag spelar Sf3|Jag flyttar springaren till f3|Sf3?|"
        "Det blir Sf3 nu",
    ("sv", What.RESIGN): "Jag ger upp, bra spelat|Jag uppger|uppger|Du har vunnit",
    ("sv", What.DRAW): "Ska vi ta remi?|Vill du ha remi|Jag vill gärna ha remi",
    ("sv", What.CLAIM): "Motståndaren har överskridit tiden|"
        "Min motståndare har överskridit betänketiden",
    ("sv", What.LEAVE): "Jag har semester 4-9 januari|"
        "Jag är ledig från 4 januari till 9 januari|semester vecka 52",
    ("sv", What.NEW_ADDRESS): "Jag har flyttat till Malmö|Jag har ny adress",
    ("sv", What.QUESTION): "Hur går det?|Hur många dagar har jag?",
    ("sv", What.NOTHING): "Tack för senast|God jul!|Vilket väder",
}  # fmt: skip


MORE: dict[tuple[str, What], str] = {
    ("da", What.MOVE): "Kongespringer til f3|f3 med springeren|S-f3|Springer g1-f3|"
        "springer til f3, tak for sidst|2.- Sf3|hvid: Sf3|"
        "Mit næste træk: Sf3|71 63|Sg1f3|SF3|2) springer f3|"
        "Springer: f3|Hest g1 til f3|2. e4 Sf3",
    ("da", What.UNCLEAR): "Jeg vælger at spille springeren ud til f3|"
        "Nu kommer hesten til f3|Min springer skal stå på f3|"
        "Så spiller jeg bare Sf3|jeg tror Sf3 er bedst|"
        "Lad os prøve Sf3|Springeren ud til f3|Sf3 må det være|"
        "Jeg svarer med Sf3|Mit svar er Sf3|Rf3|Hf3|Hes f3|"
        "spr. f3 tror jeg",
    ("da", What.RESIGN): "Nu giver jeg op, du spiller for godt|"
        "Partiet er tabt for mig, jeg opgiver|Jeg lægger min konge ned|"
        "Jeg overgiver mig|Det er slut for mig, tillykke med sejren|"
        "Jeg strækker våben|Du vinder, godt spillet|"
        "Jeg vil gerne opgive partiet|Herved opgiver jeg|"
        "jeg giver fortabt",
    ("da", What.DRAW): "Skal vi dele punktet med remis?|Kunne du tænke dig remis|"
        "Remis herfra?|Mon ikke det er remis|Lad os slutte med remis|"
        "Jeg er frisk på remis|Er du med på remis?",
    ("da", What.CLAIM): "Jeg mener at min modstander har brugt for lang tid, tidsoverskridelse|"
        "Bo, min modstander, har vist overskredet betænkningstiden|"
        "Hvid er gået over tiden|Sort har overskredet de 40 dage",
    ("da", What.LEAVE): "Jeg er på ferie i uge 52|"
        "Vi tager på ferie den 4. januar og er hjemme den 9. januar|"
        "Ferie 4/1 - 9/1 tak|Jeg melder ferie 4. januar - 9. januar|"
        "Holder ferie mellem 4/1 og 9/1|Jeg skal på ferie næste uge|"
        "Jeg rejser bort fra 4. januar til 9. januar|"
        "Ferie: 4.1. til 9.1.|vi har ferie 4-9 januar|"
        "Jeg ønsker ferie fra 4/1 til 9/1",
    ("da", What.THINK): "Jeg skal bruge lang tid på det her træk|"
        "Denne stilling kræver at jeg tænker længe|"
        "Jeg bruger mere tid end normalt her|Giv mig mere tid",
    ("da", What.NEW_ADDRESS): "Jeg har skiftet adresse|Bemærk ny adresse: Nygade 3|"
        "Min mail er ændret til a@b.dk|"
        "Vi flytter den 1. december til Vejle|Min e-mail er nu a@b.dk",
    ("da", What.LATER_START): "Jeg kan først begynde til februar, kan starten udsættes|"
        "Kan vi vente med at starte|Må jeg begynde senere",
    ("da", What.QUESTION): "Hvad betyder serie?|Kan man fortryde et træk?|"
        "Hvornår slutter turneringen?|Har du modtaget min mail?",
    ("da", What.NOTHING): "Tak for kampen indtil nu|Rigtig god weekend|Det sner her|"
        "Undskyld ventetiden|Fedt parti|Hils familien",
    ("en", What.MOVE): "kings knight to f3|Knight to f3 please|N-f3|knight g1 to f3|"
        "2. knight f3|Nf3.|Ng1f3|nf3",
    ("en", What.UNCLEAR): "I will go Nf3|My reply is Nf3|knight out to f3|let us try Nf3|"
        "I'd like to play knight to f3|Nf3 I guess",
    ("en", What.RESIGN): "I am resigning this game|I surrender|That's it, you win|"
        "I throw in the towel|I hereby resign|I think I have to resign",
    ("en", What.DRAW): "Draw agreed from my side?|Do you want a draw|"
        "I would like a draw|Fancy a draw?",
    ("en", What.LEAVE): "I will be on vacation between 4 January and 9 January|"
        "On leave 4/1 to 9/1|"
        "We are travelling from 4 January until 9 January|"
        "holiday week 52",
    ("en", What.CLAIM): "My opponent overstepped the time limit|"
        "You have exceeded your time|Black lost on time",
    ("en", What.NEW_ADDRESS): "My new address is Main Street 4|We moved to York|"
        "Change of address: Main Street 4",
    ("en", What.NOTHING): "Nice game|Hope you are well|Sorry for the delay|"
        "It is snowing here",
    ("sv", What.MOVE): "Springare g1 till f3|2. springare f3|Sg1-f3",
    ("sv", What.UNCLEAR): "Jag svarar Sf3|Mitt drag är Sf3|springaren går nog till f3 nu",
    ("sv", What.RESIGN): "Jag får ge upp|Nu ger jag upp partiet|Jag kapitulerar",
    ("sv", What.DRAW): "Vad sägs om remi?|Jag föreslår att vi tar remi|Kan vi ta remi",
    ("sv", What.LEAVE): "Jag reser bort 4 januari till 9 januari|Ledig 4/1-9/1|"
        "På semester från 4 januari till 9 januari",
    ("sv", What.NOTHING): "Trevlig helg|Det snöar|Bra parti",
}  # fmt: skip
"""The same, written down before anybody had tried them."""


@dataclass(frozen=True, slots=True)
class PersonMail:
    """What somebody wrote, in which language, and what it must be recognised as."""

    lang: str
    said: str
    what: What


def people_mails() -> Iterator[PersonMail]:
    """Every saying with every greeting and end of its language, each once."""
    for (lang, what), texts in (*SAYS.items(), *MORE.items()):
        for text in texts.split("|"):
            ends = cycle(ENDS[lang])
            for greeting in GREETINGS[lang]:
                for _ in range(2):
                    yield PersonMail(lang, f"{greeting}{text}{next(ends)}", what)
